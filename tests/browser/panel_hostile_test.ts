/** Texts that would like to be more than text, and the policies that hold where a text would get through. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Message } from "../support/server_process.ts";
import { verifies } from "../requirements.ts";
import { browserTest } from "./browser.ts";
import { tooWide } from "./look.ts";
import { OpenPanel } from "./panel.ts";
import { resultWith, SENDS_HELLO } from "./results.ts";

const POLICIES = ["own", "inline"] as const;

/** What a page that reads texts as markup, links or templates would fall for. */
const MARKUP = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(2)</script>",
  "</script><svg onload=alert(3)>",
  "</style><iframe srcdoc='<script>parent.alert(4)</script>'></iframe>",
  '"><a href="javascript:alert(5)">javascript:alert(5)</a>',
  "[link](javascript:alert(6)) https://example.com/ <https://example.com/>",
  "<!-- &lt;b&gt; &amp; &#60; -->",
  "{{7*7}} ${alert(7)} <%= 7 %> {policy} $& $1 $`",
  "[CQ:image,file=http://127.0.0.1/x.png]",
  "<base href=http://127.0.0.1/><meta http-equiv=refresh content=0;url=http://127.0.0.1/>",
  "<form action=http://127.0.0.1/><button id=send>Send</button><p id=text>",
].join("\n");

/** No element came of a text, nothing was asked for, nothing ran, and the page is still this page. */
async function isUnhurt(opened: OpenPanel, ...asked: readonly string[]): Promise<void> {
  deepStrictEqual(
    await opened.frame.evaluate(`[
      [...document.querySelectorAll("a, img, svg, iframe, form, base, link, object, embed")].length,
      document.querySelectorAll("script").length, document.querySelectorAll("style").length,
      document.querySelectorAll("button").length,
      ...["note", "quote", "text", "status", "blocked"].map((id) => document.getElementById(id).childElementCount),
    ]`),
    [0, 1, 1, 1, 0, 0, 0, 0, 0],
  );
  const paths = opened.requests.map((address) => new URL(address)).map(({ pathname, search }) => pathname + search);
  deepStrictEqual(paths, ["/", "/host.js", ...asked]);
  deepStrictEqual(opened.complaints, []);
  ok(opened.frame.url().endsWith(asked.at(-1) ?? "/"));
}

for (const policy of POLICIES) {
  browserTest(`markup, links and templates stay text under the ${policy} policy, and are sent as shown`, async () => {
    verifies("panel-text-only", "panel-policies", "panel-closed");
    await using opened = await OpenPanel.open({
      policy,
      draft: { message_type: "private", target_id: 11001, text: MARKUP },
    });
    await opened.reaches("ready");
    strictEqual(await opened.text("text"), MARKUP);
    ok(await opened.panel.locator("#hidden").isHidden());
    await opened.picture(`markup-${policy}`);
    await isUnhurt(opened, `/panel?${policy}`);
    await opened.change({ theme: "dark", locale: "zh-CN", containerDimensions: { maxHeight: 500 } });
    await opened.button.click();
    await opened.reaches("success");
    deepStrictEqual(opened.calls[0]?.arguments.params.message, [{ type: "text", data: { text: MARKUP } }]);
    await isUnhurt(opened, `/panel?${policy}`);
  });
}

/** What cannot be seen, by its code. */
const HIDDEN: Readonly<Record<string, string>> = {
  "U+202E": "overrides the direction",
  "U+2066": "isolates",
  "U+200F": "is a mark of direction",
  "U+0000": "is nothing",
  "U+200B": "has no width",
  "U+FEFF": "marks an order of bytes",
  "U+E0041": "is a tag",
  "U+2028": "separates lines",
  "U+001B": "starts a terminal's commands",
  "U+00AD": "is a hyphen at times",
  "U+3164": "fills",
};

browserTest("hidden characters are named in place and counted", async () => {
  verifies("panel-text-only", "panel-shown-sent");
  const characters = Object.keys(HIDDEN).map((code) => String.fromCodePoint(parseInt(code.slice(2), 16)));
  await using opened = await OpenPanel.open({
    draft: { message_type: "group", target_id: 20001, text: `pay ${characters.join("x")} me` },
  });
  await opened.reaches("ready");
  strictEqual(await opened.text("text"), `pay ${Object.keys(HIDDEN).map((code) => `⟦${code}⟧`).join("x")} me`);
  ok((await opened.text("hidden")).startsWith("11 hidden characters shown by code"));
  ok(await opened.panel.locator("#hidden").isVisible());
  await opened.picture("hidden");
  await isUnhurt(opened, "/panel?inline");
});

const SHOWN_AS_THEY_ARE: Readonly<Record<string, string>> = {
  "right-to-left": "שלום עולם\nمرحبا بالعالم (1) https://example.com",
  emoji: "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466} \u{1F1E8}\u{1F1F3} \u2764\uFE0F \u{1F44D}\u{1F3FD}",
  marks: `Z${"\u0301\u0327\u0489".repeat(3333)}`,
  fullwidth: "Ａ　Ｂ\u2003𝒜 ﷽ ﷽",
};

