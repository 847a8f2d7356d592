/**
 * One WebSocket connection to a bot, for its events. Over `ws`, which unlike Deno's own client has a limit for
 * messages and obeys no proxy variable. Nothing but pings is ever sent: a frame of ours could be an action.
 */
import { setImmediate } from "node:timers";
import type { WebSocket } from "ws";
import { Failure } from "../errors.ts";
import { Redactor } from "../redact.ts";
import {
  endByCode,
  endByError,
  type EventEnd,
  failedEnd,
  notConnected,
  notWanted,
  refusedByStatus,
  tooLate,
} from "./socket_end.ts";

/** Largest message in bytes, whole or in pieces. A larger one is refused by its announced length. */
export const MAX_FRAME_BYTES = 262_144;
/** Time between two pings, in milliseconds. */
export const PING_INTERVAL_MS = 30_000;
/** With nothing at all received for so many milliseconds, answers to pings included, nobody is there any more. */
export const MAX_SILENCE_MS = 90_000;
/** Messages that come without a pause may hold the event loop so long, in milliseconds; then others have a turn. */
const TURN_MS = 8;
/**
 * After that silence a last ping is answered within so many milliseconds. A process that was stopped for a while finds
 * its timers due before it has read what came meanwhile.
 */
const LAST_PING_MS = 5_000;
/** How long the peer has to answer a close, in milliseconds; then the connection is cut. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Where to connect, and how. */
export interface EventAddress {
  /** `ws:` or `wss:`. */
  readonly url: string | URL;
  /** Sent as `Authorization: Bearer`. */
  readonly token?: string;
  /** Limit for connection and handshake together, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** {@link PING_INTERVAL_MS} and {@link MAX_SILENCE_MS} unless given. */
  readonly pingIntervalMs?: number;
  /** See {@link pingIntervalMs}. */
  readonly maxSilenceMs?: number;
}

/** Who is told; neither may throw. Both can be called before `openEventSocket` has resolved. */
export interface EventHandlers {
  /** A whole text message. */
  onText(text: string): void;
  /** The end, once, unless it was `close()`. Nothing comes after it. */
  onEnd(end: EventEnd): void;
}

/** A connection that stands. */
export interface EventSocket {
  /** Takes leave, and cuts the connection if the peer does not answer within 1 s. A second time is nothing. */
  close(): void;
}

/**
 * Opens a connection.
 *
 * Needs `--allow-net` for the address, and `--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE`, which `ws` reads.
 *
 * @param signal Ends the attempt, and has no say once the connection stands.
 * @throws {Failure} `connect`, `auth`, `timeout` or `cancelled`
 */
export async function openEventSocket(
  address: EventAddress,
  handlers: EventHandlers,
  signal: AbortSignal,
): Promise<EventSocket> {
  try {
    const { WebSocket } = await import("ws"); // takes 65 ms, which starting does not wait for
    if (signal.aborted) throw notWanted();
    const socket = new WebSocket(address.url, {
      headers: address.token === undefined ? {} : { authorization: `Bearer ${address.token}` },
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
      followRedirects: false,
      closeTimeout: CLOSE_TIMEOUT_MS,
    });
    return await opened(socket, address, handlers, signal);
  } catch (error) {
    throw error instanceof Failure ? error : notConnected(error as Error); // such as a permission that is missing
  }
}

function opened(
  socket: WebSocket,
  address: EventAddress,
  handlers: EventHandlers,
  signal: AbortSignal,
): Promise<EventSocket> {
  const done = Promise.withResolvers<EventSocket>();
  let connection: Connection | undefined;
  const settled = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  };
  const giveUp = (failure: Failure): void => {
    settled();
    done.reject(failure);
    socket.terminate();
  };
  const cancel = (): void => giveUp(notWanted());
  const timer = setTimeout(() => giveUp(tooLate(address.connectTimeoutMs)), address.connectTimeoutMs);
  signal.addEventListener("abort", cancel, { once: true });

  socket.on("unexpected-response", (_request, { statusCode = 0 }) => giveUp(refusedByStatus(statusCode)));
  socket.on("open", () => {
    settled();
    connection = new Connection(socket, address, handlers);
    done.resolve(connection);
  });
  socket.on("error", (error) => connection === undefined ? giveUp(notConnected(error)) : connection.fail(error));
  return done.promise;
}

class Connection implements EventSocket {
  readonly #socket: WebSocket;
  readonly #handlers: EventHandlers;
  readonly #maxSilenceMs: number;
  readonly #ping: ReturnType<typeof setInterval>;
  #silence: ReturnType<typeof setTimeout>;
  #heardAt = performance.now();
  /** Whether a last ping waits for its answer. */
  #asked = false;
  /** Since when nobody else had a turn. */
  #turnAt: number | undefined;
  #ended = false;

  constructor(
    socket: WebSocket,
    { token = "", pingIntervalMs, maxSilenceMs }: EventAddress,
    handlers: EventHandlers,
  ) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#maxSilenceMs = maxSilenceMs ?? MAX_SILENCE_MS;
    this.#ping = setInterval(() => socket.ping(), pingIntervalMs ?? PING_INTERVAL_MS);
    this.#silence = setTimeout(this.#checkSilence, this.#maxSilenceMs);
    const heard = (): void => {
      this.#heardAt = performance.now();
      this.#asked = false;
    };
    socket.on("ping", heard);
    socket.on("pong", heard);
    socket.on("message", (data, isBinary) => {
      heard();
      if (this.#ended) return;
      this.#takeTurns();
      if (!isBinary) return this.#handlers.onText(String(data));
      this.#end(failedEnd("invalid_event", "the bot sent a binary message"));
      socket.close(1003);
    });
    // a bot may repeat the token; masked here, since what is cut afterwards could not be recognized
    socket.on("close", (code, reason) => this.#end(endByCode(code, new Redactor([token]).text(String(reason)))));
  }

  /** What came is no WebSocket protocol, or the system broke the connection. `ws` closes it by itself. */
  fail(error: Error): void {
    this.#end(endByError(error, MAX_FRAME_BYTES));
  }

  close(): void {
    if (this.#stop()) this.#socket.close(1000);
  }

  /**
   * `ws` reads on by itself as long as there is something, and nothing else would run before the flood is over. By a
   * timer, since only a loop that rests asks the system at once what has come for others; otherwise each 61 turns.
   */
  #takeTurns(): void {
    const now = performance.now();
    if (this.#turnAt === undefined) {
      this.#turnAt = now;
      setImmediate(() => this.#turnAt = undefined);
    } else if (now - this.#turnAt > TURN_MS && !this.#socket.isPaused) {
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), 1);
    }
  }

  /** One timer that looks back, rather than a new one for each message. */
  readonly #checkSilence = (): void => {
    const restMs = this.#heardAt + this.#maxSilenceMs - performance.now();
    if (restMs > 0) {
      this.#silence = setTimeout(this.#checkSilence, Math.ceil(restMs));
      return;
    }
    if (!this.#asked) {
      this.#asked = true;
      this.#socket.ping();
      this.#silence = setTimeout(this.#checkSilence, Math.min(LAST_PING_MS, this.#maxSilenceMs));
      return;
    }
    this.#end(failedEnd("timeout", `nothing came for ${this.#maxSilenceMs} ms, not even an answer to a ping`));
    this.#socket.terminate();
  };

  #end(end: EventEnd): void {
    if (this.#stop()) this.#handlers.onEnd(end);
  }

  /** Whether it had not ended yet. */
  #stop(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearInterval(this.#ping);
    clearTimeout(this.#silence);
    return true;
  }
}
