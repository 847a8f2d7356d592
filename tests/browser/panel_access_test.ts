/** Whether everybody can use the panel: by keyboard, by screen reader, with large letters. */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Fault } from "../../lib/simulator/faults.ts";
import { verifies } from "../requirements.ts";
import { scan } from "./axe.ts";
import { browserTest } from "./browser.ts";
import { computed, contrast, pixels, tooWide, until } from "./look.ts";
import { OpenPanel } from "./panel.ts";

const QUOTE = { message_type: "group", target_id: 20001, text: "Hello\u200B", reply_to: 7 };

/** Scans what is shown in every theme and contrast, and keeps a picture of each. */
async function scanAll(opened: OpenPanel, name: string): Promise<void> {
  const pictures = new Set<string>();
  for (const theme of ["light", "dark"] as const) {
    await opened.change({ theme });
    await until(opened, `getComputedStyle(document.documentElement).colorScheme === "${theme}"`);
    for (const contrast of ["no-preference", "more"] as const) {
      await opened.page.emulateMedia({ contrast });
      const look = `${name}-${theme}${contrast === "more" ? "-contrast" : ""}`;
      deepStrictEqual(await scan(opened.frame), [], look);
      pictures.add((await opened.picture(look)).toBase64());
    }
  }
  strictEqual(pictures.size, 4);
  await opened.page.emulateMedia({ contrast: "no-preference" });
}

browserTest("axe finds nothing while the panel waits, nor where there is no draft", async () => {
  verifies("panel-accessible", "panel-alone");
  await using opened = await OpenPanel.open({ draft: null });
  await opened.reaches("waiting");
  await scanAll(opened, "waiting");
  await opened.cancel();
  await opened.reaches("none");
  await scanAll(opened, "none");
});

browserTest("axe finds nothing in a draft, in English and Chinese, while it is sent, and once it is", async () => {
  verifies("panel-accessible");
  const held = Promise.withResolvers<void>();
  await using opened = await OpenPanel.open({
    draft: { ...QUOTE, reply_to: undefined },
    onCall: async (_, pass) => {
      await held.promise;
      return await pass();
    },
  });
  await opened.reaches("ready");
  await scanAll(opened, "ready-en");
  await opened.change({ locale: "zh-CN" });
  await until(opened, `document.documentElement.lang === "zh-CN"`);
  await scanAll(opened, "ready-zh");
  await opened.button.click();
  await opened.reaches("sending");
  await scanAll(opened, "sending");
  held.resolve();
  await opened.reaches("success");
  await scanAll(opened, "success");
});

const FAULTS: Readonly<Record<"failed" | "unknown", Fault>> = {
  failed: { kind: "envelope", envelope: { status: "failed", retcode: 120, data: null, wording: "muted" } },
  unknown: { kind: "cut", when: "after" },
};

for (const outcome of ["failed", "unknown"] as const) {
  browserTest(`axe finds nothing when the outcome is ${outcome}`, async () => {
    verifies("panel-accessible");
    await using opened = await OpenPanel.open();
    opened.bot.script(FAULTS[outcome]);
    await opened.reaches("ready");
    await opened.button.click();
    await opened.reaches(outcome);
    await scanAll(opened, outcome);
  });
}

browserTest("axe finds nothing in a draft that cannot be sent, and axe can find something", async () => {
  verifies("panel-accessible");
  await using opened = await OpenPanel.open({ draft: QUOTE, mode: "read" });
  await opened.reaches("blocked");
  await scanAll(opened, "blocked");
  await opened.frame.evaluate(`document.getElementById("counts").style.color = "color-mix(in srgb, red 1%, #1f1f1f)"`);
  deepStrictEqual(await scan(opened.frame), ["color-contrast: #counts"]);
  await opened.frame.evaluate(`document.getElementById("counts").style.color = ""; send.textContent = ""`);
  deepStrictEqual(await scan(opened.frame), ["button-name: #send"]);
});

/** Puts something before and after the panel that takes focus. */
async function surround({ page }: OpenPanel): Promise<void> {
  await page.evaluate(`for (const [id, where] of [["before", "afterbegin"], ["after", "beforeend"]]) {
    document.body.insertAdjacentHTML(where, "<button id=" + id + ">" + id + "</button>");
  }`);
  await page.locator("#before").focus();
}

/** What has focus: in the panel where focus is there, else in the client's page. */
async function focused({ page, frame }: OpenPanel): Promise<string> {
  const id: string = await page.evaluate("document.activeElement.id || document.activeElement.tagName");
  return id === "IFRAME" ? await frame.evaluate("document.activeElement.id") : id;
}

