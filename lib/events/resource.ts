/** What one subscription has: its filter, its buffer, those who wait for it, and its updates. */
import { Failure } from "../errors.ts";
import { type BufferPage, EventBuffer, MAX_EVENTS } from "./buffer.ts";
import { newEventUri } from "./event_uri.ts";
import type { EventFilter } from "./filter.ts";
import type { EventLink } from "./link.ts";
import { UpdatePacer } from "./pacer.ts";

/** Where to read, and how much. */
export interface ReadOptions {
  /** The cursor after which to read; from the beginning unless given. */
  readonly after?: number | undefined;
  /** Most events, from 1 to {@link MAX_EVENTS}, which it is unless given. */
  readonly limit?: number | undefined;
}

/** A subscription, until it is released. */
export class EventResource {
  readonly uri: string = newEventUri();
  readonly filter: EventFilter;
  /** Where its events come from, for as long as it lives. */
  readonly link: EventLink;
  readonly #buffer = new EventBuffer();
  readonly #waiting = new Set<PromiseWithResolvers<void>>();
  readonly #pacer: UpdatePacer;
  #announced = false;

  /** @param tell Delivers an update about this resource. */
  constructor(filter: EventFilter, link: EventLink, tell: (uri: string) => Promise<void>) {
    this.filter = filter;
    this.link = link;
    this.#pacer = new UpdatePacer(() => tell(this.uri));
  }

  /** Whether anybody knows of it: its connection stands, and its address is given out. */
  get announced(): boolean {
    return this.#announced;
  }

  /** Whether an update could not be delivered. */
  get notificationFailed(): boolean {
    return this.#pacer.failed;
  }

  /** Its address is given out; updates begin, with what has come already. */
  announce(): void {
    this.#announced = true;
    if (this.#buffer.newest > 0) this.#pacer.changed();
  }

  /** Keeps an event. @param text Its JSON. @param bytes Length of that in UTF-8. */
  append(text: string, bytes: number): void {
    this.#buffer.append(text, bytes);
    this.changed();
  }

  /** Wakes whoever waits, and tells of the change: a new event, or another status. */
  changed(): void {
    for (const { resolve } of this.#waiting) resolve();
    if (this.#announced) this.#pacer.changed();
  }

  /** Reads what there is. @throws {Failure} `invalid_arguments` */
  read({ after = 0, limit = MAX_EVENTS }: ReadOptions): BufferPage {
    return this.#buffer.page(after, limit);
  }

  /**
   * Waits for the next change, or until the time is over.
   *
   * @throws {Failure} `cancelled` when the signal aborts or the resource is released
   */
  async nextChange(waitMs: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled("the call was cancelled");
    const change = Promise.withResolvers<void>();
    const abort = (): void => change.reject(cancelled("the call was cancelled"));
    const timer = setTimeout(change.resolve, waitMs);
    signal.addEventListener("abort", abort, { once: true });
    this.#waiting.add(change);
    try {
      await change.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      this.#waiting.delete(change);
    }
  }

  /** Ends waits and updates. */
  release(): void {
    for (const { reject } of this.#waiting) reject(cancelled("the resource was released meanwhile"));
    this.#pacer.stop();
  }
}

function cancelled(why: string): Failure {
  return new Failure("cancelled", `Cannot wait for events: ${why}`, "Subscribe or read again if still wanted.");
}
