/** The panel where nobody answers it, where nothing may run, and where there is no draft. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { scan } from "./axe.ts";
import { browserTest } from "./browser.ts";
import { OpenPanel } from "./panel.ts";

const ENGLISH = "Where nothing appears, read it in the text of the answer.";
const CHINESE = "如果没有显示，请阅读回答中的文字。";
const NO_HOST = "No client answers this panel, so nothing can be sent from here.";

browserTest("both languages stand in the page before any script, readable and accessible", async () => {
  verifies("panel-alone", "panel-accessible");
  await using opened = await OpenPanel.alone("page", {
    browser: { javaScriptEnabled: false, viewport: { width: 320, height: 640 } },
  });
  const { page } = opened;
  const words = await page.locator("body").innerText();
  for (const sentence of ["Message draft", "消息草稿", ENGLISH, CHINESE]) ok(words.includes(sentence), sentence);
  ok(!await page.locator("#send").isVisible());
  strictEqual(await page.locator("#note [lang=zh-CN]").innerText(), `客户端会在此显示草稿；${CHINESE}`);
  deepStrictEqual(opened.complaints, []);
  const html = (await page.content()).replace(/<script>[^]*<\/script>/, ""); // axe itself needs scripts to be on
  await using other = await OpenPanel.alone("page");
  await other.page.setContent(html);
  ok((await other.page.locator("body").innerText()).includes(CHINESE));
  deepStrictEqual(await scan(other.page.mainFrame()), []);
});

browserTest("in a frame that nobody answers the panel says so after 5 seconds, and how to go on", async () => {
  verifies("panel-alone", "panel-policies");
  for (const policy of ["own", "inline"] as const) {
    await using opened = await OpenPanel.alone("frame", { policy, clock: true });
    await opened.panel.locator("#note").waitFor();
    await opened.page.clock.runFor(1000);
    ok((await opened.text("note")).includes(ENGLISH));
    await opened.page.clock.runFor(4000);
    await opened.reaches("none");
    strictEqual(await opened.text("note"), `${NO_HOST} Read the draft in the text of the answer.`);
    ok(await opened.button.isHidden());
    deepStrictEqual(opened.complaints, []);
    await opened.picture("alone-frame");
  }
});

browserTest("as a page of its own the panel says so at once, in the browser's language", async () => {
  verifies("panel-alone", "panel-accessible", "panel-follows");
  for (const [locale, start] of [["en-US", NO_HOST], ["zh-CN", "没有客户端响应此面板"]] as const) {
    await using opened = await OpenPanel.alone("page", { browser: { locale, colorScheme: "dark" } });
    const { page } = opened;
    await page.locator(`#panel[data-state="none"]`).waitFor();
    ok((await page.locator("#note").textContent())?.startsWith(start));
    ok(await page.locator("#send").isHidden());
    deepStrictEqual(await scan(page.mainFrame()), []);
    deepStrictEqual(opened.complaints, []);
    strictEqual(opened.requests.length, 1);
  }
});

browserTest("a call that was cancelled leaves a note and no button", async () => {
  verifies("panel-alone");
  await using opened = await OpenPanel.open({ draft: null });
  await opened.reaches("waiting");
  strictEqual(await opened.text("note"), "Waiting for the draft.");
  ok(await opened.button.isHidden());
  await opened.cancel();
  await opened.reaches("none");
  strictEqual(await opened.text("note"), "The call was cancelled; there is no draft.");
  ok(await opened.button.isHidden());
});

browserTest("the server's refusal of a draft is told, with its reason, and there is no button", async () => {
  verifies("panel-alone");
  await using opened = await OpenPanel.open({ draft: { message_type: "group", target_id: 20001, text: " " } });
  await opened.reaches("none");
  const note = await opened.text("note");
  ok(note.startsWith("The answer holds no draft that this panel can show. Nothing can be sent from here. "), note);
  ok(note.includes("Cannot call preview_message: text: "), note);
  ok(await opened.button.isHidden());
  deepStrictEqual(await scan(opened.frame), []);
  await opened.picture("refused");
});
