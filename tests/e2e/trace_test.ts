/** W3C trace context: from the caller through every request to the bot, and back in every result. */
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Fault, generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { KINDS } from "./exec_support.ts";
import { CALLS, ERAS, parentOf, partsOf, sendCall } from "./trace_support.ts";
import { makeFolders, transferOptions } from "./transfer_support.ts";

const MIB = 1024 * 1024;
const STATE = "vendor=a:b,tenant@system=c d";
const UPLOAD = { action: "upload_file_stream", execution: { input_file: "file.bin" } };

for (const connect of CLIENTS) {
  Deno.test(`every result tells its own span in the caller's trace, or in one of its own (${connect.name})`, async () => {
    verifies("trace-kept", "trace-new", "trace-result", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await using client = await connect(transferOptions(simulator, folders));
    const { tools } = await client.listTools();
    for (const { name } of tools) ok(CALLS.some(([tool]) => tool === name), `${name} is not called`);
    const spans = new Set<string>();
    const traces = new Set<string>();
    for (const [tool, args, kind, fault] of CALLS) {
      for (const flags of ["01", "00", undefined]) {
        if (fault) simulator.script(fault);
        const parent = parentOf(0xabc, flags);
        const meta = flags === undefined ? {} : { traceparent: parent };
        const { _meta, structuredContent } = await client.callTool(tool, args, undefined, { meta });
        strictEqual(structuredContent.diagnostics.kind, kind, `${tool} ${JSON.stringify(args)}`);
        const own = partsOf(_meta.traceparent);
        strictEqual(own.flags, flags ?? "01");
        if (flags === undefined) traces.add(own.traceId);
        else strictEqual(own.traceId, partsOf(parent).traceId);
        notStrictEqual(own.spanId, partsOf(parent).spanId);
        spans.add(own.spanId);
      }
    }
    strictEqual(spans.size, CALLS.length * 3, "a span was used twice");
    strictEqual(traces.size, CALLS.length, "a trace was used twice");
  });

  Deno.test(`traceparent and tracestate go out as headers of every request, never in params (${connect.name})`, async (t) => {
    verifies("trace-headers", "trace-state", "upload-reset", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await Deno.writeFile(`${folders.uploads}/file.bin`, new Uint8Array(3 * MIB));
    await using client = await connect(transferOptions(simulator, folders));
    const meta = { traceparent: parentOf(7), tracestate: STATE, baggage: "user=secret" };
    const download = { action: "download_file_stream", params: { file: generatedFile(5) } };
    const cases: ReadonlyArray<[name: string, tool: string, args: Message, requests: number, faults?: Fault[]]> = [
      ["a read", "query_action", KINDS.read.args, 1],
      ["a write", "invoke_action", KINDS.write.args, 1],
      ["a check", "get_runtime_info", { check_connection: true }, 3],
      ["a stream", "invoke_action", { action: "test_download_stream" }, 1],
      ["a download", "invoke_action", download, 1],
      ["an upload", "invoke_action", UPLOAD, 4],
      ["a reset upload", "invoke_action", UPLOAD, 2, [{ kind: "status", status: 500 }]],
    ];
    for (const [name, tool, args, requests, faults = []] of cases) {
      await t.step(name, async () => {
        simulator.script(...faults);
        const before = simulator.requests.length;
        const { _meta: { traceparent } } = await client.callTool(tool, args, undefined, { meta });
        const seen = simulator.requests.slice(before);
        strictEqual(seen.length, requests);
        if (faults.length > 0) strictEqual(seen.at(-1)?.params["reset"], true);
        for (const { headers, params } of seen) {
          const [parent, state, baggage] = ["traceparent", "tracestate", "baggage"].map((name) => headers[name]);
          deepStrictEqual([parent, state, baggage], [traceparent, STATE, undefined]);
          ok(!/trace|baggage|0{31}7|_meta/.test(JSON.stringify(Object.entries(params))), Object.keys(params).join());
        }
      });
    }
  });
}

for (const [era, { start, meta }] of Object.entries(ERAS)) {
  Deno.test(`traces of calls at once do not mix (${era})`, async () => {
    verifies("trace-kept", "trace-headers", "eras-equal");
    await using simulator = await startSimulator();
    simulator.script({ kind: "delay", ms: 50, times: 10 });
    await using server = await start({ env: { SNOWLUMA_MCP_ENDPOINT: simulator.url } });
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const args = (user_id: number): Message => ({ action: "get_stranger_info", params: { user_id } });
    for (const id of ids) {
      const of = { traceparent: parentOf(id), tracestate: `call=${id}` };
      await sendCall(server, { id: `${id}`, name: "query_action", args: args(id), meta: { ...meta, ...of } });
    }
    for (const id of ids) {
      const { result } = await server.receive((message) => message.id === `${id}`);
      const request = simulator.requests.find(({ params }) => params["user_id"] === id);
      strictEqual(partsOf(result._meta.traceparent).traceId, partsOf(parentOf(id)).traceId);
      strictEqual(request?.headers["traceparent"], result._meta.traceparent);
      strictEqual(request?.headers["tracestate"], `call=${id}`);
    }
    strictEqual(simulator.requests.length, ids.length);
  });
}
