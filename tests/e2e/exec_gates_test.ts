/** The mode gate, and calls that are refused before anything is sent. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { botEnv, failureOf, KINDS, passedOn, serverFor } from "./exec_support.ts";

const READ = { action: "get_status" };
const WRITE = KINDS.write.args;

/** Per mode, tool and call: whether one request goes out, or what the refusal names. */
const GATE = [
  { mode: "docs", tool: "query_action", args: READ, refusal: "docs mode" },
  { mode: "docs", tool: "query_action", args: WRITE, refusal: "docs mode" },
  { mode: "docs", tool: "invoke_action", args: READ, refusal: "docs mode" },
  { mode: "docs", tool: "invoke_action", args: WRITE, refusal: "docs mode" },
  { mode: "read", tool: "query_action", args: READ },
  { mode: "read", tool: "query_action", args: WRITE, refusal: "send_group_msg" },
  { mode: "read", tool: "invoke_action", args: READ, refusal: "read mode" },
  { mode: "read", tool: "invoke_action", args: WRITE, refusal: "read mode" },
  { mode: "write", tool: "query_action", args: READ },
  { mode: "write", tool: "query_action", args: WRITE, refusal: "send_group_msg" },
  { mode: "write", tool: "invoke_action", args: READ },
  { mode: "write", tool: "invoke_action", args: WRITE },
] as const;

/** Tools that each mode shows; the gate holds for the others all the same. */
const LISTED = {
  docs: [],
  read: ["query_action", "query_action_with_input"],
  write: ["query_action", "invoke_action", "query_action_with_input", "invoke_action_with_input"],
} as const;

for (const connect of CLIENTS) {
  Deno.test(`query_action and invoke_action pass exactly what the mode permits (${connect.name})`, async (t) => {
    verifies("gate-every-call", "refusals-send-nothing", "visibility", "eras-equal");
    for (const mode of ["docs", "read", "write"] as const) {
      await using simulator = await startSimulator();
      await using client = await connect({ env: botEnv(simulator, { mode }) });
      const listed = (await client.listTools()).tools.map(({ name }: { name: string }) => name);
      deepStrictEqual(listed.filter((name: string) => /^(query|invoke)_/.test(name)), LISTED[mode]);
      for (const row of GATE.filter((row) => row.mode === mode)) {
        await t.step(`${mode}: ${row.tool} ${row.args.action}`, async () => {
          const before = simulator.requests.length;
          const answer = await client.callTool(row.tool, row.args);
          if (!("refusal" in row)) {
            strictEqual(passedOn(answer).diagnostics.outcome, "success");
            return strictEqual(simulator.requests.length, before + 1);
          }
          const { outcome, kind, message } = failureOf(answer);
          deepStrictEqual({ outcome, kind }, { outcome: "failed", kind: "mode" });
          ok(message.includes(row.refusal), message);
          strictEqual(simulator.requests.length, before);
        });
      }
    }
  });
}

Deno.test("query_action names invoke_action or the operator's setting when an action writes", async () => {
  verifies("gate-every-call", "result-shape");
  await using simulator = await startSimulator();
  await using reading = await serverFor(simulator, { mode: "read" });
  match(failureOf(await reading.call(1, "query_action", WRITE)).next_step, /SNOWLUMA_MCP_MODE=write/);
  await using writing = await serverFor(simulator, { mode: "write" });
  match(failureOf(await writing.call(1, "query_action", WRITE)).next_step, /invoke_action/);
  strictEqual(simulator.requests.length, 0);
});

Deno.test("docs mode without an endpoint refuses calls without a network grant", async () => {
  verifies("gate-every-call", "config-docs");
  await using server = await serverFor({ url: "" }, { mode: "write" });
  for (const { tool, args } of Object.values(KINDS)) {
    const { kind, message } = failureOf(await server.call(tool, tool, args));
    strictEqual(kind, "mode");
    match(message, /docs mode/);
  }
});

/** JSON texts for `params` that are no objects; the last one is a number that does not fit a JavaScript number. */
const NOT_OBJECTS = ['"{\\"group_id\\":1}"', "[]", '[{"group_id":1}]', "null", "7", "true", "9007199254740993"];

Deno.test("query_action and invoke_action refuse params that are no object", async (t) => {
  verifies("refusals-send-nothing");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  let id = 0;
  for (const { tool, action } of Object.values(KINDS)) {
    for (const params of NOT_OBJECTS) {
      await t.step(`${tool} with ${params}`, async () => {
        const args = `{"action":"${action}","params":${params}}`;
        id++;
        await server.send(
          `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}\n`,
        );
        const { outcome, kind, message } = failureOf(await server.receive((answer) => answer.id === id));
        deepStrictEqual({ outcome, kind }, { outcome: "failed", kind: "invalid_params" });
        match(message, /params: must be a JSON object/);
        strictEqual(simulator.requests.length, 0);
      });
    }
  }
});

Deno.test("query_action and invoke_action refuse unknown actions and name their neighbors", async (t) => {
  verifies("nearest-names", "refusals-send-nothing");
  const cases = [
    { name: "get_stats", near: "get_status" },
    { name: "send_grup_msg", near: "send_group_msg" },
    { name: "SEND_GROUP_MSG", near: "send_group_msg" },
    { name: "send_group_msg ", near: "send_group_msg" },
    { name: ".handle_quick_operation_async", near: undefined },
    { name: "", near: undefined },
    { name: "constructor", near: undefined },
    { name: "__proto__", near: undefined },
    { name: "get_status/../send_group_msg", near: undefined },
    { name: "x".repeat(10_000), near: undefined },
  ];
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  for (const [index, { name, near }] of cases.entries()) {
    for (const tool of ["query_action", "invoke_action"]) {
      await t.step(`${tool} ${JSON.stringify(name.slice(0, 40))}`, async () => {
        const answer = await server.call(`${tool}-${index}`, tool, { action: name });
        const { outcome, kind, message, next_step } = failureOf(answer);
        deepStrictEqual({ outcome, kind }, { outcome: "failed", kind: "unknown_action" });
        ok(message.length < 200, "the name is cut");
        ok(message.includes(JSON.stringify(name.slice(0, 64)).slice(0, -1)), message);
        ok(near === undefined || next_step.includes(near), next_step);
        strictEqual(simulator.requests.length, 0);
      });
    }
  }
});

Deno.test("query_action refuses missing, mistyped and unknown arguments without a request", async (t) => {
  verifies("unknown-arguments", "bad-arguments", "refusals-send-nothing");
  const cases = [
    { args: {}, kind: "invalid_arguments", names: "action" },
    { args: { action: 7 }, kind: "invalid_arguments", names: "action" },
    { args: { action: null }, kind: "invalid_arguments", names: "action" },
    { args: { action: "get_status", parms: {} }, kind: "invalid_arguments", names: '"parms"' },
    { args: { action: "get_status", params: "x", retry: true }, kind: "invalid_arguments", names: '"retry"' },
  ];
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  for (const [index, { args, kind, names }] of cases.entries()) {
    await t.step(JSON.stringify(args), async () => {
      const failure = failureOf(await server.call(index, "query_action", args));
      strictEqual(failure.kind, kind);
      ok(failure.message.includes(names), failure.message);
    });
  }
  strictEqual(simulator.requests.length, 0);
});
