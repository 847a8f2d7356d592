/** The log: one line a call that agrees with its result, and says nothing of its content. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { callAll, goesOn, KINDS, serverFor } from "./exec_support.ts";
import { callLine, CALLS, ERAS, logOf, sendCall } from "./trace_support.ts";
import { makeFolders, transferOptions } from "./transfer_support.ts";

const IN_DOUBT = "send_group_msg may have taken effect: ";

for (const form of ["text", "json"] as const) {
  for (const [era, { start, meta }] of Object.entries(ERAS)) {
    Deno.test(`a call leaves one line that agrees with its result (log as ${form}, ${era})`, async () => {
      verifies("call-log", "outcome-write", "eras-equal");
      await using simulator = await startSimulator();
      await using folders = await makeFolders();
      await using server = await start(transferOptions(simulator, folders, { env: { SNOWLUMA_MCP_LOG: form } }));
      const expected: Message[] = [];
      for (const [index, [tool, args, kind, fault]] of CALLS.entries()) {
        if (fault) simulator.script(fault);
        await sendCall(server, { id: `${index}`, name: tool, args, meta });
        const { result } = await server.receive(({ id }) => id === `${index}`);
        const { outcome } = result.structuredContent.diagnostics;
        expected.push({ tool, traceparent: result._meta.traceparent, outcome, ...(kind !== undefined && { kind }) });
      }
      const lines = (await logOf(server)).map((line) => callLine(form, line));
      for (const [index, { level, message, ...facts }] of lines.entries()) {
        deepStrictEqual(facts, expected[index]);
        if (facts["outcome"] === "unknown") ok(level === "warn" && String(message).startsWith(IN_DOUBT), `${message}`);
        else deepStrictEqual([level, message], ["info", "call"]);
      }
      strictEqual(lines.length, CALLS.length);
      strictEqual(lines.filter(({ level }) => level === "warn").length, 1);
    });
  }

  Deno.test(`no word of a call's content, path, token or metadata is in its line (log as ${form})`, async () => {
    verifies("call-log", "no-token", "trace-state", "upload-path", "untrusted-text");
    const token = "HUSH-token-1234";
    await using simulator = await startSimulator({ token });
    await using folders = await makeFolders();
    await Deno.writeTextFile(`${folders.uploads}/HUSH.txt`, "HUSH");
    const env = { SNOWLUMA_MCP_LOG: form };
    await using server = await ERAS.legacy.start(transferOptions(simulator, folders, { token, env }));
    const refusal = { status: "failed", retcode: 100, data: null, wording: "HUSH" };
    const hush = { group_id: 20001, message: "HUSH" };
    simulator.script(
      { kind: "envelope", envelope: refusal, action: "get_msg" },
      { kind: "envelope", envelope: { ...refusal, status: "HUSH" }, action: "send_private_msg" },
      { kind: "body", body: "<html>HUSH", action: "send_msg" },
      { kind: "cut", when: "after", action: "send_group_msg" },
      { kind: "envelope", envelope: refusal, action: "upload_file_stream" },
    );
    const upload = (input_file: string): Message => ({ action: "upload_file_stream", execution: { input_file } });
    const calls: ReadonlyArray<[tool: string, args: Message]> = [
      ["search_actions", { query: "HUSH" }],
      ["list_actions", { HUSH: "HUSH" }],
      ["get_action", { name: "HUSH" }],
      ["HUSH_tool", { HUSH: 1 }],
      ["query_action", { action: "HUSH" }],
      ["query_action", { action: "get_msg", params: { HUSH: "HUSH" } }],
      ["invoke_action", { action: "send_private_msg", params: hush }],
      ["invoke_action", { action: "send_msg", params: hush }],
      ["invoke_action", { action: "send_group_msg", params: hush }],
      ["invoke_action", { action: "send_group_msg", params: hush }],
      ["invoke_action", { action: "download_file_stream", params: { file: generatedFile(5, "HUSH.txt") } }],
      ["invoke_action", { action: "download_file_stream", params: { file: "/HUSH" } }],
      ["invoke_action", upload("HUSH.txt")], // refused by the bot
      ["invoke_action", upload("HUSH.txt")],
      ["invoke_action", upload(`${folders.uploads}/HUSH`)],
      ["invoke_action", upload("../HUSH")],
    ];
    const metadata = { progressToken: "HUSH", tracestate: "hush=HUSH", baggage: "hush=HUSH", HUSH: ["HUSH"] };
    for (const [index, [name, args]] of calls.entries()) {
      const meta = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, ...metadata };
      await sendCall(server, { id: `${index}`, name, args, meta });
      await server.receive(({ id }) => id === `${index}`);
    }
    const lines = await logOf(server);
    strictEqual(lines.length, calls.length, lines.join("\n"));
    for (const line of lines) callLine(form, line);
    const text = lines.join("\n");
    ok(!/hush|trace_?state|baggage|b{16}/i.test(text), text);
    for (const path of [folders.top, String(simulator.port)]) ok(!text.includes(path), path);
    strictEqual(callLine(form, lines[3] ?? "")["tool"], "unknown");
  });
}

Deno.test("calls at once leave one line each", async () => {
  verifies("call-log");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator, { mode: "read" });
  const answers = await callAll(server, new Map(Array.from({ length: 100 }, (_, index) => [`${index}`, KINDS.read])));
  const told = [...answers.values()].map(({ result }) => result._meta.traceparent);
  const logged = (await logOf(server)).map((line) => callLine("text", line)["traceparent"]);
  strictEqual(logged.length, 100);
  deepStrictEqual(new Set(logged), new Set(told));
});

/** What ends calls that are under way. */
const ENDS = ["cancellation", "SIGTERM", "end of input"] as const;

