import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { MAX_LISTENS, refuseListen } from "../../../lib/mcp/listen.ts";
import type { Message } from "../../support/server_process.ts";
import { verifies } from "../../requirements.ts";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const TASKS = "io.modelcontextprotocol/tasks";

/** A request to listen, from a client that says it can do this. */
function listen(notifications: unknown, capabilities?: unknown, id: string | number = 7): JSONRPCMessage {
  const _meta = capabilities === undefined ? {} : { [CAPABILITIES]: capabilities };
  return { jsonrpc: "2.0", id, method: "subscriptions/listen", params: { notifications, _meta } } as JSONRPCMessage;
}

/** What is answered to it. */
function answer(message: JSONRPCMessage): Message | undefined {
  return refuseListen(message);
}

Deno.test("refuseListen() lets 64 resources through, of 1,024 characters each, and nothing beyond", () => {
  verifies("bounded", "events-updated-modern");
  strictEqual(MAX_LISTENS, 64);
  const uris = (count: number, length = 10): string[] => Array.from({ length: count }, () => "x".repeat(length));
  strictEqual(answer(listen({ resourceSubscriptions: uris(64, 1024) })), undefined);
  for (const resourceSubscriptions of [uris(65), [...uris(63), "x".repeat(1025)], [`群${"x".repeat(1024)}`]]) {
    for (const id of [7, "seven"]) {
      const refusal = answer(listen({ resourceSubscriptions }, undefined, id));
      deepStrictEqual([refusal?.jsonrpc, refusal?.id, refusal?.error.code], ["2.0", id, -32602]);
      match(refusal?.error.message, /at most 64 resources of 1024 characters/);
    }
  }
});

Deno.test("refuseListen() wants the tasks extension for taskIds, whatever they are", () => {
  verifies("tasks-clients", "tasks-methods");
  for (const taskIds of [["x"], [], null, "x"]) {
    for (
      const capabilities of [undefined, null, {}, { extensions: {} }, { extensions: null }, { extensions: [TASKS] }]
    ) {
      const refusal = answer(listen({ taskIds }, capabilities));
      deepStrictEqual([refusal?.id, refusal?.error.code], [7, -32021], JSON.stringify(capabilities));
      deepStrictEqual(refusal?.error.data, { requiredCapabilities: { extensions: { [TASKS]: {} } } });
      match(refusal?.error.message, /io\.modelcontextprotocol\/tasks/);
    }
    strictEqual(answer(listen({ taskIds }, { extensions: { [TASKS]: {} } })), undefined);
  }
  strictEqual(answer(listen({ resourceSubscriptions: [] })), undefined);
});

Deno.test("refuseListen() leaves to the SDK what is no list of texts, however strange", () => {
  verifies("bad-lines");
  const odd = [{ toString: 1, valueOf: 2 }, nested(20_000), null, 5, {}, ["x".repeat(2000)], Object.create(null)];
  for (const resourceSubscriptions of [...odd.map((item) => [item]), ...odd.slice(0, 5), "x".repeat(2000)]) {
    strictEqual(answer(listen({ resourceSubscriptions })), undefined);
  }
  for (const notifications of [undefined, null, 5, "x", [], {}]) strictEqual(answer(listen(notifications)), undefined);
  strictEqual(answer({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen" }), undefined);
});

Deno.test("refuseListen() looks at nothing else", () => {
  const params = { notifications: { taskIds: ["x"], resourceSubscriptions: Array(100).fill("x") } };
  const others: JSONRPCMessage[] = [
    { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    { jsonrpc: "2.0", id: 1, method: "Subscriptions/Listen", params },
    { jsonrpc: "2.0", method: "subscriptions/listen", params }, // a notification is never answered
    { jsonrpc: "2.0", id: 1, result: { method: "subscriptions/listen", params } },
    { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
  ];
  for (const message of others) strictEqual(answer(message), undefined);
});

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
