/** At most one send for a panel, whatever people and clients do. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { Fault } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { browserTest } from "./browser.ts";
import { HELLO, OpenPanel } from "./panel.ts";

const ANOTHER = "Another draft came for this panel and is not shown. Every draft needs a panel of its own.";

/** Presses the button by all means, many times and fast. */
async function press({ page, button }: OpenPanel): Promise<void> {
  await button.click({ clickCount: 20, delay: 0, force: true }); // else it would wait until the button is enabled
  const { x, y } = await button.boundingBox() ?? { x: 0, y: 0 };
  const devtools = await page.context().newCDPSession(page);
  const event = { x: x + 10, y: y + 10, button: "left", clickCount: 1 } as const;
  await Promise.all(Array.from({ length: 20 }, async () => {
    await Promise.all([
      devtools.send("Input.dispatchMouseEvent", { type: "mousePressed", ...event }),
      devtools.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...event }),
    ]);
  }));
  await button.focus();
  for (let repeats = 0; repeats < 20; repeats++) await page.keyboard.down("Enter"); // held
  await page.keyboard.up("Enter");
  for (let times = 0; times < 5; times++) await page.keyboard.press("Space");
}

/** Waits until all that was asked for before has come to the server, and was answered: calls keep their order. */
async function settle(opened: OpenPanel): Promise<void> {
  await opened.change({ locale: "zh-CN" });
  await opened.panel.getByRole("button", { name: "发送" }).waitFor();
  await opened.change({ locale: "en" });
  await opened.panel.getByRole("button", { name: "Send" }).waitFor();
  await opened.client.callTool("query_action", { action: "get_status" });
}

browserTest("many fast presses, also of a held key, send once while the answer is slow", async () => {
  verifies("panel-once");
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using opened = await OpenPanel.open({
    onCall: async (_, pass) => {
      const answer = await pass();
      await held;
      return answer;
    },
  });
  await opened.reaches("ready");
  await press(opened);
  await opened.reaches("sending");
  await settle(opened);
  await press(opened);
  await settle(opened);
  deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
  release();
  await opened.reaches("success");
  await press(opened);
  await settle(opened);
  deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
  deepStrictEqual(opened.complaints, []);
});

browserTest("fast clicks send once when the bot is slow", async () => {
  verifies("panel-once");
  await using opened = await OpenPanel.open();
  opened.bot.script({ kind: "delay", ms: 300, action: "send_group_msg" });
  await opened.reaches("ready");
  await opened.button.click({ clickCount: 20, delay: 0 });
  await opened.reaches("success");
  await settle(opened);
  deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
});

const ENDS: Readonly<Record<string, Fault>> = {
  success: { kind: "delay", ms: 0 },
  failed: { kind: "envelope", envelope: { status: "failed", retcode: 1200, data: null, wording: "muted" } },
  unknown: { kind: "cut", when: "after" },
};

for (const [state, fault] of Object.entries(ENDS)) {
  browserTest(`after ${state} neither presses nor redraws nor results send again`, async () => {
    verifies("panel-once", "never-retry");
    await using opened = await OpenPanel.open();
    opened.bot.script({ ...fault, action: "send_group_msg" });
    await opened.reaches("ready");
    await opened.button.click();
    await opened.reaches(state);
    const status = await opened.text("status");
    await press(opened);
    await opened.give(await opened.draft()); // the same as before
    for (const theme of ["dark", "light"]) await opened.change({ theme, containerDimensions: { maxHeight: 500 } });
    await press(opened);
    await settle(opened);
    deepStrictEqual([await opened.text("status"), await opened.button.getAttribute("aria-disabled")], [status, "true"]);
    await opened.give(await opened.draft({ ...HELLO, text: "Another" }));
    await opened.cancel();
    await press(opened);
    await settle(opened);
    await opened.reaches(state);
    deepStrictEqual([await opened.text("text"), await opened.text("status")], ["Hello", `${status} ${ANOTHER}`]);
    deepStrictEqual([opened.calls.length, opened.sends, opened.modelContexts.length], [1, 1, 1]);
  });
}

browserTest("another draft that comes before the click is neither shown nor sent, and the person is told", async () => {
  verifies("panel-once", "panel-shown-sent");
  await using opened = await OpenPanel.open();
  await opened.reaches("ready");
  for (const other of [{ text: "Another" }, { target_id: 20003 }, { reply_to: 5 }]) {
    await opened.give(await opened.draft({ ...HELLO, ...other }));
  }
  await opened.panel.getByRole("status").getByText(ANOTHER).waitFor();
  deepStrictEqual([await opened.text("chat"), await opened.text("text")], ["Group 20001", "Hello"]);
  await opened.button.click();
  await opened.reaches("success");
  await settle(opened);
  match(await opened.text("status"), /^Accepted by the bot as message -?\d+\. That is no proof .+ Another draft came/);
  deepStrictEqual(opened.bot.requests.map(({ params }) => params).slice(0, 1), [
    { group_id: 20001, message: [{ type: "text", data: { text: "Hello" } }] },
  ]);
  strictEqual(opened.sends, 1);
});

browserTest(
  "redraws, results and a second handshake while it sends change neither the draft nor the send",
  async () => {
    verifies("panel-once");
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using opened = await OpenPanel.open({ onCall: (_, pass) => held.then(pass) });
    await opened.reaches("ready");
    await opened.button.click();
    await opened.reaches("sending");
    await opened.give(await opened.draft());
    await opened.cancel();
    await opened.page.evaluate(`frames[0].postMessage({ jsonrpc: "2.0", id: 0, result: {
    protocolVersion: "2026-01-26",
    hostInfo: { name: "again", version: "1" },
    hostCapabilities: { serverTools: {} },
    hostContext: {},
  } }, "*")`);
    await opened.give(await opened.draft());
    await settle(opened);
    strictEqual(await opened.text("status"), "Sending. The bot has not answered yet.");
    await opened.give(await opened.draft({ ...HELLO, text: "Another" }));
    await press(opened);
    await settle(opened);
    strictEqual(await opened.text("text"), "Hello");
    strictEqual(await opened.text("status"), `Sending. The bot has not answered yet. ${ANOTHER}`);
    release();
    await opened.reaches("success");
    await press(opened);
    await settle(opened);
    deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
  },
);

browserTest("a panel that is taken away while it sends, or after, agrees and sends nothing more", async () => {
  verifies("panel-once");
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await using opened = await OpenPanel.open({ onCall: (_, pass) => held.then(pass) });
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("sending");
  await opened.teardown();
  await press(opened);
  release();
  await opened.reaches("success");
  await opened.teardown();
  await press(opened);
  await settle(opened);
  deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
  deepStrictEqual(opened.complaints, []);
});

browserTest("a frame that is removed while it sends leaves one request at the bot", async () => {
  verifies("panel-once");
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  await using opened = await OpenPanel.open({
    onCall: async (_, pass) => {
      await held;
      const answer = await pass();
      finish();
      return answer;
    },
  });
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("sending");
  await opened.teardown();
  await opened.page.evaluate(`document.querySelector("iframe").remove()`);
  release();
  await done;
  await opened.client.callTool("query_action", { action: "get_status" });
  deepStrictEqual([opened.calls.length, opened.sends, opened.modelContexts.length], [1, 1, 0]);
  deepStrictEqual(opened.complaints, []);
});
