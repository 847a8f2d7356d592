/** Bots for the tests of live events: one that speaks WebSocket, one that answers with bytes; and events to send. */
import { type WebSocket, WebSocketServer } from "ws";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { Server as TlsServer } from "node:https";
import { fromFileUrl } from "@std/path";
import { EventHub } from "../../../lib/events/hub.ts";
import { type EventAddress, type EventHandlers, openEventSocket } from "../../../lib/events/socket.ts";
import type { EventEnd } from "../../../lib/events/socket_end.ts";
import { Redactor } from "../../../lib/redact.ts";

export const SELF = 10001;

const CHILD = fromFileUrl(new URL("./flood_child.ts", import.meta.url));

/** A test that leaves no timer, connection or other resource behind. */
export function tidyTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: true, sanitizeResources: true });
}

/** A group message, unless other fields are given. */
export function event(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    time: 1_700_000_000,
    self_id: SELF,
    post_type: "message",
    message_type: "group",
    group_id: 20001,
    user_id: 30001,
    raw_message: "hello",
    ...fields,
  });
}

/** What a bot says first. */
export function lifecycle(selfId = SELF): string {
  return JSON.stringify({
    time: 1,
    self_id: selfId,
    post_type: "meta_event",
    meta_event_type: "lifecycle",
    sub_type: "connect",
  });
}

