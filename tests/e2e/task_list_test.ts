/** list_tasks: pages, newest first, without results. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { makeTaskFolders, refusalOf, successOf, TaskServer } from "./task_support.ts";
import { downloadArgs } from "./transfer_support.ts";

/** A record as a server writes it, of a task that ended so many minutes after an hour. */
function writtenRecord(taskId: string, minute: number): Message {
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const structuredContent = { result: { file_path: "/secret/place" }, diagnostics: { outcome: "success" } };
  return {
    ...{ format: 1, taskId, action: "download_file_stream", status: "completed", createdAt, lastUpdatedAt: createdAt },
    answer: { isError: false, structuredContent },
  };
}

const idsOf = ({ tasks }: Message): string[] => tasks.map(({ taskId }: Message) => taskId);

Deno.test("list_tasks gives tasks newest first, with what they are and not what they answered", async () => {
  verifies("tasks-list");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  deepStrictEqual(await server.tasks(), { tasks: [], unreadable: [] });
  const ids: string[] = [];
  for (const size of [10, 20, 30]) {
    const { taskId } = await server.begin(downloadArgs(generatedFile(size)));
    successOf(await server.settled(taskId));
    ids.unshift(taskId);
  }
  const page = await server.tasks();
  deepStrictEqual(idsOf(page), ids);
  for (const task of page.tasks) {
    const keys = ["action", "createdAt", "lastUpdatedAt", "progress", "status", "taskId"];
    deepStrictEqual(Object.keys(task).sort(), keys);
    deepStrictEqual([task.action, task.status], ["download_file_stream", "completed"]);
  }
  const text = JSON.stringify(page);
  ok(!text.includes("sha256") && !text.includes(folders.downloads), text);
});

Deno.test("list_tasks gives pages of 1 to 100, by default of 50, that neither repeat nor skip a task", async () => {
  verifies("tasks-list", "tasks-restart");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using first = TaskServer.for(bot, folders);
  await first.tasks();
  await first.finish();
  const ids = Array.from({ length: 120 }, () => crypto.randomUUID());
  for (const [index, id] of ids.entries()) {
    const text = `${JSON.stringify(writtenRecord(id, 120 - index))}\n`;
    await Deno.writeTextFile(join(folders.tasks, `${id}.json`), text, { mode: 0o600 });
  }
  await using server = TaskServer.for(bot, folders);
  strictEqual((await server.tasks()).tasks.length, 50);
  for (const limit of [100, 50, 7]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Message = await server.tasks({ limit, ...(cursor !== undefined && { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
      ok(page.tasks.length === limit || cursor === undefined);
    } while (cursor !== undefined);
    deepStrictEqual(seen, ids, `pages of ${limit}`);
  }
  const one = await server.tasks({ limit: 1 });
  deepStrictEqual(idsOf(one), [ids[0]]);
  const { taskId } = await server.begin(downloadArgs(generatedFile(10))); // a newer one shifts nothing
  await server.settled(taskId);
  deepStrictEqual(idsOf(await server.tasks({ limit: 1, cursor: one.nextCursor })), [ids[1]]);
  deepStrictEqual(idsOf(await server.tasks({ limit: 2 })), [taskId, ids[0]]);
});

Deno.test("list_tasks refuses limits beyond the bounds, foreign cursors and unknown arguments", async () => {
  verifies("tasks-list", "bad-arguments");
  await using folders = await makeTaskFolders();
  await using server = TaskServer.for({ url: "simulator" }, folders);
  const limits = [0, 101, -1, 1.5, "10", null].map((limit) => ({ limit }));
  const cursors = ["", "x", btoa("2026-01-01T00:00:00.000Z x"), "../x", "a".repeat(129), 5].map((cursor) => ({
    cursor,
  }));
  for (const args of [...limits, ...cursors, { status: "working" }]) {
    const { outcome, kind, message } = refusalOf(await server.tool("list_tasks", args));
    deepStrictEqual([outcome, kind], ["failed", "invalid_arguments"], JSON.stringify(args));
    match(message, /^Cannot (list|call) /);
  }
});
