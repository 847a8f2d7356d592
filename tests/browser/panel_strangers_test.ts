/** Messages that do not come from the client around the panel: another frame of the page, the panel's own window. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { browserTest } from "./browser.ts";
import { OpenPanel } from "./panel.ts";
import { resultNotice, SENDS_HELLO } from "./results.ts";

const CAPABILITIES = { serverTools: {}, updateModelContext: { text: {} } };
const OTHER = { ...SENDS_HELLO, params: { ...SENDS_HELLO.params, group_id: 20003 } };
const CANCELLED = { jsonrpc: "2.0", method: "ui/notifications/tool-cancelled", params: { reason: "a stranger" } };
const CHINESE = { jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { locale: "zh-CN" } };

/** The answer to the panel's handshake, its first request. */
function welcome(hostCapabilities: Message): Message {
  const hostInfo = { name: "stranger", version: "1" };
  return {
    jsonrpc: "2.0",
    id: 0,
    result: { protocolVersion: "2026-01-26", hostInfo, hostCapabilities, hostContext: { locale: "en" } },
  };
}

/** Answers to everything that the panel may have asked for. */
function answers(): Message[] {
  const result = {
    content: [],
    structuredContent: { result: { data: { message_id: 666 } }, diagnostics: { outcome: "success" } },
  };
  return Array.from({ length: 20 }, (_, id) => ({ jsonrpc: "2.0", id, result }));
}

/** Who posts: the client itself, another frame in its page, or a script in the panel's window. */
type Sender = "client" | "frame" | "itself";

/** Posts to the panel, and waits until all has come to it. */
async function post({ page, frame }: OpenPanel, sender: Sender, messages: readonly Message[]): Promise<void> {
  await frame.evaluate(`void (globalThis.arrived = new Promise((resolve) => {
    let left = ${messages.length};
    addEventListener("message", () => --left === 0 && resolve());
  }))`);
  const loop = (target: string) =>
    `for (const message of ${JSON.stringify(messages)}) ${target}.postMessage(message, "*");`;
  if (sender === "client") await page.evaluate(loop("frames[0]"));
  if (sender === "itself") await frame.evaluate(loop("globalThis"));
  if (sender === "frame") {
    // Closed, so that for the tests there is one frame only.
    await page.evaluate(`((source) => {
      const place = document.createElement("div");
      const frame = document.createElement("iframe");
      frame.srcdoc = source;
      place.attachShadow({ mode: "closed" }).append(frame);
      document.body.append(place);
    })(${JSON.stringify(`<script>${loop("parent.frames[0]")}</script>`)})`);
  }
  await frame.evaluate("arrived");
}

for (const sender of ["frame", "itself"] as const) {
  const who = sender === "frame" ? "another frame" : "its own window";

  browserTest(`a panel takes neither handshake nor draft from ${who}`, async () => {
    verifies("panel-click", "panel-shown-sent");
    await using opened = await OpenPanel.alone("frame", { clock: true });
    const messages = [welcome(CAPABILITIES), resultNotice(SENDS_HELLO), CANCELLED];
    await post(opened, sender, messages);
    await opened.page.clock.fastForward(5_000);
    await opened.reaches("none"); // nobody has answered: the messages were no handshake
    match(await opened.text("note"), /^No client answers this panel/);
    strictEqual(await opened.button.isVisible(), false);
    await post(opened, "client", messages); // the very same from the client are one
    await opened.reaches("ready");
  });

  browserTest(`nothing that comes from ${who} changes a panel or what became of its send`, async () => {
    verifies("panel-click", "panel-outcomes", "panel-once");
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await using opened = await OpenPanel.open({ onCall: (_, pass) => held.then(pass) });
    await opened.reaches("ready");
    const messages = [
      resultNotice(OTHER),
      CANCELLED,
      CHINESE,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "invoke_action", arguments: SENDS_HELLO } },
      { type: "click", target: "send" },
      ...answers(),
    ];
    await post(opened, sender, messages);
    deepStrictEqual([await opened.text("chat"), await opened.text("status")], ["Group 20001", ""]);
    strictEqual(opened.calls.length, 0);
    await opened.button.click();
    await opened.reaches("sending");
    await post(opened, sender, messages);
    strictEqual(await opened.text("status"), "Sending. The bot has not answered yet.");
    release();
    await opened.reaches("success");
    strictEqual((await opened.text("status")).includes("666"), false);
    deepStrictEqual([opened.calls.length, opened.sends], [1, 1]);
    await post(opened, "client", [resultNotice(OTHER), CHINESE]); // the very same from the client do
    await opened.panel.getByText("又收到一份草稿").waitFor();
  });
}
