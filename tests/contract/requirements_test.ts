/** Every promise is cited by a test, and every citation is a promise. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { REQUIREMENTS } from "../requirements.ts";
import { filesUnder, parseSource, ROOT } from "./source.ts";

/** Text that is compared, in a citation that depends on the case at hand. */
const COMPARED = /[!=]==\s*["'][^"']*["']/g;

async function citations(): Promise<Map<string, string[]>> {
  const cited = new Map<string, string[]>();
  for (const path of await filesUnder("tests", "_test.ts")) {
    const { code } = parseSource(path, await Deno.readTextFile(ROOT + path));
    for (const [, names = ""] of code.matchAll(/\bverifies\(([^)]*)\)/g)) {
      for (const [, name = ""] of names.replace(COMPARED, "").matchAll(/["']([^"']+)["']/g)) {
        cited.set(name, [...cited.get(name) ?? [], path]);
      }
    }
  }
  return cited;
}

Deno.test("every promise is cited by a test", async () => {
  const cited = await citations();
  deepStrictEqual(Object.keys(REQUIREMENTS).filter((name) => !cited.has(name)), []);
});

Deno.test("every citation is a promise", async () => {
  const cited = await citations();
  ok(cited.size > 0);
  deepStrictEqual([...cited.keys()].filter((name) => !Object.hasOwn(REQUIREMENTS, name)), []);
});

Deno.test("every promise is one sentence with a source", () => {
  for (const [name, [sentence, source]] of Object.entries(REQUIREMENTS)) {
    ok(/^[a-z][a-z0-9-]*$/.test(name), name);
    ok(/^[A-Z1-9{a-z].*\.$/s.test(sentence), `${name}: ${sentence}`);
    ok(source.length > 0, name);
  }
});
