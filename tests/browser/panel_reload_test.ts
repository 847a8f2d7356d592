/** What a panel does that comes up under a finger, is loaded anew, or has more text than can be seen. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { browserTest } from "./browser.ts";
import { HELLO, OpenPanel } from "./panel.ts";

browserTest("a click on a panel that has just come up sends nothing", async () => {
  verifies("panel-click");
  await using opened = await OpenPanel.open({ draft: null, clock: true });
  const preview = await opened.client.callTool("preview_message", HELLO);
  await opened.page.clock.pauseAt(Date.now() + 3_600_000); // so that no time passes while the test is slow
  await opened.give(preview);
  await opened.reaches("arming");
  await opened.button.click({ force: true });
  await opened.page.clock.runFor(499);
  await opened.button.click({ force: true });
  strictEqual(await opened.panel.locator("#panel").getAttribute("data-state"), "arming");
  deepStrictEqual(opened.calls, []);
  await opened.page.clock.runFor(1);
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("success");
  strictEqual(opened.sends, 1);
});

browserTest("a panel that is loaded anew in its frame does not send the same once more", async () => {
  verifies("panel-once", "panel-outcomes");
  await using opened = await OpenPanel.open();
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("success");
  await opened.reload();
  await opened.give(await opened.client.callTool("preview_message", HELLO));
  await opened.reaches("unknown");
  match(await opened.text("status"), /sent from here already.*unknown.*Look into the chat/i);
  await opened.button.click({ force: true });
  await opened.button.press("Enter");
  strictEqual(opened.calls.length, 1);
  strictEqual(opened.sends, 1);
  await opened.reload();
  await opened.give(await opened.client.callTool("preview_message", { ...HELLO, text: "Something else" }));
  await opened.reaches("ready");
  deepStrictEqual(opened.complaints, []);
});

browserTest("while the end of a text is out of sight, the panel says that it goes on", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open({ draft: { ...HELLO, text: `Hello${"\n".repeat(200)}and not goodbye` } });
  await opened.reaches("ready");
  await opened.panel.locator("#more").waitFor({ state: "visible" });
  match(await opened.text("more"), /Scroll/);
  const scroll = (top: number) => opened.frame.evaluate(`document.getElementById("message").scrollTo(0, ${top})`);
  await scroll(1e6);
  await opened.panel.locator("#more").waitFor({ state: "hidden" });
  await scroll(0);
  await opened.panel.locator("#more").waitFor({ state: "visible" });
  await opened.picture("more");
});

browserTest("a text that is seen whole goes on nowhere", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open();
  await opened.reaches("ready");
  ok(!await opened.panel.locator("#more").isVisible());
});
