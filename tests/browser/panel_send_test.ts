/** What sends, what does not, and that exactly what is shown is sent. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { browserTest } from "./browser.ts";
import { HELLO, OpenPanel } from "./panel.ts";
import { resultWith, SENDS_HELLO } from "./results.ts";

/** The panel's calls, without what the Apps client adds. */
function callsOf({ calls }: OpenPanel): Message[] {
  return calls.map(({ name, arguments: args }) => ({ name, arguments: args }));
}

browserTest("loading, drawing, hovering, focusing and a press let go elsewhere send nothing", async () => {
  verifies("panel-click");
  await using opened = await OpenPanel.open();
  await opened.reaches("ready");
  await opened.button.hover();
  await opened.page.mouse.down();
  await opened.page.mouse.move(1, 1);
  await opened.page.mouse.up();
  await opened.panel.locator("#message").click();
  await opened.page.keyboard.press("Enter");
  await opened.button.focus();
  await opened.page.keyboard.press("Shift+Tab");
  await opened.page.keyboard.press("Tab");
  for (const theme of ["dark", "light"]) await opened.change({ theme, containerDimensions: { width: 320 } });
  await opened.give(await opened.draft());
  await opened.change({ locale: "zh-CN" });
  await opened.panel.getByRole("button", { name: "发送" }).waitFor();
  await opened.reaches("ready");
  strictEqual(await opened.text("status"), "");
  deepStrictEqual([opened.calls, opened.bot.requests, opened.modelContexts], [[], [], []]);
});

const WAYS: Readonly<Record<string, (opened: OpenPanel) => Promise<void>>> = {
  "a click": ({ button }) => button.click(),
  "Enter": ({ button }) => button.press("Enter"),
  "Space": ({ button }) => button.press("Space"),
};

for (const [way, send] of Object.entries(WAYS)) {
  browserTest(`${way} sends once, by the arguments of the draft`, async () => {
    verifies("panel-click", "panel-shown-sent");
    await using opened = await OpenPanel.open({ draft: null });
    const draft = await opened.draft();
    await opened.give(draft);
    await opened.reaches("ready");
    await send(opened);
    await opened.reaches("success");
    const { invoke_action } = draft.structuredContent.result;
    deepStrictEqual(callsOf(opened), [{ name: "invoke_action", arguments: invoke_action }]);
    strictEqual(opened.sends, 1);
    if (way === "a click") await opened.picture("success");
  });
}

browserTest("a script presses the button in vain", async () => {
  verifies("panel-click");
  await using opened = await OpenPanel.open();
  await opened.reaches("ready");
  const clicks = await opened.frame.evaluate(`(() => {
    const button = document.getElementById("send");
    let clicks = 0;
    button.addEventListener("click", () => clicks++);
    button.focus();
    button.click();
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
      button.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, composed: true }));
    }
    for (const type of ["keydown", "keypress", "keyup"]) {
      for (const key of ["Enter", " "]) button.dispatchEvent(new KeyboardEvent(type, { key, code: key, bubbles: true }));
    }
    return clicks;
  })()`);
  strictEqual(clicks, 2);
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("success");
  deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
});

/** Texts that a bot would read as markup if they came as a string, and other trials. */
const TEXTS: ReadonlyArray<{ name: string; text: string; chat: "group" | "private" }> = [
  { name: "CQ codes", text: "[CQ:at,qq=all] &#91;CQ:face,id=1&#93; &amp;", chat: "group" },
  { name: "a JSON array", text: JSON.stringify([{ type: "at", data: { qq: "all" } }]), chat: "private" },
  { name: "10,000 characters", text: "0123456789 abc 你好\n".repeat(600).slice(0, 9_999) + ".", chat: "group" },
  { name: "emoji", text: "👨‍👩‍👧‍👦 👍🏽 🇨🇳 é 𝒳", chat: "private" },
  { name: "blanks and lines", text: "  two\n\n\n\tthree  \r\n four ", chat: "group" },
];

