/** Which tools clients are shown, what the hidden ones answer, and how large the list is. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { modernRequest } from "./support.ts";

const DOCS = [
  "list_actions",
  "search_actions",
  "list_categories",
  "get_action",
  "check_action",
  "preview_message",
  "get_runtime_info",
];
const LISTED: Record<string, readonly string[]> = {
  docs: DOCS,
  read: [...DOCS, "query_action", "query_action_with_input"],
  write: [...DOCS, "query_action", "invoke_action", "query_action_with_input", "invoke_action_with_input"],
};
const READ = { action: "get_status" };
const SEND = { action: "send_group_msg", params: { group_id: 20001, message: "x" } };
const KIB = 1024;

for (const makeClient of CLIENTS) {
  for (const [mode, names] of Object.entries(LISTED)) {
    Deno.test(`tools/list shows the ${names.length} tools of ${mode} mode (${makeClient.name})`, async () => {
      verifies("visibility");
      await using client = await makeClient({ args: ["--mode", mode, "--endpoint", "simulator"] });
      const { tools } = await client.listTools();
      deepStrictEqual(tools.map(({ name }: Message) => name).sort(), names.toSorted());
      const annotations = (name: string): Message => tools.find((tool: Message) => tool.name === name)?.annotations;
      for (const name of DOCS.filter((name) => name !== "get_runtime_info")) {
        deepStrictEqual(annotations(name), { readOnlyHint: true, openWorldHint: false }, name);
      }
      if (mode !== "docs") deepStrictEqual(annotations("query_action"), { readOnlyHint: true, openWorldHint: true });
      if (mode === "write") {
        const { readOnlyHint, destructiveHint, openWorldHint } = annotations("invoke_action");
        deepStrictEqual([readOnlyHint, destructiveHint, openWorldHint], [false, true, true]);
      }
    });
  }

  Deno.test(`tools that are not listed answer with the refusal of the gate (${makeClient.name})`, async () => {
    verifies("gate-every-call", "refusals-send-nothing");
    await using bot = await startSimulator();
    const cases = [
      ["docs", "query_action", READ],
      ["docs", "invoke_action", READ],
      ["docs", "invoke_action", SEND],
      ["read", "invoke_action", READ],
      ["read", "invoke_action", SEND],
    ] as const;
    for (const mode of ["docs", "read"]) {
      await using client = await makeClient({ args: ["--mode", mode, "--endpoint", bot.url] });
      for (const [, tool, args] of cases.filter(([of]) => of === mode)) {
        const { isError, structuredContent } = await client.callTool(tool, args);
        strictEqual(isError, true);
        strictEqual(structuredContent.result, null);
        strictEqual(structuredContent.diagnostics.kind, "mode");
        ok(structuredContent.diagnostics.message.includes(tool), structuredContent.diagnostics.message);
      }
    }
    deepStrictEqual(bot.requests.length, 0);
  });
}

Deno.test("without an endpoint the docs tools alone are listed, whatever mode is asked for", async () => {
  verifies("visibility", "config-docs");
  await using server = new ServerProcess({ env: { SNOWLUMA_MCP_MODE: "write" } });
  const { result } = await modernRequest(server, 1, "tools/list");
  deepStrictEqual(result.tools.map(({ name }: Message) => name), DOCS);
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  const stderr = await server.stderr;
  ok(stderr.includes("docs mode instead of write"), stderr);
  strictEqual(stderr.trimEnd().split("\n").length, 1, stderr);
});

Deno.test("tools/list has at most 8 KiB in docs mode, in both generations", async () => {
  verifies("list-size");
  for (const modern of [true, false]) {
    await using server = new ServerProcess();
    if (!modern) await server.initialize();
    const answer = modern ? await modernRequest(server, 1, "tools/list") : await server.request(1, "tools/list");
    const line = server.lines.find((text) => text.includes('"inputSchema"')) ?? "";
    strictEqual(answer.result.tools.length, 7);
    const size = new TextEncoder().encode(line).length;
    ok(size > 1000 && size <= 8 * KIB, `${size} bytes`);
  }
});

Deno.test("the text of list_actions has at most 34 KiB in both languages", async (t) => {
  verifies("list-size", "list-shape");
  for (const lang of ["en", "zh"]) {
    await t.step(lang, async () => {
      await using server = new ServerProcess({ env: { SNOWLUMA_MCP_LANG: lang } });
      const { result } = await server.call(1, "list_actions");
      const { count, actions } = JSON.parse(result.content[0].text);
      deepStrictEqual([count, actions.length], [179, 179]);
      const size = new TextEncoder().encode(result.content[0].text).length;
      ok(size <= 34 * KIB, `${size} bytes, ${size - 34 * KIB} too many`);
    });
  }
});
