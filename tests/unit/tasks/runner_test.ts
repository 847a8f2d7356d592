import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Failure } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { MAX_RUNNING_TASKS } from "../../../lib/policy/gate.ts";
import { decodeRecord, MAX_RECORD_BYTES, type TaskRecord } from "../../../lib/tasks/record.ts";
import { type RunnerOptions, TaskRunner } from "../../../lib/tasks/runner.ts";
import type { TaskStore } from "../../../lib/tasks/store.ts";
import { verifies } from "../../requirements.ts";
import { list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { AT, controlled, openStore, ORIGIN, SUCCESS } from "./support.ts";

/** A runner on a folder of its own. */
interface Fixture extends AsyncDisposable {
  readonly path: string;
  readonly store: TaskStore;
  readonly runner: TaskRunner;
  /** The record as it is on disk. */
  onDisk(taskId: string): Promise<TaskRecord>;
  /** The task at its end. */
  ended(taskId: string): Promise<TaskRecord>;
}

async function fixture(options: RunnerOptions = {}): Promise<Fixture> {
  const temp = await tempFolder();
  const store = await openStore(temp.path);
  const settled = new Map<string, PromiseWithResolvers<void>>();
  const end = (taskId: string) => settled.getOrInsertComputed(taskId, () => Promise.withResolvers<void>());
  const log: Log = (level, message, fields) => {
    options.log?.(level, message, fields);
    if (message === "task") end(String(fields?.["task"])).resolve(); // the line that tells of its end
  };
  const runner = new TaskRunner(store, { ...options, log });
  return {
    path: temp.path,
    store,
    runner,
    onDisk: async (taskId) => decodeRecord(await Deno.readTextFile(join(temp.path, `${taskId}.json`)), taskId),
    ended: async (taskId) => {
      await end(taskId).promise;
      const record = await runner.get(taskId);
      ok(record !== undefined);
      return record;
    },
    [Symbol.asyncDispose]: async () => {
      await runner.shutdown(0);
      await temp[Symbol.asyncDispose]();
    },
  };
}

function cancelledFailure(outcome: "failed" | "unknown"): Failure {
  return new Failure("cancelled", "Cannot call it: it was cancelled", "Call it again.", { outcome });
}

/** Makes the next writes of a task's record fail, as nothing can be renamed over a folder. */
async function obstruct(path: string, taskId: string): Promise<() => Promise<void>> {
  const file = join(path, `${taskId}.json`);
  await Deno.rename(file, join(path, "aside"));
  await Deno.mkdir(join(file, "below"), { recursive: true });
  return async () => {
    await Deno.remove(file, { recursive: true });
    await Deno.rename(join(path, "aside"), file);
  };
}

Deno.test("TaskRunner.start() has the record on disk and synced before it calls the work", async () => {
  verifies("tasks-first");
  const { sync } = Deno.FsFile.prototype;
  await using task = await fixture();
  const events: string[] = [];
  Deno.FsFile.prototype.sync = async function () {
    await sync.call(this);
    events.push((await this.stat()).isDirectory ? "folder" : "file");
  };
  try {
    const { work, finish, called } = controlled();
    const view = await task.runner.start(ORIGIN, async (...args) => {
      events.push("work");
      const names = await list(task.path);
      events.push(`${names.length} files`);
      return await work(...args);
    });
    events.push("handle");
    await called;
    deepStrictEqual(events.filter((event) => event !== "handle"), ["file", "folder", "work", "3 files"]);
    ok(events.indexOf("handle") > events.indexOf("folder"));
    const { answer: _, ...record } = await task.onDisk(view.taskId);
    strictEqual(record.status, "working");
    deepStrictEqual(record.traceparent, ORIGIN.traceparent);
    deepStrictEqual(view, {
      taskId: record.taskId,
      action: ORIGIN.action,
      status: "working",
      createdAt: record.createdAt,
      lastUpdatedAt: record.lastUpdatedAt,
    });
    finish(SUCCESS);
    strictEqual((await task.ended(view.taskId)).status, "completed");
  } finally {
    Deno.FsFile.prototype.sync = sync;
  }
});

Deno.test("TaskRunner.start() calls no work when the record cannot be written, and its place is free", async () => {
  verifies("tasks-first");
  await using task = await fixture();
  const { work, calls } = controlled();
  await Deno.rename(task.path, `${task.path}-moved`);
  try {
    for (let n = 0; n <= MAX_RUNNING_TASKS; n++) {
      strictEqual((await failureOf(() => task.runner.start(ORIGIN, work))).kind, "storage");
    }
    strictEqual(calls, 0);
  } finally {
    await Deno.rename(`${task.path}-moved`, task.path);
  }
  deepStrictEqual(task.runner.list().tasks, []);
});

Deno.test("TaskRunner keeps what the work gives, a refusal of the bot included", async () => {
  verifies("tasks-get");
  await using task = await fixture();
  const refusal = {
    result: { status: "failed", retcode: 100 },
    diagnostics: { outcome: "failed" as const, kind: "action_failed", message: "no", next_step: "Read it." },
  };
  for (const given of [SUCCESS, refusal]) {
    const { taskId } = await task.runner.start(ORIGIN, () => Promise.resolve(given));
    const record = await task.ended(taskId);
    deepStrictEqual([record.status, record.answer], ["completed", { isError: false, structuredContent: given }]);
    deepStrictEqual(await task.onDisk(taskId), record);
  }
  const { taskId } = await task.runner.start(
    ORIGIN,
    () => Promise.resolve({ result: undefined, diagnostics: { outcome: "success" } }),
  );
  strictEqual((await task.ended(taskId)).answer?.structuredContent.result, null);
  strictEqual((await task.onDisk(taskId)).answer?.structuredContent.result, null);
});

Deno.test("TaskRunner completes a task with the failure of its call, also `cancelled` when nobody cancelled it", async () => {
  verifies("tasks-get", "tasks-cancel");
  await using task = await fixture();
  for (
    const failure of [
      new Failure("cut", "Cannot upload it: chunk 500 of 2000 was refused", "Look.", { outcome: "unknown" }),
      cancelledFailure("failed"),
    ]
  ) {
    const { taskId } = await task.runner.start(ORIGIN, () => Promise.reject(failure));
    const { status, answer, error } = await task.ended(taskId);
    const { kind, message, outcome, nextStep: next_step } = failure;
    deepStrictEqual([status, error], ["completed", undefined]);
    deepStrictEqual(answer, {
      isError: true,
      structuredContent: { result: null, diagnostics: { outcome, kind, message, next_step } },
    });
  }
});

Deno.test("TaskRunner fails a task by a defect without its details, which the log gets", async () => {
  verifies("tasks-get");
  const lines: string[] = [];
  await using task = await fixture({
    log: (level, message, fields) => lines.push(`${level} ${message} ${fields?.["status"]}`),
  });
  const defects = [() => Promise.reject(new TypeError("secret defect")), () => {
    throw new TypeError("secret defect");
  }];
  for (const work of defects) {
    const { taskId } = await task.runner.start(ORIGIN, work);
    const record = await until(task.runner, taskId);
    deepStrictEqual([record.status, record.error?.code, record.answer], ["failed", -32603, undefined]);
    match(record.error?.message ?? "", /^An internal error ended upload_file_stream: its remote outcome is UNKNOWN/);
    ok(!(await Deno.readTextFile(join(task.path, `${taskId}.json`))).includes("secret"));
  }
  strictEqual(lines.filter((line) => line === "warn task failed").length, 2);
  strictEqual(lines.filter((line) => /^error Defect in the task .*TypeError: secret defect/.test(line)).length, 2);
});

Deno.test("TaskRunner.start() refuses the fifth task and makes no record of it", async () => {
  verifies("tasks-bounds");
  await using task = await fixture();
  const works = Array.from({ length: MAX_RUNNING_TASKS + 1 }, () => controlled());
  const starts = await Promise.allSettled(works.map(({ work }) => task.runner.start(ORIGIN, work)));
  deepStrictEqual(starts.map(({ status }) => status), [...Array(4).fill("fulfilled"), "rejected"]);
  const fifth = controlled();
  const { kind, message, outcome } = await failureOf(() => task.runner.start(ORIGIN, fifth.work));
  deepStrictEqual([kind, outcome], ["busy", "failed"]);
  match(message, /: 4 tasks run already, or have ends that cannot be written$/);
  deepStrictEqual([fifth.calls, works.at(-1)?.calls], [0, 0]);
  strictEqual((await list(task.path)).length, 2 + 4);
  works[0]?.finish(SUCCESS);
  const [first] = starts;
  ok(first?.status === "fulfilled");
  await task.ended(first.value.taskId);
  await task.runner.start(ORIGIN, fifth.work);
  strictEqual(fifth.calls, 1);
});

Deno.test("TaskRunner.cancel() asks the work to stop, and the end says whether the outcome is unknown", async () => {
  verifies("tasks-cancel");
  await using task = await fixture();
  for (const [outcome, words] of [["unknown", /remote outcome is UNKNOWN/], ["failed", /changed nothing/]] as const) {
    const call = controlled(() => cancelledFailure(outcome));
    const { taskId } = await task.runner.start(ORIGIN, call.work);
    strictEqual(call.signal.aborted, false);
    strictEqual(await task.runner.cancel(taskId), true);
    strictEqual(call.signal.aborted, true);
    const record = await task.ended(taskId);
    deepStrictEqual([record.status, record.answer, record.error], ["cancelled", undefined, undefined]);
    match(record.statusMessage ?? "", words);
    deepStrictEqual(await task.onDisk(taskId), record);
    strictEqual(await task.runner.cancel(taskId), true, "what has ended stays as it is");
    deepStrictEqual(await task.runner.get(taskId), record);
  }
  for (const id of [crypto.randomUUID(), "", "../x"]) strictEqual(await task.runner.cancel(id), false);
});

Deno.test("TaskRunner keeps a completion or another failure that comes after cancel()", async () => {
  verifies("tasks-cancel");
  await using task = await fixture();
  const winner = controlled();
  const { taskId } = await task.runner.start(ORIGIN, winner.work);
  await task.runner.cancel(taskId);
  const asked = await task.runner.get(taskId);
  deepStrictEqual([asked?.status, asked?.statusMessage], ["working", "Cancellation was requested."]);
  strictEqual(task.runner.list().tasks[0]?.statusMessage, "Cancellation was requested.");
  winner.finish(SUCCESS);
  const record = await task.ended(taskId);
  deepStrictEqual([record.status, record.statusMessage], ["completed", undefined]);
  deepStrictEqual(record.answer?.structuredContent, SUCCESS);

  const other = controlled(() => new Failure("cut", "Cannot call it: cut", "Look.", { outcome: "unknown" }));
  const second = await task.runner.start(ORIGIN, other.work);
  await task.runner.cancel(second.taskId);
  const { status, answer } = await task.ended(second.taskId);
  deepStrictEqual([status, answer?.structuredContent.diagnostics.kind], ["completed", "cut"]);
});

Deno.test("TaskRunner drops an answer beyond 16 MiB and tells the outcome that it had", async () => {
  verifies("tasks-bounds");
  await using task = await fixture();
  const result = "x".repeat(MAX_RECORD_BYTES);
  const { taskId } = await task.runner.start(ORIGIN, () => Promise.resolve({ ...SUCCESS, result }));
  const { status, answer } = await task.ended(taskId);
  const { kind, message } = answer?.structuredContent.diagnostics ?? {};
  deepStrictEqual([status, answer?.isError, answer?.structuredContent.result, kind], [
    "completed",
    true,
    null,
    "too_large",
  ]);
  match(message ?? "", /exceeds 16777216 bytes .* told is SUCCESS$/);
  deepStrictEqual((await task.onDisk(taskId)).answer, answer);
});

Deno.test("TaskRunner has progress at hand at once, and writes it once a second at most", async () => {
  verifies("tasks-get", "tasks-atomic");
  let time = AT;
  await using task = await fixture({ now: () => time });
  const call = controlled();
  const { taskId } = await task.runner.start(ORIGIN, call.work);
  const { replace } = task.store;
  const written: Array<number | undefined> = [];
  let [writing, most] = [0, 0];
  let disk = Promise.withResolvers<void>(); // a slow one, now and then
  disk.resolve();
  task.store.replace = async (record) => {
    written.push(record.progress?.value);
    most = Math.max(most, ++writing);
    await disk.promise;
    await replace.call(task.store, record).finally(() => writing--);
  };
  for (let value = 1; value <= 35; value++) {
    time += 100;
    call.report(value, 35);
    const now = await task.runner.get(taskId);
    deepStrictEqual([now?.progress, now?.lastUpdatedAt], [{ value, total: 35 }, new Date(time).toISOString()]);
    deepStrictEqual(task.runner.list().tasks[0]?.progress, { value, total: 35 });
    if (value % 10 === 0) await eventually(async () => (await task.onDisk(taskId)).progress?.value === value);
    while (writing > 0) await turn();
  }
  deepStrictEqual(written, [10, 20, 30]);
  disk = Promise.withResolvers<void>();
  time += 1000;
  for (const value of [40, 41]) call.report(value); // while the first is being written
  time += 1000;
  call.report(42);
  disk.resolve();
  while (writing > 0) await turn();
  deepStrictEqual(written, [10, 20, 30, 40]);
  disk = Promise.withResolvers<void>();
  call.report(43);
  call.finish(SUCCESS);
  await turn();
  disk.resolve();
  const record = await task.ended(taskId);
  deepStrictEqual([written, most], [[10, 20, 30, 40, 43, 43], 1]);
  deepStrictEqual([record.status, record.progress], ["completed", { value: 43 }]);
  deepStrictEqual(await task.onDisk(taskId), record);
  time += 1000;
  call.report(99);
  await turn();
  deepStrictEqual(written.length, 6, "what has ended makes no more progress");
  deepStrictEqual(await task.runner.get(taskId), record);
});

Deno.test("TaskRunner goes on when progress cannot be written", async () => {
  verifies("tasks-atomic");
  let time = AT;
  const lines: string[] = [];
  await using task = await fixture({ now: () => time, log: (level, message) => lines.push(`${level} ${message}`) });
  const call = controlled();
  const { taskId } = await task.runner.start(ORIGIN, call.work);
  const clear = await obstruct(task.path, taskId);
  time += 1000;
  call.report(1);
  await eventually(() => lines.length > 0);
  match(lines[0] ?? "", /^error Cannot write ".*\.json" of the task folder: /);
  await clear();
  call.finish(SUCCESS);
  strictEqual((await task.ended(taskId)).status, "completed");
  strictEqual((await task.onDisk(taskId)).status, "completed");
});

Deno.test("TaskRunner.get() tells no end that is not on disk, and tries again to bring it there", async () => {
  verifies("tasks-get", "tasks-restart", "tasks-validated");
  await using task = await fixture();
  const call = controlled();
  const { taskId } = await task.runner.start(ORIGIN, call.work);
  const clear = await obstruct(task.path, taskId);
  call.finish(SUCCESS);
  let failures = 0;
  await eventually(async () => {
    try {
      strictEqual((await task.runner.get(taskId))?.status, "working");
    } catch (error) {
      ok(error instanceof Failure && error.kind === "storage" && error.message.includes(`${taskId}.json`));
      failures++;
    }
    return failures === 3;
  });
  strictEqual(task.runner.list().tasks[0]?.status, "working");
  strictEqual(await task.runner.cancel(taskId), true);
  await clear();
  const record = await task.runner.get(taskId);
  deepStrictEqual([record?.status, record?.answer?.structuredContent], ["completed", SUCCESS]);
  deepStrictEqual(await task.onDisk(taskId), record);
  strictEqual(task.runner.list().tasks[0]?.status, "completed");
});

Deno.test("TaskRunner counts a task until its end is on disk, and frees its place with the next start", async () => {
  verifies("tasks-bounds");
  let failed = 0;
  await using task = await fixture({ log: (level) => failed += Number(level === "error") });
  const call = controlled();
  const { taskId } = await task.runner.start(ORIGIN, call.work);
  const others = Array.from({ length: MAX_RUNNING_TASKS - 1 }, () => controlled());
  for (const { work } of others) await task.runner.start(ORIGIN, work);
  const clear = await obstruct(task.path, taskId);
  call.finish(SUCCESS);
  await eventually(() => failed === 1);
  const next = controlled();
  strictEqual((await failureOf(() => task.runner.start(ORIGIN, next.work))).kind, "busy");
  await clear();
  await task.runner.start(ORIGIN, next.work); // the first attempt: it waits until the end is written
  strictEqual(next.calls, 1);
  strictEqual((await task.onDisk(taskId)).status, "completed");
});

Deno.test("TaskRunner.start() waits for an end that is just being written, and gives its place", async () => {
  verifies("tasks-bounds", "tasks-first");
  await using task = await fixture();
  const { replace } = task.store;
  const writing = Promise.withResolvers<void>();
  using disk = slowDisk();
  task.store.replace = async (record) => {
    writing.resolve();
    await disk.promise;
    await replace.call(task.store, record);
  };
  const works = Array.from({ length: MAX_RUNNING_TASKS }, () => controlled());
  for (const { work } of works) await task.runner.start(ORIGIN, work);
  works[0]?.finish(SUCCESS);
  await writing.promise;
  const next = controlled();
  const [started, settled] = [task.runner.start(ORIGIN, next.work), Promise.withResolvers<string>()];
  started.then(() => settled.resolve("started"), ({ kind }: Failure) => settled.resolve(kind));
  strictEqual(await Promise.race([settled.promise, turn()]), undefined, "it waits");
  strictEqual(next.calls, 0);
  disk.resolve();
  strictEqual(await settled.promise, "started");
  strictEqual(next.calls, 1);
  for (const { finish } of [...works, next]) finish(SUCCESS);
});

Deno.test("TaskRunner.start() begins nothing when the server ends while it waits for a place", async () => {
  verifies("tasks-closed", "tasks-bounds");
  await using task = await fixture();
  const { replace } = task.store;
  using disk = slowDisk();
  task.store.replace = async (record) => {
    await disk.promise;
    await replace.call(task.store, record);
  };
  const works = Array.from({ length: MAX_RUNNING_TASKS }, () => controlled());
  for (const { work } of works) await task.runner.start(ORIGIN, work);
  for (const { finish } of works) finish(SUCCESS);
  await turn();
  const next = controlled();
  const refused = failureOf(() => task.runner.start(ORIGIN, next.work));
  const ended = task.runner.shutdown(10_000);
  disk.resolve();
  const { kind, outcome } = await refused;
  await ended;
  deepStrictEqual([kind, outcome, next.calls], ["cancelled", "failed", 0]);
  strictEqual((await list(task.path)).length, 2 + MAX_RUNNING_TASKS, "there is no record of it");
});

/** What writes wait for; at the latest until the end of a test. */
function slowDisk(): PromiseWithResolvers<void> & Disposable {
  const disk = Promise.withResolvers<void>();
  return { ...disk, [Symbol.dispose]: () => disk.resolve() };
}

/** The task once it does not work any more. */
async function until(runner: TaskRunner, taskId: string): Promise<TaskRecord> {
  let record: TaskRecord | undefined;
  await eventually(async () => (record = await runner.get(taskId))?.status !== "working");
  ok(record !== undefined);
  return record;
}

/** Waits until it is so. */
async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < 5000; turns++) {
    if (await isSo()) return;
    await turn();
  }
  throw new Error("it never came");
}

/** One turn of the event loop. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
