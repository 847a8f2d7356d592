/** The end of a connection with tasks that run: in 2 s they are failed and in doubt, and what is finished is told so. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import { doubtOf, makeTaskFolders, recordsOf, successOf, TaskServer } from "./task_support.ts";
import { downloadArgs, heldFile, list, partFiles, pattern, uploadArgs } from "./transfer_support.ts";
import { UploadBot, type UploadScript } from "./upload_bot.ts";

const NEVER = Promise.withResolvers<void>().promise;
const PROMISED_MS = 2000;
const WAYS = ["end of input", "SIGTERM", "SIGINT"] as const;

async function ends(server: TaskServer, way: typeof WAYS[number]): Promise<void> {
  if (way === "end of input") await server.closeInput();
  else server.kill(way);
  const { code, ms } = await server.exit();
  strictEqual(code, 0, await server.stderr);
  ok(ms < PROMISED_MS, `it took ${Math.round(ms)} ms`);
}

for (const way of WAYS) {
  Deno.test(`${way} aborts running downloads, and records them as failed and in doubt`, async () => {
    verifies("tasks-closed", "shutdown", "download-part");
    await using folders = await makeTaskFolders();
    await using bot = new RawBot(heldFile(NEVER, { announced: 1000 }));
    await using server = TaskServer.for(bot, folders);
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) ids.push((await server.begin(downloadArgs("x"))).taskId);
    await partFiles(folders.downloads, 4);
    await ends(server, way);
    const records = recordsOf(folders.tasks);
    deepStrictEqual([...records.keys()].sort(), ids.toSorted());
    for (const record of records.values()) {
      match(doubtOf(record).message, /^The client left, or the server was stopped/);
    }
    deepStrictEqual(await list(folders.downloads), []);
    deepStrictEqual((await list(folders.tasks)).filter((name) => name.endsWith(".tmp")), []);

    await using next = TaskServer.for(bot, folders);
    for (const [id, record] of records) deepStrictEqual((await next.get(id)).error, record.error);
    strictEqual(bot.connections.length, 4, "nothing is replayed");
  });
}

/** Bots that hold an upload up, and what they have seen at the end: also one that does not answer the reset. */
const HELD: ReadonlyArray<readonly [where: string, script: UploadScript, tally: string]> = [
  ["in a chunk", ({ kind }, right) => kind === "chunk" ? ({ closed }) => closed : right, "1/0/1"],
  ["in the last call", ({ kind }, right) => kind === "final" ? ({ closed }) => closed : right, "1/1/0"],
  ["by every means", () => ({ closed }) => closed, "1/0/1"],
];

for (const [where, script, tally] of HELD) {
  Deno.test(`end of input with an upload that is held ${where} records it as failed and in doubt, in time`, async () => {
    verifies("tasks-closed", "shutdown");
    await using folders = await makeTaskFolders();
    await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(100));
    await using bot = new UploadBot(script);
    await using server = TaskServer.for(bot, folders);
    const { taskId } = await server.begin(uploadArgs("file.bin"));
    await bot.came(where === "in the last call" ? "final" : "chunk");
    await ends(server, "end of input");
    doubtOf(recordsOf(folders.tasks).get(taskId) ?? {});
    strictEqual(bot.tally, tally);
  });
}

Deno.test("end of input right behind the call that starts a task leaves a record that claims nothing false", async () => {
  verifies("tasks-closed", "tasks-first");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  await server.tasks();
  const begun = server.begin(downloadArgs(generatedFile(1_000_000))).catch(() => undefined);
  await server.closeInput();
  strictEqual((await server.exit()).code, 0, await server.stderr);
  const handle = await begun;
  const records = [...recordsOf(folders.tasks).values()];
  if (handle) deepStrictEqual(records.map(({ taskId }) => taskId), [handle.taskId]);
  for (const record of records) {
    if (record.status === "completed") deepStrictEqual(await list(folders.downloads), ["1000000.bin"]);
    else {
      ok(["failed", "cancelled"].includes(record.status), record.status);
      deepStrictEqual(await list(folders.downloads), []);
    }
  }
});

Deno.test("a task that has ended keeps its result when the connection closes", async () => {
  verifies("tasks-closed");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(downloadArgs(generatedFile(10)));
  const task = await server.settled(taskId);
  await ends(server, "SIGTERM");
  await using next = TaskServer.for(bot, folders);
  deepStrictEqual(successOf(await next.get(taskId)), successOf(task));
});
