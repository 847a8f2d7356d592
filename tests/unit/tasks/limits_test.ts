import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { encodeRecord, MAX_RECORD_BYTES, type TaskRecord } from "../../../lib/tasks/record.ts";
import { MAX_TASKS } from "../../../lib/tasks/store.ts";
import { completed } from "../../../lib/tasks/transitions.ts";
import { verifies } from "../../requirements.ts";
import { list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { AT, bindFolder, makeRecord, openStore, SUCCESS } from "./support.ts";

/** A completed record of exactly so many bytes on disk. */
function recordOf(bytes: number): TaskRecord {
  const withResult = (result: string): TaskRecord =>
    completed(makeRecord(), { isError: false, structuredContent: { ...SUCCESS, result } }, AT);
  const empty = withResult("");
  const result = "x".repeat(bytes - encodeRecord(empty).length);
  return { ...empty, answer: { isError: false, structuredContent: { ...SUCCESS, result } } };
}

Deno.test("TaskStore takes a record of 16 MiB, and none with a byte more", async () => {
  verifies("tasks-bounds");
  await using temp = await tempFolder();
  const [largest, larger] = [recordOf(MAX_RECORD_BYTES), recordOf(MAX_RECORD_BYTES + 1)];
  {
    using store = await openStore(temp.path);
    await store.create(largest);
    const { kind, message } = await failureOf(() => store.create(larger));
    strictEqual(kind, "storage");
    match(message, /: it has 16777217 bytes, and 16777216 are allowed$/);
  }
  using store = await openStore(temp.path);
  deepStrictEqual(store.unreadable, []);
  deepStrictEqual(store.list().map(({ taskId }) => taskId), [largest.taskId]);
  strictEqual((await Deno.stat(join(temp.path, `${largest.taskId}.json`))).size, MAX_RECORD_BYTES);
  const read = await store.read(largest.taskId);
  strictEqual(read?.answer?.structuredContent.result, largest.answer?.structuredContent.result);
});

Deno.test("TaskStore.create() refuses the file after the ten thousandth, of whatever kind", async () => {
  verifies("tasks-bounds");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const first = join(temp.path, "0");
  await Deno.writeTextFile(first, "");
  // names of one file: ten thousand files take a while
  await Promise.all(Array.from({ length: MAX_TASKS - 3 }, (_, n) => Deno.link(first, join(temp.path, `${n + 1}`))));
  using store = await openStore(temp.path);
  const created = await Promise.allSettled([1, 2, 3].map(() => store.create(makeRecord())));
  deepStrictEqual(created.map(({ status }) => status), ["fulfilled", "fulfilled", "rejected"]);
  const { kind, message, nextStep } = await failureOf(() => store.create(makeRecord()));
  deepStrictEqual([kind, message], ["storage", "Cannot keep another task: the task folder has 10000 files"]);
  match(nextStep, /SNOWLUMA_MCP_TASK_DIR/);
  strictEqual((await list(temp.path)).length, MAX_TASKS + 2);
  for (const { taskId } of store.list()) {
    await store.replace(completed(makeRecord({ taskId }), { isError: false, structuredContent: SUCCESS }, AT));
  }
});
