import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_REQUEST_BYTES } from "../../lib/onebot/exchange.ts";
import { parseJson } from "../../lib/onebot/lossless_json.ts";
import { verifies } from "../requirements.ts";
import { answer, fault, makeExecutor, NEVER } from "./executor_support.ts";
import { deeplyNested, failureOf, realCatalog } from "./support.ts";

const READ = "get_status";
const WRITE = "send_group_msg";

Deno.test("Executor.call() posts {action, params} once and gives the envelope as it came", async () => {
  verifies("one-post", "passed-through", "params-unchecked");
  const envelope = { zeta: [1], retcode: 0, status: "ok", data: { message_id: -2000000001, more: null }, extra: {} };
  const { executor, posted } = await makeExecutor({ post: () => answer(envelope) });
  const params = { message_id: -2000000001, nonsense: null, "": [] };
  const result = await executor.call("query", "get_msg", params, { signal: NEVER });
  strictEqual(JSON.stringify(result.result), JSON.stringify(envelope));
  deepStrictEqual(result.diagnostics, { outcome: "success" });
  deepStrictEqual(posted, ['{"action":"get_msg","params":{"message_id":-2000000001,"nonsense":null,"":[]}}']);
});

Deno.test("Executor.call() keeps long numbers digit for digit, there and back", async () => {
  verifies("digits");
  const text = '{"status":"ok","retcode":0,"data":{"id":9007199254740993,"s":"9007199254740993"}}';
  for (const secrets of [[], ["a-long-secret"]]) {
    const { executor, posted } = await makeExecutor({ post: () => answer(text), secrets });
    const params = parseJson('{"user_id":9007199254740993,"t":"18446744073709551615"}') as Record<string, unknown>;
    const { result } = await executor.call("query", "get_stranger_info", params, { signal: NEVER });
    strictEqual(JSON.stringify(result), text);
    strictEqual(
      posted[0],
      '{"action":"get_stranger_info","params":{"user_id":9007199254740993,"t":"18446744073709551615"}}',
    );
  }
});

Deno.test("Executor.call() sends an alias under its action's name", async () => {
  verifies("aliases");
  const { executor, posted } = await makeExecutor({ mode: "read" });
  for (const { name, aliases, readOnly, risk, stream } of (await realCatalog()).actions) {
    for (const alias of aliases) {
      if (!readOnly || risk !== "read" || stream) continue;
      posted.length = 0;
      await executor.call("query", alias, {}, { signal: NEVER });
      deepStrictEqual(posted, [JSON.stringify({ action: name, params: {} })]);
    }
  }
});

Deno.test("Executor.call() refuses without posting, and in the order mode, name, risk, stream, size", async (t) => {
  verifies("gate-every-call", "gate-risk", "refusals-send-nothing", "stream-gated");
  const huge = { message: "x".repeat(MAX_REQUEST_BYTES) };
  const cases = [
    { name: "no_such_action", mode: "docs", door: "query", params: {}, kind: "mode" },
    { name: "no_such_action", mode: "read", door: "invoke", params: {}, kind: "mode" },
    { name: "no_such_action", mode: "read", door: "query", params: {}, kind: "unknown_action" },
    { name: "no_such_action", mode: "write", door: "invoke", params: {}, kind: "unknown_action" },
    { name: READ, mode: "docs", door: "query", params: {}, kind: "mode" },
    { name: READ, mode: "read", door: "invoke", params: {}, kind: "mode" },
    { name: WRITE, mode: "read", door: "query", params: {}, kind: "mode" },
    { name: WRITE, mode: "write", door: "query", params: {}, kind: "mode" },
    { name: "get_cookies", mode: "read", door: "query", params: {}, kind: "risk" },
    { name: "get_cookies", mode: "write", door: "invoke", params: {}, kind: "risk" },
    { name: "nc_get_rkey", mode: "write", door: "query", params: {}, kind: "risk" },
    { name: ".send_packet", mode: "write", door: "invoke", params: {}, kind: "risk" },
    { name: "set_restart", mode: "write", door: "invoke", params: huge, kind: "risk" },
    { name: "upload_file_stream", mode: "write", door: "query", params: {}, kind: "mode" },
    { name: "upload_file_stream", mode: "write", door: "invoke", params: huge, kind: "internal" },
    { name: WRITE, mode: "write", door: "invoke", params: huge, kind: "invalid_params" },
    { name: "__proto__", mode: "write", door: "invoke", params: {}, kind: "unknown_action" },
    { name: "", mode: "write", door: "invoke", params: {}, kind: "unknown_action" },
  ] as const;
  for (const { name, mode, door, params, kind } of cases) {
    await t.step(`${mode} ${door} ${name} is ${kind}`, async () => {
      const { executor, posted } = await makeExecutor({ mode });
      const failure = await failureOf(() => executor.call(door, name, params, { signal: NEVER }));
      strictEqual(failure.kind, kind);
      strictEqual(failure.outcome, "failed");
      deepStrictEqual(posted, []);
    });
  }
});

