/**
 * A file to the bot: many calls of one action, each with one chunk, and a last one without any that commits it (wire
 * protocol, "Upload protocol"). Until that one has left nothing has changed, and the bot is told to forget the rest.
 */
import { createHash } from "node:crypto";
import { UPLOAD_ACTION } from "../catalog/upload_params.ts";
import type { Failure } from "../errors.ts";
import type { InputFile } from "../files/input_file.ts";
import { encodeCall, encodeChunkCall } from "../onebot/call_body.ts";
import type { Envelope } from "../onebot/envelope.ts";
import { ExchangeError } from "../onebot/exchange.ts";
import { count, type Frame, text } from "../onebot/frame.ts";
import { StreamFault } from "../onebot/stream_fault.ts";
import { Refusal } from "./frames.ts";

/** Bytes of a chunk: in base64 and JSON still below the 2 MiB that old bots take. */
export const CHUNK_BYTES: number = 1024 * 1024;
/** Chunks under way at once, as long as they are answered quickly. */
export const MAX_CHUNKS_IN_FLIGHT = 4;
/** A chunk that took longer than so many milliseconds is followed by one at a time: each has to make its timeout. */
const QUICK_MS = 1000;
/** Longest wait for the answer to a reset, in milliseconds; shutdown waits a little longer (`cli/serve.ts`). */
export const RESET_MS = 400;

const LAST_CALL = "the last call";

/** What an upload needs. */
export interface UploadPorts {
  /** Makes one call and gives its frame. @throws {ExchangeError | StreamFault | Refusal} */
  readonly call: (body: Uint8Array, signal: AbortSignal) => Promise<Frame>;
  /** Cancels the upload; once the last call has left, that leaves it in doubt. */
  readonly signal: AbortSignal;
  /** Gets the bytes that the bot has acknowledged, and all bytes. */
  readonly onBytes: (acknowledged: number, total: number) => void;
  /**
   * Turns an error into what the caller is told.
   *
   * @param where Which call went wrong.
   * @param inDoubt Whether the file may have been committed.
   */
  readonly explain: (error: unknown, where: string, inDoubt: boolean) => Failure;
}

/**
 * Sends a file and gives the bot's own answer, whose `file_path` is a path on the bot's machine.
 *
 * @param params Passed on with the first call: `filename`, by default the file's own, and `file_retention`.
 * @throws {Failure} `failed` when nothing was committed, `unknown` when that is in doubt.
 */
export async function sendFile(
  file: InputFile,
  params: Readonly<Record<string, unknown>>,
  ports: UploadPorts,
): Promise<Envelope> {
  const upload = new Upload(file, ports);
  let sha256: string;
  try {
    sha256 = await upload.sendChunks({ filename: file.name, ...params });
  } catch (error) {
    if (upload.begun && !upload.mayBeCommitted) await upload.reset();
    throw ports.explain(error, upload.position, upload.mayBeCommitted);
  }
  return await upload.commit(sha256);
}

class Upload {
  readonly #file: InputFile;
  readonly #ports: UploadPorts;
  readonly #id = crypto.randomUUID();
  readonly #total: number;
  /** Ends the chunks under way when one of them fails. */
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  /** Buffers of bodies that have left. */
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #failure: unknown;
  #failedAt: number | undefined;
  /** Chunks that may be under way; the first one goes alone, as it makes the stream that the others belong to. */
  #lanes = 1;
  #started = 0;
  #mayBeCommitted = false;
  #acknowledged = 0;

  constructor(file: InputFile, ports: UploadPorts) {
    this.#file = file;
    this.#ports = ports;
    this.#total = Math.max(1, Math.ceil(file.size / CHUNK_BYTES));
  }

  /** Whether any call has been made. */
  get begun(): boolean {
    return this.#started > 0;
  }

  /** Whether the bot said of a chunk that it made the file, which only the last call should do. */
  get mayBeCommitted(): boolean {
    return this.#mayBeCommitted;
  }

  /** Which chunk failed, or how far the upload had come, for messages; counted from 1. */
  get position(): string {
    return `chunk ${this.#failedAt ?? this.#started} of ${this.#total}`;
  }