browserTest("Tab goes to the text, which may scroll, to the button, and out; focus is seen", async () => {
  verifies("panel-accessible");
  const text = "A long story. ".repeat(300);
  await using opened = await OpenPanel.open({ draft: { message_type: "group", target_id: 20001, text } });
  await opened.reaches("ready");
  await surround(opened);
  const { keyboard } = opened.page;
  const path: string[] = [];
  for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
    await keyboard.press(key);
    const id = await focused(opened);
    path.push(id);
    if (id === "message" || id === "send") await showsFocus(opened, `#${id}`);
  }
  deepStrictEqual(path, ["message", "send", "after", "send", "message", "before"]);
  await keyboard.press("Tab");
  await keyboard.press("End");
  await until(opened, "message.scrollTop + message.clientHeight >= message.scrollHeight - 1");
  strictEqual(opened.calls.length, 0);
});

async function showsFocus(opened: OpenPanel, selector: string): Promise<void> {
  strictEqual(await computed(opened, selector, "outline-style"), "solid");
  ok(await pixels(opened, selector, "outline-width") >= 2);
  const [outline, surface] = [
    await computed(opened, selector, "outline-color"),
    await computed(opened, "body", "background-color"),
  ];
  ok(contrast(outline, surface) >= 3, `${outline} on ${surface}`);
}

for (const key of ["Enter", "Space"]) {
  browserTest(`${key} sends; focus stays on the button, which says that it is off and still takes focus`, async () => {
    verifies("panel-accessible", "panel-click");
    await using opened = await OpenPanel.open();
    await opened.reaches("ready");
    await surround(opened);
    const { keyboard } = opened.page;
    await keyboard.press("Tab");
    await keyboard.press(key);
    strictEqual(opened.calls.length, 0); // the text is not a button
    await keyboard.press("Tab");
    await keyboard.press(key);
    await opened.reaches("success");
    strictEqual(opened.sends, 1);
    strictEqual(await focused(opened), "send");
    strictEqual(await opened.button.getAttribute("aria-disabled"), "true");
    strictEqual(await opened.button.getAttribute("disabled"), null);
    await keyboard.press("Tab");
    strictEqual(await focused(opened), "after");
    await keyboard.press("Shift+Tab");
    strictEqual(await focused(opened), "send");
    await opened.picture(`focus-${key.toLowerCase()}`);
  });
}

browserTest("a screen reader finds headings in order, one landmark, names, and a region that tells", async () => {
  verifies("panel-accessible", "panel-blocked");
  await using opened = await OpenPanel.open({ draft: QUOTE });
  await opened.reaches("ready");
  strictEqual(
    await opened.panel.locator("body").ariaSnapshot(),
    [
      "- main:",
      '  - heading "Message draft" [level=1]',
      '  - region "Group 20001":',
      '    - heading "Group 20001" [level=2]',
      '    - group "Text of the message":',
      "      - paragraph: Reply to message 7",
      "      - paragraph: Hello⟦U+200B⟧",
      "    - paragraph: 6 characters, 2 segments",
      "    - paragraph: 1 hidden character shown by code, such as ⟦U+202E⟧. Check that you want it.",
      `    - paragraph: ${await opened.text("effect")}`,
      "    - status",
      '    - button "Send"',
    ].join("\n"),
  );
  await opened.frame.evaluate(`document.getElementById("status").dataset.first = ""`);
  await opened.button.click();
  await opened.reaches("failed"); // there is no message 7
  ok(await opened.panel.locator(`#status[role="status"][data-first]`).textContent()); // the same, with a text now
  strictEqual(await opened.button.getAttribute("aria-describedby"), "blocked effect");
});

browserTest("letters of twice the size and 320 px fit without scrolling sideways; the button is large", async () => {
  verifies("panel-accessible");
  await using opened = await OpenPanel.open({
    draft: { ...QUOTE, target_id: Number.MAX_SAFE_INTEGER, reply_to: -(2 ** 31) },
    mode: "read",
    browser: { viewport: { width: 320, height: 640 } },
  });
  await opened.reaches("blocked");
  const button = await opened.button.boundingBox();
  ok(button && button.height >= 44 && button.width >= 44);
  deepStrictEqual(await tooWide(opened), []);
  const before = await pixels(opened, "#text", "font-size");
  await opened.frame.evaluate(`document.documentElement.style.fontSize = "200%"`);
  strictEqual(await pixels(opened, "#text", "font-size"), 2 * before);
  deepStrictEqual(await tooWide(opened), []);
  await until(opened, "innerHeight === Math.ceil(document.body.getBoundingClientRect().height)");
  await opened.picture("large-letters");
});

browserTest("nothing moves by itself", async () => {
  verifies("panel-accessible");
  await using opened = await OpenPanel.open({ context: { locale: "en", theme: "light" } });
  await opened.reaches("ready");
  await opened.change({ theme: "dark" });
  await opened.button.click();
  await opened.reaches("success");
  const moving = await opened.frame.evaluate(`[...document.querySelectorAll("*")].filter((element) => {
    const { animationName, transitionDuration } = getComputedStyle(element);
    return animationName !== "none" || transitionDuration !== "0s";
  }).length + document.getAnimations().length`);
  strictEqual(moving, 0);
  notStrictEqual(await computed(opened, "#send", "cursor"), "pointer");
});
