/** Drafts that cannot be sent from the panel: why is told, and nothing is called. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { browserTest } from "./browser.ts";
import { OpenPanel, type PanelOptions } from "./panel.ts";
import { resultWith, SENDS_HELLO } from "./results.ts";

const WRONG_MODE = "This server is not in write mode, so nothing can be sent. Its operator can change that.";
const NO_TOOLS = "This client does not let panels call tools, so nothing can be sent from here.";
const CHINESE = {
  [WRONG_MODE]: "服务器不在 write 模式，无法发送。可由运维者更改。",
  [NO_TOOLS]: "此客户端不允许面板调用工具，无法从这里发送。",
};

/** Checks that the draft is shown, that this reason belongs to the button, and that nothing can be done by it. */
async function staysBlocked(opened: OpenPanel, reason: string): Promise<void> {
  const { button, page, panel } = opened;
  await opened.reaches("blocked");
  strictEqual(await opened.text("text"), "Hello");
  strictEqual(await opened.text("blocked"), reason);
  strictEqual(await panel.locator("#blocked").isVisible(), true);
  match(await button.getAttribute("aria-describedby") ?? "", /(^| )blocked( |$)/);
  strictEqual(await button.getAttribute("aria-disabled"), "true");
  await button.click({ force: true, clickCount: 3 }); // else it would wait until the button is enabled
  await button.focus();
  strictEqual(await panel.locator("#send:focus").count(), 1, "people cannot reach the button to hear why");
  for (const key of ["Enter", "Space"]) await page.keyboard.press(key);
  await opened.change({ theme: "dark" });
  await panel.locator("html[data-theme=dark]").waitFor();
  await opened.reaches("blocked");
  strictEqual(await opened.text("status"), "");
  deepStrictEqual([opened.calls, opened.bot.requests, opened.modelContexts], [[], [], []]);
}

/** Circumstances, each with the reason that is told. */
const BLOCKED: ReadonlyArray<{ name: string; options: PanelOptions; reason: keyof typeof CHINESE }> = [
  { name: "docs mode", options: { mode: "docs" }, reason: WRONG_MODE },
  { name: "read mode", options: { mode: "read" }, reason: WRONG_MODE },
  { name: "a client without tools", options: { capabilities: { updateModelContext: {} } }, reason: NO_TOOLS },
  { name: "a client without any capability", options: { capabilities: {} }, reason: NO_TOOLS },
  { name: "read mode and a client without tools", options: { mode: "read", capabilities: {} }, reason: WRONG_MODE },
];

for (const { name, options, reason } of BLOCKED) {
  browserTest(`the button does nothing and says why, in English and Chinese: ${name}`, async () => {
    verifies("panel-blocked");
    await using opened = await OpenPanel.open(options);
    await staysBlocked(opened, reason);
    await opened.picture(`blocked ${name}`);
    await opened.change({ locale: "zh-CN" });
    await opened.panel.getByRole("button", { name: "发送" }).waitFor();
    await staysBlocked(opened, CHINESE[reason] ?? "");
  });
}

/** What no server of ours says, with the reason that is told of it. */
const DOUBTFUL: ReadonlyArray<{ name: string; more: Message; reason: string }> = [
  { name: "no word on whether it can be sent", more: {}, reason: "The server would refuse to send this." },
  {
    name: "a word that only looks like yes",
    more: { can_send: "true" },
    reason: "The server would refuse to send this.",
  },
  {
    name: "a reason that is hostile",
    more: {
      can_send: false,
      blocked: { kind: "risk", message: "<img src=x onerror=alert(1)>", next_step: "Ask \u202Eeh." },
    },
    reason: "The server would refuse to send this. <img src=x onerror=alert(1)>. Ask ⟦U+202E⟧eh.",
  },
];

for (const { name, more, reason } of DOUBTFUL) {
  browserTest(`a draft stays blocked that comes with ${name}`, async () => {
    verifies("panel-blocked", "panel-text-only");
    await using opened = await OpenPanel.open({ draft: null });
    await opened.give(resultWith(SENDS_HELLO, more));
    await opened.reaches("blocked");
    strictEqual((await opened.text("blocked")).trim(), reason);
    await staysBlocked(opened, await opened.text("blocked"));
    strictEqual(await opened.panel.locator("#blocked *").count(), 0);
    deepStrictEqual(opened.complaints, []);
  });
}

browserTest("a blocked draft stays so when a free one comes later", async () => {
  verifies("panel-blocked", "panel-once");
  await using opened = await OpenPanel.open({ mode: "read" });
  await opened.reaches("blocked");
  await opened.give(resultWith(SENDS_HELLO));
  await staysBlocked(opened, WRONG_MODE);
});
