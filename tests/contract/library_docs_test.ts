/** The documentation of what is published, by Deno's own tools. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { verifies } from "../requirements.ts";
import { filesUnder, ROOT } from "./source.ts";

const ENTRY_POINTS = Object.values(config.exports);

/** Runs Deno, and gives what it said. */
async function deno(args: readonly string[], cwd: string = ROOT): Promise<{ code: number; text: string }> {
  const command = new Deno.Command(Deno.execPath(), { args: [...args], cwd, env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("deno doc --lint has nothing to say about the entry points", async () => {
  verifies("library-documented");
  const { code, text } = await deno(["doc", "--lint", ...ENTRY_POINTS]);
  strictEqual(code, 0, text);
  const ignored = await Promise.all(
    (await filesUnder("lib", ".ts")).map(async (path) =>
      /deno-lint-ignore(-file)? .*(missing-jsdoc|private-type-ref|no-slow-types)/.test(
          await Deno.readTextFile(ROOT + path),
        )
        ? path
        : ""
    ),
  );
  deepStrictEqual(ignored.filter((path) => path !== ""), []);
});

Deno.test("every entry point says what it is for and shows how it is used", async () => {
  verifies("library-documented");
  for (const path of ENTRY_POINTS) {
    const [, head = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(await Deno.readTextFile(ROOT + path)) ?? [];
    ok(head.includes("@module") && head.includes("@example"), path);
  }
});

Deno.test("every example type-checks, and names what a stranger would name", async () => {
  verifies("library-documented");
  const examples: string[] = [];
  for (const path of await filesUnder("lib", ".ts")) {
    const text = await Deno.readTextFile(ROOT + path);
    if (!/^\s*\* ```ts$/m.test(text)) continue;
    examples.push(path);
    for (const [, specifier = ""] of text.matchAll(/^\s*\* import .*? from "([^"]+)";$/gm)) {
      ok(/^(@snowluma-deno\/mcp|@modelcontextprotocol\/)/.test(specifier), `${path} imports ${specifier}`);
    }
  }
  ok(examples.length >= 4, examples.join(", "));
  // Deno imports every name of the module into an example, used or not
  const { noUnusedLocals: _, ...compilerOptions } = config.compilerOptions;
  const imports = Object.fromEntries(
    Object.entries(config.imports).map((
      [name, target],
    ) => [name, target.startsWith("./") ? new URL(target, `file://${ROOT}`).href : target]),
  );
  for (const [name, target] of Object.entries(config.exports)) {
    imports[config.name + name.slice(1)] = new URL(target, `file://${ROOT}`).href;
  }
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports, compilerOptions }));
    await Deno.copyFile(`${ROOT}deno.lock`, `${folder}/deno.lock`); // else versions would be asked for, which no cache has
    const args = ["test", "--doc", "--no-run", `--config=${folder}/deno.json`, `--lock=${folder}/deno.lock`];
    const { code, text } = await deno([...args, ...examples, "README.md"]);
    strictEqual(code, 0, text);
    // and it says so when one does not
    const wrong = '/**\n * @example\n * ```ts\n * const n: number = "no";\n * ```\n */\nexport const x: number = 1;\n';
    await Deno.writeTextFile(`${folder}/wrong.ts`, wrong);
    const told = await deno([...args, `${folder}/wrong.ts`]);
    ok(told.code === 1 && told.text.includes("wrong.ts#"), told.text);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
