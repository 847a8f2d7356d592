/** The HTTP server around the adapter: connections in, answers out, bounded, and gone when it is closed. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { BodyReader } from "./body.ts";
import type { Answer } from "./answer.ts";
import { deliver, type Exchange, sendJson } from "./deliver.ts";
import { runCall } from "./dispatch.ts";
import { failedEnvelope, okEnvelope } from "./envelope.ts";
import type { FaultScript } from "./faults.ts";
import { type AdapterOptions, type Admission, admit } from "./http.ts";
import { headersOf, type Recorder } from "./recorder.ts";
import type { World } from "./world.ts";

/** Requests being answered at the same time, stalled ones included; one more is answered 503 with retcode 1200. */
export const MAX_CONCURRENT_REQUESTS = 512;

/** After a refusal the rest of the body is read and dropped for so long, so that the client gets to the answer. */
const DRAIN_MS = 1_000;

/** What a server serves. */
export interface ServedParts {
  readonly world: World;
  readonly faults: FaultScript;
  readonly recorder: Recorder;
}

/** Listens on 127.0.0.1 and resolves to the port; 0 lets the system choose. */
export function listenOnLoopback(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new Error("Cannot tell the port of the simulator"));
    });
  });
}

export class HttpServer {
  readonly #options: AdapterOptions;
  readonly #parts: ServedParts;
  readonly #bodies: BodyReader;
  readonly #server: Server;
  readonly #open = new Set<Promise<void>>();

  constructor(options: AdapterOptions, parts: ServedParts, bodies: BodyReader = new BodyReader()) {
    this.#bodies = bodies;
    this.#options = options;
    this.#parts = parts;
    this.#server = createServer((request, response) => {
      const work = this.#handle(request, response).finally(() => this.#open.delete(work));
      this.#open.add(work);
    });
  }

  /** Listens on 127.0.0.1 and resolves to the port; 0 lets the system choose. */
  listen(port: number): Promise<number> {
    return listenOnLoopback(this.#server, port);
  }

  /** Cuts all connections, which ends all waits, and resolves when no request is being worked on any more. */
  async close(): Promise<void> {
    if (this.#server.listening) {
      await new Promise<void>((resolve) => {
        this.#server.close(() => resolve());
        this.#server.closeAllConnections();
      });
    }
    await Promise.allSettled(this.#open);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const controller = new AbortController();
    // Without a whole answer this means that the client left or the server closed; after one, nobody listens any more.
    response.once("close", () => controller.abort());
    const exchange: Exchange = { response, signal: controller.signal };
    try {
      if (this.#open.size >= MAX_CONCURRENT_REQUESTS) {
        this.#turnAway(request, exchange, { status: 503, retcode: 1200, wording: "too many requests at once" });
        return;
      }
      const admission = await admit(request, this.#bodies, this.#options);
      this.#record(request, admission);
      if (admission.kind === "gone") return;
      if (admission.kind === "rejected") return this.#turnAway(request, exchange, admission);
      const action = admission.kind === "call" ? admission.call.action : null;
      await deliver(
        exchange,
        this.#parts.faults.take(action),
        (): Answer =>
          admission.kind === "call"
            ? runCall(admission.call, this.#parts.world)
            : { kind: "envelope", envelope: okEnvelope({ online: true }) },
      );
    } catch (error) {
      if (response.headersSent) response.socket?.destroy();
      else sendJson(exchange, 500, failedEnvelope(1200, error instanceof Error ? error.message : String(error)));
    }
  }

  #turnAway(
    request: IncomingMessage,
    exchange: Exchange,
    { status, retcode, wording }: { status: number; retcode: number; wording: string },
  ): void {
    if (!request.complete) {
      exchange.response.setHeader("connection", "close");
      const timer = setTimeout(() => request.socket.destroy(), DRAIN_MS);
      request.once("close", () => clearTimeout(timer));
      request.socket.once("close", () => clearTimeout(timer));
      request.resume();
    }
    sendJson(exchange, status, failedEnvelope(retcode, wording));
  }

  #record(request: IncomingMessage, admission: Admission): void {
    this.#parts.recorder.add({
      method: request.method ?? "GET",
      path: request.url ?? "/",
      action: admission.kind === "call" ? admission.call.action : null,
      params: admission.kind === "call" ? admission.call.params : {},
      headers: headersOf(request),
      bodyBytes: admission.bodyBytes,
      at: performance.now(),
    });
  }
}
