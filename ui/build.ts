/**
 * Builds the message preview panel: one HTML file without any outside reference, the same bytes wherever it is built.
 *
 * The official Apps client brings zod with its sixty languages, 261 KB of messages that nobody sees; they are left out.
 */
import { fromFileUrl } from "@std/path";
import * as esbuild from "esbuild";
import { linkPackages } from "../release/packages.ts";

/** Where the built panel is. */
export const PANEL_URL: URL = new URL("./panel.html", import.meta.url);
/** Most that the panel may take, in bytes: clients keep it in memory beside every draft. */
export const MAX_PANEL_BYTES = 420 * 1024;

/** Packages that end in a browser bundle. */
const PACKAGES = {
  "@modelcontextprotocol/ext-apps": "@modelcontextprotocol/ext-apps",
  "@modelcontextprotocol/client": "@modelcontextprotocol/client",
  "@modelcontextprotocol/core": undefined,
  zod: "zod",
};
const ZOD_LANGUAGES = /\/zod\/v4\/locales\/index\.js$/;
/** What the client package takes for HTTP and OAuth; a panel has neither. */
const UNUSED = /^(eventsource|eventsource-parser\/stream|jose|pkce-challenge)$/;

/**
 * Makes a script for browsers of one module and all that it imports.
 *
 * Needs reading, writing of a temporary folder, and running of esbuild.
 */
export async function bundle(entry: URL): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const { outputFiles: [script], errors, warnings } = await esbuild.build({
      entryPoints: [fromFileUrl(entry)],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      platform: "browser",
      target: "es2022",
      charset: "ascii", // so that no encoding a host assumes changes the script, nor its hash
      legalComments: "none",
      drop: ["console"], // the Apps client would write every message, and so chat text, to the host's console
      nodePaths: [await linkPackages(folder, PACKAGES)],
      preserveSymlinks: true, // so that packages find each other by the links
      plugins: [{
        name: "left out",
        setup(build) {
          build.onResolve({ filter: UNUSED }, ({ path }) => ({ path, namespace: "unused", sideEffects: false }));
          build.onLoad({ filter: /./, namespace: "unused" }, () => ({ contents: "module.exports = {};" }));
          build.onLoad({ filter: ZOD_LANGUAGES }, () => ({ contents: "export {};" }));
        },
      }],
    });
    const problems = [...errors, ...warnings].map(({ text }) => text);
    if (script === undefined || problems.length > 0) throw new Error(`Cannot bundle: ${problems.join("; ")}`);
    return script.text;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The panel as it has to be. */
export async function renderPanel(): Promise<string> {
  const [page, styles, script] = await Promise.all([
    Deno.readTextFile(new URL("./page.html", import.meta.url)),
    Deno.readTextFile(new URL("./styles.css", import.meta.url)),
    bundle(new URL("./main.ts", import.meta.url)),
  ]);
  const { code } = await esbuild.transform(styles, { loader: "css", minify: true, charset: "ascii", target: "es2022" });
  const parts = { styles: code.trim(), script: inline(script.trim()) };
  const policy = [
    "default-src 'none'",
    `script-src '${await sourceHash(parts.script)}'`,
    `style-src '${await sourceHash(parts.styles)}'`,
    "img-src data:",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return page
    .replace(/(?<=<style>)[^]*(?=<\/style>)/, () => parts.styles)
    .replace(/(?<=<script>)[^]*(?=<\/script>)/, () => parts.script)
    .replace("{policy}", () => policy);
}

/** Script text as HTML may hold it: neither the end of the element nor the start of a comment, in strings or patterns. */
function inline(script: string): string {
  return script.replace(/<(?=\/script|!--|script)/gi, "\\x3C");
}

/** A source expression of Content Security Policy level 2, "hash-source". */
async function sourceHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${new Uint8Array(digest).toBase64()}`;
}

if (import.meta.main) {
  const panel = await renderPanel();
  const bytes = new TextEncoder().encode(panel).length;
  await esbuild.stop();
  if (bytes > MAX_PANEL_BYTES) throw new Error(`The panel has ${bytes} bytes, more than ${MAX_PANEL_BYTES}`);
  await Deno.writeTextFile(PANEL_URL, panel);
}
