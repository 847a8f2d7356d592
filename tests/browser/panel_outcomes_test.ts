/** What became of a send, as the panel tells it to the person. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Fault } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { browserTest } from "./browser.ts";
import { OpenPanel, type PanelOptions } from "./panel.ts";
import { resultWith, SENDS_HELLO } from "./results.ts";

const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202Egnp";
/** Hidden characters are named where they come from a client, and taken out where the server has quoted the bot. */
const HOSTILE_SHOWN = /<img src=x onerror=alert\(1\)><script>alert\(2\)<\/script>.*gnp/;

/** Sends, and gives what is said of it. */
async function send(opened: OpenPanel, state: string): Promise<string> {
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches(state);
  strictEqual(await opened.panel.locator("#status *").count(), 0, "there is markup in the status");
  strictEqual(await opened.button.getAttribute("aria-disabled"), "true");
  deepStrictEqual(opened.complaints, []);
  return await opened.panel.getByRole("status").textContent() ?? "";
}

/** Checks that a later press and redraw neither send again nor change what is said. */
async function staysSo(opened: OpenPanel, status: string): Promise<void> {
  await opened.button.click({ force: true, clickCount: 3 }); // else it would wait until the button is enabled
  await opened.button.press("Enter");
  await opened.change({ theme: "dark" });
  await opened.panel.locator("html[data-theme=dark]").waitFor();
  strictEqual(await opened.text("status"), status);
  strictEqual(opened.calls.length, 1);
}

/** How a bot may take it. */
const BOTS: ReadonlyArray<
  { name: string; fault?: Fault; sends?: number; state: string; says: RegExp; args?: string[] }
> = [
  {
    name: "the bot accepts it",
    state: "success",
    says: /^Accepted by the bot as message -?\d+\. That is no proof that it was delivered\.$/,
  },
  {
    name: "the bot accepts it and names no message",
    fault: { kind: "envelope", envelope: { status: "ok", retcode: 0, data: null }, act: true },
    state: "success",
    says: /^Accepted by the bot\. That is no proof that it was delivered\.$/,
  },
  {
    name: "the bot refuses it",
    fault: { kind: "envelope", envelope: { status: "failed", retcode: 1404, data: null, wording: "no such group" } },
    state: "failed",
    says: /^Not sent\. .*1404.*no such group.* To try again, ask for a new draft\.$/,
  },
  {
    name: "the bot refuses it with markup",
    fault: { kind: "envelope", envelope: { status: "failed", retcode: 1404, data: null, wording: HOSTILE } },
    state: "failed",
    says: HOSTILE_SHOWN,
  },
  {
    name: "the bot stores it and never answers",
    fault: { kind: "delay", ms: Infinity, when: "after" },
    args: ["--timeout-ms", "500"],
    state: "unknown",
    says: /^It is unknown whether this was sent\. .*500 ms.* Look into the chat before anything is sent again\.$/,
  },
  {
    name: "the connection is cut",
    fault: { kind: "cut", when: "after" },
    state: "unknown",
    says: /^It is unknown whether this was sent\. .+\. Look into the chat before anything is sent again\.$/,
  },
  {
    name: "the bot answers with a page",
    fault: { kind: "body", body: `<h1>${HOSTILE}</h1>`, act: true },
    state: "unknown",
    says: /^It is unknown whether this was sent\. .+\. Look into the chat before anything is sent again\.$/,
  },
];

for (const { name, fault, state, says, args = [] } of BOTS) {
  browserTest(`${name}: ${state}, told once and for all`, async () => {
    verifies("panel-outcomes", "never-retry");
    await using opened = await OpenPanel.open({ args });
    if (fault) opened.bot.script({ ...fault, action: "send_group_msg" });
    const status = await send(opened, state);
    match(status, says);
    await opened.picture(name);
    await staysSo(opened, status);
    strictEqual(opened.sends, 1);
  });
}

/** An error as a client answers it. */
const refuses = (code: number, message: string) => () => Promise.reject(Object.assign(new Error(message), { code }));
/** An answer of a client, whatever it is. */
const answers = (answer: unknown) => () => Promise.resolve(answer as Message);

/** How a client may take it, which is not the server's word. */
const CLIENTS: ReadonlyArray<
  { name: string; onCall: NonNullable<PanelOptions["onCall"]>; state: string; says: RegExp }
