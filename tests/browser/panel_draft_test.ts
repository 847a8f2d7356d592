/** What the panel shows of a draft. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { browserTest } from "./browser.ts";
import { computed, pixels, tooWide, until } from "./look.ts";
import { OpenPanel } from "./panel.ts";

const FAMILY = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}";

browserTest("the panel shows who, where, the quote, the text, the counts and what sending does", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open({
    draft: { message_type: "group", target_id: 20001, text: "Hello", reply_to: -123456 },
  });
  await opened.reaches("ready");
  strictEqual(await opened.text("title"), "Message draft");
  strictEqual(await opened.text("chat"), "Group 20001");
  strictEqual(await opened.text("quote"), "Reply to message -123456");
  strictEqual(await opened.text("text"), "Hello");
  strictEqual(await opened.text("counts"), "5 characters, 2 segments");
  strictEqual(
    await opened.text("effect"),
    "Sending posts this text, letter by letter, in group 20001 from the bot's account. Real people will see it.",
  );
  strictEqual(await opened.text("send"), "Send");
  for (const id of ["note", "hidden", "blocked"]) ok(await opened.panel.locator(`#${id}`).isHidden(), id);
  deepStrictEqual(opened.complaints, []);
  await opened.picture("group-quote");
});

browserTest("the panel shows a private draft without a quote, an emoji of seven code points as one", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open({
    draft: { message_type: "private", target_id: 10002, text: FAMILY },
  });
  await opened.reaches("ready");
  strictEqual(await opened.text("chat"), "Private chat with 10002");
  ok(await opened.panel.locator("#quote").isHidden());
  strictEqual(await opened.text("text"), FAMILY);
  ok(await opened.panel.locator("#hidden").isHidden());
  strictEqual(await opened.text("counts"), "1 character, 1 segment");
  strictEqual(
    await opened.text("effect"),
    "Sending posts this text, letter by letter, to user 10002 from the bot's account. Real people will see it.",
  );
  await opened.picture("private");
});

browserTest("the bubble is as wide as its text and stands at the end, as one's own messages do", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open();
  await opened.reaches("ready");
  const [bubble, all] = await Promise.all(["#message", "#draft"].map((id) => opened.panel.locator(id).boundingBox()));
  ok(bubble && all && bubble.width < all.width / 2);
  strictEqual(Math.round(bubble.x + bubble.width), Math.round(all.x + all.width));
});

browserTest("newlines, tabs and runs of spaces stay", async () => {
  verifies("panel-draft");
  const text = "one  two   three\n\n\tfour\n ";
  await using opened = await OpenPanel.open({ draft: { message_type: "group", target_id: 20001, text } });
  await opened.reaches("ready");
  strictEqual(await opened.text("text"), text);
  strictEqual(await computed(opened, "#text", "white-space"), "pre-wrap");
  const lines = await pixels(opened, "#text", "height") / await pixels(opened, "#text", "line-height");
  strictEqual(Math.round(lines), 4);
});

browserTest("nothing moves when the button comes on, and what sending does goes only once it is done", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open({ draft: null, clock: true });
  await opened.reaches("waiting");
  await opened.page.clock.pauseAt(Date.now() + 60_000);
  await opened.give(await opened.draft());
  await opened.reaches("arming");
  ok(await opened.panel.locator("#effect").isVisible());
  const places = "[...document.querySelectorAll('#draft *')].map((one) => one.getBoundingClientRect().top).join()";
  const before = await opened.frame.evaluate(places);
  await opened.page.clock.runFor(1000);
  await opened.reaches("ready");
  strictEqual(await opened.frame.evaluate(places), before);
  await opened.button.click();
  await opened.reaches("success");
  ok(await opened.panel.locator("#effect").isHidden());
});

const LONG = { words: "A long story. ".repeat(715).slice(0, 10_000), letters: "W".repeat(10_000) };

for (const [kind, text] of Object.entries(LONG)) {
  browserTest(`10,000 characters (${kind}) scroll in the bubble, the button in reach at every width`, async () => {
    verifies("panel-draft", "panel-accessible");
    const draft = { message_type: "group", target_id: 20001, text, reply_to: 1 };
    await using opened = await OpenPanel.open({ draft });
    await opened.reaches("ready");
    strictEqual(await opened.text("text"), text);
    strictEqual(await opened.text("counts"), "10000 characters, 2 segments");
    for (const width of [240, 320, 480, 1000]) {
      await opened.page.setViewportSize({ width, height: 640 });
      await until(opened, "innerHeight === Math.ceil(document.body.getBoundingClientRect().height)"); // the client follows
      deepStrictEqual(await tooWide(opened), [], `${width} px`);
      ok(await opened.frame.evaluate("message.scrollHeight > message.clientHeight"), `${width} px`);
      const button = await opened.button.boundingBox();
      ok(button && button.x >= 0 && button.x + button.width <= width, `${width} px`);
      ok(button.y + button.height <= 640, `${width} px`);
      await opened.picture(`long-${kind}-${width}`);
    }
  });
}

browserTest("the README's picture is one of this panel, and small", async () => {
  verifies("panel-draft");
  await using opened = await OpenPanel.open({
    draft: {
      message_type: "group",
      target_id: 20001,
      text: "Dinner at seven?\nI booked the table by the window.",
      reply_to: 102938475,
    },
    context: { locale: "en", theme: "light" },
    browser: { viewport: { width: 440, height: 640 }, deviceScaleFactor: 2 },
  });
  await opened.reaches("ready");
  const drawn = size(await opened.picture("readme"));
  const kept = await Deno.readFile(new URL("../../docs/panel.png", import.meta.url));
  ok(kept.length <= 60 * 1024, `${kept.length} bytes`);
  strictEqual(size(kept).width, drawn.width);
  const lines = Math.abs(size(kept).height - drawn.height) / (2 * 1.5 * 15);
  ok(lines <= 3, `${lines} lines higher or lower`); // other fonts break lines elsewhere
});

/** Size of a PNG, in its pixels (PNG 1.2, section 4.1.1). */
function size(png: Uint8Array): { width: number; height: number } {
  deepStrictEqual([...png.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(png.buffer, png.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
