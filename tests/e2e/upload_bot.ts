/** A bot that takes uploads as the wire page says, remembers every call, and goes wrong where a test tells it to. */
import { answers, RawBot, type RawConnection, type RawScript } from "../support/raw_bot.ts";
import type { Message } from "../support/server_process.ts";
import { eventually, failedFrame, frame, sha256 } from "./transfer_support.ts";

/** One call of the upload action, as it arrived. */
export interface UploadCall {
  readonly kind: "chunk" | "final" | "reset";
  /** `chunk_index`; -1 where there is no chunk. */
  readonly index: number;
  /** All but the chunk itself. */
  readonly params: Message;
  /** The chunk, decoded; empty where there is none. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks that were unanswered when it came, itself included. */
  readonly inFlight: number;
}

/** What is done about a call; `right` is what a sound bot does. */
export type UploadScript = (call: UploadCall, right: RawScript) => RawScript;

/** The listening bot. Other actions are answered ok. */
export class UploadBot implements AsyncDisposable {
  readonly #raw: RawBot;
  readonly #script: UploadScript;
  #chunks = 0;
  /** Upload calls so far, in the order in which they were whole. */
  readonly calls: UploadCall[] = [];

  constructor(script: UploadScript = (_, right) => right) {
    this.#script = script;
    this.#raw = new RawBot((connection) => this.#serve(connection));
  }

  get url(): string {
    return this.#raw.url;
  }

  /** How many calls of each kind came, as `chunks/finals/resets`. */
  get tally(): string {
    return (["chunk", "final", "reset"] as const).map((kind) => this.of(kind).length).join("/");
  }

  /** Calls of one kind. */
  of(kind: UploadCall["kind"]): UploadCall[] {
    return this.calls.filter((call) => call.kind === kind);
  }

  /** Waits until so many calls of a kind have come, 10 s at most. */
  async came(kind: UploadCall["kind"], count = 1): Promise<void> {
    await eventually(() => Promise.resolve(this.of(kind).length >= count || undefined));
  }

  /** What the chunks of the newest upload are together. */
  get content(): Uint8Array<ArrayBuffer> {
    const { stream_id } = this.calls.at(-1)?.params ?? {};
    const calls = this.of("chunk").filter(({ params }) => params.stream_id === stream_id);
    const chunks = calls.sort((a, b) => a.index - b.index).map(({ bytes }) => bytes);
    const whole = new Uint8Array(chunks.reduce((length, bytes) => length + bytes.length, 0));
    let at = 0;
    for (const bytes of chunks) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    return whole;
  }

  /** Every byte that came, also of calls that broke off. */
  get received(): string {
    return this.#raw.connections.map(({ bytes }) => new TextDecoder().decode(bytes)).join("\n");
  }

  async #serve(connection: RawConnection): Promise<unknown> {
    const request = await connection.request.catch(() => undefined);
    if (request === undefined) return; // the client left
    const { action, params: { chunk_data, ...params } } = JSON.parse(request.body);
    if (action !== "upload_file_stream") return await answers('{"status":"ok","retcode":0,"data":{}}')(connection);
    const kind = params.reset ? "reset" : chunk_data === undefined ? "final" : "chunk";
    if (kind === "chunk") this.#chunks++;
    const bytes = Uint8Array.fromBase64(chunk_data ?? "");
    const { chunk_index: index = -1 } = params;
    const call: UploadCall = { kind, index, params, bytes, headers: request.headers, inFlight: this.#chunks };
    this.calls.push(call);
    await this.#script(call, async (to) => {
      const body = await this.#answer(call);
      if (kind === "chunk") this.#chunks--;
      await answers(body)(to);
    })(connection);
  }

  async #answer({ kind, params: { stream_id } }: UploadCall): Promise<string> {
    const chunks = this.of("chunk").filter(({ params }) => params.stream_id === stream_id);
    const total_chunks = chunks[0]?.params.total_chunks;
    const counts = { stream_id, received_chunks: chunks.length, total_chunks };
    if (kind === "reset") return failedFrame("Stream reset completed");
    if (kind === "chunk") return frame({ type: "stream", status: "chunk_received", ...counts });
    return frame({ type: "response", status: "file_complete", ...counts, ...await this.#merged() });
  }

  async #merged(): Promise<Message> {
    const { content } = this;
    return { file_path: "/bot/merged.bin", file_size: content.length, sha256: await sha256(content) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#raw[Symbol.asyncDispose]();
  }
}
