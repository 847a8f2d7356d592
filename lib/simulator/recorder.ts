/** What the simulator remembers about requests, for tests that look at what a client sent. */
import type { IncomingMessage } from "node:http";

/** One request as it arrived, whatever became of it. */
export interface RecordedRequest {
  /**
   * `GET`, `POST` and so on; `UPGRADE` for a request to become a WebSocket, and `WS` for each message of a client over
   * one, whose path and headers are those of its upgrade.
   */
  readonly method: string;
  /** Path and query as sent, not decoded. */
  readonly path: string;
  /** The action it names, as written; null for a ping, an upgrade, and requests turned away before that was known. */
  readonly action: string | null;
  /** Params before coercion, the `chunk_data` of uploads whole; empty when the request was turned away earlier. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Header values by lower-case name, the access token included. */
  readonly headers: Readonly<Record<string, string>>;
  /** Size of the body or the message that was read, in bytes. */
  readonly bodyBytes: number;
  /** When it was recorded, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** Requests that are kept; the oldest go first. */
export const MAX_RECORDED_REQUESTS = 10_000;

/**
 * Bodies of kept requests together, in bytes (128 MiB): ten thousand large uploads would not fit in memory. Base64
 * takes as many bytes in memory as it took in the body, so chunks are kept whole within it.
 */
export const MAX_RECORDED_BYTES = 134_217_728;

/** The headers of a request as they are recorded. */
export function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
  );
}

/** A list of the newest requests, bounded in number and in bytes. */
export class Recorder {
  readonly requests: RecordedRequest[] = [];
  #bytes = 0;

  add(request: RecordedRequest): void {
    this.requests.push(request);
    this.#bytes += request.bodyBytes;
    while (
      this.requests.length > MAX_RECORDED_REQUESTS || (this.#bytes > MAX_RECORDED_BYTES && this.requests.length > 1)
    ) {
      this.#bytes -= this.requests.shift()?.bodyBytes ?? 0;
    }
  }
}
