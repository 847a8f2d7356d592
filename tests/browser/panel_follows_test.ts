/** How the panel follows the client around it: theme, contrast, colors, language, room, safe areas. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Message } from "../support/server_process.ts";
import { verifies } from "../requirements.ts";
import { browserTest } from "./browser.ts";
import { computed, contrast, luminance, pixels, until } from "./look.ts";
import { OpenPanel } from "./panel.ts";

/** A client's own colors, each of them another. */
const COLORS = {
  "--color-background-primary": "rgb(250, 240, 230)",
  "--color-background-secondary": "rgb(245, 222, 179)",
  "--color-text-primary": "rgb(40, 20, 10)",
  "--color-text-secondary": "rgb(90, 60, 40)",
  "--color-border-primary": "rgb(120, 90, 60)",
};

async function isDark(opened: OpenPanel): Promise<boolean> {
  const [surface, ink] = [await computed(opened, "body", "background-color"), await computed(opened, "body", "color")];
  ok(contrast(surface, ink) > 7, `${ink} on ${surface}`);
  return luminance(surface) < luminance(ink);
}

browserTest("the client's theme holds against the system's, from the start and after a change", async () => {
  verifies("panel-follows");
  await using opened = await OpenPanel.open({
    context: { theme: "light", locale: "en" },
    browser: { colorScheme: "dark" },
  });
  await opened.reaches("ready");
  const bubbles = new Set<string>();
  for (const [theme, dark] of [["light", false], ["dark", true], ["light", false]] as const) {
    await opened.change({ theme });
    await until(opened, `getComputedStyle(document.documentElement).colorScheme === "${theme}"`);
    strictEqual(await isDark(opened), dark, theme);
    bubbles.add(await computed(opened, "#message", "background-color"));
    await opened.picture(`theme-${theme}`);
  }
  strictEqual(bubbles.size, 2);
});

browserTest("without a theme of the client the system's holds", async () => {
  verifies("panel-follows");
  await using opened = await OpenPanel.open({ context: {}, browser: { colorScheme: "dark", locale: "zh-TW" } });
  await opened.reaches("ready");
  ok(await isDark(opened));
  strictEqual(await opened.text("send"), "发送"); // so does its language
  await opened.page.emulateMedia({ colorScheme: "light" });
  ok(!await isDark(opened));
});

for (const theme of ["light", "dark"]) {
  browserTest(`more contrast gives borders and nothing pale, against the client's colors too (${theme})`, async () => {
    verifies("panel-follows", "panel-accessible");
    await using opened = await OpenPanel.open({
      context: { theme, locale: "en", styles: { variables: COLORS } },
      browser: { contrast: "more" },
    });
    await opened.reaches("ready");
    strictEqual(await isDark(opened), theme === "dark");
    for (const id of ["#title", "#chat", "#text", "#counts", "#effect"]) {
      const [ink, surface] = [await computed(opened, id, "color"), await computed(opened, "body", "background-color")];
      ok(contrast(ink, surface) > 20, `${id}: ${ink} on ${surface}`);
    }
    await hasBorders(opened);
    await opened.picture(`contrast-${theme}`);
  });
}

browserTest("forced colors keep the bubble and the button apart from what is around", async () => {
  verifies("panel-follows", "panel-accessible");
  await using opened = await OpenPanel.open({ browser: { forcedColors: "active" } });
  await opened.reaches("ready");
  await hasBorders(opened);
  await opened.picture("forced-colors");
});

async function hasBorders(opened: OpenPanel): Promise<void> {
  for (const id of ["#message", "#send"]) {
    ok(await pixels(opened, id, "border-top-width") >= 1, id);
    strictEqual(await computed(opened, id, "border-top-style"), "solid", id);
    const [edge, surface] = [
      await computed(opened, id, "border-top-color"),
      await computed(opened, "body", "background-color"),
    ];
    ok(!edge.startsWith("rgba") && contrast(edge, surface) >= 3, `${id}: ${edge} on ${surface}`);
  }
}

