/** Files that are made from others are current. */
import { join } from "@std/path";
import * as esbuild from "esbuild";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { CATALOG_URL, renderCatalog } from "../../catalog/build.ts";
import { MAX_PANEL_BYTES, PANEL_URL, renderPanel } from "../../ui/build.ts";
import { verifies } from "../requirements.ts";
import { renderSchemas, SCHEMAS_URL } from "../support/input_schemas.ts";
import { README_URL, renderReadme, sameReadme } from "../support/readme.ts";

Deno.test("catalog.json is what its specs give, byte for byte, and twice the same", async () => {
  verifies("catalog-deterministic", "docs-current");
  const committed = await Deno.readFile(CATALOG_URL);
  const first = renderCatalog();
  strictEqual(renderCatalog(), first);
  const rendered = new TextEncoder().encode(first);
  strictEqual(rendered.length, committed.length, "catalog.json is stale: run deno task catalog");
  ok(rendered.every((byte, index) => byte === committed[index]), "catalog.json is stale: run deno task catalog");
});

Deno.test("catalog.json comes out the same in a process of its own", async () => {
  verifies("catalog-deterministic");
  const script =
    `import { renderCatalog } from ${JSON.stringify(new URL("../../catalog/build.ts", import.meta.url).href)};` +
    `await Deno.stdout.write(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(renderCatalog()))));`;
  const config = new URL("../../deno.json", import.meta.url).pathname;
  const { stdout, code } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", config, script],
    stderr: "null",
  }).output();
  strictEqual(code, 0);
  const own = await crypto.subtle.digest("SHA-256", await Deno.readFile(CATALOG_URL));
  deepStrictEqual(stdout, new Uint8Array(own));
});

Deno.test("the tools' schemas are what zod makes of their definitions", async () => {
  verifies("docs-current");
  strictEqual(await Deno.readTextFile(SCHEMAS_URL), await renderSchemas(), "stale: run deno task schemas");
});

Deno.test("the tables of README.md are what their sources give", async () => {
  verifies("docs-current");
  const readme = await Deno.readTextFile(README_URL);
  ok(sameReadme(renderReadme(readme), readme), "README.md is stale: run deno task docs");
  ok(!sameReadme(renderReadme(readme.replace("| `busy` ", "| `bsy` ")), readme.replace("| `busy` ", "| `bsy` ")));
});

Deno.test("panel.html is what its sources give, byte for byte, twice the same, and at most 420 KiB", async () => {
  verifies("panel-built", "docs-current");
  const committed = await Deno.readFile(PANEL_URL);
  try {
    const first = await renderPanel();
    ok(await renderPanel() === first, "the second time is like the first");
    const rendered = new TextEncoder().encode(first);
    strictEqual(rendered.length, committed.length, "panel.html is stale: run deno task ui");
    ok(rendered.every((byte, index) => byte === committed[index]), "panel.html is stale: run deno task ui");
    strictEqual(MAX_PANEL_BYTES, 420 * 1024);
    ok(committed.length <= MAX_PANEL_BYTES, `${committed.length} bytes`);
  } finally {
    await esbuild.stop(); // else its child outlives the test
  }
});

Deno.test("panel.html comes out the same in a process of its own, from another place, with other surroundings", async () => {
  verifies("panel-built");
  const root = new URL("../../", import.meta.url).pathname;
  const copy = await Deno.makeTempDir({ prefix: "panel \u00e9 " });
  try {
    for (const name of ["deno.json", "deno.lock"]) await Deno.copyFile(join(root, name), join(copy, name));
    for (const folder of ["ui", "lib/std", "release"]) {
      await Deno.mkdir(join(copy, folder), { recursive: true });
      for await (const { name } of Deno.readDir(join(root, folder))) {
        if (name !== "panel.html") await Deno.copyFile(join(root, folder, name), join(copy, folder, name));
      }
    }
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "ui"],
      cwd: copy,
      env: { TMPDIR: copy, LANG: "zh_CN.UTF-8", TZ: "Asia/Shanghai" },
      stdout: "null",
    }).output();
    strictEqual(code, 0, new TextDecoder().decode(stderr));
    deepStrictEqual(await Deno.readFile(join(copy, "ui/panel.html")), await Deno.readFile(PANEL_URL));
    const left = await Array.fromAsync(Deno.readDir(copy), ({ name }) => name);
    deepStrictEqual(left.sort(), ["deno.json", "deno.lock", "lib", "release", "ui"], "the build leaves nothing behind");
  } finally {
    await Deno.remove(copy, { recursive: true });
  }
});
