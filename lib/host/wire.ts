/**
 * A transport of somebody else, held to what our own over byte streams does: messages are data of their own on both
 * sides, malformed ones and unsupported revisions are refused, and the end leaves time for what is under way.
 */
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport as SdkTransport,
} from "@modelcontextprotocol/server";
import { idOf } from "../mcp/json_rpc.ts";
import { OpenRequests, refusalOf } from "../mcp/open_requests.ts";
import { serialize } from "../mcp/serialize.ts";
import { MAX_PENDING_OUTPUT_LENGTH } from "../mcp/stdio_transport.ts";
import { parseJson } from "../onebot/lossless_json.ts";
import type { JsonRpcMessage, SendOptions, Transport } from "./transport.ts";

/** A connection that can be served, and ended gracefully. */
export interface Wire extends SdkTransport {
  /** Whether so much output waits for the client that more would only wait. */
  readonly congested: boolean;
  /** From now on whatever still comes in is dropped; answers go out as before. */
  ignoreInput(): void;
  /** Resolves when no request is unanswered and all output is out. */
  whenIdle(): Promise<void>;
}

/** A wire over messages. */
export class MessageWire implements Wire {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #transport: Transport;
  readonly #started = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #requests = new OpenRequests();
  readonly #sending = new Set<Promise<void>>();
  #sendingLength = 0;
  #closed = false;
  #ignoring = false;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.#started.promise.catch(() => {}); // whoever connects looks at it, or has given up
  }

  /** Settles as the start of the transport does. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves when the connection is closed, by whichever side. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  get congested(): boolean {
    return this.#sendingLength > MAX_PENDING_OUTPUT_LENGTH;
  }

  /** Starts the transport, which tells this wire of everything from now on. */
  async start(): Promise<void> {
    this.#transport.onmessage = (message) => this.#take(message);
    this.#transport.onerror = (error) => this.onerror?.(error);
    this.#transport.onclose = () => this.#finish();
    try {
      await this.#transport.start();
      this.#started.resolve();
    } catch (error) {
      this.#started.reject(error);
      throw error;
    }
  }

  ignoreInput(): void {
    this.#ignoring = true;
  }

  async whenIdle(): Promise<void> {
    await this.#requests.whenNone();
    await Promise.allSettled(this.#sending);
  }

  /** Sends a copy: what the receiver does with a message must not reach the catalog or an answer that is still used. */
  async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (this.#closed) return;
    let text: string;
    let copy: unknown;
    try {
      text = serialize(message);
      copy = parseJson(text);
    } catch { // nested too deeply, or too long
      const id = "id" in message ? message.id ?? null : null;
      copy = refusalOf(id, ProtocolErrorCode.InternalError, "The answer cannot be written");
      text = "";
    }
    const sent = this.#put(copy as JsonRpcMessage, text.length, options);
    if (!("method" in message) && message.id !== undefined) this.#requests.settle(message.id);
    await sent;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#finish();
    try {
      await this.#transport.close();
    } catch (error) { // it is over all the same
      this.onerror?.(error as Error);
    }
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#requests.clear();
    this.onclose?.();
    this.#over.resolve();
  }

  /** Whatever a defect makes of one message, the next ones are read. */
  #take(given: unknown): void {
    if (this.#closed || this.#ignoring) return;
    try {
      this.#receive(given);
    } catch (error) {
      this.onerror?.(error as Error);
      this.#refuse(idOf(given), ProtocolErrorCode.InternalError, "The message cannot be handled");
    }
  }

  #receive(given: unknown): void {
    let message: unknown;
    try {
      message = parseJson(JSON.stringify(given)); // the sender may go on using its objects
    } catch {
      return this.#refuse(
        idOf(given),
        ProtocolErrorCode.InvalidRequest,
        "Invalid request: not data that JSON can hold",
      );
    }
    const { deliver, refusal } = this.#requests.take(message);
    if (refusal !== undefined) this.#answer(refusal);
    if (deliver !== undefined) this.onmessage?.(deliver);
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#answer(refusalOf(id, code, message));
  }

  #answer(message: object): void {
    this.#put(message as JsonRpcMessage, 0).catch((error) => this.onerror?.(error));
  }

  /** @param length Of the message as JSON, in UTF-16 units. */
  async #put(message: JsonRpcMessage, length: number, options?: SendOptions): Promise<void> {
    this.#sendingLength += length;
    const sent = Promise.try(() => this.#transport.send(message, options));
    this.#sending.add(sent);
    try {
      await sent;
    } finally {
      this.#sending.delete(sent);
      this.#sendingLength -= length;
    }
  }
}
