/** The newest events of one resource, in order, each with its cursor. */
import { Failure } from "../errors.ts";
import { parseJson } from "../onebot/lossless_json.ts";

/** Most events in a buffer, and in a page. */
export const MAX_EVENTS = 256;

/** Most bytes in a buffer: JSON text of its events in UTF-8. */
export const MAX_BUFFER_BYTES: number = 1024 * 1024;

/** An event and where it stands. */
export interface CursorEvent {
  /** Decimal, counted from 1 in each buffer. */
  readonly cursor: string;
  /** The event, with digits kept as `parseJson` does. */
  readonly event: unknown;
}

/** What a reader gets; in the words of the result. */
export interface BufferPage {
  /** Oldest first. */
  readonly events: readonly CursorEvent[];
  /** Where to go on: the cursor of the last event here, or where this page began; beyond what was dropped. */
  readonly next_cursor: string;
  /** The oldest event there still is; `null` when there is none. */
  readonly oldest_cursor: string | null;
  /** How many events were dropped so far, to make room. */
  readonly dropped_events: number;
  /** Whether events after the reader's place were dropped, so that this page does not go on where the last one ended. */
  readonly gap: boolean;
}

/**
 * A ring of events. Reading consumes nothing. Events are kept as text, which is one string however many buffers hold it
 * and which no reader can change, and are parsed when somebody reads them.
 */
export class EventBuffer {
  readonly #texts: string[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;
  #newest = 0;
  /** Since the oldest go first, also the cursor of the last one dropped. */
  #dropped = 0;

  /** Cursor of the newest event ever appended, 0 before the first. */
  get newest(): number {
    return this.#newest;
  }

  /**
   * Appends an event, and drops the oldest ones for which there is no room any more.
   *
   * @param text The event's JSON.
   * @param bytes Its length in UTF-8. More than {@link MAX_BUFFER_BYTES} drop it at once.
   */
  append(text: string, bytes: number): void {
    if (this.#newest - this.#dropped === MAX_EVENTS) this.#dropOldest();
    this.#newest++;
    this.#texts[this.#newest % MAX_EVENTS] = text;
    this.#sizes[this.#newest % MAX_EVENTS] = bytes;
    this.#bytes += bytes;
    while (this.#bytes > MAX_BUFFER_BYTES) this.#dropOldest();
  }

  /**
   * The oldest events after a place.
   *
   * @param after A cursor that was handed out, or 0 for the beginning.
   * @param limit Most events, from 1 to {@link MAX_EVENTS}.
   * @throws {Failure} `invalid_arguments` for a cursor that was never handed out
   */
  page(after: number, limit: number): BufferPage {
    if (!Number.isSafeInteger(after) || after < 0 || after > this.#newest) {
      throw new Failure(
        "invalid_arguments",
        `Cannot read events after ${JSON.stringify(String(after))}: this resource has issued no such cursor`,
        `Use the next_cursor of this resource's last answer, or omit after; its newest cursor is ${this.#newest}.`,
      );
    }
    const events: CursorEvent[] = [];
    let next = Math.max(after, this.#dropped);
    for (let cursor = Math.max(after, this.#dropped) + 1; cursor <= this.#newest && events.length < limit; cursor++) {
      events.push({ cursor: String(cursor), event: parseJson(this.#texts[cursor % MAX_EVENTS] ?? "null") });
      next = cursor;
    }
    return {
      events,
      next_cursor: String(next),
      oldest_cursor: this.#dropped < this.#newest ? String(this.#dropped + 1) : null,
      dropped_events: this.#dropped,
      gap: after < this.#dropped,
    };
  }

  #dropOldest(): void {
    const slot = ++this.#dropped % MAX_EVENTS;
    this.#bytes -= this.#sizes[slot] ?? 0;
    this.#texts[slot] = "";
  }
}
