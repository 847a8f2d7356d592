/** Every tool as clients are shown it: flat schemas, names that fit, and a reviewed snapshot of each. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { verifies } from "../requirements.ts";
import { envelope } from "../e2e/support.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { filesUnder, ROOT } from "./source.ts";

const SNAPSHOTS = "tests/snapshots/tools";
const UPDATE = Deno.env.get("UPDATE_SNAPSHOTS") === "1";
const MAX_DEPTH = 4;
const FORBIDDEN = [
  "$ref",
  "$defs",
  "definitions",
  "$dynamicRef",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "patternProperties",
  "propertyNames",
  "dependentSchemas",
  "unevaluatedProperties",
  "$schema",
];
/** Objects whose fields are the bot's or anybody's, by tool schema path. */
const FREE_OBJECTS = ["inputSchema.properties.params"];

/** All of them: of a server with every service, to a client that knows tasks. */
async function listTools(): Promise<Message[]> {
  const folder = await Deno.makeTempDir();
  const settings = [
    "--events-url",
    "simulator",
    "--task-dir",
    `${folder}/tasks`,
    "--stream-dir",
    `${folder}/downloads`,
  ];
  await using server = new ServerProcess({
    args: ["--endpoint", "simulator", "--mode", "write", ...settings],
    grants: [
      "--allow-env=SNOWLUMA_MCP_*,WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE",
      "--allow-net=127.0.0.1",
      `--allow-read=${folder}`,
      `--allow-write=${folder}`,
    ],
  });
  const clientCapabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const { result } = await server.request(1, "tools/list", { _meta: envelope({ clientCapabilities }) });
  await server.closeInput();
  await server.exit();
  await Deno.remove(folder, { recursive: true });
  return result.tools;
}

/** Every schema within a schema, with its path and how deep it lies. */
function* schemasIn(
  schema: Message,
  path: string,
  depth = 1,
): Generator<[path: string, schema: Message, depth: number]> {
  yield [path, schema, depth];
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    yield* schemasIn(child as Message, `${path}.properties.${name}`, depth + 1);
  }
  for (const key of ["items", "additionalProperties"]) {
    if (typeof schema[key] === "object") yield* schemasIn(schema[key], `${path}.${key}`, depth + 1);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, sorted(v)]));
}

Deno.test("tool schemas are plain objects without references or combinators, at most 4 deep", async () => {
  verifies("flat-schemas", "output-schema");
  const tools = await listTools();
  strictEqual(tools.length, 16);
  const ajv = new Ajv2020({ strict: true, strictTypes: false });
  for (const tool of tools) {
    for (const root of ["inputSchema", "outputSchema"]) {
      ok(tool[root] !== undefined, `${tool.name} has no ${root}`);
      strictEqual(tool[root].type, "object", `${tool.name}.${root}`);
      ajv.compile(tool[root]);
      for (const [path, schema, depth] of schemasIn(tool[root], root)) {
        const what = `${tool.name}.${path}`;
        for (const key of FORBIDDEN) ok(!Object.hasOwn(schema, key), `${what} has ${key}`);
        ok(!Array.isArray(schema.type), `${what} has several types`);
        ok(depth <= MAX_DEPTH, `${what} lies ${depth} deep`);
        if (schema.type === "array") ok(schema.items !== undefined, `${what} has no items`);
        if (schema.type === "object") {
          ok(schema.properties !== undefined || FREE_OBJECTS.includes(path), `${what} has no properties`);
        }
        for (const name of Object.keys(schema.properties ?? {})) {
          ok(/^[a-z][a-z0-9_]{0,31}$/.test(name), `${what}.${name}`);
        }
        for (const name of schema.required ?? []) {
          ok(Object.hasOwn(schema.properties, name), `${what} requires ${name}`);
        }
      }
    }
    strictEqual(tool.inputSchema.additionalProperties, false, `${tool.name} says that it refuses unknown arguments`);
    deepStrictEqual(tool.outputSchema.required.toSorted(), ["diagnostics", "result"]);
    // a whole schema hides no reference anywhere, also not where the walk does not look
    ok(!/"\$(ref|defs|schema|dynamicRef)"/.test(JSON.stringify(tool)), tool.name);
  }
});

Deno.test("tools have names, titles, texts and annotations that clients accept", async () => {
  verifies("tool-names", "visibility");
  const tools = await listTools();
  strictEqual(new Set(tools.map(({ name }) => name)).size, tools.length);
  for (const { name, title, description, annotations } of tools) {
    ok(/^[a-z][a-z0-9_]{0,31}$/.test(name), name);
    ok(`mcp__plugin_snowluma_snowluma__${name}`.length <= 60, `${name} is too long behind a client's prefix`);
    ok(title.length > 3 && title.length <= 60, title);
    ok(description.length > 40 && description.length <= 400 && description.endsWith("."), description);
    strictEqual(typeof annotations.readOnlyHint, "boolean", name);
    strictEqual(typeof annotations.openWorldHint, "boolean", name);
    strictEqual(annotations.readOnlyHint, !name.startsWith("invoke_action"), name);
  }
});

for (const makeClient of CLIENTS) {
  Deno.test(`official clients parse the list in every mode (${makeClient.name})`, async () => {
    verifies("output-schema", "visibility");
    for (const [mode, count] of [["docs", 7], ["read", 9], ["write", 11]] as const) {
      await using client = await makeClient({ args: ["--endpoint", "simulator", "--mode", mode] });
      strictEqual((await client.listTools()).tools.length, count);
    }
  });
}

Deno.test("every tool equals its snapshot (UPDATE_SNAPSHOTS=1 writes them)", async (t) => {
  verifies("visibility", "output-schema");
  const tools = await listTools();
  const expected = tools.map(({ name }) => `${SNAPSHOTS}/${name}.json`).sort();
  for (const tool of tools) {
    await t.step(tool.name, async () => {
      const path = `${ROOT}${SNAPSHOTS}/${tool.name}.json`;
      const text = `${JSON.stringify(sorted(tool), null, 2)}\n`;
      if (UPDATE) await Deno.writeTextFile(path, text);
      strictEqual(text, await Deno.readTextFile(path), "the tool changed: review it, then run with UPDATE_SNAPSHOTS=1");
    });
  }
  deepStrictEqual(await filesUnder(SNAPSHOTS, ".json"), expected, "a snapshot of a tool that is gone");
});
