/**
 * Types of the parts of `ws` that this project uses. `@types/ws` would bring `@types/node`, which takes the place of
 * Deno's own types of `node:`.
 */
import type { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";

/** The answer to an upgrade. */
interface UpgradeResponse {
  readonly statusCode?: number;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** Arguments of listeners, by event. */
interface Events {
  open: [];
  message: [data: Buffer, isBinary: boolean];
  ping: [data: Buffer];
  pong: [data: Buffer];
  error: [error: Error];
  close: [code: number, reason: Buffer];
  upgrade: [response: UpgradeResponse];
  "unexpected-response": [request: unknown, response: UpgradeResponse];
}

export class WebSocket {
  static readonly OPEN: 1;
  constructor(address: string | URL, options?: {
    headers?: Record<string, string>;
    /** Largest message in bytes. */
    maxPayload?: number;
    perMessageDeflate?: boolean;
    followRedirects?: boolean;
    handshakeTimeout?: number;
    /** How long the peer has to answer a close, in milliseconds. */
    closeTimeout?: number;
  });
  readonly readyState: 0 | 1 | 2 | 3;
  /** Bytes that wait to be handed to the system. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array): void;
  send(data: string | Uint8Array, options: { binary?: boolean }, callback?: (error?: Error) => void): void;
  ping(): void;
  readonly isPaused: boolean;
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
  once<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this;
}

export class WebSocketServer {
  constructor(options: { noServer: true; perMessageDeflate?: boolean; maxPayload?: number });
  readonly clients: Set<WebSocket>;
  /** @param request What `node:http` hands to listeners of `upgrade`. */
  handleUpgrade(request: object, socket: Duplex, head: Buffer, callback: (socket: WebSocket) => void): void;
}
