/**
 * Durable tasks: work that goes on after the call that started it, and whose end is kept. The record is on disk before
 * the work starts. Nothing is ever repeated.
 */
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import { MAX_RUNNING_TASKS } from "../policy/gate.ts";
import type { TaskRecord } from "./record.ts";
import { RunningTask, type TaskWork } from "./running_task.ts";
import type { TaskStore, UnreadableFile } from "./store.ts";
import { summarize, type TaskSummary } from "./summary.ts";
import { pageOfTasks, type TaskPage, type TaskPageRequest } from "./task_page.ts";
import { newRecord, type TaskOrigin } from "./transitions.ts";

/** Most unreadable files that a list names. */
const MAX_NAMED_FILES = 100;

/** A task as those see it who started it or list it. */
export type TaskView = TaskSummary;

/** A page of tasks, and the files that are none. */
export interface TaskList extends TaskPage {
  readonly unreadable: readonly UnreadableFile[];
  /** How many there are; present when not all are named. */
  readonly unreadableCount?: number;
}

/** What the runner may be given. */
export interface RunnerOptions {
  /** The time, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Gets a line for each end, and for what could not be written. */
  readonly log?: Log;
}

/** Runs tasks, and tells about those of the past. */
export class TaskRunner {
  readonly #store: TaskStore;
  readonly #now: () => number;
  readonly #log: Log;
  /** Tasks that are begun, or whose end is not on disk yet. */
  readonly #tasks = new Map<string, RunningTask>();
  /** Work under way, with the writing of its end; none rejects. */
  readonly #working = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  /** @param store Open; it is closed by {@link shutdown}. */
  constructor(store: TaskStore, { now = Date.now, log = () => {} }: RunnerOptions = {}) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
  }

  /**
   * Starts a task, and does not wait for its end.
   *
   * @throws {Failure} `busy` when {@link MAX_RUNNING_TASKS} run, `storage` when the record cannot be written,
   * `cancelled` when the server ends. Then the work has not been called.
   */
  async start(origin: TaskOrigin, work: TaskWork): Promise<TaskView> {
    const { action } = origin;
    if (this.#closed !== undefined) throw closing(action);
    if (this.#tasks.size >= MAX_RUNNING_TASKS) await this.#settleAll(); // an end that can be written frees its place
    if (this.#tasks.size >= MAX_RUNNING_TASKS) {
      throw new Failure(
        "busy",
        `Cannot start ${action} as a task: ${MAX_RUNNING_TASKS} tasks run already, or have ends that cannot be written`,
        "Nothing was sent. Wait until one has ended, or cancel one, then call again.",
      );
    }
    if (this.#closed !== undefined) throw closing(action);
    const record = newRecord(origin, this.#now());
    const { taskId } = record;
    const task = new RunningTask(record, this.#store, this.#now, (fault) => this.#unsaved(task, fault));
    this.#tasks.set(taskId, task);
    try {
      await task.save();
    } catch (error) {
      this.#tasks.delete(taskId);
      throw error;
    }
    if (this.#closed !== undefined) throw closing(action); // it is recorded there as cancelled
    const working = task.run(work).then(() => this.#settle(task)).catch((fault) => this.#unsaved(task, fault));
    this.#working.add(working);
    working.finally(() => this.#working.delete(working));
    return summarize(record);
  }

  /**
   * One task, as it is now; `undefined` for an unknown id. An end is told only when it is on disk.
   *
   * @throws {Failure} `storage` when its record cannot be read, or its end still not be written.
   */
  async get(taskId: string): Promise<TaskRecord | undefined> {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return await this.#store.read(taskId);
    if (task.hasEnded) await this.#settle(task);
    return task.record;
  }

  /**
   * Asks a task to stop; one that has ended stays as it is.
   *
   * @returns Whether there is a task of that id.
   * @throws {Failure} `storage` when its record cannot be read.
   */
  // deno-lint-ignore require-await -- a failure has to be a rejection
  async cancel(taskId: string): Promise<boolean> {
    const task = this.#tasks.get(taskId);
    task?.cancel();
    return task !== undefined || this.#store.summary(taskId) !== undefined;
  }

  /**
   * A page of tasks, newest first.
   *
   * @throws {Failure} `invalid_arguments` for a cursor that is not ours, or a limit beyond the bounds.
   */
  list(request: TaskPageRequest = {}): TaskList {
    const { unreadable } = this.#store;
    const page = pageOfTasks(this.#store.list(), request);
    return {
      ...page,
      tasks: page.tasks.map((task) => {
        const running = this.#tasks.get(task.taskId);
        return running === undefined || running.hasEnded ? task : summarize(running.record);
      }),
      unreadable: unreadable.slice(0, MAX_NAMED_FILES),
      ...(unreadable.length > MAX_NAMED_FILES && { unreadableCount: unreadable.length }),
    };
  }

  /**
   * Ends all: refuses new tasks, aborts those that run, waits, records those that still run as failed with an unknown
   * outcome, and gives the folder back. Never rejects; what cannot be written any more is told as unfinished at the
   * next start.
   *
   * @param ms Longest wait for the work to end, in milliseconds.
   */
  shutdown(ms: number): Promise<void> {
    return this.#closed ??= this.#shutDown(ms);
  }

  async #shutDown(ms: number): Promise<void> {
    for (const task of this.#tasks.values()) task.abort();
    await within(ms, Promise.all(this.#working));
    await Promise.all([...this.#tasks.values()].map(async (task) => {
      task.interrupt();
      await this.#settle(task).catch((fault) => this.#unsaved(task, fault));
    }));
    this.#store.close();
  }

  async #settleAll(): Promise<void> {
    const ended = [...this.#tasks.values()].filter(({ hasEnded }) => hasEnded);
    await Promise.allSettled(ended.map((task) => this.#settle(task)));
  }

  /** Writes the end of a task that has ended; then its place is free. @throws {Failure} `storage` */
  async #settle(task: RunningTask): Promise<void> {
    await task.save();
    const { record } = task;
    if (!this.#tasks.delete(record.taskId)) return; // somebody else was faster
    const { taskId, action, status, traceparent, answer } = record;
    const { outcome, kind } = answer?.structuredContent.diagnostics ?? {};
    const inDoubt = status === "failed" || outcome === "unknown";
    this.#log(inDoubt ? "warn" : "info", "task", { task: taskId, action, traceparent, status, outcome, kind });
    if (task.defect !== undefined) this.#log("error", `Defect in the task ${taskId}: ${describe(task.defect)}`);
  }

  #unsaved({ record: { taskId } }: RunningTask, fault: unknown): void {
    this.#log("error", describe(fault), { task: taskId });
  }
}

function closing(action: string): Failure {
  const message = `Cannot start ${action} as a task: the server is shutting down`;
  return new Failure("cancelled", message, "Nothing was sent. Call again when the server runs again.");
}

function describe(error: unknown): string {
  if (error instanceof Failure) return error.message;
  return error instanceof Error ? error.stack ?? error.message : String(error);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => timer = setTimeout(resolve, ms))]);
  clearTimeout(timer);
}
