/**
 * The SDK's `Transport` over a pair of byte streams, one JSON-RPC message a line (MCP, "stdio").
 *
 * Beyond the SDK's own: a malformed line is answered instead of swallowed, an unsupported revision is refused
 * on every request, whole numbers keep their digits, writes of one turn are joined, and the end of input leaves
 * time for answers that are under way.
 */
import { setImmediate } from "node:timers";
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId, type Transport } from "@modelcontextprotocol/server";
import { parseJson } from "../onebot/lossless_json.ts";
import { OpenRequests, refusalOf } from "./open_requests.ts";
import { serialize } from "./serialize.ts";

/** The longest line that is read, in bytes; a longer one is answered with an error and skipped. */
export const MAX_LINE_BYTES: number = 32 * 1024 * 1024;
/** With more output waiting than this many UTF-16 units, no further input is read until the client reads. */
export const MAX_PENDING_OUTPUT_LENGTH: number = 8 * 1024 * 1024;

/** What acknowledges a `subscriptions/listen`. */
const LISTENING = "notifications/subscriptions/acknowledged";
/** About so much is written at once; a single line may be longer. */
const WRITE_LENGTH = 1024 * 1024;
/** With more requests unanswered than this, answers get a turn before further input is read. */
const CROWD = 64;
const READ_BYTES = 64 * 1024;
const NEWLINE = 10;

/** Where bytes come from and go to; `Deno.stdin` and `Deno.stdout` fit. */
export interface ByteStreams {
  /** Reads into the buffer; `null` at the end of input. */
  readonly read: (buffer: Uint8Array) => Promise<number | null>;
  /** Writes some of the bytes and tells how many. */
  readonly write: (bytes: Uint8Array) => Promise<number>;
}

/** Line-wise JSON-RPC over byte streams. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  /** Called once at the end of input, or when it can no longer be read; the transport stays open for answers. */
  onend?: () => void;

  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #encoder = new TextEncoder();
  readonly #requests = new OpenRequests();
  #closed = false;
  #ended = false;
  #ignoring = false;
  #output: string[] = [];
  /** Told when each of these lines is out, or dropped. */
  #senders: Array<() => void> = [];
  #outputLength = 0;
  #flushing: Promise<void> | undefined;

  constructor(readonly streams: ByteStreams) {}

  /** Starts reading. */
  start(): Promise<void> {
    this.#readLines().catch((error) => this.onerror?.(error as Error)).finally(() => this.#end());
    return Promise.resolve();
  }

  /** Whether nothing can be written any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether so much output waits for the client that no input is read. */
  get congested(): boolean {
    return this.#outputLength > MAX_PENDING_OUTPUT_LENGTH;
  }

  /** From now on whatever still comes in is dropped; answers go out as before. */
  ignoreInput(): void {
    this.#ignoring = true;
  }

  /** Resolves when no request is unanswered and all output is out. */
  async whenIdle(): Promise<void> {
    await this.#requests.whenNone();
    await this.#flushing;
  }

  /**
   * Queues one message. Resolves when it is out, or dropped because nobody reads any more: until then the SDK takes a
   * call for one that can be cancelled. Only for errors and for what acknowledges a listen it resolves at once, since
   * the SDK delivers no further input before that.
   */
  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#requests.settle(message.id);
    let line: string;
    try {
      line = serialize(message);
    } catch { // nested too deeply, or too long
      const id = "id" in message ? message.id ?? null : null;
      line = JSON.stringify(refusalOf(id, ProtocolErrorCode.InternalError, "The answer cannot be written"));
    }
    const out = this.#write(line);
    return "error" in message || ("method" in message && message.method === LISTENING) ? Promise.resolve() : out;
  }

  /** Stops delivering and drops what is not written yet. */
  close(): Promise<void> {
    if (!this.#closed) {
      this.#closed = true;
      for (const resolve of this.#senders.splice(0)) resolve();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #end(): void {
    if (!this.#ended) this.onend?.();
    this.#ended = true;
  }

  async #readLines(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    let parts: Uint8Array[] = []; // of the line that has begun
    let length = 0;
    for (;;) {
      const count = await this.streams.read(buffer);
      if (count === null || this.#closed) break;
      let start = 0;
      for (let end; (end = buffer.subarray(0, count).indexOf(NEWLINE, start)) !== -1; start = end + 1) {
        parts.push(buffer.subarray(start, end));
        length += end - start;
        this.#tryTake(parts, length);
        parts = [];
        length = 0;
        if (this.#requests.count > CROWD) await this.#letAnswer();
      }
      length += count - start;
      if (length > MAX_LINE_BYTES) parts = []; // only its end is awaited
      else if (start < count) parts.push(buffer.slice(start, count));
      await this.#untilRead();
    }
    if (length > 0) this.#tryTake(parts, length);
  }

  /** Also within a chunk of input: hundreds of requests fit in one, and each answer may have megabytes. */
  async #letAnswer(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await this.#untilRead();
  }

  async #untilRead(): Promise<void> {
    while (this.congested && !this.#closed) await this.#flushing;
  }

  /** One line. Whatever a defect makes of it, the next ones are read. */
  #tryTake(parts: readonly Uint8Array[], length: number): void {
    try {
      this.#take(parts, length);
    } catch (error) {
      this.onerror?.(error as Error);
      this.#refuse(null, ProtocolErrorCode.InternalError, "The line cannot be handled");
    }
  }

  /** One line without its end. */
  #take(parts: readonly Uint8Array[], length: number): void {
    if (this.#closed || this.#ignoring) return;
    if (length > MAX_LINE_BYTES) {
      return this.#refuse(null, ProtocolErrorCode.InvalidRequest, `Line of ${length} bytes exceeds ${MAX_LINE_BYTES}`);
    }
    let message: unknown;
    try {
      const text = this.#decoder.decode(join(parts, length));
      if (text.trim() === "") return;
      message = parseJson(text);
    } catch {
      return this.#refuse(null, ProtocolErrorCode.ParseError, "Parse error: the line is not JSON in UTF-8");
    }
    const { deliver, refusal } = this.#requests.take(message);
    if (refusal !== undefined) this.#write(JSON.stringify(refusal));
    if (deliver !== undefined) this.onmessage?.(deliver);
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#write(JSON.stringify(refusalOf(id, code, message)));
  }

  #write(line: string): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#output.push(`${line}\n`);
    this.#outputLength += line.length + 1;
    const out = new Promise<void>((resolve) => this.#senders.push(resolve));
    this.#flushing ??= this.#flush();
    return out;
  }

  async #flush(): Promise<void> {
    await Promise.resolve(); // lets the answers of this turn join
    try {
      while (this.#output.length > 0 && !this.#closed) {
        const lines = this.#nextOutput();
        const text = lines.join("");
        let bytes = this.#encoder.encode(text);
        while (bytes.length > 0) bytes = bytes.subarray(await this.streams.write(bytes));
        this.#outputLength -= text.length; // what is being written still waits for the client
        for (const resolve of this.#senders.splice(0, lines.length)) resolve();
      }
    } catch (error) { // nobody reads any more: the client is gone
      this.onerror?.(error as Error);
      await this.close();
      this.#end();
    } finally {
      this.#flushing = undefined;
    }
  }

  /** Some lines from the head of the queue: all of it at once could exceed the longest string there can be. */
  #nextOutput(): string[] {
    let length = 0;
    let count = 0;
    while (count < this.#output.length && length < WRITE_LENGTH) length += this.#output[count++]?.length ?? 0;
    return this.#output.splice(0, count);
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
