/** Calls that are JSON-RPC but wrong: a clear error for that one call, and nothing is sent to the bot. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";

const TEN_MB = "x".repeat(10_000_000);

const WRONG_TYPES: Array<[tool: string, args: Message, named: string[]]> = [
  ["get_action", {}, ["name"]],
  ["get_action", { name: 5 }, ["name"]],
  ["get_action", { name: null }, ["name"]],
  ["get_action", { name: ["get_msg"] }, ["name"]],
  ["list_actions", { limit: "x", offset: -1, read_only: "yes" }, ["limit", "offset", "read_only"]],
  ["list_actions", { limit: 201 }, ["limit"]],
  ["list_actions", { limit: 1.5 }, ["limit"]],
  ["list_actions", { risk: "huge" }, ["risk"]],
  ["list_actions", { category: 5 }, ["category"]],
  ["search_actions", { query: "x".repeat(201) }, ["query"]],
  ["search_actions", { query: "x", match: "regex" }, ["match"]],
  ["check_action", { action: 5, params: {} }, ["action"]],
  ["get_runtime_info", { check_connection: 1 }, ["check_connection"]],
  ["query_action", { params: {} }, ["action"]],
  ["query_action", { action: {} }, ["action"]],
];
const UNKNOWN: Array<[tool: string, args: Message, named: string[]]> = [
  ["list_categories", { x: 1 }, ["x"]],
  ["list_actions", { catgory: "message", lmit: 5 }, ["catgory", "lmit"]],
  ["get_action", { name: "get_msg", action: "get_msg" }, ["action"]],
  ["get_action", { name: "get_msg", constructor: 1, toString: 2 }, ["constructor", "toString"]],
  ["query_action", { action: "get_status", group_id: 5 }, ["group_id"]],
  ["invoke_action", { action: "get_status", execution: {} }, ["execution"]],
];
const NOT_AN_OBJECT = ["{}", "", [], [1], 5, true, null];

for (const makeClient of CLIENTS) {
  Deno.test(`wrong and unknown arguments are refused by name (${makeClient.name})`, async (t) => {
    verifies("bad-arguments", "unknown-arguments", "refusals-send-nothing");
    await using bot = await startSimulator();
    await using client = await makeClient({ args: ["--endpoint", bot.url, "--mode", "write"] });
    for (const [tool, args, named] of [...WRONG_TYPES, ...UNKNOWN]) {
      await t.step(`${tool} ${JSON.stringify(args).slice(0, 60)}`, async () => {
        const { isError, structuredContent } = await client.callTool(tool, args);
        strictEqual(isError, true);
        strictEqual(structuredContent.diagnostics.kind, "invalid_arguments");
        for (const name of named) {
          ok(structuredContent.diagnostics.message.includes(name), structuredContent.diagnostics.message);
        }
      });
    }
    await t.step("params that are no object", async () => {
      for (const tool of ["query_action", "invoke_action", "check_action"]) {
        for (const params of NOT_AN_OBJECT) {
          const { isError, structuredContent } = await client.callTool(tool, { action: "get_status", params });
          strictEqual(isError, true);
          strictEqual(structuredContent.diagnostics.kind, "invalid_params", JSON.stringify(params));
        }
      }
    });
    deepStrictEqual(bot.requests.length, 0);
    const { structuredContent } = await client.callTool("query_action", { action: "get_status" });
    strictEqual(structuredContent.diagnostics.outcome, "success");
  });
}

Deno.test("unknown methods and tools, and calls without a name, are protocol errors that say so", async () => {
  verifies("bad-arguments");
  await using server = new ServerProcess();
  await server.initialize();
  for (const [id, method] of ["no/such", "", "tools/list ", "__proto__", "constructor", "tools/call/x"].entries()) {
    strictEqual((await server.request(id, method)).error.code, -32601, method);
  }
  for (const name of ["nope", "", "__proto__", "constructor", "LIST_ACTIONS", "list_actions "]) {
    const { error } = await server.call(`tool ${name}`, name);
    strictEqual(error.code, -32602);
    ok(error.message.includes("list_actions"), error.message);
  }
  const shapes = [undefined, {}, { name: 5 }, { name: null }, { name: "list_actions", arguments: [] }, {
    name: "list_actions",
    arguments: "x",
  }, { name: "list_actions", arguments: null }];
  for (const [index, params] of shapes.entries()) {
    strictEqual((await server.request(`shape ${index}`, "tools/call", params)).error?.code, -32602);
  }
  ok((await server.request("end", "ping")).result);
});

Deno.test("arguments of 10 MB get a short answer, and the server goes on", async (t) => {
  verifies("bad-arguments", "bounded");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await server.initialize();
  const calls: Array<[name: string, tool: string, args: Message]> = [
    ["action name", "get_action", { name: TEN_MB }],
    ["action to check", "check_action", { action: TEN_MB }],
    ["action to query", "query_action", { action: TEN_MB }],
    ["query", "search_actions", { query: TEN_MB }],
    ["category", "list_actions", { category: TEN_MB }],
    ["argument name", "list_actions", { [TEN_MB]: 1 }],
    ["param to check", "check_action", { action: "get_msg", params: { message_id: TEN_MB } }],
    ["tool name", TEN_MB, {}],
  ];
  for (const [name, tool, args] of calls) {
    await t.step(name, async () => {
      const answer = await server.call(name, tool, args, 20_000);
      const size = JSON.stringify(answer).length;
      ok(size < 4000, `${size} characters`);
      ok(answer.error || answer.result.isError || answer.result.structuredContent.result.valid === false);
    });
  }
  strictEqual(bot.requests.length, 0);
  await t.step("a message of 10 MB is sent whole", async () => {
    const params = { group_id: 20001, message: TEN_MB };
    const { result } = await server.call("big", "invoke_action", { action: "send_group_msg", params }, 30_000);
    ok(["success", "failed"].includes(result.structuredContent.diagnostics.outcome));
    strictEqual(bot.requests.length, 1);
    strictEqual((bot.requests[0]?.params.message as string).length, TEN_MB.length);
  });
  ok((await server.request("end", "ping")).result);
});

Deno.test("the name __proto__ is refused as an argument, a param and an action", async (t) => {
  verifies("unknown-arguments", "bad-arguments", "refusals-send-nothing");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await server.initialize();
  const calls: Record<string, string> = {
    argument: '{"name":"list_categories","arguments":{"__proto__":1}}',
    "argument beside others": '{"name":"get_action","arguments":{"name":"get_msg","__proto__":{"name":"get_status"}}}',
    "argument in its place": '{"name":"query_action","arguments":{"__proto__":{"action":"get_status"}}}',
    param: '{"name":"invoke_action","arguments":{"action":"get_status","params":{"__proto__":{"a":1}}}}',
    "param to check": '{"name":"check_action","arguments":{"action":"get_status","params":{"__proto__":1}}}',
    action: '{"name":"query_action","arguments":{"action":"__proto__"}}',
    "action to explain": '{"name":"get_action","arguments":{"name":"__proto__"}}',
  };
  for (const [name, params] of Object.entries(calls)) {
    await t.step(name, async () => {
      await server.send(`{"jsonrpc":"2.0","id":"${name}","method":"tools/call","params":${params}}\n`);
      const { error, result } = await server.receive(({ id }) => id === name);
      ok(error ?? result.isError, JSON.stringify(result)?.slice(0, 200));
      const told = error?.message ?? result.content[0].text;
      ok(/__proto__|action/.test(told), told);
    });
  }
  strictEqual(bot.requests.length, 0);
  strictEqual((await server.call("end", "get_runtime_info")).result.structuredContent.diagnostics.outcome, "success");
});
