import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as z from "zod";
import { Failure } from "../../../lib/errors.ts";
import type { Fields, Level } from "../../../lib/log.ts";
import {
  type CallContext,
  defineTool,
  type RunContext,
  type Tool,
  type ToolDefinition,
} from "../../../lib/mcp/define_tool.ts";
import type { Peer } from "../../../lib/mcp/peer.ts";
import type { ToolAnswer } from "../../../lib/mcp/result.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import type { Notify } from "../../../lib/progress.ts";
import { PARAMS } from "../../../lib/tools/params.ts";
import { verifies } from "../../requirements.ts";

const INPUT = z.strictObject({ action: z.string(), limit: z.int().min(1).max(200).optional(), params: PARAMS });

/** A call, what came of it and what was logged. */
interface Called {
  readonly result: unknown;
  readonly diagnostics: Record<string, string>;
  readonly text: string;
  readonly isError: boolean | undefined;
  readonly logged: Array<{ level: Level; message: string; fields: Fields | undefined }>;
}

function tool(run: ToolDefinition<typeof INPUT>["run"]): Tool {
  return defineTool({
    name: "try_it",
    title: "Try it",
    description: "Tries.",
    annotations: {},
    input: INPUT,
    listed: true,
    run,
  });
}

/** The trace of every call here; the frame only passes it on. */
const TRACEPARENT = "00-1-2-01";
/** Nor does it look at the client. */
const PEER = {} as Peer;

async function call(framed: Tool, args: unknown, context: Partial<CallContext> = {}): Promise<Called> {
  const logged: Called["logged"] = [];
  const answer = await framed.call(
    args,
    { signal: new AbortController().signal, trace: { traceparent: TRACEPARENT }, peer: PEER, ...context },
    (level, message, fields) => logged.push({ level, message, fields }),
  ) as ToolAnswer;
  const [content] = answer.content;
  ok(content?.type === "text" && answer.content.length === 1);
  const { result, diagnostics } = answer.structuredContent as Pick<Called, "result" | "diagnostics">;
  return { result, diagnostics, text: content.text, isError: answer.isError, logged };
}

/** Checks that one line, the last one, tells of the call; what is not known of it is left out. */
function oneLine({ logged }: Called, facts: Fields, level: Level = "info", message = "call"): void {
  const { fields: { duration_ms, ...fields } = {}, ...rest } = logged.at(-1) ?? {};
  deepStrictEqual(rest, { level, message });
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  deepStrictEqual(given, { tool: "try_it", traceparent: TRACEPARENT, ...facts });
  ok(Number.isInteger(duration_ms) && Number(duration_ms) >= 0, String(duration_ms));
  strictEqual(logged.filter(({ fields }) => fields !== undefined).length, 1);
}

const echo = tool((args) => ({ result: args }));

Deno.test("defineTool() gives a run its arguments, with defaults, the signal and the trace", async () => {
  const { signal } = new AbortController();
  let seen: RunContext | undefined;
  const framed = tool((args, context) => {
    seen = context;
    return { result: args };
  });
  const called = await call(framed, { action: "x" }, { signal });
  const { result, diagnostics, isError, logged } = called;
  deepStrictEqual(result, { action: "x", params: {} });
  deepStrictEqual(diagnostics, { outcome: "success" });
  strictEqual(isError, undefined);
  strictEqual(seen?.signal, signal);
  strictEqual(seen.trace.traceparent, TRACEPARENT);
  strictEqual(logged.length, 1);
  oneLine(called, { outcome: "success" });
});

Deno.test("defineTool() refuses wrong arguments before the run, with every problem at once", async (t) => {
  verifies("bad-arguments", "unknown-arguments", "refusals-send-nothing");
  const cases: Array<{ args: unknown; kind: string; says: string[] }> = [
    { args: {}, kind: "invalid_arguments", says: ["action"] },
    { args: undefined, kind: "invalid_arguments", says: ["action"] },
    { args: { action: 5 }, kind: "invalid_arguments", says: ["action"] },
    { args: { action: "x", limit: 0 }, kind: "invalid_arguments", says: ["limit"] },
    { args: { action: "x", limit: 201 }, kind: "invalid_arguments", says: ["limit"] },
    { args: { action: "x", limit: 1.5 }, kind: "invalid_arguments", says: ["limit"] },
    { args: { action: 5, limit: "a", more: 1 }, kind: "invalid_arguments", says: ["action", "limit", '"more"'] },
    { args: { action: "x", parms: {} }, kind: "invalid_arguments", says: ['unknown argument "parms"'] },
    { args: { action: "x", a: 1, b: 2 }, kind: "invalid_arguments", says: ['"a"', '"b"'] },
    { args: [], kind: "invalid_arguments", says: ["try_it"] },
    { args: "text", kind: "invalid_arguments", says: ["try_it"] },
    { args: { action: "x", params: [] }, kind: "invalid_params", says: ["JSON object"] },
    { args: { action: "x", params: '{"a":1}' }, kind: "invalid_params", says: ["JSON object"] },
    { args: { action: "x", params: 5 }, kind: "invalid_params", says: ["JSON object"] },
    { args: parseJson('{"action":"x","params":9007199254740993}'), kind: "invalid_params", says: ["JSON object"] },
    { args: parseJson('{"action":"x","limit":9007199254740993}'), kind: "invalid_arguments", says: ["limit"] },
    { args: parseJson('{"action":9007199254740993}'), kind: "invalid_arguments", says: ["action"] },
    { args: { action: "x", params: null }, kind: "invalid_params", says: ["JSON object"] },
  ];
  for (const { args, kind, says } of cases) {
    await t.step(JSON.stringify(args) ?? "none", async () => {
      let ran = false;
      const framed = tool(() => {
        ran = true;
        return { result: 1 };
      });
      const { result, diagnostics, isError, text } = await call(framed, args);
      strictEqual(ran, false);
      strictEqual(isError, true);
      strictEqual(result, null);
      strictEqual(diagnostics.kind, kind);
      strictEqual(diagnostics.outcome, "failed");
      for (const part of says) ok(diagnostics.message?.includes(part), diagnostics.message);
      ok(diagnostics.next_step?.includes("action, limit, params"), diagnostics.next_step);
      strictEqual(text, `${diagnostics.message}. ${diagnostics.next_step}`);
    });
  }
});

