import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { PANEL_URL } from "../../../ui/build.ts";
import { verifies } from "../../requirements.ts";

const page = await Deno.readTextFile(PANEL_URL);
const styles = only("style");
const script = only("script");
/** The page without what is between the tags of these two. */
const markup = page.replace(styles, "").replace(script, "");

/** What the one element of this name holds, as a browser finds its end. */
function only(name: "style" | "script"): string {
  const elements = [...page.matchAll(new RegExp(`<${name}>([^]*?)</${name}`, "gi"))];
  strictEqual(elements.length, 1, `one ${name}`);
  return elements[0]?.[1] ?? "";
}

async function sourceHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

Deno.test("panel.html has a policy that lets in its own script and styles and nothing else", async () => {
  verifies("panel-policies", "panel-closed");
  const policies = [...markup.matchAll(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/g)];
  strictEqual(policies.length, 1);
  deepStrictEqual(policies[0]?.[1]?.split("; "), [
    "default-src 'none'",
    `script-src ${await sourceHash(script)}`,
    `style-src ${await sourceHash(styles)}`,
    "img-src data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ]);
  const [first = ""] = markup.split("<style>");
  ok(first.includes("Content-Security-Policy"), "it stands before all that it is about");
  ok(!page.includes("\r") && !page.includes("\0"), "no character that parsing would change under the hash");
});

Deno.test("panel.html has one script and one style, which nothing inside ends early", () => {
  verifies("panel-policies", "panel-built");
  strictEqual(page.match(/<script[\s/>]/gi)?.length, 1);
  strictEqual(page.match(/<\/script/gi)?.length, 1);
  strictEqual(page.match(/<style[\s/>]/gi)?.length, 1);
  strictEqual(page.match(/<\/style/gi)?.length, 1);
  ok(!script.includes("<!--"));
  ok(script.length > 100_000 && styles.length > 1000);
  // deno-lint-ignore no-control-regex -- these are the characters that every encoding has in common
  ok(/^[\x00-\x7f]*$/.test(script) && /^[\x00-\x7f]*$/.test(styles), "ASCII, so the same in every encoding");
  ok(!page.includes("{policy}"));
});

Deno.test("panel.html has no handler in its markup and refers to nothing outside", () => {
  verifies("panel-policies", "panel-closed");
  const names = [...markup.matchAll(/\s([a-z][a-z-]*)=/gi)].map(([, name = ""]) => name.toLowerCase());
  ok(names.includes("id") && names.includes("aria-disabled"), "attributes are found");
  deepStrictEqual(
    names.filter((name) =>
      /^on|^(src|srcset|srcdoc|href|action|formaction|data|poster|ping|style|background)$/.test(name)
    ),
    [],
  );
  strictEqual(markup.match(/<(a|area|base|embed|form|frame|iframe|img|link|object|source|svg|video|audio)\b/i), null);
  strictEqual(markup.match(/https?:|\/\/|url\(/i), null);
  strictEqual(styles.match(/@import|@font-face|url\((?!["']?data:)|image-set|src\(|https?:|\/\//i), null);
});

Deno.test("panel.html's script has no word for a connection, for markup, or for code made of text", () => {
  verifies("panel-closed", "panel-text-only");
  // The official client's own description of a policy is the one place that speaks of such things.
  const own = script.replaceAll("Origins for network requests (fetch/XHR/WebSocket).", "");
  const connections =
    /\b(fetch|XMLHttpRequest|WebSocket|WebSocketStream|WebTransport|EventSource|sendBeacon|RTCPeerConnection|importScripts|serviceWorker|SharedWorker|Worker|Image)\b/;
  strictEqual(own.match(connections)?.[0], undefined);
  strictEqual(own.match(/\b(window|self|globalThis|top|parent)\.open\(|\bimport\s*\(|\brequire\s*\(/)?.[0], undefined);
  strictEqual(
    own.match(/\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser)\b/)?.[0],
    undefined,
  );
  strictEqual(own.match(/document\.write|\beval\(|\bcreateElement|\bconsole\./)?.[0], undefined);
  strictEqual(own.match(/\b(localStorage|sessionStorage|indexedDB|cookie)\b/)?.[0], undefined);
});