browserTest("the client's colors are taken as a whole or not at all, its fonts by name alone", async () => {
  verifies("panel-follows", "panel-closed");
  const fonts = "@font-face { font-family: Host; src: url(/font.woff2) } body { color: red; font-family: Host }";
  const { "--color-border-primary": border, ...some } = COLORS;
  const variables: Message = {
    ...some,
    "--font-sans": "serif",
    "--border-radius-md": "3px",
    "--color-ring-primary": "red",
  };
  await using opened = await OpenPanel.open({
    context: { theme: "light", locale: "en", styles: { variables, css: { fonts } } },
  });
  await opened.reaches("ready");
  strictEqual(await computed(opened, "body", "background-color"), "rgb(255, 255, 255)");
  ok(!Object.values(COLORS).includes(await computed(opened, "body", "color")));
  strictEqual(await computed(opened, "body", "font-family"), "serif");
  strictEqual(await computed(opened, "#send", "border-top-left-radius"), "3px");
  await opened.change({ styles: { variables: { ...variables, "--color-border-primary": border }, css: { fonts } } });
  await until(opened, `getComputedStyle(document.body).backgroundColor === "${COLORS["--color-background-primary"]}"`);
  strictEqual(await computed(opened, "body", "color"), COLORS["--color-text-primary"]);
  strictEqual(await computed(opened, "#counts", "color"), COLORS["--color-text-secondary"]);
  strictEqual(await opened.frame.evaluate("document.styleSheets.length + document.fonts.size"), 1); // the panel's own
  deepStrictEqual(opened.requests.filter((address) => address.includes("font")), []);
  await opened.picture("host-colors");
});

browserTest("every kind of Chinese is Chinese, all else English; a change redraws everything", async () => {
  verifies("panel-follows");
  await using opened = await OpenPanel.open({
    draft: { message_type: "private", target_id: 10002, text: "a\u200Bb", reply_to: 7 },
    context: { locale: "fr" },
    onCall: () => Promise.resolve({ content: [], structuredContent: { diagnostics: { outcome: "success" } } }),
  });
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("success");
  const english = await words(opened);
  strictEqual(english.lang, "en");
  ok(!/\p{Script=Han}/u.test(JSON.stringify(english)));
  for (const locale of ["zh-CN", "zh-TW", "zh", "zh-Hant-HK", "ZH"]) {
    await opened.change({ locale });
    await until(opened, `document.documentElement.lang === "zh-CN"`);
    const chinese = await words(opened);
    for (const [name, text] of Object.entries(chinese)) {
      if (name !== "text") ok(text !== english[name] && (name === "lang" || /\p{Script=Han}/u.test(text)), name);
    }
    strictEqual(chinese.text, english.text);
    await opened.change({ locale: "de" });
    await until(opened, `document.documentElement.lang === "en"`);
    deepStrictEqual(await words(opened), english);
  }
});

/** Every text of the panel. */
async function words({ frame }: OpenPanel): Promise<Record<string, string>> {
  return await frame.evaluate(`({
    lang: document.documentElement.lang,
    documentTitle: document.title,
    label: message.getAttribute("aria-label"),
    ...Object.fromEntries(["title", "chat", "quote", "text", "counts", "hidden", "effect", "send", "status"]
      .map((id) => [id, document.getElementById(id).textContent]))
  })`);
}

const LONG = { message_type: "group", target_id: 20001, text: "A long story. ".repeat(200) };

