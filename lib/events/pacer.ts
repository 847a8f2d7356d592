/** Least time between two updates of one resource, in milliseconds. */
export const UPDATE_INTERVAL_MS = 100;

/**
 * Tells that something has changed: at once, then at most once each {@link UPDATE_INTERVAL_MS} and one at a time. What
 * changes in between, or could not be delivered, is told at the end of an interval, so that no change goes untold.
 */
export class UpdatePacer {
  readonly #tell: () => Promise<void>;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #onItsWay = false;
  #changed = false;
  #failed = false;
  #stopped = false;

  /** @param tell Delivers one update; whatever it throws or rejects with counts as not delivered. */
  constructor(tell: () => Promise<void>) {
    this.#tell = tell;
  }

  /** Whether the newest update could not be delivered, and waits for its next chance. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Something has changed. Never throws, never waits. */
  changed(): void {
    this.#changed = true;
    this.#next();
  }

  /** Tells nothing any more. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#resting);
  }

  #next(): void {
    if (this.#stopped || !this.#changed || this.#onItsWay || this.#resting !== undefined) return;
    this.#changed = false;
    this.#onItsWay = true;
    this.#resting = setTimeout(() => {
      this.#resting = undefined;
      this.#next();
    }, UPDATE_INTERVAL_MS);
    this.#deliver();
  }

  async #deliver(): Promise<void> {
    try {
      await this.#tell();
      this.#failed = false;
    } catch {
      this.#failed = true;
      this.#changed = true;
    }
    this.#onItsWay = false;
    this.#next();
  }
}
