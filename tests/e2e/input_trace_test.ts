/** What a call in two rounds leaves behind: its trace in every result, a line a round, and nothing that was answered. */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { passedOn } from "./exec_support.ts";
import {
  accept,
  askedBy,
  ASKING,
  FORMS,
  legacyServer,
  modernServer,
  open,
  reply,
  resume,
  round,
} from "./input_support.ts";
import { callLine, logOf, parentOf, partsOf } from "./trace_support.ts";
import { makeFolders } from "./transfer_support.ts";

Deno.test("both rounds tell a span of their own in the caller's trace, and the bot gets the second", async () => {
  verifies("input-modern", "trace-kept", "trace-result", "trace-headers");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  for (const parents of [[parentOf(1), parentOf(1)], [parentOf(2), parentOf(3)], []]) {
    const metas = [0, 1].map((n) => parents[n] === undefined ? {} : { traceparent: parents[n] });
    const first = await round(server, { meta: metas[0] ?? {} });
    const second = await resume(server, first.result.requestState, accept(), { meta: metas[1] ?? {} });
    const spans = [first, second].map(({ result }) => partsOf(result._meta.traceparent));
    notStrictEqual(spans[0]?.spanId, spans[1]?.spanId);
    for (const [n, parent] of parents.entries()) strictEqual(spans[n]?.traceId, partsOf(parent).traceId);
    strictEqual(simulator.requests.at(-1)?.headers["traceparent"], second.result._meta.traceparent);
  }
});

/** Answers with a word in them that no line of the log may repeat, and what is logged of each. */
const HUSH = { message: "HUSH" };
const ANSWERS: ReadonlyArray<[answer: Message, outcome: string, kind?: string]> = [
  [accept(JSON.stringify(HUSH)), "success"],
  [accept("HUSH"), "failed", "input"],
  [accept('["HUSH"]'), "failed", "input"],
  [accept('{"HUSH":1}'), "failed", "input"],
  [accept(JSON.stringify({ ...HUSH, HUSH: "HUSH" })), "failed", "input"],
  [accept('{"message":{"HUSH":"HUSH"}}'), "failed", "action_failed"],
  [accept(["HUSH"]), "failed", "input"],
  [{ action: "accept", content: { HUSH: "HUSH" } }, "failed", "input"],
  [{ action: "accept", content: { params_json: JSON.stringify(HUSH), HUSH: "HUSH" } }, "failed", "input"],
  [{ action: "decline", content: HUSH }, "failed", "input"],
  [{ action: "cancel", content: HUSH }, "failed", "input"],
  [{ action: "HUSH", content: HUSH }, "failed", "input"],
];

for (const form of ["text", "json"] as const) {
  Deno.test(`each round leaves one line, with nothing of the answer in it (log as ${form})`, async () => {
    verifies("input-modern", "call-log", "untrusted-text");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await using server = modernServer(simulator, { folders, env: { SNOWLUMA_MCP_LOG: form } });
    const expected: Message[] = [];
    const own = { level: "info", message: "call", tool: ASKING.invoke };
    for (const [answer, outcome, kind] of ANSWERS) {
      const { result } = await round(server);
      expected.push({ ...own, traceparent: result._meta.traceparent, outcome: "input_required" });
      const { result: { _meta: { traceparent } } } = await resume(server, result.requestState, answer);
      expected.push({ ...own, traceparent, outcome, ...(kind !== undefined && { kind }) });
    }
    const lines = await logOf(server);
    deepStrictEqual(lines.map((line) => callLine(form, line)), expected);
    ok(!/hush/i.test(lines.join("\n")));
  });
}

Deno.test("a state that was not signed here is logged without a word of it", async () => {
  verifies("input-bound", "call-log", "untrusted-text");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const state = await open(server);
  const states = ["HUSH", `v1.HUSH.${state.slice(-43)}`, `${state}HUSH`, { HUSH: "HUSH" }];
  for (const each of states) strictEqual((await resume(server, each)).error.code, -32602);
  const text = (await logOf(server)).join("\n");
  ok(!/hush/i.test(text) && !text.includes(state.slice(-43)), text);
});

Deno.test("a call with a form leaves one line, with nothing of the answer in it (legacy)", async () => {
  verifies("input-legacy", "call-log", "untrusted-text");
  await using simulator = await startSimulator();
  await using folders = await makeFolders();
  await using server = await legacyServer(simulator, FORMS, { folders });
  const expected: Message[] = [];
  for (const [n, [answer, outcome, kind]] of ANSWERS.entries()) {
    await reply(server, await askedBy(server, `${n}`), answer);
    const { result } = await server.receive(({ id, method }) => id === `${n}` && method === undefined);
    const { traceparent } = result._meta;
    expected.push({
      ...{ level: "info", message: "call", tool: ASKING.invoke, traceparent, outcome },
      ...(kind !== undefined && { kind }),
    });
    if (outcome === "success") passedOn({ result });
  }
  const lines = await logOf(server);
  deepStrictEqual(lines.map((line) => callLine("text", line)), expected);
  ok(!/hush/i.test(lines.join("\n")));
});