for (const end of ENDS) {
  Deno.test(`calls that end by ${end} leave one line each`, async () => {
    verifies("call-log", "cancel", "outcome-write", "shutdown");
    await using simulator = await startSimulator();
    simulator.script(...Object.values(KINDS).map(({ action }) => ({ kind: "delay", ms: Infinity, action } as const)));
    await using folders = await makeFolders();
    await using server = await ERAS.legacy.start(transferOptions(simulator, folders));
    for (const [id, { tool, args }] of Object.entries(KINDS)) await sendCall(server, { id, name: tool, args });
    while (simulator.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    if (end === "SIGTERM") server.kill(end);
    if (end === "cancellation") {
      for (const requestId of Object.keys(KINDS)) {
        await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
      }
      await goesOn(server, "after");
    }
    const lines = (await logOf(server)).map((line) => callLine("text", line));
    const facts = lines.map(({ level, message, tool, outcome, kind }) => [level, message, tool, outcome, kind]);
    const ended = [
      ["info", "call", "query_action", "failed", "cancelled"],
      ["warn", `${IN_DOUBT}the call was cancelled while it ran`, "invoke_action", "unknown", "cancelled"],
    ];
    const after = end === "cancellation" ? [["info", "call", "query_action", "success", undefined]] : [];
    deepStrictEqual(facts.toSorted(), [...ended, ...after].toSorted());
  });
}

Deno.test("a line tells of a tool that does not exist as unknown, and does not quote it", async () => {
  verifies("call-log");
  await using server = await ERAS.legacy.start({});
  for (const name of ["no_such_tool", "x\nerror: forged", "__proto__", ""]) {
    await sendCall(server, { id: name, name });
    strictEqual((await server.receive(({ id }) => id === name)).error.code, -32602);
  }
  const lines = (await logOf(server)).map((line) => callLine("text", line));
  deepStrictEqual(
    lines.map(({ traceparent: _, ...facts }) => facts),
    Array(4).fill({
      ...{ level: "info", message: "call", tool: "unknown", outcome: "failed", kind: "invalid_arguments" },
    }),
  );
});