  /** Sends all chunks and gives the hash of the file. */
  async sendChunks(first: Readonly<Record<string, unknown>>): Promise<string> {
    const { signal } = this.#ports;
    const cancel = (): void => this.#fail(new ExchangeError("cancelled", true));
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    const hash = createHash("sha256");
    try {
      for (let index = 0; index < this.#total; index++) {
        await this.#room(this.#lanes);
        const chunk = await this.#readChunk(index);
        hash.update(chunk);
        this.#start(index, chunk, index > 0 ? {} : { ...first, total_chunks: this.#total, file_size: this.#file.size });
      }
      await this.#room(1);
      await this.#file.checkUnchanged();
      return hash.digest("hex");
    } catch (error) {
      this.#fail(error);
      await Promise.all(this.#running);
      throw this.#failure;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  /** The last call. Once it has left, only its answer can tell what became of the file. */
  async commit(sha256: string): Promise<Envelope> {
    const { call, explain, signal } = this.#ports;
    let frame: Frame;
    try {
      const params = { stream_id: this.#id, is_complete: true, expected_sha256: sha256 };
      frame = await call(encodeCall(UPLOAD_ACTION, params), signal);
    } catch (error) {
      const refused = error instanceof Refusal ? error.isFromBot : error instanceof ExchangeError && !error.sent;
      if (refused) await this.reset();
      throw explain(error, LAST_CALL, !refused);
    }
    try {
      this.#checkCompletion(frame, sha256);
    } catch (error) {
      throw explain(error, LAST_CALL, true);
    }
    return frame.envelope;
  }

  /** Tells the bot to forget the chunks; it always answers "failed", and its own timeout would do the same later. */
  async reset(): Promise<void> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), RESET_MS);
    try {
      await this.#ports.call(encodeCall(UPLOAD_ACTION, { stream_id: this.#id, reset: true }), deadline.signal);
    } catch {
      // whatever came back, there is nothing more to do
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives a chunk, until the next is read. */
  async #readChunk(index: number): Promise<Uint8Array> {
    const chunk = this.#chunk.subarray(0, Math.min(CHUNK_BYTES, this.#file.size - index * CHUNK_BYTES));
    await this.#file.read(chunk);
    return chunk;
  }

  /** Waits until fewer than so many chunks are under way. */
  async #room(lanes: number): Promise<void> {
    while (this.#running.size >= lanes && this.#failure === undefined) await Promise.race(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #start(index: number, chunk: Uint8Array, first: Readonly<Record<string, unknown>>): void {
    const params = { ...first, stream_id: this.#id, chunk_index: index };
    const body = encodeChunkCall(UPLOAD_ACTION, params, chunk, this.#spare.pop());
    const number = ++this.#started;
    const work = this.#sendChunk(body, chunk.length)
      .catch((error) => this.#fail(error, number))
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #sendChunk(body: Uint8Array<ArrayBuffer>, chunkBytes: number): Promise<void> {
    const start = performance.now();
    const { data } = await this.#ports.call(body, this.#stop.signal);
    if (data.status === "file_complete") this.#mayBeCommitted = true;
    this.#spare.push(new Uint8Array(body.buffer));
    if (text(data, "stream_id") !== this.#id || count(data, "total_chunks") !== this.#total) {
      throw new StreamFault("invalid_answer", "the answer is about another upload");
    }
    if (text(data, "status") !== "chunk_received") throw new StreamFault("invalid_answer", "the chunk was not taken");
    this.#lanes = performance.now() - start < QUICK_MS ? MAX_CHUNKS_IN_FLIGHT : 1;
    this.#acknowledged += chunkBytes;
    this.#ports.onBytes(this.#acknowledged, this.#file.size);
  }

  /** Ends the upload; of several errors the first one counts, the others come of it. */
  #fail(error: unknown, chunk?: number): void {
    if (this.#failure === undefined) [this.#failure, this.#failedAt] = [error, chunk];
    this.#stop.abort();
  }

  #checkCompletion({ data }: Frame, sha256: string): void {
    const same = data.status === "file_complete" && text(data, "stream_id") === this.#id &&
      count(data, "file_size") === this.#file.size && text(data, "sha256") === sha256 &&
      count(data, "total_chunks") === this.#total && count(data, "received_chunks") === this.#total;
    if (!same) throw new StreamFault("invalid_answer", "the bot's size, hash or count is not that of the file");
    text(data, "file_path");
  }
}
