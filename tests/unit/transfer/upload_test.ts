import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Failure } from "../../../lib/errors.ts";
import { InputFile } from "../../../lib/files/input_file.ts";
import { ExchangeError } from "../../../lib/onebot/exchange.ts";
import { checkFrame, type Frame } from "../../../lib/onebot/frame.ts";
import { CHUNK_BYTES, MAX_CHUNKS_IN_FLIGHT, RESET_MS, sendFile } from "../../../lib/transfer/upload.ts";
import { Refusal } from "../../../lib/transfer/frames.ts";
import { verifies } from "../../requirements.ts";
import { tempFolder } from "../files/support.ts";
import { okFrame } from "./support.ts";

/** One call that an upload made, and the way to answer it. */
interface Call {
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly answer: (error?: Error) => void;
}

/** An upload whose calls wait until the test answers them. */
class Bench implements AsyncDisposable {
  readonly calls: Call[] = [];
  readonly progress: [number, number][] = [];
  readonly told: [error: unknown, where: string, inDoubt: boolean][] = [];
  readonly cancel = new AbortController();
  readonly result: Promise<PromiseSettledResult<unknown>>;
  /** Bytes that were read of the file. */
  read = 0;
  readonly #stack: AsyncDisposableStack;

  private constructor(file: CountedFile, stack: AsyncDisposableStack) {
    this.#stack = stack;
    file.onRead = (count) => this.read += count;
    const work = sendFile(file, { filename: "given.bin" }, {
      call: (body, signal) => this.#call(JSON.parse(new TextDecoder().decode(body)).params, signal),
      signal: this.cancel.signal,
      onBytes: (...values) => this.progress.push(values),
      explain: (error, where, inDoubt) => {
        this.told.push([error, where, inDoubt]);
        return error instanceof Failure ? error : new Failure("internal", where, "None.");
      },
    });
    this.result = Promise.allSettled([work]).then(([result]) => result);
  }

  static async start(size: number): Promise<Bench> {
    await using stack = new AsyncDisposableStack();
    const temp = stack.use(await tempFolder());
    const path = join(temp.path, "own.bin");
    await Deno.writeFile(path, new Uint8Array(size).fill(7));
    const handle = await Deno.open(path);
    const file = stack.use(new CountedFile("own.bin", handle, await handle.stat()));
    return new Bench(file, stack.move());
  }

