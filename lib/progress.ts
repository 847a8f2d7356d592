/** Least time between two notifications, in milliseconds. */
export const PROGRESS_INTERVAL_MS = 250;

/** Delivers one notification; resolves when it is out. */
export type Notify = (progress: number, total?: number) => Promise<void>;

/**
 * The progress of one call: strictly increasing values, at most one each {@link PROGRESS_INTERVAL_MS}, and at most one
 * on its way. What comes too early replaces what waits, and leaves with a later report or at the end: no timers.
 * Nothing is sent after the signal has aborted.
 */
export class Progress {
  readonly #notify: Notify;
  readonly #signal: AbortSignal;
  readonly #now: () => number;
  #newest = 0;
  #pending: Parameters<Notify> | undefined;
  #delivery: Promise<void> | undefined;
  #startedAt = -Infinity;
  #ended = false;
  #failed = false;

  /**
   * @param notify Its failure ends progress, and nothing else.
   * @param signal The call's.
   * @param now A clock that never goes back, in milliseconds.
   */
  constructor(notify: Notify, signal: AbortSignal, now: () => number = () => performance.now()) {
    this.#notify = notify;
    this.#signal = signal;
    this.#now = now;
  }

  /** Whether a delivery failed. None is tried after it. */
  get failed(): boolean {
    return this.#failed;
  }

  /**
   * Reports a value. Never throws, never waits; can be handed on as a callback.
   *
   * @param value Counts if finite and greater than every one before, the first greater than 0.
   * @param total Passed on if finite and positive.
   */
  readonly report = (value: number, total?: number): void => {
    if (this.#ended || this.#failed || this.#signal.aborted) return;
    if (!Number.isFinite(value) || value <= this.#newest) return;
    this.#newest = value;
    this.#pending = total !== undefined && Number.isFinite(total) && total > 0 ? [value, total] : [value];
    if (this.#delivery === undefined && this.#now() - this.#startedAt >= PROGRESS_INTERVAL_MS) this.#send();
  };

  /**
   * Sends what is pending, without regard to the interval, and waits until all is out or the signal aborts. To be
   * called before a successful answer; reports that come later are dropped. Never rejects.
   */
  async finish(): Promise<void> {
    this.#ended = true;
    while (!this.#signal.aborted) {
      if (this.#delivery !== undefined) await settledOrAborted(this.#delivery, this.#signal);
      else if (this.#pending !== undefined) this.#send();
      else return;
    }
  }

  /** Ends without sending what is pending: before the answer of a call that failed. */
  stop(): void {
    this.#ended = true;
    this.#pending = undefined;
  }

  #send(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    this.#startedAt = this.#now();
    this.#delivery = this.#deliver(pending).finally(() => this.#delivery = undefined);
  }

  /** Never rejects. */
  async #deliver(pending: Parameters<Notify>): Promise<void> {
    try {
      await this.#notify(...pending);
    } catch {
      this.#failed = true;
      this.#pending = undefined;
    }
  }
}

/** Waits for work that never rejects, but not beyond the signal: a client that reads nothing would hold it for ever. */
async function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = (): void => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  await Promise.race([work, aborted.promise]);
  signal.removeEventListener("abort", abort);
}