for (
  const [kind, room] of [
    ["fixed", { height: 220, width: 300 }],
    ["at most", { maxHeight: 220, maxWidth: 300 }],
  ] as const
) {
  browserTest(`in a room of a size (${kind}) the page scrolls inside, and nothing is cut off`, async () => {
    verifies("panel-follows");
    await using opened = await OpenPanel.open({
      draft: LONG,
      context: { locale: "en", containerDimensions: room },
    });
    await opened.reaches("ready");
    const frame = await opened.page.locator("iframe").boundingBox();
    deepStrictEqual([frame?.width, frame?.height], [300, 220]);
    strictEqual(await opened.frame.evaluate("document.documentElement.scrollHeight"), 220);
    ok(await opened.frame.evaluate("panel.scrollHeight > panel.clientHeight && panel.scrollWidth <= 300"));
    await opened.picture(`room-${kind.replace(" ", "-")}`);
    await opened.button.click(); // which scrolls there, as focus does
    await opened.reaches("success");
    const seen = await opened.panel.locator("#status").boundingBox();
    ok(seen && frame && seen.y >= frame.y && seen.y + 40 <= frame.y + frame.height); // two lines at least
    await opened.frame.evaluate("panel.scrollTo(0, panel.scrollHeight)");
    for (const id of ["#status", "#send"]) {
      const end = await opened.panel.locator(id).boundingBox();
      ok(end && end.y >= frame.y && end.y + end.height <= frame.y + frame.height, id);
    }
  });
}

browserTest("a room that grows or goes is followed; the panel's own size is told to the client", async () => {
  verifies("panel-follows");
  await using opened = await OpenPanel.open({ context: { locale: "en" }, draft: null });
  await opened.reaches("waiting");
  const before = await toldHeight(opened);
  await opened.give(await opened.draft());
  await opened.reaches("ready");
  await until(opened, "innerHeight === Math.ceil(panel.getBoundingClientRect().height)");
  const after = await toldHeight(opened);
  ok(after > before, `${after} px after ${before} px`);
  await opened.change({ containerDimensions: { maxHeight: 100, maxWidth: 200 } });
  await until(opened, "panel.offsetHeight === 100 && panel.offsetWidth === 200");
  await opened.change({ containerDimensions: {} });
  await until(opened, "panel.offsetHeight > 100 && panel.offsetWidth === innerWidth");
});

/** The last height that the panel told, in CSS pixels. */
async function toldHeight({ page }: OpenPanel): Promise<number> {
  return await page.evaluate("panelHost.sizes.at(-1)?.height ?? 0");
}

browserTest("safe areas become paddings; none is less than without them", async () => {
  verifies("panel-follows");
  await using opened = await OpenPanel.open({
    context: { locale: "en", safeAreaInsets: { top: 30, right: 11, bottom: 20, left: -5 } },
  });
  await opened.reaches("ready");
  deepStrictEqual(await paddings(opened), [42, 23, 32, 12]);
  await opened.change({ safeAreaInsets: { top: 0, right: 0, bottom: 0, left: 40 } });
  await until(opened, `getComputedStyle(panel).paddingLeft === "52px"`);
  deepStrictEqual(await paddings(opened), [12, 12, 12, 52]);
});

async function paddings(opened: OpenPanel): Promise<number[]> {
  return await Promise.all(
    ["top", "right", "bottom", "left"].map((side) => pixels(opened, "#panel", `padding-${side}`)),
  );
}

browserTest("style variables that nobody here knows do not keep the panel from what it knows", async () => {
  verifies("panel-follows");
  const variables = { "--color-new": "red", "--border-radius-md": "3px", "--font-text-xl-size": "9px" };
  await using opened = await OpenPanel.open({ context: { locale: "en", theme: "light", styles: { variables } } });
  await opened.reaches("ready");
  strictEqual(await computed(opened, "#send", "border-radius"), "3px");
  await opened.change({
    theme: "dark",
    styles: { variables: { "--color-newer": "red", "--border-radius-md": "5px" } },
  });
  await until(opened, `getComputedStyle(document.getElementById("send")).borderRadius === "5px"`);
  strictEqual(await computed(opened, "html", "color-scheme"), "dark");
  deepStrictEqual(opened.complaints, []);
});
