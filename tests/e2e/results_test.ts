/** Every tool's real results against its own outputSchema, and the same from both generations. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";

/** Successes, refusals, business failures and bad arguments of every tool. */
const CALLS: Array<[tool: string, args: Message, outcome: "success" | "failed"]> = [
  ["list_actions", {}, "success"],
  ["list_actions", { limit: 3, offset: 1 }, "success"],
  ["list_actions", { category: "nonsense" }, "failed"],
  ["list_actions", { limit: 0 }, "failed"],
  ["list_actions", { constructor: 1 }, "failed"],
  ["search_actions", { query: "群 禁言", match: "keywords" }, "success"],
  ["search_actions", { query: "" }, "failed"],
  ["list_categories", {}, "success"],
  ["list_categories", { x: 1 }, "failed"],
  ["get_action", { name: "send_group_msg" }, "success"],
  ["get_action", { name: "no_such" }, "failed"],
  ["get_action", {}, "failed"],
  ["check_action", { action: "send_group_msg" }, "success"],
  ["check_action", { action: "no_such" }, "failed"],
  ["check_action", { action: "get_status", params: [] }, "failed"],
  ["preview_message", { message_type: "group", target_id: 20001, text: "x", reply_to: -5 }, "success"],
  ["preview_message", { message_type: "group", target_id: 20001, text: "" }, "failed"],
  ["get_runtime_info", {}, "success"],
  ["get_runtime_info", { check_connection: true }, "success"],
  ["get_runtime_info", { check_connection: "yes" }, "failed"],
  ["query_action", { action: "get_group_list" }, "success"],
  ["query_action", { action: "get_msg", params: { message_id: -5 } }, "failed"],
  ["query_action", { action: "send_msg" }, "failed"],
  ["query_action", { action: "get_cookies" }, "failed"],
  ["query_action", { action: "no_such" }, "failed"],
  ["query_action", { action: "get_status", params: "x" }, "failed"],
  ["invoke_action", { action: "set_group_card", params: { group_id: 20001, user_id: 10001, card: "x" } }, "success"],
  ["invoke_action", { action: "send_group_msg", params: { group_id: 9, message: "x" } }, "failed"],
  ["invoke_action", { action: "bot_exit" }, "failed"],
  ["invoke_action", { action: "upload_file_stream" }, "failed"],
  ["invoke_action", {}, "failed"],
  ["query_action_with_input", { action: "get_group_list" }, "success"],
  ["query_action_with_input", { action: "get_msg" }, "failed"],
  ["invoke_action_with_input", {
    action: "set_group_card",
    params: { group_id: 20001, user_id: 10001, card: "y" },
  }, "success"],
  ["invoke_action_with_input", { action: "send_group_msg" }, "failed"],
];

Deno.test("every result fits the outputSchema its tool lists, and both generations get the same", async () => {
  verifies("output-schema", "eras-equal", "result-shape");
  const perEra: Message[][] = [];
  for (const makeClient of CLIENTS) {
    await using bot = await startSimulator({ now: () => 1_770_000_000_000 });
    await using client = await makeClient({ args: ["--endpoint", bot.url, "--mode", "write"] });
    const { tools } = await client.listTools();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validators = new Map(tools.map(({ name, outputSchema }: Message) => [name, ajv.compile(outputSchema)]));
    const results: Message[] = [];
    for (const [tool, args, outcome] of CALLS) {
      const what = `${makeClient.name}: ${tool} ${JSON.stringify(args)}`;
      const { content, structuredContent, isError } = await client.callTool(tool, args);
      const validate = validators.get(tool) as ReturnType<typeof ajv.compile>;
      ok(validate(structuredContent), `${what}: ${ajv.errorsText(validate.errors)}`);
      strictEqual(structuredContent.diagnostics.outcome, outcome, `${what}: ${content[0].text}`);
      strictEqual(content.length, 1);
      strictEqual(content[0].type, "text");
      if (isError) {
        const { message, next_step, kind } = structuredContent.diagnostics;
        strictEqual(content[0].text, `${message}. ${next_step}`, what);
        strictEqual(structuredContent.result, null);
        ok(kind);
      } else strictEqual(content[0].text, JSON.stringify(structuredContent.result), what);
      results.push({ tool, args, content, structuredContent, isError: isError ?? false });
    }
    for (const { name } of tools) ok(CALLS.some(([tool]) => tool === name), `${name} is not called`);
    perEra.push(results);
  }
  deepStrictEqual(perEra[0], perEra[1]);
});