> = [
  {
    name: "has no such method",
    onCall: refuses(-32601, "Method not found"),
    state: "failed",
    says: /^Not sent\. Method not found\. To try again, ask for a new draft\.$/,
  },
  {
    name: "fails",
    onCall: refuses(-32603, `Internal error ${HOSTILE}`),
    state: "unknown",
    says:
      /^It is unknown whether this was sent\. Internal error <img .*⟦U\+202E⟧gnp\. Look into the chat before anything/,
  },
  {
    name: "answers an error without the server's verdict",
    onCall: answers({ isError: true, content: [{ type: "text", text: HOSTILE }] }),
    state: "unknown",
    says:
      /^It is unknown whether this was sent\. <img .*⟦U\+202E⟧gnp\. Look into the chat before anything is sent again\.$/,
  },
  {
    name: "answers nothing",
    onCall: answers({}),
    state: "unknown",
    says: /^It is unknown whether this was sent\. +Look into the chat before anything is sent again\.$/,
  },
  {
    name: "answers text alone",
    onCall: answers({ content: [{ type: "text", text: '{"status":"ok","retcode":0}' }] }),
    state: "unknown",
    says: /^It is unknown whether this was sent\. .* Look into the chat before anything is sent again\.$/,
  },
  {
    name: "answers what is no result",
    onCall: answers({ content: 5, structuredContent: "done" }),
    state: "unknown",
    says: /^It is unknown whether this was sent\. [^]* Look into the chat before anything is sent again\.$/,
  },
  {
    name: "claims a success that is an error",
    onCall: answers({
      isError: true,
      content: [],
      structuredContent: { result: { data: { message_id: 5 } }, diagnostics: { outcome: "success" } },
    }),
    state: "unknown",
    says: /^It is unknown whether this was sent\. /,
  },
];

for (const { name, onCall, state, says } of CLIENTS) {
  browserTest(`a client that ${name}: ${state}`, async () => {
    verifies("panel-outcomes");
    await using opened = await OpenPanel.open({ onCall });
    const status = await send(opened, state);
    match(status, says);
    await staysSo(opened, status);
    strictEqual(opened.sends, 0);
  });
}

for (const mode of ["docs", "read"] as const) {
  browserTest(`a send that the server refuses by its mode has failed (${mode})`, async () => {
    verifies("panel-outcomes", "panel-blocked");
    await using opened = await OpenPanel.open({ mode, draft: null });
    await opened.give(resultWith(SENDS_HELLO)); // of a server that was in write mode then
    const status = await send(opened, "failed");
    match(status, new RegExp(`^Not sent\\. .*${mode} mode.* To try again, ask for a new draft\\.$`));
    await staysSo(opened, status);
    strictEqual(opened.sends, 0);
  });
}

browserTest(
  "a wait is told at once and as slow after ten seconds; no answer at all is unknown in the end",
  async () => {
    verifies("panel-outcomes", "panel-once");
    await using opened = await OpenPanel.open({ clock: true, onCall: () => new Promise(() => {}) });
    await opened.reaches("ready");
    await opened.button.click();
    await opened.reaches("sending");
    const { clock } = opened.page;
    strictEqual(await opened.text("status"), "Sending. The bot has not answered yet.");
    await clock.fastForward(11_000);
    const slow = "Still no answer. Please wait, and do not send it in another way meanwhile.";
    await opened.panel.getByText(slow).waitFor();
    await opened.reaches("sending");
    await opened.picture("slow");
    await staysSo(opened, slow);
    await clock.fastForward(600_000);
    await opened.reaches("unknown");
    const status = await opened.text("status");
    match(status, /^It is unknown whether this was sent\. .+ Look into the chat before anything is sent again\.$/);
    await staysSo(opened, status);
  },
);

browserTest("an outcome is told in Chinese, and again after a change of language", async () => {
  verifies("panel-outcomes", "panel-follows");
  await using opened = await OpenPanel.open({ context: { locale: "zh-CN" } });
  opened.bot.script({ kind: "cut", when: "after", action: "send_group_msg" });
  const status = await send(opened, "unknown");
  ok(status.startsWith("无法确定是否已发送。") && status.endsWith("再次发送之前，请先查看聊天记录。"), status);
  await opened.change({ locale: "en" });
  await opened.panel.getByRole("status").getByText("It is unknown whether this was sent.").waitFor();
  strictEqual(opened.sends, 1);
});