Deno.test("Executor.call() without a way to stream refuses stream actions", async () => {
  verifies("library");
  const { executor, posted } = await makeExecutor();
  for (const { name, stream } of (await realCatalog()).actions) {
    if (!stream) continue;
    const failure = await failureOf(() => executor.call("invoke", name, {}, { signal: NEVER }));
    strictEqual(failure.kind, "internal");
    ok(failure.message.includes(name) && failure.nextStep.length > 0);
  }
  deepStrictEqual(posted, []);
});

Deno.test("Executor.call() names the nearest actions for an unknown one", async () => {
  verifies("nearest-names");
  const { executor } = await makeExecutor();
  const { kind, nextStep } = await failureOf(() => executor.call("invoke", "send_grup_msg", {}, { signal: NEVER }));
  strictEqual(kind, "unknown_action");
  ok(nextStep.includes("send_group_msg"));
});

Deno.test("Executor.call() lets an action through that is allowed by name, and only that", async () => {
  verifies("gate-risk");
  const { executor, posted } = await makeExecutor({ mode: "read", allow: ["get_rkey"] });
  await executor.call("query", "nc_get_rkey", {}, { signal: NEVER });
  strictEqual(posted.length, 1);
  strictEqual((await failureOf(() => executor.call("query", "get_cookies", {}, { signal: NEVER }))).kind, "risk");
  strictEqual(posted.length, 1);
});

Deno.test("Executor.call() sends a body of exactly MAX_REQUEST_BYTES and refuses one byte more", async () => {
  verifies("bounded", "refusals-send-nothing");
  const { executor, posted } = await makeExecutor();
  const around = JSON.stringify({ action: WRITE, params: { message: "" } }).length;
  const exact = "x".repeat(MAX_REQUEST_BYTES - around);
  await executor.call("invoke", WRITE, { message: exact }, { signal: NEVER });
  strictEqual(posted[0]?.length, MAX_REQUEST_BYTES);
  const failure = await failureOf(() => executor.call("invoke", WRITE, { message: `${exact}x` }, { signal: NEVER }));
  strictEqual(failure.kind, "invalid_params");
  ok(failure.message.includes(String(MAX_REQUEST_BYTES + 1)));
  strictEqual(posted.length, 1);
});

Deno.test("Executor.call() counts the body in bytes, not characters", async () => {
  verifies("bounded");
  const { executor, posted } = await makeExecutor();
  const message = "群".repeat(Math.ceil(MAX_REQUEST_BYTES / 3));
  strictEqual(
    (await failureOf(() => executor.call("invoke", WRITE, { message }, { signal: NEVER }))).kind,
    "invalid_params",
  );
  deepStrictEqual(posted, []);
});

Deno.test("Executor.call() refuses params that cannot be written as JSON, and sends nothing", async () => {
  verifies("refusals-send-nothing");
  const { executor, posted } = await makeExecutor();
  const message = deeplyNested(parseJson("9007199254740993"));
  const failure = await failureOf(() => executor.call("invoke", WRITE, { message }, { signal: NEVER }));
  strictEqual(failure.kind, "invalid_params");
  strictEqual(failure.outcome, "failed");
  deepStrictEqual(posted, []);
});

Deno.test("Executor.call() never posts again after a fault", async () => {
  verifies("never-retry");
  for (const kind of ["connect", "timeout", "cut", "too_large", "garbled"] as const) {
    for (const sent of [true, false]) {
      const { executor, posted } = await makeExecutor({ post: () => fault(kind, sent) });
      await failureOf(() => executor.call("invoke", WRITE, {}, { signal: NEVER }));
      strictEqual(posted.length, 1);
    }
  }
});

Deno.test("Executor.call() keeps the token out of the envelope and of what is said about it", async () => {
  verifies("no-token");
  const token = "tok_TEST+/=1";
  const wording = `bad token ${token}, or ${encodeURIComponent(token)}`;
  const envelope = { status: "failed", retcode: 1401, data: { [token]: [token] }, wording };
  const { executor } = await makeExecutor({ secrets: [token], post: () => answer(envelope, 401) });
  const text = JSON.stringify(await executor.call("query", READ, {}, { signal: NEVER }));
  ok(!text.includes(token) && !text.includes(encodeURIComponent(token)), text);
  ok(text.includes("SNOWLUMA_MCP_TOKEN"));
});
