/** What the model is told of a send that a person made. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import type { Fault } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { browserTest } from "./browser.ts";
import { HELLO, OpenPanel } from "./panel.ts";

const SECRET = "Meet me at nine";

const ENDS: Readonly<Record<string, Fault>> = {
  success: { kind: "delay", ms: 0 },
  failed: { kind: "envelope", envelope: { status: "failed", retcode: 1200, data: null, wording: SECRET } },
  unknown: { kind: "cut", when: "after" },
};

/** Waits until what the panel tells to the model has come, since it tells that after all else. */
async function settle(opened: OpenPanel): Promise<void> {
  await opened.change({ locale: "zh-CN" });
  await opened.panel.getByRole("button", { name: "发送" }).waitFor();
  await opened.client.callTool("query_action", { action: "get_status" });
}

for (const [state, fault] of Object.entries(ENDS)) {
  browserTest(`the model is told once of ${state}, and not what the message says`, async () => {
    verifies("panel-model-told");
    await using opened = await OpenPanel.open({ draft: { ...HELLO, text: SECRET } });
    opened.bot.script({ ...fault, action: "send_group_msg" });
    await opened.reaches("ready");
    await settle(opened);
    strictEqual(opened.modelContexts.length, 0);
    await opened.button.click();
    await opened.reaches(state);
    await opened.button.click({ force: true, clickCount: 3 }); // else it would wait until the button is enabled
    await opened.give(await opened.draft());
    await settle(opened);
    strictEqual(opened.modelContexts.length, 1);
    const [context] = opened.modelContexts;
    deepStrictEqual(Object.keys(context ?? {}), ["content"]);
    const [{ type, text }, ...others] = context?.content;
    deepStrictEqual([type, others], ["text", []]);
    match(text, new RegExp(`^A person sent this draft from the preview panel; outcome: ${state}\\.`));
    strictEqual(text.endsWith("Do not send it again."), state !== "failed");
    doesNotMatch(text, new RegExp(SECRET));
    deepStrictEqual(opened.complaints, []);
  });
}

browserTest("a client that takes no context for the model is given none", async () => {
  verifies("panel-model-told");
  await using opened = await OpenPanel.open({ capabilities: { serverTools: {} } });
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("success");
  await settle(opened);
  deepStrictEqual([opened.modelContexts, opened.sends, opened.complaints], [[], 1, []]);
});

browserTest("a client that refuses the context changes nothing in the panel", async () => {
  verifies("panel-model-told", "panel-once");
  await using opened = await OpenPanel.open({ refusesContext: true });
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("success");
  const status = await opened.text("status");
  await opened.change({ theme: "dark" });
  await opened.panel.locator("html[data-theme=dark]").waitFor();
  await opened.reaches("success");
  deepStrictEqual([await opened.text("status"), opened.modelContexts.length, opened.sends], [status, 1, 1]);
  deepStrictEqual(opened.complaints, []);
});