  /** Waits for call number `index`, from 0. */
  async at(index: number): Promise<Call> {
    for (let turn = 0; turn < 2000; turn++) {
      const call = this.calls[index];
      if (call !== undefined) return call;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    throw new Error(`no call ${index}`);
  }

  async #call(params: Call["params"], signal: AbortSignal): Promise<Frame> {
    const answered = Promise.withResolvers<void>();
    const answer = (error?: Error): void => error === undefined ? answered.resolve() : answered.reject(error);
    this.calls.push({ params, signal, answer });
    signal.addEventListener("abort", () => answer(new ExchangeError("cancelled", true)));
    await answered.promise;
    const { stream_id } = params;
    const total_chunks = this.calls[0]?.params.total_chunks;
    return checkFrame(
      okFrame({ type: "stream", status: "chunk_received", stream_id, received_chunks: 1, total_chunks }),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

class CountedFile extends InputFile {
  onRead: (count: number) => void = () => {};

  override async read(into: Uint8Array): Promise<number> {
    const count = await super.read(into);
    this.onRead(count);
    return count;
  }
}

/** A while in which one more call would be made, if it were to be. */
function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}

Deno.test("sendFile() sends the first chunk alone, then several, and reads nothing ahead", async () => {
  verifies("upload-chunks", "transfer-memory");
  await using bench = await Bench.start(8 * CHUNK_BYTES);
  const first = await bench.at(0);
  await aWhile();
  deepStrictEqual([bench.calls.length, bench.read], [1, CHUNK_BYTES]);
  first.answer();
  await bench.at(MAX_CHUNKS_IN_FLIGHT);
  await aWhile();
  strictEqual(bench.calls.length, 1 + MAX_CHUNKS_IN_FLIGHT);
  strictEqual(bench.read, (1 + MAX_CHUNKS_IN_FLIGHT) * CHUNK_BYTES);
  bench.calls[3]?.answer(); // any of them makes room for one
  await bench.at(1 + MAX_CHUNKS_IN_FLIGHT);
  await aWhile();
  strictEqual(bench.calls.length, 2 + MAX_CHUNKS_IN_FLIGHT);
  bench.cancel.abort();
  (await bench.at(2 + MAX_CHUNKS_IN_FLIGHT)).answer();
  await bench.result;
});

Deno.test("sendFile() goes on one by one after a slow answer, and in parallel after a quick one", async () => {
  verifies("upload-chunks");
  await using bench = await Bench.start(6 * CHUNK_BYTES);
  const first = await bench.at(0);
  await new Promise((resolve) => setTimeout(resolve, 1050)); // above the second that counts as quick
  first.answer();
  const second = await bench.at(1);
  await aWhile();
  strictEqual(bench.calls.length, 2);
  second.answer();
  await bench.at(5);
  strictEqual(bench.calls.length, 6, "the other four");
  bench.cancel.abort();
  (await bench.at(6)).answer();
  await bench.result;
});

Deno.test("sendFile() tells the bytes that were acknowledged, in order of the answers", async () => {
  verifies("progress", "upload-empty");
  const size = 3 * CHUNK_BYTES + 5;
  await using bench = await Bench.start(size);
  for (const index of [0, 3, 1, 2]) {
    await bench.at(index === 0 ? 0 : 3);
    bench.calls[index]?.answer();
  }
  await bench.at(4);
  const acknowledged = [CHUNK_BYTES, CHUNK_BYTES + 5, 2 * CHUNK_BYTES + 5, size];
  deepStrictEqual(bench.progress, acknowledged.map((bytes) => [bytes, size]));
  bench.calls[4]?.answer(new Refusal(200));
  (await bench.at(5)).answer();
  await bench.result;

  await using empty = await Bench.start(0);
  const { params, answer } = await empty.at(0);
  deepStrictEqual([params.chunk_data, params.total_chunks, params.file_size], ["", 1, 0]);
  answer();
  await empty.at(1);
  deepStrictEqual(empty.progress, [[0, 0]]);
  empty.calls[1]?.answer(new Refusal(200));
  (await empty.at(2)).answer();
  await empty.result;
});

Deno.test("sendFile() names the chunk that failed, ends those beside it, and resets once they have ended", async () => {
  verifies("upload-reset", "stream-cancel");
  await using bench = await Bench.start(7 * CHUNK_BYTES);
  (await bench.at(0)).answer();
  await bench.at(4);
  const error = new ExchangeError("cut", true);
  bench.calls[2]?.answer(error);
  const { params, answer } = await bench.at(5);
  deepStrictEqual(params, { stream_id: bench.calls[0]?.params.stream_id, reset: true });
  ok([1, 3, 4].every((index) => bench.calls[index]?.signal.aborted));
  answer(new Refusal(200));
  strictEqual((await bench.result).status, "rejected");
  deepStrictEqual(bench.told, [[error, "chunk 3 of 7", false]]);
  strictEqual(bench.calls.length, 6);
});

Deno.test("sendFile() ends by the reset's own deadline when that is not answered", async () => {
  verifies("upload-reset");
  await using bench = await Bench.start(1);
  (await bench.at(0)).answer(new Refusal(200));
  const { signal } = await bench.at(1);
  const start = performance.now();
  await bench.result; // the call ends when its signal aborts
  const ms = performance.now() - start;
  ok(signal.aborted && ms >= RESET_MS - 50, `${ms} ms`);
});

Deno.test("sendFile() sends no last call when it is cancelled before, and no reset when it is cancelled after", async () => {
  verifies("upload-reset", "upload-unknown", "stream-cancel");
  await using before = await Bench.start(1);
  const chunk = await before.at(0);
  before.cancel.abort();
  ok(chunk.signal.aborted);
  const reset = await before.at(1);
  strictEqual(reset.params.reset, true);
  ok(!reset.signal.aborted, "the reset outlives the cancellation");
  reset.answer();
  await before.result;
  deepStrictEqual(before.told.map(([, ...rest]) => rest), [["chunk 1 of 1", false]]);

  await using after = await Bench.start(1);
  (await after.at(0)).answer();
  const last = await after.at(1);
  strictEqual(last.params.is_complete, true);
  after.cancel.abort();
  await after.result;
  deepStrictEqual([after.calls.length, after.told.map(([, ...rest]) => rest)], [2, [["the last call", true]]]);
});

Deno.test("sendFile() makes no call, no reset either, when it fails or is cancelled before the first chunk", async () => {
  verifies("upload-reset", "upload-steady", "stream-cancel");
  await using temp = await tempFolder();
  const path = join(temp.path, "own.bin");
  const begin = async (signal: AbortSignal, change: () => Promise<void>): Promise<void> => {
    await Deno.writeFile(path, new Uint8Array(10));
    const handle = await Deno.open(path);
    using file = new InputFile("own.bin", handle, await handle.stat());
    await change();
    const call = (): never => {
      throw new Error("a call was made");
    };
    await sendFile(file, {}, { call, signal, onBytes: () => {}, explain: (error) => error as Failure });
  };
  await rejects(begin(new AbortController().signal, () => Deno.truncate(path, 5)), { kind: "input_file" });
  await rejects(begin(AbortSignal.abort(), () => Promise.resolve()), { fault: "cancelled" });
});
