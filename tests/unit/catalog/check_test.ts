import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { checkCall, type CheckReport, MAX_PROBLEMS } from "../../../lib/catalog/check.ts";
import type { Peer } from "../../../lib/mcp/peer.ts";
import type { ToolAnswer } from "../../../lib/mcp/result.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { explainTools } from "../../../lib/tools/explain.ts";
import { verifies } from "../../requirements.ts";
import { deeplyNested, realAction } from "../support.ts";

async function check(name: string, params: Record<string, unknown>, lang: "en" | "zh" = "en"): Promise<CheckReport> {
  return await checkCall(await realAction(name), params, lang);
}

const CONTEXT = { signal: new AbortController().signal, trace: { traceparent: "00-1-2-01" }, peer: {} as Peer };

Deno.test("checkCall() gives exactly the promised fields", async () => {
  verifies("check-action");
  deepStrictEqual(await check("set_group_ban", { group_id: 1, user_id: 2, duration: 60 }), {
    action: "set_group_ban",
    valid: true,
    problems: [],
    missing: [],
    unknown_params: [],
    risk: "write",
    tool: "invoke_action",
  });
});

Deno.test("checkCall() tells every problem at once", async () => {
  verifies("check-action");
  const report = await check("set_group_ban", { group_id: "x", duration: -1, durations: 5, group: 1 });
  strictEqual(report.valid, false);
  deepStrictEqual(report.missing, ["user_id"]);
  deepStrictEqual(report.unknown_params, ["durations", "group"]);
  deepStrictEqual(report.problems.map(({ path }) => path).sort(), ["/duration", "/group_id", "/user_id"]);
});

Deno.test("checkCall() names what was given", async (t) => {
  verifies("check-action");
  const cases: Array<{ params: Record<string, unknown>; says: string }> = [
    { params: { duration: "abc" }, says: '"abc"' },
    { params: { duration: null }, says: "null; leave it out" },
    { params: { duration: [1] }, says: "an array" },
    { params: { duration: { a: 1 } }, says: "an object" },
    { params: { duration: -5 }, says: "-5" },
    { params: { duration: 1.5 }, says: "1.5" },
  ];
  for (const { params, says } of cases) {
    await t.step(JSON.stringify(params), async () => {
      const { problems } = await check("set_group_ban", { group_id: 1, user_id: 2, ...params });
      strictEqual(problems.length, 1);
      strictEqual(problems[0]?.path, "/duration");
      ok(problems[0]?.message.includes(says), problems[0]?.message);
    });
  }
});

Deno.test("checkCall() joins several types by a word", async () => {
  verifies("check-action");
  const { problems } = await check("send_group_msg", { group_id: "20001", message: 5 });
  deepStrictEqual(problems.toSorted((a, b) => a.path < b.path ? -1 : 1), [
    { path: "/group_id", message: 'must be integer, not "20001"' },
    { path: "/message", message: "must be string or array or object, not 5" },
  ]);
});

Deno.test("checkCall() accepts negative message ids and refuses only 0", async () => {
  verifies("check-action", "params-unchecked");
  strictEqual((await check("get_msg", { message_id: -2000000001 })).valid, true);
  const { problems } = await check("get_msg", { message_id: 0 });
  deepStrictEqual(problems, [{ path: "/message_id", message: "must not be 0, not 0" }]);
});

Deno.test("checkCall() finds what is missing inside a message", async () => {
  verifies("check-action");
  const message = [{ type: "text", data: { text: "hi" } }, { data: { text: "no type" } }];
  const { valid, problems } = await check("send_group_msg", { group_id: 1, message });
  strictEqual(valid, false);
  deepStrictEqual(problems, [{ path: "/message/1/type", message: "is required" }]);
});

Deno.test("checkCall() judges each kind of rule", async (t) => {
  verifies("check-action");
  const cases: Array<{ name: string; params: Record<string, unknown>; valid: boolean }> = [
    { name: "send_msg", params: { message: "x" }, valid: false }, // any_of group_id, user_id
    { name: "send_msg", params: { message: "x", user_id: 1 }, valid: true },
    { name: "send_msg", params: { message: "x", user_id: 1, message_type: "group" }, valid: false }, // requires
    { name: "send_msg", params: { message: "x", group_id: 1, message_type: "group" }, valid: true },
    { name: "get_group_honor_info", params: { group_id: 1, type: "strongest" }, valid: false }, // values
    { name: "get_group_honor_info", params: { group_id: 1, type: "all" }, valid: true },
    { name: "upload_file_stream", params: { stream_id: "a b" }, valid: false }, // pattern
    { name: "upload_file_stream", params: { stream_id: "a_b" }, valid: true },
    {
      name: "upload_file_stream",
      params: { stream_id: "a", chunk_index: 2, chunk_data: "", total_chunks: 2 },
      valid: false,
    }, // less_than
  ];
  for (const { name, params, valid } of cases) {
    await t.step(`${name} ${JSON.stringify(params)}`, async () => {
      const report = await check(name, params);
      strictEqual(report.valid, valid, JSON.stringify(report.problems));
      strictEqual(report.problems.length > 0, !valid);
    });
  }
});