for (const [kind, text] of Object.entries(SHOWN_AS_THEY_ARE)) {
  browserTest(`${kind} are shown as they are, within the bubble`, async () => {
    verifies("panel-text-only", "panel-draft");
    await using opened = await OpenPanel.open({
      draft: { message_type: "group", target_id: 20001, text },
      browser: { viewport: { width: 320, height: 640 } },
    });
    await opened.reaches("ready");
    strictEqual(await opened.text("text"), text);
    ok(await opened.panel.locator("#hidden").isHidden());
    const inBubble = ["DIV#message", "P#text"]; // many marks on one letter scroll there, if anywhere
    deepStrictEqual((await tooWide(opened)).filter((element) => !inBubble.includes(element)), []);
    ok(await opened.button.isVisible());
    await opened.picture(`text-${kind}`);
    await isUnhurt(opened, "/panel?inline");
  });
}

const EVIL = "<img src=x onerror=alert(8)>\u202E<a href=javascript:alert(9)>x</a>";
const EVIL_SHOWN = EVIL.replace("\u202E", "⟦U+202E⟧");

browserTest("hostile words of an error, a quote or a reason stay text", async () => {
  verifies("panel-text-only");
  const quotes = (id: string): Message => ({
    ...SENDS_HELLO,
    params: {
      group_id: 20001,
      message: [{ type: "reply", data: { id } }, { type: "text", data: { text: "Hello" } }],
    },
  });
  await using opened = await OpenPanel.open({
    draft: null,
    onCall: () => Promise.resolve({ isError: true, content: [{ type: "text", text: EVIL }] }),
  });
  await opened.give({ isError: true, content: [{ type: "text", text: EVIL }] });
  await opened.reaches("none");
  ok((await opened.text("note")).includes(EVIL_SHOWN));
  await isUnhurt(opened, "/panel?inline");
  await opened.give(resultWith(quotes(EVIL))); // no id: the panel shows nothing of it
  await opened.reaches("none");
  await isUnhurt(opened, "/panel?inline");
  await opened.give(resultWith(SENDS_HELLO));
  await opened.reaches("ready");
  await opened.button.click();
  await opened.reaches("unknown");
  ok((await opened.text("status")).includes(EVIL_SHOWN));
  await isUnhurt(opened, "/panel?inline");
  await opened.picture("hostile-reason");
});

browserTest("hostile words of why a draft is blocked stay text", async () => {
  verifies("panel-text-only", "panel-blocked");
  await using opened = await OpenPanel.open({ draft: null });
  const blocked = { kind: "allowlist", message: EVIL, next_step: EVIL };
  await opened.give(resultWith(SENDS_HELLO, { can_send: false, blocked }));
  await opened.reaches("blocked");
  ok((await opened.text("blocked")).includes(EVIL_SHOWN));
  await isUnhurt(opened, "/panel?inline");
});

/** Ways out, and the directive that closes each. */
const WAYS: Readonly<Record<string, [code: string, directive: string]>> = {
  fetch: ["fetch('/out').catch(() => {})", "connect-src"],
  beacon: ["navigator.sendBeacon('/out', 'x')", "connect-src"],
  socket: ["new WebSocket(location.origin.replace(/^null$/, 'ws://127.0.0.1:9') + '/out')", "connect-src"],
  image: ["new Image().src = '/out'", "img-src"],
  script: ["add('script', { textContent: 'globalThis.ran = true' })", "script-src-elem"],
  scriptFile: ["add('script', { src: '/out' })", "script-src-elem"],
  handler: ["document.body.setAttribute('onclick', 'globalThis.ran = true'); document.body.click()", "script-src-attr"],
  eval: ["try { setTimeout('globalThis.ran = true') } catch {}", "script-src"],
  style: ["add('style', { textContent: 'body { background: url(/out) }' })", "style-src-elem"],
  styleFile: ["add('link', { rel: 'stylesheet', href: '/out' })", "style-src-elem"],
  frame: ["add('iframe', { src: '/out' })", "frame-src"],
  object: ["add('object', { data: '/out' })", "object-src"],
  worker: ["new Worker(URL.createObjectURL(new Blob(['']))).onerror = () => {}", "worker-src"],
  base: ["add('base', { href: '/out/' })", "base-uri"],
};

for (const policy of POLICIES) {
  browserTest(`the panel cannot get out or run anything else under the ${policy} policy`, async () => {
    verifies("panel-policies", "panel-closed");
    await using opened = await OpenPanel.open({ policy });
    await opened.reaches("ready");
    const answered: string[] = [];
    opened.page.on("response", (response) => answered.push(new URL(response.url()).pathname));
    await opened.page.evaluate("fetch('/out/control').then((answer) => answer.text())"); // seen if it gets out
    for (const [way, [code, directive]] of Object.entries(WAYS)) {
      const refused = await opened.frame.evaluate(`new Promise((resolve) => {
        const add = (name, fields) => document.body.append(Object.assign(document.createElement(name), fields));
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
        setTimeout(resolve, 5000, "nothing");
        ${code};
      })`);
      strictEqual(refused, directive, way);
    }
    strictEqual(await opened.frame.evaluate("globalThis.ran"), undefined);
    deepStrictEqual(answered, ["/out/control"]);
    await opened.button.click(); // it works as before
    await opened.reaches("success");
  });
}
