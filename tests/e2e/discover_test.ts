/** Revision 2026-07-28 on raw pipes: discovery, and metadata in every request. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { envelope, MODERN, modernRequest } from "./support.ts";

const SEND = {
  name: "invoke_action",
  arguments: { action: "send_group_msg", params: { group_id: 20001, message: "x" } },
};

Deno.test("server/discover tells revisions, capabilities and who answers", async () => {
  verifies("modern");
  await using server = new ServerProcess();
  const { result } = await modernRequest(server, 1, "server/discover");
  deepStrictEqual(result.supportedVersions, [MODERN]);
  strictEqual(result.resultType, "complete");
  ok(result.capabilities.tools && result.capabilities.resources);
  deepStrictEqual(result._meta["io.modelcontextprotocol/serverInfo"], {
    name: "snowluma-mcp",
    title: "SnowLuma OneBot actions",
    version: config.version,
  });
});

Deno.test("tools are called with metadata per request, after discovery and without it", async () => {
  verifies("modern", "eras-equal");
  for (const discover of [true, false]) {
    await using server = new ServerProcess();
    if (discover) await modernRequest(server, 0, "server/discover");
    const called = await modernRequest(server, 1, "tools/call", { name: "get_action", arguments: { name: "get_msg" } });
    strictEqual(called.result.resultType, "complete");
    strictEqual(called.result.structuredContent.result.name, "get_msg");
    ok((await modernRequest(server, 2, "tools/list")).result.tools.length > 0);
  }
});

Deno.test("a request without envelope, or with a malformed one, is refused and runs nothing", async (t) => {
  verifies("modern", "bad-arguments");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await modernRequest(server, "discover", "server/discover");
  await modernRequest(server, "pin", "tools/list");
  const without = (name: string): Message => {
    const { [`io.modelcontextprotocol/${name}`]: _, ...rest } = envelope();
    return rest;
  };
  const cases: Array<[name: string, params: Message]> = [
    ["no _meta", SEND],
    ["_meta that is text", { ...SEND, _meta: "x" }],
    ["_meta that is a number", { ...SEND, _meta: 5 }],
    ["_meta that is null", { ...SEND, _meta: null }],
    ["_meta that is a list", { ...SEND, _meta: [] }],
    ["empty _meta", { ...SEND, _meta: {} }],
    ["no revision", { ...SEND, _meta: without("protocolVersion") }],
    ["no capabilities", { ...SEND, _meta: without("clientCapabilities") }],
    ["revision that is a number", { ...SEND, _meta: envelope({ protocolVersion: 5 }) }],
    ["capabilities that are null", { ...SEND, _meta: envelope({ clientCapabilities: null }) }],
    ["client info that is text", { ...SEND, _meta: envelope({ clientInfo: "x" }) }],
    ["progress token that is an object", { ...SEND, _meta: { ...envelope(), progressToken: {} } }],
    ["progress token that is null", { ...SEND, _meta: { ...envelope(), progressToken: null } }],
  ];
  for (const [index, [name, params]] of cases.entries()) {
    await t.step(name, async () => {
      const { error } = await server.request(index, "tools/call", params);
      ok(error !== undefined, "it was served");
      ok([-32602, -32600].includes(error.code), `code ${error.code}`);
      ok(error.message.length > 10);
    });
  }
  deepStrictEqual(bot.requests.map(({ action }) => action), []);
  const fine = await modernRequest(server, "after", "tools/call", SEND);
  strictEqual(fine.result.structuredContent.diagnostics.outcome, "success");
  strictEqual(bot.requests.length, 1);
});

Deno.test("a request whose _meta is malformed is answered in the older generation too", async (t) => {
  verifies("bad-arguments");
  await using server = new ServerProcess();
  await server.initialize();
  for (const [index, _meta] of ["x", 5, null, [], { progressToken: {} }, { progressToken: 1.5 }].entries()) {
    await t.step(JSON.stringify(_meta), async () => {
      const { error } = await server.request(index, "tools/call", { name: "list_categories", _meta });
      ok([-32602, -32600].includes(error?.code), JSON.stringify(error));
    });
  }
  const { result } = await server.request("ok", "tools/call", { name: "list_categories", _meta: { progressToken: 7 } });
  strictEqual(result.structuredContent.diagnostics.outcome, "success");
});

Deno.test("methods of the older generation are unknown in the newer one", async () => {
  verifies("modern", "bad-arguments");
  await using server = new ServerProcess();
  await modernRequest(server, 1, "tools/list");
  for (const [id, method] of [[2, "ping"], [3, "logging/setLevel"], [4, "no/such"]] as const) {
    strictEqual((await modernRequest(server, id, method)).error.code, -32601);
  }
});
