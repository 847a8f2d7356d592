/** Progress of transfers: what is reported, how often, and when no more. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { generatedFile, generatedLink, type Simulator, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS, type ReportedProgress } from "../support/clients.ts";
import type { Message, ServerProcess } from "../support/server_process.ts";
import { goesOn, passedOn } from "./exec_support.ts";
import { ERAS, sendCall } from "./trace_support.ts";
import { makeFolders, transferOptions } from "./transfer_support.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const INTERVAL_MS = 250;
/** Bytes of a download in 40 chunks, and how the simulator sends it slowly: some 80 pieces, 0.8 s in all. */
const FILE_BYTES = 40 * KIB;
const SLOW = { kind: "drip", chunkBytes: KIB, everyMs: 10, action: "download_file_stream" } as const;

function download(file: string): Message {
  return { action: "download_file_stream", params: { file, chunk_size: KIB } };
}

const UPLOAD = { action: "upload_file_stream", execution: { input_file: "file.bin" } };
const FRAMES = { action: "test_download_stream" };
const STATUS = { action: "get_status" };

/** Transfers, their last value, its total, and the step in which values grow. */
const TRANSFERS = [
  { name: "a download", args: download(generatedFile(FILE_BYTES)), last: FILE_BYTES, total: FILE_BYTES, step: KIB },
  { name: "a download of unknown size", args: download(generatedLink(FILE_BYTES)), last: FILE_BYTES, step: 1 },
  { name: "an upload", args: UPLOAD, last: 3 * MIB, total: 3 * MIB, step: MIB },
  { name: "a stream without a file", args: FRAMES, last: 11, step: 1 },
] as const;

