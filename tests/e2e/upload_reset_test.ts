/** Uploads that fail before the commit: what failed is told, and the bot is told once to forget what it has. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { RESET_MS } from "../../lib/transfer/upload.ts";
import { verifies } from "../requirements.ts";
import { answers, cuts, type RawScript, stalls } from "../support/raw_bot.ts";
import type { ServerProcess } from "../support/server_process.ts";
import { failureOf } from "./exec_support.ts";
import { failedFrame, frame, makeFolders, pattern, resultOf, transferServer, upload } from "./transfer_support.ts";
import { UploadBot, type UploadCall, type UploadScript } from "./upload_bot.ts";

const MIB = 1024 * 1024;
const SIZE = 6 * MIB + 1;
const ACK = { type: "stream", status: "chunk_received", received_chunks: 1, total_chunks: 7 };

interface Fault {
  readonly name: string;
  readonly answer: (call: UploadCall) => RawScript;
  readonly kind: string;
  readonly says?: RegExp;
}

/** Answers to a chunk that are no acknowledgement of it. */
const FAULTS: readonly Fault[] = [
  {
    name: "refused by a failed frame",
    answer: () => answers(failedFrame("no space left")),
    kind: "action_failed",
    says: /"no space left"/,
  },
  { name: "answered HTTP 500", answer: () => answers("oops", { status: "500 Oops" }), kind: "invalid_answer" },
  { name: "answered HTTP 401", answer: () => answers("", { status: "401 No" }), kind: "auth" },
  { name: "answered by a page", answer: () => answers("<html>"), kind: "invalid_answer" },
  { name: "answered by nothing", answer: () => answers(""), kind: "cut" },
  { name: "cut off", answer: () => cuts(), kind: "cut" },
  { name: "cut off in the answer", answer: () => cuts("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"), kind: "cut" },
  {
    name: "answered for another upload",
    answer: () => answers(frame({ ...ACK, stream_id: "other" })),
    kind: "invalid_answer",
    says: /another upload/,
  },
  {
    name: "answered with another total",
    answer: ({ params: { stream_id } }) => answers(frame({ ...ACK, stream_id, total_chunks: 8 })),
    kind: "invalid_answer",
    says: /another upload/,
  },
  {
    name: "not taken",
    answer: ({ params: { stream_id } }) => answers(frame({ ...ACK, stream_id, status: "file_created" })),
    kind: "invalid_answer",
    says: /not taken/,
  },
];

Deno.test("a chunk that goes wrong fails the upload, which is reset once and never completed", async (t) => {
  verifies("upload-reset", "upload-checked", "trace-headers", "never-retry");
  await using bench = await makeBench(20_000);
  for (const fault of FAULTS) {
    await t.step(fault.name, async () => {
      for (const index of [0, 3, 6]) await failAt(bench, index, fault);
    });
  }
  bench.at = -1;
  resultOf(await upload(bench.server, "after", "file.bin"));
});

Deno.test("a chunk that is never answered fails the upload, which is reset once", async () => {
  verifies("upload-reset", "stream-timeouts");
  await using bench = await makeBench(1000);
  await failAt(bench, 3, { name: "never answered", answer: () => stalls(), kind: "timeout" });
});

/** A server, and a bot that goes wrong at one chunk. */
interface Bench extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly bot: UploadBot;
  /** Index of the chunk; -1 for none. */
  at: number;
  answer: Fault["answer"];
}

async function makeBench(timeoutMs: number): Promise<Bench> {
  await using stack = new AsyncDisposableStack();
  const folders = stack.use(await makeFolders());
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(SIZE));
  const wrong = { at: -1, answer: (): RawScript => stalls() };
  const script: UploadScript = (call, right) =>
    call.kind === "chunk" && call.index === bench.at ? bench.answer(call) : right;
  const bot = stack.use(new UploadBot(script));
  const server = stack.use(await transferServer(bot, folders, { timeoutMs }));
  const resources = stack.move();
  const bench: Bench = { ...wrong, server, bot, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  return bench;
}

async function failAt(bench: Bench, index: number, { name, answer, kind, says = /./ }: Fault): Promise<void> {
  Object.assign(bench, { at: index, answer });
  bench.bot.calls.length = 0;
  const said = await upload(bench.server, `${name} ${index}`, "file.bin");
  const failure = failureOf(said);
  deepStrictEqual([failure.outcome, failure.kind], ["failed", kind], failure.message);
  match(failure.message, says);
  ok(failure.message.includes(`chunk ${index + 1} of 7`), failure.message);
  checkReset(bench.bot, said.result._meta.traceparent);
}

/** One reset came for the failed stream, in the same trace, and no call that would complete it. */
function checkReset(bot: UploadBot, traceparent: string): void {
  const [reset, ...more] = bot.of("reset");
  const { stream_id } = reset?.params ?? {};
  deepStrictEqual([reset?.params, more.length], [{ stream_id, reset: true }, 0]);
  const calls = bot.calls.filter(({ params }) => params.stream_id === stream_id); // a late chunk may be of the one before
  ok(calls.some(({ index }) => index === 0), "it is the stream of the first chunk");
  deepStrictEqual(calls.filter(({ kind }) => kind === "final"), []);
  strictEqual(new Set(calls.map(({ index }) => index)).size, calls.length, "each chunk is sent once");
  deepStrictEqual([...new Set(calls.map(({ headers }) => headers.traceparent))], [traceparent]);
}

/** What may become of a reset; none of it concerns the caller. */
const RESETS: ReadonlyArray<readonly [name: string, answer: RawScript]> = [
  ["never answered", stalls()],
  ["answered ok", answers(frame({ type: "response" }))],
  ["answered HTTP 500", answers("", { status: "500 Oops" })],
  ["cut off", cuts()],
];

Deno.test("a reset is sent once and ends by its own deadline, whatever comes of it", async (t) => {
  verifies("upload-reset");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(10));
  let reset: RawScript = stalls();
  await using bot = new UploadBot(({ kind }) => kind === "reset" ? reset : answers(failedFrame("full")));
  await using server = await transferServer(bot, folders);
  for (const [name, answer] of RESETS) {
    await t.step(name, async () => {
      reset = answer;
      bot.calls.length = 0;
      const start = performance.now();
      match(failureOf(await upload(server, name, "file.bin")).message, /"full", in chunk 1 of 1/);
      const ms = performance.now() - start;
      ok(ms < RESET_MS + 4000, `${ms} ms, of a timeout of 20 s`);
      strictEqual(bot.tally, "1/0/1");
    });
  }
});

Deno.test("an upload whose bot cannot be reached fails, without anything in doubt", async () => {
  verifies("outcome-refused", "upload-reset");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(10));
  const bot = new UploadBot();
  await bot[Symbol.asyncDispose]();
  await using server = await transferServer(bot, folders);
  const { outcome, kind } = failureOf(await upload(server, "up", "file.bin"));
  deepStrictEqual([outcome, kind], ["failed", "connect"]);
});
