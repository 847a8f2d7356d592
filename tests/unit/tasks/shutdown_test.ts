import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Failure } from "../../../lib/errors.ts";
import { TaskRunner } from "../../../lib/tasks/runner.ts";
import type { TaskRecord } from "../../../lib/tasks/record.ts";
import { verifies } from "../../requirements.ts";
import { tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { controlled, openStore, ORIGIN, SUCCESS } from "./support.ts";

/** What the next process finds of a task. */
async function later(path: string, taskId: string): Promise<TaskRecord | undefined> {
  using store = await openStore(path);
  return await store.read(taskId);
}

function aborted(outcome: "failed" | "unknown"): Failure {
  return new Failure("cancelled", "Cannot call it: it was cancelled", "Call it again.", { outcome });
}

Deno.test("TaskRunner.shutdown() aborts what runs and records it as failed with an unknown outcome", async () => {
  verifies("tasks-closed");
  await using temp = await tempFolder();
  const levels: string[] = [];
  const runner = new TaskRunner(await openStore(temp.path), { log: (level) => levels.push(level) });
  const calls = [
    controlled(() => aborted("unknown")),
    controlled(() => new DOMException("aborted", "AbortError")),
    controlled(), // does not care
  ];
  const views = await Promise.all(calls.map(({ work }) => runner.start(ORIGIN, work)));
  await runner.shutdown(50);
  for (const [n, { taskId }] of views.entries()) {
    strictEqual(calls[n]?.signal.aborted, true);
    const { status, error, answer } = await later(temp.path, taskId) ?? {};
    deepStrictEqual([status, error?.code, answer], ["failed", -32603, undefined]);
    match(error?.message ?? "", /^The client left, or the server was stopped, while .* outcome is UNKNOWN/);
  }
  calls[2]?.finish(SUCCESS); // too late, and the folder may be another process's by now
  await new Promise((resolve) => setTimeout(resolve, 20));
  strictEqual((await later(temp.path, views[2]?.taskId ?? ""))?.status, "failed");
  deepStrictEqual(levels, ["warn", "warn", "warn"]);
});

Deno.test("TaskRunner.shutdown() keeps completions that win, and cancellations that were asked for", async () => {
  verifies("tasks-closed", "tasks-cancel");
  await using temp = await tempFolder();
  const runner = new TaskRunner(await openStore(temp.path));
  const [winner, refused, cancelled] = [
    controlled(),
    controlled(() => new Failure("action_failed", "upload_file_stream failed: retcode 1", "Read it.")),
    controlled(),
  ];
  const ids = [];
  for (const { work } of [winner, refused, cancelled]) ids.push((await runner.start(ORIGIN, work)).taskId);
  await runner.cancel(ids[2] ?? "");
  const closed = runner.shutdown(5000);
  winner.finish(SUCCESS);
  cancelled.fail(aborted("unknown"));
  await closed;
  const records = [];
  for (const id of ids) records.push(await later(temp.path, id));
  deepStrictEqual(records.map((record) => record?.status), ["completed", "completed", "cancelled"]);
  deepStrictEqual(records[0]?.answer?.structuredContent, SUCCESS);
  strictEqual(records[1]?.answer?.structuredContent.diagnostics.kind, "action_failed");
});

Deno.test("TaskRunner.shutdown() writes an end that could not be written before", async () => {
  verifies("tasks-closed", "tasks-cancel");
  await using temp = await tempFolder();
  const failed = Promise.withResolvers<void>();
  const log = (level: string) => level === "error" && failed.resolve();
  const runner = new TaskRunner(await openStore(temp.path), { log });
  const call = controlled();
  const { taskId } = await runner.start(ORIGIN, call.work);
  const file = join(temp.path, `${taskId}.json`);
  await Deno.remove(file);
  await Deno.mkdir(join(file, "below"), { recursive: true }); // nothing can be renamed over it
  call.finish(SUCCESS);
  await failed.promise;
  await Deno.remove(file, { recursive: true });
  await runner.shutdown(50);
  const { status, answer } = await later(temp.path, taskId) ?? {};
  deepStrictEqual([status, answer?.structuredContent], ["completed", SUCCESS]);
});

Deno.test("TaskRunner.shutdown() waits no longer than it may, whatever the work does", async () => {
  verifies("tasks-closed");
  await using temp = await tempFolder();
  const runner = new TaskRunner(await openStore(temp.path));
  await runner.start(ORIGIN, () => new Promise(() => {}));
  const start = performance.now();
  await runner.shutdown(100);
  const ms = performance.now() - start;
  ok(ms >= 95 && ms < 1500, `${ms} ms`);
});

Deno.test("TaskRunner.shutdown() refuses new tasks, gives the folder back, and may be called twice", async () => {
  verifies("tasks-closed", "tasks-lease");
  await using temp = await tempFolder();
  const runner = new TaskRunner(await openStore(temp.path));
  const call = controlled();
  await Promise.all([runner.shutdown(50), runner.shutdown(50)]);
  const { kind, message } = await failureOf(() => runner.start(ORIGIN, call.work));
  deepStrictEqual([kind, call.calls], ["cancelled", 0]);
  match(message, /the server is shutting down$/);
  using store = await openStore(temp.path);
  deepStrictEqual(store.list(), []);
});

Deno.test("TaskRunner.shutdown() lets no task begin that was just being started", async () => {
  verifies("tasks-closed", "tasks-first");
  await using temp = await tempFolder();
  const runner = new TaskRunner(await openStore(temp.path));
  const call = controlled();
  const starting = failureOf(() => runner.start(ORIGIN, call.work));
  await runner.shutdown(50);
  strictEqual((await starting).kind, "cancelled");
  strictEqual(call.calls, 0);
  using store = await openStore(temp.path);
  const [task] = store.list();
  deepStrictEqual([task?.status, store.list().length], ["cancelled", 1]);
  match(task?.statusMessage ?? "", /it changed nothing at the bot\.$/);
});

Deno.test("TaskRunner.shutdown() ends also when an end cannot be written, and the next start tells it", async () => {
  verifies("tasks-closed", "tasks-restart");
  await using temp = await tempFolder();
  const lines: string[] = [];
  const runner = new TaskRunner(await openStore(temp.path), { log: (level) => lines.push(level) });
  const { taskId } = await runner.start(ORIGIN, () => new Promise(() => {}));
  const file = join(temp.path, `${taskId}.json`);
  const text = await Deno.readTextFile(file);
  await Deno.remove(file);
  await Deno.mkdir(join(file, "below"), { recursive: true });
  await runner.shutdown(10);
  deepStrictEqual(lines, ["error"]);
  await Deno.remove(file, { recursive: true });
  await Deno.writeTextFile(file, text, { mode: 0o600 });
  match((await later(temp.path, taskId))?.error?.message ?? "", /^The server ended while/);
});
