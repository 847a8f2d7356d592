/** What only certain modules may touch: the console, the process, permissions, code by name. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { parseSource, readSources } from "./source.ts";

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  readonly home: RegExp;
  /** Text that the pattern has to find. */
  readonly sample: string;
}

const NOWHERE = /^$/;
const PROCESS = /^(lib\/(cli|sandbox)\/[^/]+\.ts|main(_binary)?\.ts)$/;

const RULES: readonly Rule[] = [
  { name: "console", pattern: /\bconsole\b/, home: /^lib\/log\.ts$/, sample: "globalThis.console.log(1)" },
  {
    name: "a request for a permission",
    pattern: /\bpermissions\s*(\?\.|\.)?\s*\[?["']?request/,
    home: NOWHERE,
    sample: 'await Deno.permissions.request({ name: "net" })',
  },
  { name: "a prompt", pattern: /\b(prompt|confirm|alert)\s*\(/, home: NOWHERE, sample: 'confirm("really?")' },
  { name: "Deno.env", pattern: /\bDeno\s*\.\s*env\b/, home: PROCESS, sample: 'Deno.env.get("HOME")' },
  { name: "Deno.args", pattern: /\bDeno\s*\.\s*args\b/, home: PROCESS, sample: "run(Deno.args)" },
  { name: "Deno.exit", pattern: /\bDeno\s*\.\s*exit\b/, home: PROCESS, sample: "Deno.exit(1)" },
  { name: "process", pattern: /\bprocess\s*\.|["']node:process["']/, home: NOWHERE, sample: "process.env.HOME" },
  {
    name: "an import of a computed path",
    pattern: /\bimport\s*\(\s*(?!["'][^"']*["']\s*[,)])/,
    home: NOWHERE,
    sample: "await import(path)",
  },
  { name: "code from text", pattern: /\beval\s*\(|\bnew\s+Function\b/, home: NOWHERE, sample: 'new Function("1")' },
  { name: "fetch", pattern: /\bfetch\s*\(/, home: NOWHERE, sample: "await fetch(url)" },
  {
    name: "a connection",
    pattern: /\bDeno\s*\.\s*connect/,
    home: /^lib\/(onebot\/socket|sandbox\/attempts)\.ts$/,
    sample: "await Deno.connectTls({ hostname, port })",
  },
  {
    name: "a WebSocket",
    pattern: /["']ws["']|\bnew\s+WebSocket\w*\b/,
    home: /^lib\/(events\/socket|simulator\/[^/]+)\.ts$/,
    sample: 'await import("ws")',
  },
  { name: "an HTTP server", pattern: /["']node:https?["']/, home: /^lib\/simulator\//, sample: 'import "node:http"' },
  {
    name: "a change on disk",
    pattern: /\bDeno\s*\.\s*(open|write(Text)?File|mkdir|remove|rename|link|symlink|truncate|chmod|makeTemp)\w*\s*\(/,
    home: /^lib\/((files|tasks)\/[^/]+|cli\/demo_files|sandbox\/attempts)\.ts$/,
    sample: 'await Deno.remove("x")',
  },
];

for (const { name, pattern, home, sample } of RULES) {
  Deno.test(`${name} is only where it belongs`, async () => {
    verifies("stdout-module", "layers");
    ok(pattern.test(parseSource("lib/x.ts", sample).code), "the rule finds nothing at all");
    ok(!pattern.test(parseSource("lib/x.ts", `// ${sample}\n/** ${sample} */`).code), "the rule reads comments");
    const files = await readSources("lib", "main.ts", "main_binary.ts");
    const found = files.filter(({ path, code }) => pattern.test(code) && !home.test(path)).map(({ path }) => path);
    deepStrictEqual(found, []);
    if (home !== NOWHERE) {
      ok(files.some(({ path, code }) => home.test(path) && pattern.test(code)), "its home is empty");
    }
  });
}
