/** Files that are made from others are current. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { CATALOG_URL, renderCatalog } from "../../catalog/build.ts";
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
