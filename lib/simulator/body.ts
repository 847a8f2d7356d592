/** Reads request bodies within bounds: one body by the cap of the bot, all of them by the memory of this process. */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";

/** Largest body in bytes (64 MiB); a larger one is answered 413. */
export const MAX_BODY_BYTES = 67_108_864;

/** Bodies being read at the same time, together, in bytes (256 MiB); beyond that the answer is 503. */
const MAX_BUFFERED_BYTES = 268_435_456;

/** Time in which a whole body must arrive, in milliseconds; then its connection is closed. */
export const BODY_DEADLINE_MS = 30_000;

/** Why there is no body. */
type BodyProblem = "too_large" | "busy" | "gone";

/** Reads bodies and keeps count of the bytes that are held meanwhile. */
export class BodyReader {
  readonly #deadlineMs: number;
  #buffered = 0;

  constructor(deadlineMs: number = BODY_DEADLINE_MS) {
    this.#deadlineMs = deadlineMs;
  }

  /** The whole body, or why it could not be had: `gone` means that the client left halfway or was too slow. */
  async read(request: IncomingMessage): Promise<Uint8Array | BodyProblem> {
    // The announced size is enough to refuse; a chunked body is found out while it arrives.
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) return "too_large";
    const chunks: Uint8Array[] = [];
    let size = 0;
    const timer = setTimeout(() => request.socket.destroy(), this.#deadlineMs);
    try {
      for await (const chunk of untilEnd(request)) {
        size += chunk.byteLength;
        this.#buffered += chunk.byteLength;
        if (size > MAX_BODY_BYTES) return "too_large";
        if (this.#buffered > MAX_BUFFERED_BYTES) return "busy";
        chunks.push(chunk);
      }
    } catch {
      return "gone";
    } finally {
      clearTimeout(timer);
      this.#buffered -= size;
    }
    return Buffer.concat(chunks, size);
  }
}

/** Leaving the loop must not destroy the socket, which is what plain iteration of the request would do. */
function untilEnd(request: IncomingMessage): AsyncIterable<Uint8Array> {
  return request.iterator({ destroyOnReturn: false });
}