for (const connect of CLIENTS) {
  Deno.test(`progress comes at most every 250 ms, growing, with a total (${connect.name})`, async () => {
    verifies("progress", "progress-pace", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await using client = await connect(transferOptions(simulator, folders));
    simulator.script(SLOW);
    const got: ReportedProgress[] = [];
    const start = performance.now();
    const answer = await client.callTool("invoke_action", download(generatedFile(FILE_BYTES)), undefined, {
      onProgress: (progress) => got.push(progress),
    });
    const elapsed = performance.now() - start;
    strictEqual(passedOn(answer).diagnostics.outcome, "success");
    const most = Math.floor(elapsed / INTERVAL_MS) + 2; // the first at once, the last without regard to the interval
    ok(got.length >= 2 && got.length <= most, `${got.length} in ${elapsed} ms`);
    grow(got.map(({ progress }) => progress), KIB);
    for (const { progress, total } of got) ok(progress <= FILE_BYTES && total === FILE_BYTES);
  });
}

for (const [era, { start, meta }] of Object.entries(ERAS)) {
  Deno.test(`progress grows to the end, with a total where it is known (${era})`, async (t) => {
    verifies("progress", "progress-pace", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await Deno.writeFile(`${folders.uploads}/file.bin`, new Uint8Array(3 * MIB));
    await using server = await start(transferOptions(simulator, folders));
    for (const { name: id, args, last, step, ...rest } of TRANSFERS) {
      await t.step(id, async () => {
        const before = server.lines.length;
        await sendCall(server, { id, name: "invoke_action", args, meta: { ...meta, progressToken: id } });
        passedOn(await server.receive((message) => message.id === id));
        const got = progressOf(server, before);
        grow(got.map(({ progress }) => progress), step);
        strictEqual(got.at(-1)?.progress, last);
        const total = "total" in rest ? { total: rest.total } : {};
        for (const { progress, ...others } of got) deepStrictEqual(others, { progressToken: id, ...total }, progress);
      });
    }
  });

  Deno.test(`progress bears the token of its call, and comes for no call without one (${era})`, async () => {
    verifies("progress", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await using server = await start(transferOptions(simulator, folders));
    const tokensOf = async (id: string, name: string, args: Message, token: Message): Promise<unknown[]> => {
      const before = server.lines.length;
      await sendCall(server, { id, name, args, meta: { ...meta, ...token } });
      passedOn(await server.receive((message) => message.id === id));
      return [...new Set(progressOf(server, before).map(({ progressToken }) => progressToken))];
    };
    for (const progressToken of [0, "", "a token", -7]) {
      const id = JSON.stringify(progressToken);
      deepStrictEqual(await tokensOf(id, "invoke_action", FRAMES, { progressToken }), [progressToken]);
    }
    deepStrictEqual(await tokensOf("none", "invoke_action", FRAMES, {}), []);
    deepStrictEqual(await tokensOf("call", "query_action", STATUS, { progressToken: "t" }), []);
    deepStrictEqual(await tokensOf("docs", "list_categories", {}, { progressToken: "t" }), []);
  });

  Deno.test(`progress ends with its call: none after success, failure or cancellation (${era})`, async (t) => {
    verifies("progress-pace", "stream-cancel", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await using server = await start(transferOptions(simulator, folders));
    const begin = async (id: string, args: Message): Promise<void> => {
      await sendCall(server, { id, name: "invoke_action", args, meta: { ...meta, progressToken: id } });
      await server.receive(({ params }) => params?.progressToken === id);
    };
    /** Checks that no progress follows what came so far, though there is time for some. */
    const nothingMore = async (id: string): Promise<void> => {
      const before = server.lines.length;
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS + 50));
      await sendCall(server, { id, name: "query_action", args: STATUS, meta });
      passedOn(await server.receive((message) => message.id === id));
      deepStrictEqual(progressOf(server, before), []);
    };
    await t.step("success", async () => {
      await begin("whole", FRAMES);
      passedOn(await server.receive(({ id }) => id === "whole"));
      await nothingMore("after success");
    });
    await t.step("failure", async () => {
      await begin("refused", { ...FRAMES, params: { error: true } });
      strictEqual((await server.receive(({ id }) => id === "refused")).result.isError, true);
      await nothingMore("after failure");
    });
    await t.step("cancellation", async () => {
      simulator.script({ ...SLOW, everyMs: 40 });
      await begin("cancelled", download(generatedFile(FILE_BYTES)));
      await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "cancelled" } });
      await server.request("after", "tools/list", { _meta: meta });
      await nothingMore("after cancellation");
      ok(!server.lines.some((line) => line.includes('"id":"cancelled"')), "answered");
    });
  });
}

Deno.test("progress of an upload counts bytes that the bot has acknowledged, not those that have left", async () => {
  verifies("progress");
  await using simulator = await startSimulator();
  await using folders = await makeFolders();
  await Deno.writeFile(`${folders.uploads}/file.bin`, new Uint8Array(3 * MIB));
  await using server = await ERAS.legacy.start(transferOptions(simulator, folders));
  simulator.script({ kind: "delay", when: "after", ms: Infinity, action: "upload_file_stream" });
  await sendCall(server, { id: "upload", name: "invoke_action", args: UPLOAD, meta: { progressToken: 1 } });
  await arrived(simulator, 1);
  await goesOn(server, "meanwhile");
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "upload" } });
  await arrived(simulator, 3); // the chunk, the other call, the reset
  await goesOn(server, "after");
  deepStrictEqual(progressOf(server), []);
});

/** The parameters of the notifications of progress among the lines from this one on. */
function progressOf({ lines }: ServerProcess, from = 0): Message[] {
  return lines.slice(from).map((line) => JSON.parse(line) as Message)
    .filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
}

/** Waits until the bot has got so many requests. */
async function arrived({ requests }: Simulator, count: number): Promise<void> {
  while (requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Checks that values are whole steps, each greater than the one before. */
function grow(values: readonly number[], step: number): void {
  deepStrictEqual(values, [...new Set(values)].sort((a, b) => a - b), "not increasing");
  for (const value of values) ok(value > 0 && value % step === 0, `${value} is no multiple of ${step}`);
}
