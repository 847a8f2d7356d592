/**
 * The WebSocket server of the bot: upgrades at the door, events out, calls in and their answers out.
 *
 * Import it dynamically: it loads `ws`, which reads the environment.
 */
import type { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { checkClose } from "./close_code.ts";
import { deliverMessages, type Peer, sendMessage, SOCKET_FAULTS } from "./deliver_messages.ts";
import { runCall } from "./dispatch.ts";
import { type Echo, failedEnvelope } from "./envelope.ts";
import { EventFeed } from "./event_feed.ts";
import { authorized, split } from "./http.ts";
import { headersOf } from "./recorder.ts";
import { parseMessage, type SocketCall } from "./request.ts";
import { listenOnLoopback, MAX_CONCURRENT_REQUESTS, type ServedParts } from "./server.ts";
import type { BotEvent } from "./world.ts";

/** Sockets at the same time, those being closed included; one more is refused with HTTP 503. */
export const MAX_SOCKETS = 64;

/** Largest message of a client, in bytes (100 MiB); a larger one closes its socket with code 1009. */
const MAX_MESSAGE_BYTES = 104_857_600;

/** Time for clients to answer the close at the end, in milliseconds; then they are cut. */
const CLOSE_MS = 500;

/** What the WebSocket is configured with. */
export interface SocketOptions {
  /** The only path that is served; everything else is refused with HTTP 400. */
  readonly path: string;
  /** Access token; "" asks for none. */
  readonly token: string;
  /** What sockets are for: events, calls, or both. */
  readonly role: "universal" | "event" | "api";
  /** What becomes of a wrong token: `close` upgrades first and then closes with 1008, `http` answers 401. */
  readonly refusal: "close" | "http";
  /** Between heartbeats, in milliseconds. */
  readonly heartbeatMs: number;
  /** Whether `message_sent` is reported. */
  readonly reportSelf: boolean;
}

export class SocketServer {
  readonly #options: SocketOptions;
  readonly #parts: ServedParts;
  readonly #http: Server;
  readonly #upgrades = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  readonly #feeds = new Set<EventFeed>();
  readonly #calls = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: SocketOptions, parts: ServedParts) {
    this.#options = options;
    this.#parts = parts;
    this.#http = createServer((_request, response) => {
      response.writeHead(426, { upgrade: "websocket", connection: "close" }).end();
    });
    this.#http.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    parts.world.listen((event) => {
      if (event.post_type !== "message_sent" || options.reportSelf) this.emit(event);
    });
  }

  /** Listens on 127.0.0.1 and resolves to the port; 0 lets the system choose. */
  listen(port: number): Promise<number> {
    return listenOnLoopback(this.#http, port);
  }

  /** Open sockets that get events. */
  get size(): number {
    return this.#open().length;
  }

  /** Sends an event to all of them that keep up with reading. */
  emit(event: BotEvent): void {
    for (const feed of this.#open()) feed.offer(event);
  }

  /** Sends the same frame to all of them, and resolves when the slowest has room for the next one. */
  async push(payload: string | Uint8Array, binary: boolean): Promise<void> {
    await Promise.all(this.#open().map((feed) => feed.push(payload, binary)));
  }

  /** Closes all sockets. @throws RangeError if no server may send that code, or the reason is too long. */
  closeAll(code: number, reason: string): void {
    checkClose(code, reason);
    for (const socket of this.#upgrades.clients) socket.close(code, reason);
  }

  /** Cuts all connections without a close frame. */
  dropAll(): void {
    for (const socket of this.#upgrades.clients) socket.terminate();
  }

  /** Says goodbye, closes with 1012, frees the port, and resolves when no call is being worked on any more. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    const gone = [...this.#upgrades.clients].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    const unbound = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    for (const feed of this.#open()) feed.disable();
    this.closeAll(1012, "service restart");
    const timer = setTimeout(() => this.dropAll(), CLOSE_MS);
    await Promise.all(gone);
    clearTimeout(timer);
    this.#http.closeAllConnections();
    await Promise.all([unbound, ...this.#calls]);
  }

  #open(): EventFeed[] {
    return [...this.#feeds].filter((feed) => feed.isOpen);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#record("UPGRADE", request, { action: null, params: {}, bodyBytes: 0 });
    const [path, query] = split(request.url ?? "/");
    const isAuthorized = authorized(request, query, this.#options.token);
    if (path !== this.#options.path) return refuse(socket, 400);
    if (!isAuthorized && this.#options.refusal === "http") return refuse(socket, 401);
    if (this.#isClosing || this.#upgrades.clients.size >= MAX_SOCKETS) return refuse(socket, 503);
    this.#upgrades.handleUpgrade(request, socket, head, (client) => {
      // What breaks a socket closes it as well, and that is enough to know.
      client.on("error", () => {});
      if (isAuthorized) this.#serve(client, request);
      else client.close(1008, "invalid access token");
    });
  }

  #serve(socket: WebSocket, request: IncomingMessage): void {
    const controller = new AbortController();
    socket.once("close", () => controller.abort());
    const peer: Peer = { socket, signal: controller.signal };
    socket.on("message", (data: Buffer, isBinary) => {
      const call = isBinary ? null : parseMessage(data.toString());
      const { action, params } = call ?? { action: null, params: {} };
      this.#record("WS", request, { action, params, bodyBytes: data.byteLength });
      if (this.#options.role === "event") return;
      const work = this.#answer(peer, call).finally(() => this.#calls.delete(work));
      this.#calls.add(work);
    });
    if (this.#options.role === "api") return;
    const feed = new EventFeed(socket, this.#parts.world, this.#options.heartbeatMs);
    this.#feeds.add(feed);
    socket.once("close", () => this.#feeds.delete(feed));
  }

  async #answer(peer: Peer, call: SocketCall | null): Promise<void> {
    const refuse = (retcode: number, wording: string, echo?: Echo): Promise<boolean> =>
      sendMessage(peer, JSON.stringify(failedEnvelope(retcode, wording, echo)));
    // What cannot be read gets no echo, even if one was sent.
    if (call === null) await refuse(1400, "bad request");
    else if (this.#calls.size >= MAX_CONCURRENT_REQUESTS) await refuse(1200, "too many requests at once", call.echo);
    else {
      const { faults, world } = this.#parts;
      await deliverMessages(peer, faults.take(call.action, SOCKET_FAULTS), () => runCall(call, world));
    }
  }

  #record(
    method: "UPGRADE" | "WS",
    request: IncomingMessage,
    message: { action: string | null; params: Readonly<Record<string, unknown>>; bodyBytes: number },
  ): void {
    const path = request.url ?? "/";
    this.#parts.recorder.add({ method, path, headers: headersOf(request), ...message, at: performance.now() });
  }
}

/** Answers an upgrade with a status instead. */
function refuse(socket: Duplex, status: number): void {
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
