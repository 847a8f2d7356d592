/** What the tests of progress, tracing and the call log share: calls with metadata, trace parents, log lines. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Message, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import type { Fault } from "../../lib/simulator/mod.ts";
import { KINDS } from "./exec_support.ts";
import { envelope } from "./support.ts";

const REFUSAL = { status: "failed", retcode: 100, data: null, wording: "offline" };

/** Calls of every tool and of what can go wrong in one: kind of the result, and the fault of the bot that leads to it. */
export const CALLS: ReadonlyArray<readonly [tool: string, args: Message, kind?: string, fault?: Fault]> = [
  ["list_actions", {}],
  ["search_actions", { query: "mute" }],
  ["list_categories", {}],
  ["get_action", { name: "send_msg" }],
  ["check_action", { action: "send_msg" }],
  ["preview_message", { message_type: "group", target_id: 20001, text: "x" }],
  ["get_runtime_info", { check_connection: true }],
  ["query_action", KINDS.read.args],
  ["invoke_action", KINDS.write.args],
  ["invoke_action", { action: "test_download_stream" }],
  ["query_action_with_input", KINDS.read.args],
  ["invoke_action_with_input", KINDS.write.args],
  ["list_actions", { limit: 0 }, "invalid_arguments"],
  ["invoke_action", { action: "send_msg", params: [] }, "invalid_params"],
  ["get_action", { name: "no_such" }, "unknown_action"],
  ["query_action", { action: "no_such" }, "unknown_action"],
  ["query_action", KINDS.write.args, "mode"],
  ["query_action", { action: "get_cookies" }, "risk"],
  ["query_action", KINDS.read.args, "action_failed", { kind: "envelope", envelope: REFUSAL }],
  ["query_action", KINDS.read.args, "cut", { kind: "cut", when: "before" }],
  ["invoke_action", KINDS.write.args, "cut", { kind: "cut", when: "after" }],
  ["invoke_action", { action: "test_download_stream", params: { error: true } }, "action_failed"],
  ["invoke_action", { action: "upload_file_stream", execution: { input_file: "none" } }, "input_file"],
  ["query_action_with_input", { action: "get_msg" }, "input"],
  ["subscribe_events", { self_id: 10001 }, "not_configured"],
];

/** How requests of a generation are put. */
export const ERAS = {
  modern: {
    start: (options: ServerOptions): Promise<ServerProcess> => Promise.resolve(new ServerProcess(options)),
    meta: envelope(),
  },
  legacy: {
    async start(options: ServerOptions): Promise<ServerProcess> {
      const server = new ServerProcess(options);
      await server.initialize();
      return server;
    },
    meta: {},
  },
} as const;

/** Sends a tool call; `meta` has to hold what the generation wants. */
export function sendCall(
  server: ServerProcess,
  { id, name, args = {}, meta = {} }: { id: string; name: string; args?: Message; meta?: Message },
): Promise<void> {
  return server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta } });
}

/** A `traceparent` of our own, of the trace with this number. */
export function parentOf(trace: number, flags = "01"): string {
  return `00-${trace.toString(16).padStart(32, "0")}-00000000000000ff-${flags}`;
}

/** The parts of a valid `traceparent`. */
export function partsOf(traceparent: unknown): { traceId: string; spanId: string; flags: string } {
  const [all, traceId = "", spanId = "", flags = ""] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(traceparent)) ?? [];
  strictEqual(all, traceparent, `no traceparent: ${JSON.stringify(traceparent)}`);
  return { traceId, spanId, flags };
}

/** Ends a server's input and gives the lines that it wrote to standard error. */
export async function logOf(server: ServerProcess): Promise<string[]> {
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  const lines = (await server.stderr).split("\n");
  strictEqual(lines.pop(), "", "the last line has no end");
  return lines;
}

/** What a line about a call says, in either form. What every line has is checked and left out: time and duration. */
export function callLine(form: "text" | "json", line: string): Record<string, unknown> {
  const { duration_ms, ...facts } = form === "json" ? jsonLine(line) : textLine(line);
  ok(/^[0-9]{1,6}$/.test(String(duration_ms)), `no duration: ${line}`);
  partsOf(facts["traceparent"]);
  const kind = "kind" in facts ? ["kind"] : [];
  deepStrictEqual(Object.keys(facts), ["level", "message", "tool", "traceparent", "outcome", ...kind], line);
  return facts;
}

function jsonLine(line: string): Record<string, unknown> {
  const { time, ...facts } = JSON.parse(line) as Record<string, unknown>;
  strictEqual(new Date(String(time)).toISOString(), time);
  strictEqual(typeof facts["duration_ms"], "number");
  strictEqual(Object.keys(facts).at(-1), "duration_ms");
  return facts;
}

function textLine(line: string): Record<string, unknown> {
  const [, level, message, fields = ""] = /^([a-z]+): (.+?)((?: [a-z_]+=[^ =]+)+)$/.exec(line) ?? [];
  const pairs = fields.trim().split(" ").map((pair) => pair.split("=") as [string, string]);
  strictEqual(pairs.at(-1)?.[0], "duration_ms", line);
  return { level, message, ...Object.fromEntries(pairs) };
}