Deno.test("defineTool() passes nested params on as they are", async () => {
  verifies("params-unchecked");
  const params = JSON.parse('{"n":null,"toString":1,"a":[{"b":-5}],"":{}}');
  deepStrictEqual((await call(echo, { action: "x", params })).result, { action: "x", params });
});

Deno.test("defineTool() does not grow with the arguments that it refuses", async () => {
  verifies("bad-arguments");
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`unknown_${i}`, i]));
  ok((await call(echo, { action: "x", ...many })).text.length < 3_000);
  ok((await call(echo, { action: "x", ["k".repeat(1_000_000)]: 1 })).text.length < 3_000);
});

Deno.test("defineTool() turns a Failure into an error answer", async () => {
  verifies("result-shape");
  const framed = tool(() => {
    throw new Failure("busy", "Cannot call it: full", "Wait.");
  });
  const { logged, ...answer } = await call(framed, { action: "x" });
  deepStrictEqual(answer, {
    result: null,
    diagnostics: { outcome: "failed", kind: "busy", message: "Cannot call it: full", next_step: "Wait." },
    text: "Cannot call it: full. Wait.",
    isError: true,
  });
  strictEqual(logged.length, 1);
});

Deno.test("defineTool() leaves one line a call, whatever became of it, and nothing of its content", async () => {
  verifies("call-log");
  const content = { action: "private", params: { message: "private" } };
  const refusal = { outcome: "failed", kind: "action_failed", message: "private", next_step: "private" } as const;
  oneLine(await call(echo, content), { outcome: "success" });
  oneLine(await call(echo, { private: 1 }), { outcome: "failed", kind: "invalid_arguments" });
  const failing = tool(() => Promise.reject(new Failure("busy", "private", "private.")));
  oneLine(await call(failing, content), { outcome: "failed", kind: "busy" });
  const refused = tool(() => ({ result: "private", diagnostics: refusal }));
  oneLine(await call(refused, content), { outcome: "failed", kind: "action_failed" });
});

Deno.test("defineTool() tells the operator of a write in doubt by the failure's message", async () => {
  verifies("outcome-write", "call-log");
  const framed = tool(() => Promise.reject(new Failure("cut", "May have", "Check.", { outcome: "unknown" })));
  const called = await call(framed, { action: "x" });
  strictEqual(called.diagnostics.outcome, "unknown");
  strictEqual(called.isError, true);
  strictEqual(called.logged.length, 1);
  oneLine(called, { outcome: "unknown", kind: "cut" }, "warn", "May have");
});

Deno.test("defineTool() keeps a defect's details from the client and in the log", async () => {
  const defects = [
    new TypeError("private detail"),
    "private detail",
    null,
    undefined,
    new RangeError("private detail"),
  ];
  for (const defect of defects) {
    const called = await call(tool(() => Promise.reject(defect)), { action: "x" });
    const { diagnostics, text, isError, logged } = called;
    strictEqual(isError, true);
    strictEqual(diagnostics.kind, "internal");
    ok(!text.includes("private"));
    strictEqual(logged.length, 2);
    oneLine(called, { outcome: "failed", kind: "internal" });
    strictEqual(logged[0]?.level, "error");
    ok(logged[0]?.message.includes("try_it"));
    if (defect) ok(logged[0]?.message.includes("private detail"));
  }
});

Deno.test("defineTool() delivers progress before the answer, and surfaces a failed delivery without harm", async () => {
  verifies("progress", "progress-failed");
  const framed = tool((_args, { onProgress }) => {
    for (const value of [1, 2, 3]) onProgress(value, 3);
    return { result: "whole" };
  });
  const delivered: Array<Parameters<Notify>> = [];
  const good = await call(framed, { action: "x" }, {
    notify: (...progress) => Promise.resolve(void delivered.push(progress)),
  });
  deepStrictEqual(delivered, [[1, 3], [3, 3]]);
  deepStrictEqual(good.diagnostics, { outcome: "success" });
  const bad = await call(framed, { action: "x" }, { notify: () => Promise.reject(new Error("private")) });
  deepStrictEqual([bad.result, bad.isError], ["whole", undefined]);
  deepStrictEqual(Object.keys(bad.diagnostics), ["outcome", "message"]);
  ok(bad.diagnostics.outcome === "success" && bad.diagnostics.message?.startsWith("Progress could not be delivered"));
  oneLine(bad, { outcome: "success", progress: "undelivered" });
});

Deno.test("defineTool() delivers nothing that is pending when the call failed", async () => {
  verifies("progress-pace");
  const framed = tool((_args, { onProgress }) => {
    for (const value of [1, 2, 3]) onProgress(value);
    return Promise.reject(new Failure("cut", "Cannot", "Look."));
  });
  const delivered: number[] = [];
  await call(framed, { action: "x" }, { notify: (progress) => Promise.resolve(void delivered.push(progress)) });
  deepStrictEqual(delivered, [1]);
});
