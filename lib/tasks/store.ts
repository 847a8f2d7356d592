/**
 * The tasks of one folder, which belongs to one process and one configuration. Files are `<task id>.json`; in memory
 * there are only their summaries. What cannot be read is told and never touched.
 */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { isTempName, removeLeftOvers, replaceFile } from "./atomic_write.ts";
import { type Lease, LEASE_NAME, takeLease } from "./lease.ts";
import { readPrivate } from "./private_file.ts";
import { decodeRecord, encodeRecord, isTaskId, RecordFault, type TaskRecord } from "./record.ts";
import { bindScope, type Scope, SCOPE_NAME } from "./scope.ts";
import { reasonOf, storageFailure } from "./storage_failure.ts";
import { byAge, summarize, type TaskSummary } from "./summary.ts";
import { checkTaskFolder } from "./task_folder.ts";
import { interrupted } from "./transitions.ts";

/** Most files of a folder; beyond, no task is created. */
export const MAX_TASKS = 10_000;
/** Records that are read at once when a folder is opened: each may have 16 MiB. */
const READERS = 2;

/** A file that is no readable task. */
export interface UnreadableFile {
  readonly file: string;
  readonly reason: string;
}

/** The tasks of an open folder. */
export class TaskStore {
  readonly #folder: string;
  readonly #lease: Lease;
  readonly #summaries = new Map<string, TaskSummary>();
  readonly #unreadable = new Map<string, string>();
  /** Records that are being created. */
  #creating = 0;
  #closed = false;

  private constructor(folder: string, lease: Lease) {
    this.#folder = folder;
    this.#lease = lease;
  }

  /**
   * Takes the folder for this process, makes it if absent, and reads all records. Those that say `working` are of a
   * process that has ended, and are rewritten as failed with an unknown outcome; nothing is repeated.
   *
   * Needs `--allow-read` and `--allow-write` for the folder, and for what it leads to if it is a link.
   *
   * @param path Absolute.
   * @throws {Failure} `busy` when another process or configuration has the folder, `storage` when it cannot be used.
   */
  static async open(path: string, scope: Scope): Promise<TaskStore> {
    const folder = await checkTaskFolder(path);
    const store = new TaskStore(folder, await takeLease(folder));
    try {
      const names = await store.#names();
      await bindScope(folder, scope, names.some((name) => idOf(name) !== undefined));
      await removeLeftOvers(folder);
      await store.#loadAll(names);
      return store;
    } catch (error) {
      store.close();
      throw error;
    }
  }

  /** The files that are no readable tasks, by name. */
  get unreadable(): UnreadableFile[] {
    return [...this.#unreadable].map(([file, reason]) => ({ file, reason })).sort((a, b) => a.file < b.file ? -1 : 1);
  }

  /** All readable tasks, newest first. */
  list(): TaskSummary[] {
    return [...this.#summaries.values()].sort(byAge);
  }

  /**
   * One task; `undefined` if there is none of that id.
   *
   * @throws {Failure} `storage` if its file was found unreadable.
   */
  summary(taskId: string): TaskSummary | undefined {
    const reason = isTaskId(taskId) ? this.#unreadable.get(`${taskId}.json`) : undefined;
    if (reason !== undefined) throw storageFailure("read", `${taskId}.json`, new RecordFault(reason));
    return this.#summaries.get(taskId);
  }

  /**
   * Reads one task from disk and validates it again; `undefined` if there is none of that id.
   *
   * @throws {Failure} `storage`
   */
  async read(taskId: string): Promise<TaskRecord | undefined> {
    if (this.summary(taskId) === undefined) return undefined;
    const path = this.#pathOf(taskId);
    await this.#lease.check();
    try {
      return decodeRecord(await readPrivate(path), taskId);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound && !this.#closed) {
        await this.#lease.check(); // or the whole folder is gone, since just now
        this.#summaries.delete(taskId); // the operator has deleted it
        return undefined;
      }
      throw storageFailure("read", path, error);
    }
  }

  /**
   * Adds a task. Resolves when it is durable.
   *
   * @throws {Failure} `storage`, also at {@link MAX_TASKS} files; then there is no such task.
   */
  async create(record: TaskRecord): Promise<void> {
    const files = this.#summaries.size + this.#unreadable.size + this.#creating;
    if (files >= MAX_TASKS) {
      throw new Failure(
        "storage",
        `Cannot keep another task: the task folder has ${files} files`,
        "Ask the operator to stop the server and move old tasks elsewhere, or to choose a new private folder in " +
          "SNOWLUMA_MCP_TASK_DIR.",
      );
    }
    this.#creating++;
    try {
      await this.#write(record);
    } catch (error) {
      // its name may be there, though not durably: a later start would tell of work that never began
      if (!this.#closed) await Deno.remove(this.#pathOf(record.taskId)).catch(() => {});
      throw error;
    } finally {
      this.#creating--;
    }
  }

  /**
   * Puts a record in the place of the one with its id. Resolves when it is durable.
   *
   * @throws {Failure} `storage`; the old record may still be there.
   */
  async replace(record: TaskRecord): Promise<void> {
    await this.#write(record);
  }

  /** Gives the folder back. Nothing is written afterwards. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#lease[Symbol.dispose]();
  }

  async #write(record: TaskRecord): Promise<void> {
    const path = this.#pathOf(record.taskId);
    if (this.#closed) throw storageFailure("write", path, new RecordFault("the task folder was given back"));
    let bytes: Uint8Array;
    try {
      bytes = encodeRecord(record);
    } catch (error) {
      throw storageFailure("write", path, error);
    }
    await this.#lease.check();
    await replaceFile(path, bytes);
    this.#summaries.set(record.taskId, summarize(record));
  }

  async #names(): Promise<string[]> {
    try {
      const names = await Array.fromAsync(Deno.readDir(this.#folder), ({ name }) => name);
      return names.filter((name) => name !== LEASE_NAME && name !== SCOPE_NAME && !isTempName(name));
    } catch (error) {
      throw storageFailure("list", this.#folder, error);
    }
  }

  async #loadAll(names: readonly string[]): Promise<void> {
    const queue = names.values(); // one iterator for all readers
    const reader = async () => {
      for (const name of queue) await this.#load(name);
    };
    // all have to be done before the lease may go
    for (const read of await Promise.allSettled(Array.from({ length: READERS }, reader))) {
      if (read.status === "rejected") throw read.reason;
    }
  }

  async #load(name: string): Promise<void> {
    let record: TaskRecord;
    try {
      const taskId = idOf(name);
      if (taskId === undefined) throw new RecordFault("its name is not <task id>.json");
      record = decodeRecord(await readPrivate(this.#pathOf(taskId)), taskId);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) this.#unreadable.set(name, reasonOf(error));
      return;
    }
    if (record.status !== "working") {
      this.#summaries.set(record.taskId, summarize(record));
      return;
    }
    try {
      await this.#write(interrupted(record, "restart", Date.now()));
    } catch (error) { // the others stay readable; the next start tries again
      this.#unreadable.set(name, `it was left unfinished, and its end cannot be written: ${reasonOf(error)}`);
    }
  }

  #pathOf(taskId: string): string {
    return join(this.#folder, `${taskId}.json`);
  }
}

function idOf(name: string): string | undefined {
  const taskId = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
  return isTaskId(taskId) ? taskId : undefined;
}
