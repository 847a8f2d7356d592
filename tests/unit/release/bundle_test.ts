/** The bundle that the binary is made of: what is in it, and what is not. */
import { fromFileUrl, join } from "@std/path";
import { deepStrictEqual, doesNotMatch, ok, strictEqual } from "node:assert/strict";
import { isBuiltin } from "node:module";
import { bundleProgram } from "../../../release/bundle.ts";
import { ENTRIES } from "../../../release/compile.ts";
import { verifies } from "../../requirements.ts";

const ROOT = fromFileUrl(new URL("../../../", import.meta.url));
const COMMIT = "c0ffee1-test";

/** Files of the bundle, by name. */
type Bundle = Readonly<Record<string, string>>;

async function bundled(): Promise<Bundle> {
  const folder = await Deno.makeTempDir({ prefix: "snowluma-bundle-" });
  try {
    await bundleProgram({ folder, commit: COMMIT, entries: ENTRIES });
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await Deno.readTextFile(join(folder, name))] as const)),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const first = await bundled();

/** Each file's code, with its name for the message. */
function eachFile(check: (code: string, name: string) => void): void {
  for (const [name, code] of Object.entries(first)) check(code, name);
}

/** Everything that a file imports, statically or later. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/(?<![\w$."'`])(?:from|import|import\s*\()\s*"([^"\s]+)"/g)].map(([, path = ""]) => path);
}

Deno.test("bundleProgram() writes an entry for each thread, and files that these import", () => {
  verifies("binary-own-code");
  ok("main.js" in first && "worker.js" in first, Object.keys(first).join());
  const reached = new Set(["main.js", "worker.js"]);
  for (const name of reached) {
    for (const path of importsOf(first[name] ?? "")) if (path.startsWith("./")) reached.add(path.slice(2));
  }
  deepStrictEqual([...reached].sort(), Object.keys(first));
});

Deno.test("bundleProgram() leaves nothing to be found at run time but the runtime's own modules", () => {
  verifies("binary-own-code");
  eachFile((code, name) => {
    const strangers = importsOf(code).filter((path) =>
      !/^(\.\/[\w.-]+\.js|node:[a-z/]+)$/.test(path) && !isBuiltin(path)
    );
    deepStrictEqual(strangers, [], name);
    doesNotMatch(code, /\bimport\s*\(\s*[^"\s]/, `${name}: a computed import`);
    // what esbuild leaves as a call of `require` fails when it is reached: `ws` expects that of its optional packages,
    // which are no builtin modules; `url` is also a function of zod
    const required = [...code.matchAll(/\b(?!getBuiltinModule\b)[\w$]+\("([a-z][a-z_:/-]+)"\)/g)].map(([, path = ""]) =>
      path
    );
    deepStrictEqual(required.filter((path) => isBuiltin(path) && path !== "url"), [], name);
  });
});

Deno.test("bundleProgram() writes ASCII, without a path of this machine", () => {
  verifies("binary-own-code");
  const home = Deno.env.get("HOME");
  eachFile((code, name) => {
    // deno-lint-ignore no-control-regex
    doesNotMatch(code, /[^\x00-\x7f]/, name);
    ok(!code.includes(ROOT) && !code.includes("file:///"), `${name}: the path of the checkout`);
    if (home !== undefined && home.length > 1) ok(!code.includes(`${home}/`), `${name}: a path below HOME`);
    doesNotMatch(
      code,
      /\/(tmp|var|private|Users|npm\/registry)\/[\w.-]+\/(node_modules|registry)|node_modules\//,
      name,
    );
    doesNotMatch(code, /sourceMappingURL/, name);
  });
});

Deno.test("bundleProgram() takes catalog, panel, schemas and commit along, each once", async () => {
  verifies("binary-own-code", "binary-version");
  const panel = await Deno.readTextFile(join(ROOT, "ui/panel.html"));
  const once: Readonly<Record<string, string>> = {
    commit: COMMIT,
    "an action of the catalog": "upload_forward_msg",
    "the panel": /script-src .(sha256-[^']+)/.exec(panel)?.[1] ?? "",
  };
  for (const [what, text] of Object.entries(once)) {
    const holders = Object.values(first).filter((code) => code.includes(text));
    ok(holders.length > 0, `${what} is missing`);
    if (what !== "an action of the catalog") strictEqual(holders.length, 1, `${what} is in ${holders.length} files`);
  }
});

Deno.test("bundleProgram() takes no demo, no client, no test code and no sources of the panel along", () => {
  verifies("binary-own-code");
  const notInside: Readonly<Record<string, RegExp>> = {
    "the demo": /Every step did what it says|The demo stopped/,
    "a client's SDK": /versionNegotiation|StdioClientTransport|no fallback in pin mode/,
    "test code": /node:assert|Deno\.test\b|strictEqual/,
    "sources of the panel": /document\.(querySelector|createElement)\((?!.*<script)/,
    "what builds": /absWorkingDir|linkPackages/,
  };
  eachFile((code, name) => {
    // the panel itself is one text, in a file of its own
    if (name.startsWith("panel-")) return;
    for (const [what, pattern] of Object.entries(notInside)) doesNotMatch(code, pattern, `${name}: ${what}`);
  });
});

Deno.test("bundleProgram() writes the same bytes again", async () => {
  verifies("binary-built");
  const again = await bundled();
  deepStrictEqual(Object.keys(again), Object.keys(first));
  eachFile((code, name) => ok(again[name] === code, name));
});