/** A WebSocket server on loopback. */
export class EventBot implements AsyncDisposable {
  /** Connections ever made, the newest last; also those that have ended. */
  readonly peers: WebSocket[] = [];
  readonly requests: IncomingMessage[] = [];
  /** Everything any client sent. */
  readonly received: string[] = [];
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true });

  private constructor(greet: (peer: WebSocket) => void, http: Server) {
    this.#http = http;
    this.#http.on("upgrade", (request, socket, head) =>
      this.#sockets.handleUpgrade(request, socket, head, (peer) => {
        this.peers.push(peer);
        this.requests.push(request);
        peer.on("message", (data) => this.received.push(String(data)));
        peer.on("error", () => {}); // a client that cuts
        greet(peer);
      }));
  }

  /**
   * @param greet What happens first on a new connection; a lifecycle event unless given.
   * @param http Takes the connections; may be one of `node:https`.
   */
  static async start(
    greet = (peer: WebSocket): void => peer.send(lifecycle()),
    http: Server = createServer(),
  ): Promise<EventBot> {
    const bot = new EventBot(greet, http);
    await new Promise<void>((resolve) => bot.#http.listen(0, "127.0.0.1", resolve));
    return bot;
  }

  get url(): string {
    const scheme = this.#http instanceof TlsServer ? "wss" : "ws";
    return `${scheme}://127.0.0.1:${(this.#http.address() as { port: number }).port}/`;
  }

  /** The newest connection. */
  get peer(): WebSocket {
    const peer = this.peers.at(-1);
    if (peer === undefined) throw new Error("nobody has connected");
    return peer;
  }

  /** Sends to the newest connection; resolves when the system has it. */
  send(text: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => this.peer.send(text, {}, (error) => error ? reject(error) : resolve()));
  }

  /** The close code that a client ended its connection with. */
  left(peer: WebSocket = this.peer): Promise<number> {
    if (peer.readyState === 3) throw new Error("ask before the end");
    return new Promise((resolve) => peer.on("close", resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const peer of this.#sockets.clients) peer.terminate();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}

/** A TCP server that gives each connection to a script, and closes it afterwards. */
export class ByteBot implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #serving: Promise<void>;

  /** @param script Gets the head of the handshake. */
  constructor(script: (conn: Deno.Conn, head: string) => Promise<void>) {
    this.#serving = this.#serve(script);
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}/`;
  }

  async #serve(script: (conn: Deno.Conn, head: string) => Promise<void>): Promise<void> {
    const scripts: Promise<void>[] = [];
    for await (const conn of this.#listener) {
      this.#open.add(conn);
      scripts.push(run(conn, script).finally(() => this.#open.delete(conn)));
    }
    await Promise.all(scripts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const conn of this.#open) close(conn);
    await this.#serving;
  }
}

async function run(conn: Deno.Conn, script: (conn: Deno.Conn, head: string) => Promise<void>): Promise<void> {
  try {
    let head = "";
    const buffer = new Uint8Array(4096);
    while (!head.endsWith("\r\n\r\n")) {
      const count = await conn.read(buffer);
      if (count === null) return;
      head += new TextDecoder().decode(buffer.subarray(0, count));
    }
    await script(conn, head);
  } catch {
    // the client has gone, or the bot is over
  } finally {
    close(conn);
  }
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // it was closed by the other one
  }
}

/**
 * A bot in a process of its own that sends numbered events without a pause once it is told to; killed in the end. It
 * serves one connection.
 */
export class FloodBot implements AsyncDisposable {
  readonly #child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-check",
      "--allow-net=127.0.0.1",
      "--allow-env=WS_NO_BUFFER_UTIL",
      CHILD,
    ],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  readonly #input = this.#child.stdin.getWriter();
  readonly #output = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();

  url = "";

  private constructor() {}

  static async start(): Promise<FloodBot> {
    const bot = new FloodBot();
    bot.url = (await bot.#output.read()).value?.trim() ?? "";
    return bot;
  }

  async begin(): Promise<void> {
    await this.#input.write(Uint8Array.of(10));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#input.close().catch(() => {});
    await this.#output.cancel().catch(() => {});
    await this.#child.status;
  }
}

/** Reads and drops until the client leaves. */
export async function drain(conn: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(65_536);
  while (await conn.read(buffer) !== null);
}

/** Writes everything. */
export async function writeAll(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await conn.write(rest));
}

/** Short texts, up to 65,535 bytes each, as a bot's frames: what is written at once comes at once. */
export function frames(...texts: readonly string[]): Uint8Array {
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  for (const text of texts) {
    const payload = encoder.encode(text);
    const { length } = payload;
    bytes.push(0x81, ...(length < 126 ? [length] : [126, length >> 8, length & 0xff]), ...payload);
  }
  return Uint8Array.from(bytes);
}

/** The answer that accepts a handshake. */
export async function acceptance(head: string): Promise<string> {
  const key = /sec-websocket-key: *(\S+)/i.exec(head)?.[1] ?? "";
  const bytes = new TextEncoder().encode(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", bytes)).toBase64();
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
    `Sec-WebSocket-Accept: ${digest}\r\n\r\n`;
}

/** Notes what a connection tells. */
export class Ear implements EventHandlers {
  readonly texts: string[] = [];
  readonly ends: EventEnd[] = [];
  readonly #ended = Promise.withResolvers<EventEnd>();

  onText(text: string): void {
    this.texts.push(text);
  }

  onEnd(end: EventEnd): void {
    this.ends.push(end);
    this.#ended.resolve(end);
  }

  get ended(): Promise<EventEnd> {
    return this.#ended.promise;
  }
}

/** A signal that never aborts. */
export const NEVER: AbortSignal = new AbortController().signal;

export function open(url: string, ear: Ear, more: Partial<EventAddress> = {}): ReturnType<typeof openEventSocket> {
  return openEventSocket({ url, connectTimeoutMs: 5_000, ...more }, ear, NEVER);
}

/** A hub for a bot; closed at the end of its block. */
export function hubFor({ url }: { url: string }, secrets: string[] = []): EventHub & Disposable {
  const hub = new EventHub({
    connect: (handlers, signal) => openEventSocket({ url, connectTimeoutMs: 5_000 }, handlers, signal),
    redactor: new Redactor(secrets),
  });
  return Object.assign(hub, { [Symbol.dispose]: () => hub.close() });
}

/** Waits until something holds; fails after 5 s. */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`still not so: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
