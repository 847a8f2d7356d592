/** How long answers may be kept: the whole table, on raw results. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { modernRequest } from "./support.ts";

const FIVE_MINUTES_MS = 300_000;
const LASTING: Array<[method: string, params: Message, scope: "public" | "private"]> = [
  ["tools/list", {}, "private"],
  ["resources/list", {}, "private"],
  ["resources/templates/list", {}, "public"],
  ["resources/read", { uri: "snowluma://onebot/actions" }, "public"],
  ["resources/read", { uri: "snowluma://onebot/actions/get_msg" }, "public"],
  ["resources/read", { uri: "ui://snowluma/message-preview.html" }, "public"],
];
const CALLS: Array<[name: string, args: Message]> = [
  ["list_actions", {}],
  ["list_categories", {}],
  ["search_actions", { query: "ban" }],
  ["get_action", { name: "get_msg" }],
  ["get_action", { name: "no_such" }],
  ["check_action", { action: "get_msg" }],
  ["preview_message", { message_type: "group", target_id: 20001, text: "x" }],
  ["get_runtime_info", {}],
  ["get_runtime_info", { check_connection: true }],
  ["query_action", { action: "get_status" }],
  ["query_action", { action: "send_msg" }],
  ["invoke_action", { action: "get_status" }],
];

for (const mode of ["docs", "read", "write"]) {
  Deno.test(`cache hints in ${mode} mode are exactly those of the table`, async () => {
    verifies("cache-hints");
    await using server = new ServerProcess({ args: ["--mode", mode, "--endpoint", "simulator"] });
    for (const [index, [method, params, cacheScope]] of LASTING.entries()) {
      const { result } = await modernRequest(server, index, method, params);
      deepStrictEqual([result.ttlMs, result.cacheScope], [FIVE_MINUTES_MS, cacheScope], method);
    }
    for (const [index, [name, args]] of CALLS.entries()) {
      const { result } = await modernRequest(server, `call ${index}`, "tools/call", { name, arguments: args });
      strictEqual(result.resultType, "complete");
      for (const field of ["ttlMs", "cacheScope"]) ok(!(field in result), `${name} has ${field}`);
    }
  });
}

Deno.test("completion gets no lasting hint", async () => {
  verifies("cache-hints");
  await using server = new ServerProcess();
  const { result } = await modernRequest(server, 1, "completion/complete", {
    ref: { type: "ref/resource", uri: "snowluma://onebot/actions/{name}" },
    argument: { name: "name", value: "get_group_member" },
  });
  deepStrictEqual(result.completion.values, ["get_group_member_info", "get_group_member_list"]);
  ok(!("ttlMs" in result) || result.ttlMs === 0, `ttlMs ${result.ttlMs}`);
});