for (const { name, text, chat } of TEXTS) {
  browserTest(`the bot stores what is shown, to the letter: ${name}, ${chat}`, async () => {
    verifies("panel-shown-sent", "preview-literal", "preview-reply");
    await using opened = await OpenPanel.open({ draft: null });
    const where = chat === "group" ? { group_id: 20001 } : { user_id: 11001 };
    const quoted = opened.bot.receive({ user_id: 11001, ...where, message: "What do you think?" });
    const target = chat === "group" ? 20001 : 11001;
    await opened.give(await opened.draft({ message_type: chat, target_id: target, text, reply_to: quoted }));
    await opened.reaches("ready");
    strictEqual(await opened.text("text"), text);
    strictEqual(await opened.text("quote"), `Reply to message ${quoted}`);
    match(await opened.text("chat"), new RegExp(` ${target}$`));
    await opened.button.click();
    await opened.reaches("success");
    const message = [{ type: "reply", data: { id: String(quoted) } }, { type: "text", data: { text } }];
    const [request, ...others] = opened.bot.requests;
    deepStrictEqual([request?.action, request?.params], [`send_${chat}_msg`, { ...where, message }]);
    deepStrictEqual(others, []);
    const [, id] = /as message (-?\d+)\./.exec(await opened.text("status")) ?? [];
    const stored = await opened.client.callTool("query_action", {
      action: "get_msg",
      params: { message_id: Number(id) },
    });
    const { data } = stored.structuredContent.result;
    deepStrictEqual([data.message_type, data.message], [chat, message]);
  });
}

const HELLO_TEXT = { type: "text", data: { text: "Hello" } };
const sendsWith = (params: Message): Message => ({ action: "send_group_msg", params: { group_id: 20001, ...params } });

/** Arguments that would send something else than what could be shown of them. */
const FORGED: readonly unknown[] = [
  undefined,
  "send it",
  { ...SENDS_HELLO, timeout: 1 },
  { ...SENDS_HELLO, action: "send_msg" },
  { ...SENDS_HELLO, action: "delete_friend" },
  sendsWith({ message: "Hello [CQ:at,qq=all]" }),
  sendsWith({ message: [] }),
  sendsWith({ message: HELLO_TEXT }),
  sendsWith({ message: [HELLO_TEXT], auto_escape: false }),
  sendsWith({ message: [HELLO_TEXT], user_id: 11001 }),
  sendsWith({ message: [HELLO_TEXT], group_id: "20001" }),
  sendsWith({ message: [HELLO_TEXT], group_id: -20001 }),
  sendsWith({ message: [HELLO_TEXT, HELLO_TEXT] }),
  sendsWith({ message: [HELLO_TEXT, { type: "reply", data: { id: "5" } }] }),
  sendsWith({ message: [{ type: "reply", data: { id: "0" } }, HELLO_TEXT] }),
  sendsWith({ message: [{ type: "reply", data: { id: 5 } }, HELLO_TEXT] }),
  sendsWith({ message: [{ type: "at", data: { qq: "all" } }, HELLO_TEXT] }),
  sendsWith({ message: [HELLO_TEXT, { type: "reply", data: { id: "5" } }, HELLO_TEXT] }),
  sendsWith({ message: [{ type: "image", data: { file: "https://bot.example/a.png" } }] }),
  sendsWith({ message: [{ type: "text", data: { text: "Hello", url: "https://bot.example" } }] }),
  sendsWith({ message: [{ ...HELLO_TEXT, at: "all" }] }),
  sendsWith({ message: [{ type: "text", data: { text: "" } }] }),
];

browserTest("a result that could not be shown whole is not taken, and the person is told", async () => {
  verifies("panel-shown-sent");
  await using opened = await OpenPanel.open({ draft: null });
  for (const sends of FORGED) await opened.give(resultWith(sends));
  await opened.reaches("none");
  strictEqual(
    await opened.text("note"),
    "The answer holds no draft that this panel can show. Nothing can be sent from here.",
  );
  strictEqual(await opened.button.isVisible(), false);
  await opened.page.keyboard.press("Tab");
  await opened.page.keyboard.press("Enter");
  await opened.give(await opened.draft({ ...HELLO, text: "The true one" })); // is taken only if none before it was
  await opened.reaches("ready");
  deepStrictEqual([await opened.text("text"), await opened.text("status")], ["The true one", ""]);
  deepStrictEqual([opened.calls, opened.bot.requests], [[], []]);
});

browserTest("what is shown is made of what is sent, whatever else the result says", async () => {
  verifies("panel-shown-sent");
  await using opened = await OpenPanel.open({ draft: null });
  await opened.give(resultWith(SENDS_HELLO, { can_send: true, draft: "To group 20003: Goodbye" }));
  await opened.reaches("ready");
  deepStrictEqual([await opened.text("chat"), await opened.text("text")], ["Group 20001", "Hello"]);
  match(await opened.text("effect"), /in group 20001/);
  await opened.button.click();
  await opened.reaches("success");
  deepStrictEqual(callsOf(opened), [{ name: "invoke_action", arguments: SENDS_HELLO }]);
});
