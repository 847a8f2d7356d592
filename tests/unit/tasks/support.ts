/** What the tests of tasks share: a scope, records, and work that ends when it is told to. */
import { join } from "node:path";
import { encodeRecord, type TaskRecord } from "../../../lib/tasks/record.ts";
import type { TaskResult, TaskWork } from "../../../lib/tasks/running_task.ts";
import type { Scope } from "../../../lib/tasks/scope.ts";
import { TaskStore } from "../../../lib/tasks/store.ts";
import { newRecord } from "../../../lib/tasks/transitions.ts";

export const SCOPE: Scope = { mode: "write", endpoint: "http://127.0.0.1:3000/", token: "correct horse battery" };
export const ORIGIN = { action: "upload_file_stream", traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
/** A moment, in milliseconds since 1970. */
export const AT: number = Date.UTC(2026, 10, 30, 12);
export const SUCCESS: TaskResult = { result: { file_path: "/x" }, diagnostics: { outcome: "success" } };

/** Opens the store of a folder; disposing of it gives the lease back. */
export async function openStore(path: string, scope: Scope = SCOPE): Promise<TaskStore & Disposable> {
  const store = await TaskStore.open(path, scope);
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

/** A record that has just begun, with fields of one's own. */
export function makeRecord(fields: Partial<TaskRecord> = {}): TaskRecord {
  return { ...newRecord(ORIGIN, AT), ...fields };
}

/** Makes a folder that is bound and empty. */
export async function bindFolder(path: string): Promise<void> {
  using _store = await openStore(path);
}

/** Writes a private file. */
export async function plant(folder: string, name: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  await Deno.writeFile(join(folder, name), bytes, { mode });
  await Deno.chmod(join(folder, name), mode);
}

/** Writes a record as its own file. */
export async function plantRecord(folder: string, record: TaskRecord): Promise<void> {
  await plant(folder, `${record.taskId}.json`, encodeRecord(record));
}

/** Work that ends when the test says so. */
export interface Controlled {
  readonly work: TaskWork;
  readonly called: Promise<void>;
  readonly calls: number;
  readonly signal: AbortSignal;
  readonly report: (value: number, total?: number) => void;
  readonly finish: (result: TaskResult) => void;
  readonly fail: (error: unknown) => void;
}

/** Makes such work; when it is aborted, it goes on unless `onAbort` gives an error. */
export function controlled(onAbort?: () => unknown): Controlled {
  const { promise, resolve, reject } = Promise.withResolvers<TaskResult>();
  const called = Promise.withResolvers<void>();
  let given: Parameters<TaskWork> | undefined;
  let calls = 0;
  return {
    work: (...args) => {
      given = args;
      calls++;
      if (onAbort !== undefined) args[0].addEventListener("abort", () => reject(onAbort()));
      called.resolve();
      return promise;
    },
    called: called.promise,
    get calls() {
      return calls;
    },
    get signal() {
      return given?.[0] ?? AbortSignal.abort("not called");
    },
    report: (value, total) => given?.[1](value, total),
    finish: resolve,
    fail: reject,
  };
}
