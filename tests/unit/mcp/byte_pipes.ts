/** In-memory byte streams for the transport: input in chunks as given, output that a test reads and holds up. */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Message } from "../../support/server_process.ts";
import { type ByteStreams, StdioTransport } from "../../../lib/mcp/stdio_transport.ts";

const encoder = new TextEncoder();

/** Bytes of a text, or bytes as they are. */
export function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? encoder.encode(data) : data;
}

/** Both ends of a transport, from the client's side. */
export class BytePipes implements ByteStreams {
  /** Everything written so far. */
  output = "";
  /** Bytes taken from the input so far. */
  bytesRead = 0;
  /** Calls of `write` so far. */
  writes = 0;
  /** What `write` does before it takes bytes; for writers that are slow or broken. */
  beforeWrite: () => Promise<void> | void = () => {};
  /** Most bytes that one `write` takes. */
  writeAtMost = Infinity;
  readonly #decoder = new TextDecoder();
  #chunks: Uint8Array[] = [];
  #ended = false;
  #wake: () => void = () => {};

  /** Gives input; each piece is read in a turn of its own, or in several where it exceeds the buffer. */
  feed(...pieces: ReadonlyArray<string | Uint8Array>): void {
    this.#chunks.push(...pieces.map(bytesOf).filter(({ length }) => length > 0));
    this.#wake();
  }

  /** Ends the input. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  read = async (buffer: Uint8Array): Promise<number | null> => {
    while (this.#chunks.length === 0) {
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    const [first = new Uint8Array()] = this.#chunks;
    const part = first.subarray(0, buffer.length);
    buffer.set(part);
    if (part.length === first.length) this.#chunks.shift();
    else this.#chunks[0] = first.subarray(part.length);
    this.bytesRead += part.length;
    return part.length;
  };

  write = async (bytes: Uint8Array): Promise<number> => {
    this.writes++;
    await this.beforeWrite();
    const part = bytes.subarray(0, Math.min(bytes.length, this.writeAtMost));
    this.output += this.#decoder.decode(part, { stream: true });
    return part.length;
  };

  /** The messages written so far; every line has to be JSON. */
  get answers(): Message[] {
    const lines = this.output.split("\n");
    if (lines.pop() !== "") throw new Error("the output ends within a line");
    return lines.map((line) => JSON.parse(line));
  }
}

/** A transport that has been started, its pipes, and what came of the input. */
export interface StartedTransport {
  readonly transport: StdioTransport;
  readonly pipes: BytePipes;
  readonly messages: JSONRPCMessage[];
  readonly errors: Error[];
  /** Resolves at the end of input. */
  readonly ended: Promise<void>;
  /** How often the transport told of its end. */
  readonly ends: { count: number };
}

export async function startTransport(): Promise<StartedTransport> {
  const pipes = new BytePipes();
  const transport = new StdioTransport(pipes);
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  const ends = { count: 0 };
  const ended = Promise.withResolvers<void>();
  transport.onmessage = (message): void => void messages.push(message);
  transport.onerror = (error): void => void errors.push(error);
  transport.onend = (): void => {
    ends.count++;
    ended.resolve();
  };
  await transport.start();
  return { transport, pipes, messages, errors, ended: ended.promise, ends };
}

/** Feeds pieces, ends the input, and waits until all is read and written. */
export async function runThrough(...pieces: ReadonlyArray<string | Uint8Array>): Promise<StartedTransport> {
  const started = await startTransport();
  started.pipes.feed(...pieces);
  started.pipes.end();
  await started.ended;
  for (const message of started.messages) { // what is asked is answered, so that the transport is idle at the end
    if ("method" in message && "id" in message) {
      void started.transport.send({ jsonrpc: "2.0", id: message.id, result: {} });
    }
  }
  await started.transport.whenIdle();
  return started;
}

/** Lets everything run that waits for nothing from outside. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
