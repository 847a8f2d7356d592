/** The older generations' handshake, on raw pipes. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";

const ECHOED = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const UNKNOWN = ["1999-01-01", "2026-07-28", "2030-01-01", "DRAFT-2026", ""];
const NEWEST_LEGACY = "2025-11-25";

function handshake(protocolVersion: unknown): Message {
  return { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
}

Deno.test("initialize echoes every revision of the older generations and serves it", async (t) => {
  verifies("legacy");
  for (const revision of ECHOED) {
    await t.step(revision, async () => {
      await using server = new ServerProcess();
      const { result } = await server.initialize(revision);
      strictEqual(result.protocolVersion, revision);
      deepStrictEqual(result.serverInfo, {
        name: "snowluma-mcp",
        title: "SnowLuma OneBot actions",
        version: config.version,
      });
      deepStrictEqual(Object.keys(result.capabilities).sort(), ["completions", "extensions", "resources", "tools"]);
      const listed = await server.request(1, "tools/list");
      strictEqual(listed.result.tools.length, 7);
      const called = await server.call(2, "get_action", { name: "get_msg" });
      strictEqual(called.result.structuredContent.result.name, "get_msg");
      deepStrictEqual(await server.request(3, "ping"), { jsonrpc: "2.0", id: 3, result: {} });
    });
  }
});

Deno.test("initialize answers an unknown revision with the newest legacy one", async (t) => {
  verifies("legacy-unknown");
  for (const revision of UNKNOWN) {
    await t.step(JSON.stringify(revision), async () => {
      await using server = new ServerProcess();
      const { result } = await server.initialize(revision);
      strictEqual(result.protocolVersion, NEWEST_LEGACY);
      ok((await server.request(1, "tools/list")).result.tools.length > 0);
    });
  }
});

Deno.test("a client that never sends notifications/initialized is served", async () => {
  verifies("no-initialized");
  await using server = new ServerProcess();
  await server.request("init", "initialize", handshake("2025-03-26"));
  ok((await server.request(1, "tools/list")).result.tools.length > 0);
  const { result } = await server.call(2, "list_categories");
  strictEqual(result.structuredContent.diagnostics.outcome, "success");
});

Deno.test("a client that sends its first requests without waiting for the handshake is served in order", async () => {
  verifies("no-initialized");
  await using server = new ServerProcess();
  const lines = [
    { jsonrpc: "2.0", id: "init", method: "initialize", params: handshake("2025-06-18") },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "list_categories" } },
  ];
  await server.send(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await server.receive(({ id }) => id === 2);
  await server.receive(({ id }) => id === 1);
  strictEqual((await server.receive(({ id }) => id === "init")).result.protocolVersion, "2025-06-18");
});

Deno.test("answers to the older generations carry no fields of the newer one", async () => {
  verifies("eras-equal", "cache-hints");
  await using server = new ServerProcess();
  await server.initialize();
  const answers = [
    await server.request(1, "tools/list"),
    await server.request(2, "resources/list"),
    await server.request(3, "resources/templates/list"),
    await server.request(4, "resources/read", { uri: "snowluma://onebot/actions/get_msg" }),
    await server.call(5, "list_categories"),
    await server.call(6, "get_runtime_info"),
  ];
  for (const { result } of answers) {
    for (const field of ["resultType", "ttlMs", "cacheScope"]) {
      ok(!(field in result), `${field} in ${JSON.stringify(result).slice(0, 80)}`);
    }
    deepStrictEqual(Object.keys(result._meta ?? {}), "content" in result ? ["traceparent"] : []);
  }
});

Deno.test("a request id is echoed as it was, text or number", async () => {
  verifies("legacy");
  await using server = new ServerProcess();
  await server.initialize();
  for (const id of [0, -1, 2 ** 53 - 1, "0", "", "ид\u2028\n", "x".repeat(1000)]) {
    deepStrictEqual(await server.request(id, "ping"), { jsonrpc: "2.0", id, result: {} });
  }
});
