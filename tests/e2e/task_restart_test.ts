/** What kill -9 leaves: unfinished tasks are failed and in doubt, nothing is sent again, and results stay. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { RawBot } from "../support/raw_bot.ts";
import { GOOD, streams } from "./stream_support.ts";
import { doubtOf, makeTaskFolders, recordsOf, successOf, TaskServer } from "./task_support.ts";
import { downloadArgs, heldFile, list, partFiles, pattern, uploadArgs } from "./transfer_support.ts";
import { UploadBot, type UploadCall } from "./upload_bot.ts";

const NEVER = Promise.withResolvers<void>().promise;

/** Where an upload stands when its server is killed: in a chunk, or in the last call. */
const MOMENTS: ReadonlyArray<readonly [where: string, kind: UploadCall["kind"], tally: string]> = [
  ["in mid-upload", "chunk", "2/0/0"],
  ["in the last call", "final", "2/1/0"],
];

for (const [where, held, tally] of MOMENTS) {
  Deno.test(`kill -9 ${where} leaves a task that is failed and in doubt, and the bot is asked no more`, async () => {
    verifies("tasks-restart", "never-retry");
    await using folders = await makeTaskFolders();
    await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(1_500_000));
    await using bot = new UploadBot(({ kind, index }, right) =>
      kind === held && index !== 0 ? ({ closed }) => closed : right
    );
    await using first = TaskServer.for(bot, folders);
    const { taskId, createdAt } = await first.begin(uploadArgs("file.bin"));
    await bot.came(held, held === "chunk" ? 2 : 1);
    await first.crash();
    strictEqual(recordsOf(folders.tasks).get(taskId)?.status, "working", "nobody was there to change it");

    await using next = TaskServer.for(bot, folders);
    const task = await next.get(taskId);
    match(doubtOf(task).message, /^The server ended while upload_file_stream ran/);
    deepStrictEqual([task.createdAt, task.taskId], [createdAt, taskId]);
    ok(task.lastUpdatedAt > createdAt);
    const { status, error } = recordsOf(folders.tasks).get(taskId) ?? {};
    deepStrictEqual([status, error], ["failed", task.error], "on disk too");
    const listed = (await next.tasks()).tasks;
    deepStrictEqual(listed.map(({ status, statusMessage }: Message) => [status, statusMessage]), [[
      "failed",
      error.message,
    ]]);
    await next.finish();
    strictEqual(bot.tally, tally);
  });
}

Deno.test("kill -9 in mid-download fails it, and leaves no part file after the next start", async () => {
  verifies("tasks-restart", "download-reclaim");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(streams(GOOD), ...[1, 2].map(() => heldFile(NEVER, { announced: 1000 })));
  await using first = TaskServer.for(bot, folders);
  const done = await first.settled((await first.begin(downloadArgs("x"))).taskId);
  const held = [await first.begin(downloadArgs("x")), await first.begin(downloadArgs("x"))].map(({ taskId }) => taskId);
  await partFiles(folders.downloads, 2);
  const before = await Deno.readFile(join(folders.tasks, `${done.taskId}.json`));
  await first.crash();

  for (let start = 0; start < 2; start++) {
    await using next = TaskServer.for(bot, folders);
    for (const id of held) doubtOf(await next.get(id));
    deepStrictEqual(await next.get(done.taskId), done, "the finished one keeps its result");
    deepStrictEqual(await Deno.readFile(join(folders.tasks, `${done.taskId}.json`)), before, "byte for byte");
    deepStrictEqual(await list(folders.downloads), ["a.bin"]);
    await next.crash(); // what is recorded once is not recorded again
  }
  strictEqual(bot.connections.length, 3, "nothing was asked again");
});

Deno.test("a start records what the last process left unfinished before anybody asks", async () => {
  verifies("tasks-restart");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(heldFile(NEVER));
  await using first = TaskServer.for(bot, folders);
  const { taskId } = await first.begin(downloadArgs("x"));
  await first.crash();
  await using next = TaskServer.for(bot, folders);
  await next.ask("tools/list");
  await next.finish();
  doubtOf({ ...recordsOf(folders.tasks).get(taskId) });
});

Deno.test("the simulator's folder stays the same one, though its port is another at each start", async () => {
  verifies("tasks-scope", "tasks-restart");
  await using folders = await makeTaskFolders();
  const ids: string[] = [];
  for (let start = 0; start < 2; start++) {
    await using server = TaskServer.for({ url: "simulator" }, folders);
    ids.unshift((await server.begin(downloadArgs(generatedFile(10)))).taskId);
    for (const id of ids) successOf(await server.settled(id));
    await server.finish();
  }
});

Deno.test("temporary files of a killed server go at the next start, other files stay", async () => {
  verifies("tasks-atomic", "tasks-validated");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using first = TaskServer.for(bot, folders);
  await first.tasks();
  await first.crash();
  const left = `.${"0a".repeat(16)}.tmp`;
  for (const name of [left, ".mine.tmp", "notes.tmp"]) await Deno.writeTextFile(join(folders.tasks, name), "{");
  await using next = TaskServer.for(bot, folders);
  deepStrictEqual((await next.tasks()).unreadable.map(({ file }: { file: string }) => file), [
    ".mine.tmp",
    "notes.tmp",
  ]);
  deepStrictEqual(await list(folders.tasks), [".lease", ".mine.tmp", ".scope.json", "notes.tmp"]);
});
