import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { TaskRunner } from "../../../lib/tasks/runner.ts";
import { completed } from "../../../lib/tasks/transitions.ts";
import { verifies } from "../../requirements.ts";
import { tempFolder } from "../files/support.ts";
import { between, failureOf, seeded } from "../support.ts";
import { AT, bindFolder, makeRecord, openStore, plant, plantRecord, SUCCESS } from "./support.ts";

/** A folder with so many finished tasks, several of one millisecond. */
async function fill(path: string, count: number): Promise<void> {
  await bindFolder(path);
  const random = seeded(7);
  for (let n = 0; n < count; n++) {
    const createdAt = new Date(AT + between(random, 0, count / 3)).toISOString();
    await plantRecord(path, completed(makeRecord({ createdAt }), { isError: false, structuredContent: SUCCESS }, AT));
  }
}

Deno.test("TaskRunner.list() pages newest first, 50 by default, without results", async () => {
  verifies("tasks-list");
  await using temp = await tempFolder();
  await fill(temp.path, 101);
  const runner = new TaskRunner(await openStore(temp.path));
  for (
    const [limit, sizes] of [[undefined, [50, 50, 1]], [100, [100, 1]], [34, [34, 34, 33]], [
      1,
      Array(101).fill(1),
    ]] as const
  ) {
    const ids: string[] = [];
    const found: number[] = [];
    const times: string[] = [];
    let cursor: string | undefined;
    do {
      const page = runner.list({ ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) });
      found.push(page.tasks.length);
      ids.push(...page.tasks.map(({ taskId }) => taskId));
      times.push(...page.tasks.map(({ createdAt }) => createdAt));
      for (const task of page.tasks) ok(!("answer" in task) && task.status === "completed");
      cursor = page.nextCursor;
      ok(cursor === undefined || /^[\w-]{1,128}$/.test(cursor));
    } while (cursor !== undefined);
    deepStrictEqual([found, new Set(ids).size], [sizes, 101]);
    deepStrictEqual(times, times.toSorted().reverse());
  }
  await runner.shutdown(0);
});

Deno.test("TaskRunner.list() shifts no page when tasks are added", async () => {
  verifies("tasks-list");
  await using temp = await tempFolder();
  await fill(temp.path, 12);
  const runner = new TaskRunner(await openStore(temp.path));
  const all = runner.list().tasks.map(({ taskId }) => taskId);
  const first = runner.list({ limit: 5 });
  const { taskId } = await runner.start({ action: "x" }, () => Promise.resolve(SUCCESS));
  const second = runner.list({ limit: 100, cursor: first.nextCursor ?? "" });
  deepStrictEqual([...first.tasks, ...second.tasks].map((task) => task.taskId), all);
  strictEqual(runner.list({ limit: 1 }).tasks[0]?.taskId, taskId);
  await runner.shutdown(0);
});

Deno.test("TaskRunner.list() refuses cursors that are not its own, and limits beyond 1 to 100", async () => {
  verifies("tasks-list");
  await using temp = await tempFolder();
  await fill(temp.path, 2);
  const runner = new TaskRunner(await openStore(temp.path));
  const { nextCursor = "" } = runner.list({ limit: 1 });
  const text = new TextDecoder().decode(Uint8Array.fromBase64(nextCursor, { alphabet: "base64url" }));
  const encode = (plain: string) =>
    new TextEncoder().encode(plain).toBase64({ alphabet: "base64url", omitPadding: true });
  strictEqual(runner.list({ cursor: encode(text) }).tasks.length, 1);
  const bad = ["", "!", "50", nextCursor.slice(1), `${nextCursor}=`, ` ${nextCursor}`, encode("x"), encode(`${text} `)];
  for (const cursor of [...bad, encode(text.replace("Z", "")), encode(text.slice(0, -1)), "A".repeat(100_000)]) {
    const { kind, message } = await failureOf(() => runner.list({ cursor }));
    strictEqual(kind, "invalid_arguments");
    ok(message.length < 200);
  }
  for (const limit of [0, -1, 101, 1.5, NaN, Infinity]) {
    const { kind, message } = await failureOf(() => runner.list({ limit }));
    strictEqual(kind, "invalid_arguments");
    match(message, new RegExp(`limit is ${limit}$`));
  }
  await runner.shutdown(0);
});

Deno.test("TaskRunner.list() names unreadable files, a hundred of them at most, and counts the rest", async () => {
  verifies("tasks-list", "tasks-validated");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  for (let n = 0; n < 100; n++) await plant(temp.path, `${n}.json`, "");
  const names = async () => {
    const runner = new TaskRunner(await openStore(temp.path));
    const { unreadable, unreadableCount } = runner.list();
    await runner.shutdown(0);
    return [unreadable.length, unreadableCount];
  };
  deepStrictEqual(await names(), [100, undefined]);
  await plant(temp.path, `100.json`, "");
  deepStrictEqual(await names(), [100, 101]);
});
