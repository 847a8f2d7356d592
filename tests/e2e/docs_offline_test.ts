/** Docs mode under a runtime that grants nothing at all: whatever it touched would be refused, and seen. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { NEEDS_SOURCE } from "../support/binary.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";

const CALLS: Array<[tool: string, args: Message]> = [
  ["list_actions", {}],
  ["search_actions", { query: "群 禁言", match: "keywords" }],
  ["list_categories", {}],
  ["get_action", { name: "get_msg" }],
  ["check_action", { action: "set_group_ban", params: { group_id: "x" } }],
  ["preview_message", { message_type: "group", target_id: 20001, text: "x" }],
  ["get_runtime_info", {}],
];

/**
 * No permission at all. The clients start the server by `node:child_process`, which under Deno adds `-A` to a
 * command line that grants nothing; what is denied stays denied.
 */
const NOTHING = ["read", "write", "net", "env", "run", "sys", "ffi"].map((name) => `--deny-${name}`);

for (const makeClient of CLIENTS) {
  Deno.test(`docs tools, resources and the overview work with no permission at all (${makeClient.name})`, async () => {
    verifies("docs-offline");
    await using client = await makeClient({ grants: NOTHING });
    for (const [tool, args] of CALLS) {
      const { isError, structuredContent } = await client.callTool(tool, args);
      ok(!isError, `${tool}: ${JSON.stringify(structuredContent.diagnostics)}`);
    }
    const { resources } = await client.listResources();
    ok((await client.readResource(resources[0].uri)).contents[0].text.length > 100_000);
    ok((await client.readResource("snowluma://onebot/actions/get_msg")).contents[0].text.length > 100);
    strictEqual((await client.listResourceTemplates()).resourceTemplates.length, 1);
  });
}

Deno.test("docs tools and resources work under a command line that grants nothing", async () => {
  verifies("docs-offline");
  await using server = new ServerProcess({ grants: [] });
  await server.initialize();
  for (const [index, [tool, args]] of CALLS.entries()) {
    const { result } = await server.call(index, tool, args);
    ok(!result.isError, `${tool}: ${result.content[0].text.slice(0, 300)}`);
  }
  for (const uri of ["snowluma://onebot/actions", "snowluma://onebot/actions/get_msg"]) {
    ok((await server.request(uri, "resources/read", { uri })).result.contents[0].text.length > 100);
  }
});

Deno.test({
  name: "without permission for the environment the server says so once and serves",
  ...NEEDS_SOURCE,
}, async () => {
  verifies("docs-offline", "no-prompt");
  await using server = new ServerProcess({ grants: [], env: { SNOWLUMA_MCP_MODE: "read" } });
  await server.initialize();
  const { result } = await server.call(1, "get_runtime_info");
  strictEqual(result.structuredContent.result.mode, "docs");
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  const [notice = "", call = "", ...more] = (await server.stderr).trimEnd().split("\n");
  deepStrictEqual(more, []);
  ok(notice.includes("--allow-env=SNOWLUMA_MCP_*"), notice);
  ok(call.startsWith("info: call tool=get_runtime_info "), call);
});

// a compiled program writes no such list, which is of the command line of `deno`
Deno.test({ name: "no permission is even asked about while docs tools run", ...NEEDS_SOURCE }, async () => {
  verifies("docs-offline");
  const audit = await Deno.makeTempFile({ prefix: "snowluma-audit-" });
  try {
    await using server = new ServerProcess({ env: { DENO_AUDIT_PERMISSIONS: audit } });
    await server.initialize();
    for (const [index, [tool, args]] of CALLS.entries()) await server.call(index, tool, args);
    await server.request("list", "tools/list");
    await server.closeInput();
    strictEqual((await server.exit()).code, 0);
    const lines = (await Deno.readTextFile(audit)).trim().split("\n").filter((line) => line !== "");
    const used = lines.map((line) => JSON.parse(line) as { permission: string; value: string });
    const others = used.filter(({ permission, value }) => !(permission === "env" && value.startsWith("SNOWLUMA_MCP_")));
    deepStrictEqual(others, []);
    ok(used.length > 0, "the audit saw the settings being read");
  } finally {
    await Deno.remove(audit);
  }
});
