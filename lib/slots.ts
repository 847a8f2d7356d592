/** Why a wait for a place ended without one. */
export class NoPlace extends Error {
  override readonly name = "NoPlace";

  /** @param why The queue was full, the wait took too long, the signal aborted, or the slots were closed. */
  constructor(readonly why: "full" | "late" | "aborted" | "closed") {
    super(why);
  }
}

/**
 * A bounded number of places for work that runs at once, and a bounded queue before them, first come first
 * served.
 */
export class Slots {
  #free: number;
  #closed = false;
  readonly #waiting = new Set<PromiseWithResolvers<void>>();

  /**
   * @param size How many may run at once.
   * @param queueSize How many more may wait; the next one is turned away.
   */
  constructor(size: number, readonly queueSize: number) {
    this.#free = size;
  }

  /**
   * Waits for a place. Dispose of what is returned to give it back.
   *
   * @param limitMs Longest wait, in milliseconds.
   * @throws {NoPlace}
   */
  async take(signal: AbortSignal, limitMs: number): Promise<Disposable> {
    if (signal.aborted) throw new NoPlace("aborted");
    if (this.#closed) throw new NoPlace("closed");
    if (this.#free > 0) this.#free--;
    else if (this.#waiting.size >= this.queueSize) throw new NoPlace("full");
    else await this.#queue(signal, limitMs);
    return { [Symbol.dispose]: () => this.#release() };
  }

  /** Turns away all who wait, and all who come. Who has a place keeps it. */
  close(): void {
    this.#closed = true;
    for (const { reject } of this.#waiting) reject(new NoPlace("closed"));
    this.#waiting.clear();
  }

  async #queue(signal: AbortSignal, limitMs: number): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const abort = (): void => turn.reject(new NoPlace("aborted"));
    const timer = setTimeout(() => turn.reject(new NoPlace("late")), limitMs);
    signal.addEventListener("abort", abort, { once: true });
    this.#waiting.add(turn);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      this.#waiting.delete(turn);
    }
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next.resolve(); // the place goes from hand to hand
  }
}
