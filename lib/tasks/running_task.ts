/** One task while it works, and until its end is on disk. */
import { Failure } from "../errors.ts";
import type { Diagnostics } from "../outcome.ts";
import { encodeRecord, MAX_RECORD_BYTES, type TaskRecord } from "./record.ts";
import type { TaskStore } from "./store.ts";
import {
  broken,
  cancelledWith,
  cancelRequested,
  completed,
  interrupted,
  tooLarge,
  withProgress,
} from "./transitions.ts";

/** Least time between two writes of progress, in milliseconds. */
const PROGRESS_WRITE_MS = 1000;

/** What work gives. */
export interface TaskResult {
  readonly result: unknown;
  readonly diagnostics: Diagnostics;
}

/**
 * The work of a task: one call, which rejects with a {@link Failure} when it did not come through.
 *
 * @param signal Aborts when the task is cancelled or the server ends.
 * @param onProgress Takes bytes or frames so far and, where it is known, in all.
 */
export type TaskWork = (
  signal: AbortSignal,
  onProgress: (value: number, total?: number) => void,
) => Promise<TaskResult>;

/** A task and its record, of which the newest state is in memory and the last but one may be on disk. */
export class RunningTask {
  readonly #store: TaskStore;
  readonly #now: () => number;
  readonly #stop = new AbortController();
  #record: TaskRecord;
  /** What is to be on disk, and what is. */
  #wanted: TaskRecord;
  #saved: TaskRecord | undefined;
  #writing: Promise<void> | undefined;
  #writtenAt = -Infinity;
  #begun = false;
  #cancelled = false;
  #closing = false;
  #defect: unknown;

  /**
   * @param record A new one.
   * @param now The time, in milliseconds since 1970.
   * @param onUnsaved Told of progress that could not be written.
   */
  constructor(record: TaskRecord, store: TaskStore, now: () => number, readonly onUnsaved: (fault: unknown) => void) {
    this.#record = record;
    this.#wanted = record;
    this.#store = store;
    this.#now = now;
  }

  /** The newest state; not for others to see once it is an end that {@link isSaved} does not confirm. */
  get record(): TaskRecord {
    return this.#record;
  }

  /** Whether it has ended, on disk or not. */
  get hasEnded(): boolean {
    return this.#record.status !== "working";
  }

  /** Whether the newest state that has to be on disk is there. */
  get isSaved(): boolean {
    return this.#saved === this.#wanted;
  }

  /** What the work rejected with, if that was no {@link Failure}. */
  get defect(): unknown {
    return this.#defect;
  }

  /**
   * Brings what has to be on disk there; one write after the other, the newest state last.
   *
   * @throws {Failure} `storage`. Another call tries again.
   */
  async save(): Promise<void> {
    while (!this.isSaved) {
      if (this.#writing === undefined) await (this.#writing = this.#write());
      else await this.#writing.catch(() => {}); // whoever began it is told
    }
  }

  /** Does the work, to whatever end; the record tells. Never rejects, and does not save. */
  async run(work: TaskWork): Promise<void> {
    this.#begun = true;
    try {
      const { result, diagnostics } = await work(this.#stop.signal, this.#report);
      this.#answer({ result: result ?? null, diagnostics }, false);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Asks the work to stop; it may come to its end all the same. */
  cancel(): void {
    if (this.hasEnded || this.#cancelled) return;
    this.#cancelled = true;
    this.#record = cancelRequested(this.#record, this.#now());
    this.#stop.abort();
  }

  /** The same, because the server ends. */
  abort(): void {
    this.#closing = true;
    this.#stop.abort();
  }

  /** Gives up on work that has not ended. What it comes to later does not count any more. */
  interrupt(): void {
    const at = this.#now();
    this.#end(this.#begun ? interrupted(this.#record, "closed", at) : cancelledWith(this.#record, "failed", at));
  }

  readonly #report = (value: number, total?: number): void => {
    if (this.hasEnded) return;
    const now = this.#now();
    this.#record = withProgress(this.#record, value, total, now);
    const early = Math.abs(now - this.#writtenAt) < PROGRESS_WRITE_MS; // clocks may go back
    if (early || this.#writing !== undefined || this.#record === this.#wanted) return;
    this.#wanted = this.#record;
    this.save().catch(this.onUnsaved);
  };

  #answer(structuredContent: TaskResult, isError: boolean): void {
    const ended = completed(this.#record, { isError, structuredContent }, this.#now());
    try {
      encodeRecord(ended);
      this.#end(ended);
    } catch {
      this.#end(tooLarge(this.#record, structuredContent.diagnostics.outcome, MAX_RECORD_BYTES, this.#now()));
    }
  }

  #fail(error: unknown): void {
    const at = this.#now();
    if (error instanceof Failure) {
      const { kind, message, nextStep, outcome } = error;
      if (kind !== "cancelled" || !this.#stop.signal.aborted) {
        this.#answer({ result: null, diagnostics: { outcome, kind, message, next_step: nextStep } }, true);
      } else if (this.#cancelled) this.#end(cancelledWith(this.#record, outcome, at));
      else this.interrupt();
    } else if (this.#closing) this.interrupt();
    else {
      this.#defect = error;
      this.#end(broken(this.#record, at));
    }
  }

  #end(record: TaskRecord): void {
    if (this.hasEnded) return;
    this.#record = record;
    this.#wanted = record;
  }

  async #write(): Promise<void> {
    const record = this.#wanted;
    this.#writtenAt = this.#now();
    try {
      await (this.#saved === undefined ? this.#store.create(record) : this.#store.replace(record));
      this.#saved = record;
    } finally {
      this.#writing = undefined;
    }
  }
}