Deno.test("checkCall() never judges what depends on the bot, and words rules in the asked language", async () => {
  const action = await realAction("send_msg");
  const [english, chinese] = [
    await check("send_msg", { message: "x" }),
    await check("send_msg", { message: "x" }, "zh"),
  ];
  const rule = action.rules.find((rule) => rule.check === "any_of");
  ok(english.problems.some(({ message }) => message === rule?.text.en));
  ok(chinese.problems.some(({ message }) => message === rule?.text.zh));
  const live = new Set(action.rules.filter((rule) => rule.check === "live").map((rule) => rule.text.en));
  ok(!english.problems.some(({ message }) => live.has(message)));
});

Deno.test("checkCall() counts undeclared params that the bot reads as known", async () => {
  const { unknown_params } = await check("get_forward_msg", { message_id: "1", nonsense: 1 });
  deepStrictEqual(unknown_params, ["nonsense"]);
});

Deno.test("checkCall() takes names from objects' prototypes for what they are", async () => {
  const params = JSON.parse('{"toString":1,"constructor":2,"__proto__":3}') as Record<string, unknown>;
  deepStrictEqual((await check("get_status", params)).unknown_params, ["toString", "constructor", "__proto__"]);
  ok((await check("get_msg", params)).missing.includes("message_id"));
});

Deno.test("checkCall() takes whole numbers beyond 2^53-1 for numbers", async () => {
  const params = parseJson('{"group_id":9007199254740993,"user_id":2}') as Record<string, unknown>;
  deepStrictEqual((await check("set_group_ban", params)).problems, []);
});

Deno.test("checkCall() names the tool and the risk", async () => {
  const { risk, tool } = await check("get_cookies", {});
  deepStrictEqual({ risk, tool }, { risk: "secret", tool: "query_action" });
  strictEqual((await check("set_restart", {})).risk, "dangerous");
});

Deno.test("checkCall() tells at most MAX_PROBLEMS problems", async () => {
  verifies("bounded");
  const message = Array.from({ length: MAX_PROBLEMS + 50 }, () => 5);
  const { valid, problems } = await check("send_group_msg", { group_id: 1, message });
  strictEqual(valid, false);
  strictEqual(problems.length, MAX_PROBLEMS);
});

Deno.test("check_action answers an invalid call, however strange, without isError", async (t) => {
  verifies("check-action");
  const tool = explainTools("en").find(({ definition }) => definition.name === "check_action");
  ok(tool);
  const logged: string[] = [];
  const cases = {
    "empty": {},
    "deeply nested": { message: deeplyNested() },
    "null": { message_id: null },
  };
  for (const [name, params] of Object.entries(cases)) {
    await t.step(name, async () => {
      const args = { action: "send_group_msg", params };
      const log = (level: string, message: string): unknown => level !== "info" && logged.push(message);
      const answer = await tool.call(args, CONTEXT, log) as ToolAnswer;
      strictEqual(answer.isError, undefined, JSON.stringify(answer.structuredContent));
      const { result } = answer.structuredContent as { result: CheckReport };
      strictEqual(result.valid, false);
      deepStrictEqual(logged, []);
    });
  }
});

Deno.test("get_action and check_action answer an unknown name with the nearest ones", async () => {
  verifies("nearest-names");
  for (const tool of explainTools("en")) {
    const key = tool.definition.name === "get_action" ? "name" : "action";
    const answer = await tool.call({ [key]: "send_grup_msg" }, CONTEXT, () => {}) as ToolAnswer;
    strictEqual(answer.isError, true);
    const { diagnostics } = answer.structuredContent as { diagnostics: Record<string, string> };
    strictEqual(diagnostics.kind, "unknown_action");
    ok(diagnostics.next_step?.includes("send_group_msg"));
  }
});
