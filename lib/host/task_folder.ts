/** A task folder that several servers of one process work with. */
import type { Config } from "../config/resolve.ts";
import { UsageError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { TaskRunner } from "../tasks/runner.ts";

/** Aborted tasks get this long to end when their folder is closed, in milliseconds. */
const ABORTED_MS = 500;

let runnerOf: (folder: TaskFolder) => TaskRunner;

/**
 * The open folder of background tasks. One process at a time has it, and a server that is not given one opens it for
 * itself alone: servers of one process that are to share a folder are given the same object.
 */
export class TaskFolder implements AsyncDisposable {
  readonly #runner: TaskRunner;

  static {
    runnerOf = (folder) => folder.#runner;
  }

  private constructor(runner: TaskRunner) {
    this.#runner = runner;
  }

  /**
   * Takes the folder for this process and makes it if absent, for this user alone. Tasks that an ended process left
   * unfinished are recorded as failed with an unknown outcome; nothing is repeated.
   *
   * Needs `--allow-read` and `--allow-write` for the folder.
   *
   * @param config `taskDir` is the folder; it stays bound to the endpoint, the token and the mode it was first used with.
   * @param log Gets a line for each task that ends, and for each file that cannot be read.
   * @throws {UsageError} when no folder is set.
   * @throws {Failure} `busy` when another process or configuration has the folder, `storage` when it cannot be used.
   */
  static async open(config: Config, log: Log = () => {}): Promise<TaskFolder> {
    if (config.taskDir === undefined) throw new UsageError("Cannot open the task folder: none is set");
    const { openTasks } = await import("./open_tasks.ts");
    return new TaskFolder(await openTasks(config, log));
  }

  /** Aborts what runs, records how it ended, and gives the folder back; takes about 500 ms at most. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner.shutdown(ABORTED_MS);
  }
}

export { runnerOf };
