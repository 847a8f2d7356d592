/** A client of the simulator's WebSocket that keeps what it was sent. */
import { deepStrictEqual } from "node:assert/strict";
import { WebSocket } from "ws";
import type { Simulator } from "../../../lib/simulator/mod.ts";

// deno-lint-ignore no-explicit-any -- tests look into frames of many shapes
export type Frame = any;

/** How to connect. */
interface ClientOptions {
  /** Path and query; by default those of the simulator. */
  readonly target?: string;
  readonly headers?: Record<string, string>;
}

/** One connection. Disposing it cuts it. */
export class Client implements AsyncDisposable {
  readonly socket: WebSocket;
  /** Text frames as JSON, oldest first; those that were taken are gone. */
  readonly frames: Frame[] = [];
  /** Code and reason of the close. */
  readonly closed: Promise<[code: number, reason: string]>;
  #waiting: (() => void)[] = [];
  #echo = 0;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(url, { headers, perMessageDeflate: false });
    this.closed = new Promise((resolve) => this.socket.once("close", (code, reason) => resolve([code, `${reason}`])));
    this.socket.on("error", () => {});
    this.socket.on("message", (data) => {
      this.frames.push(parsed(data.toString()));
      for (const wake of this.#waiting.splice(0)) wake();
    });
    void this.closed.then(() => this.#waiting.splice(0).forEach((wake) => wake()));
  }

  /** Takes the oldest frame that fits, waiting for it 10 s at most. */
  async take(fits: (frame: Frame) => boolean = () => true): Promise<Frame> {
    const deadline = performance.now() + 10_000;
    while (true) {
      const at = this.frames.findIndex(fits);
      if (at >= 0) return this.frames.splice(at, 1)[0];
      const restMs = deadline - performance.now();
      if (restMs <= 0 || this.socket.readyState === 3) throw new Error("the frame did not come");
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, restMs);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** Takes the next notice, message or request. */
  event(): Promise<Frame> {
    return this.take(({ post_type }) => post_type !== undefined && post_type !== "meta_event");
  }

  /** Sends a call and takes its answer, or the first frame of it. */
  call(action: string, params: unknown = {}): Promise<Frame> {
    this.#echo += 1;
    const echo = `call ${this.#echo}`;
    this.socket.send(JSON.stringify({ action, params, echo }));
    return this.take((frame) => frame.echo === echo);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

/** Opens a connection and takes the greeting, which sockets for events begin with. */
export async function connect(simulator: Simulator, options: ClientOptions = {}): Promise<Client> {
  const client = dial(simulator, options);
  const greeting = [await client.take(), await client.take(), await client.take()];
  deepStrictEqual(greeting.map((frame) => frame.sub_type ?? frame.meta_event_type), ["connect", "enable", "heartbeat"]);
  return client;
}

/** Begins to open a connection. */
export function dial(simulator: Simulator, { target, headers }: ClientOptions = {}): Client {
  const url = simulator.wsUrl ?? "";
  return new Client(target === undefined ? url : new URL(target, url).href, headers);
}

/** The HTTP status with which an upgrade is refused. */
export function refusalOf(simulator: Simulator, options: ClientOptions = {}): Promise<number | undefined> {
  const client = dial(simulator, options);
  return new Promise((resolve, reject) => {
    client.socket.once("unexpected-response", (_request, { statusCode }) => {
      client.socket.terminate();
      resolve(statusCode);
    });
    client.socket.once("open", () => {
      client.socket.terminate();
      reject(new Error("the upgrade succeeded"));
    });
  });
}

/** Resolves when `holds` does, 10 s at most. */
export async function until(holds: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 10_000; !holds();) {
    if (performance.now() > deadline) throw new Error("it does not come about");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Frames that are no JSON are kept as text. */
function parsed(text: string): Frame {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
