/** The beginning of a task: its record is there first, then the bot is asked, and the client has its handle. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { RawBot, type RawScript } from "../support/raw_bot.ts";
import { file, GENERIC, okFrame, streams, wire } from "./stream_support.ts";
import { answerOf, makeTaskFolders, recordsOf, successOf, type TaskFolders, TaskServer } from "./task_support.ts";
import { bits, downloadArgs, frame, heldFile, pattern, uploadArgs } from "./transfer_support.ts";
import { UploadBot } from "./upload_bot.ts";

const NEVER = Promise.withResolvers<void>().promise;
const TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

/** A script that looks at the records as soon as somebody connects, before it has read a byte. */
function looking(folders: TaskFolders, seen: Message[][], then: RawScript): RawScript {
  return (connection) => {
    seen.push([...recordsOf(folders.tasks).values()]);
    return then(connection);
  };
}

Deno.test("a task's record says that it works before the bot is connected and when the handle comes", async () => {
  verifies("tasks-first", "tasks-handle", "tasks-private");
  await using folders = await makeTaskFolders();
  const seen: Message[][] = [];
  await using bot = new RawBot();
  bot.script(looking(folders, seen, heldFile(NEVER)));
  await using server = TaskServer.for(bot, folders);
  const { content, ...handle } = await server.begin(downloadArgs("x"));
  deepStrictEqual(content, [], "what the SDK puts into every answer to tools/call");
  const { taskId, createdAt, _meta } = handle;
  const onDisk = recordsOf(folders.tasks).get(taskId);
  deepStrictEqual(onDisk, {
    ...{ format: 1, taskId, action: "download_file_stream", status: "working", createdAt, lastUpdatedAt: createdAt },
    traceparent: _meta.traceparent,
  });
  deepStrictEqual(handle, {
    ...{ resultType: "task", taskId, status: "working", createdAt, lastUpdatedAt: createdAt },
    ...{ pollIntervalMs: 1000, ttlMs: null, _meta },
  });
  ok(Math.abs(Date.now() - Date.parse(createdAt)) < 60_000 && createdAt === new Date(createdAt).toISOString());
  await bot.connection(0);
  deepStrictEqual(seen, [[onDisk]]);
  deepStrictEqual([await bits(folders.tasks), await bits(join(folders.tasks, `${taskId}.json`))], [0o700, 0o600]);
});

Deno.test("a task's record says that it works before the first chunk of an upload is sent", async () => {
  verifies("tasks-first");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(3_000_000));
  const seen: Message[][] = [];
  await using bot = new UploadBot((_, right) => looking(folders, seen, right));
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(uploadArgs("file.bin"));
  successOf(await server.settled(taskId));
  strictEqual(bot.tally, "3/1/0");
  for (const records of seen) deepStrictEqual(records.map(({ status }) => status), ["working"]);
});

Deno.test("one trace leads from the call through the handle, the bot's headers and the log to the result", async () => {
  verifies("tasks-handle", "tasks-get", "call-log");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(streams(wire(okFrame({ type: "response", data_type: "data_complete", hidden: "s3cret text" }))));
  await using server = TaskServer.for(bot, folders, { env: { SNOWLUMA_MCP_LOG: "json" } });
  const { taskId, _meta } = await server.begin(GENERIC, { traceparent: TRACE });
  const task = await server.settled(taskId);
  answerOf(task);
  const told = task.result._meta.traceparent;
  deepStrictEqual([told, recordsOf(folders.tasks).get(taskId)?.traceparent], [_meta.traceparent, _meta.traceparent]);
  const { headers } = await (await bot.connection(0)).request;
  const ids = [told, _meta.traceparent, headers.traceparent ?? ""].map((parent: string) => parent.split("-")[1]);
  deepStrictEqual(ids, [TRACE_ID, TRACE_ID, TRACE_ID]);
  await server.finish();
  const lines = (await server.stderr).trimEnd().split("\n").map((line): Message => JSON.parse(line));
  const [call, ended] = [lines.filter(({ tool }) => tool), lines.filter(({ task }) => task)];
  deepStrictEqual(call.map(({ tool, outcome, traceparent }) => [tool, outcome, traceparent]), [
    ["invoke_action_background", "task", told],
  ]);
  deepStrictEqual(
    ended.map(({ task, action, status, outcome, traceparent }) => [task, action, status, outcome, traceparent]),
    [
      [taskId, "test_download_stream", "completed", "success", told],
    ],
  );
  strictEqual(lines.length, 2, "a line for the call and one for the end");
});

Deno.test("the log says nothing of what a task moved: no names, paths, texts or tokens", async () => {
  verifies("tasks-no-secret", "call-log");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "diary.txt"), pattern(10));
  await using bot = new RawBot();
  bot.script(
    streams(wire(file.info(5, { file_name: "diary.bin" }), file.chunk(0, "hello"), file.complete(1, 5))),
    streams(`${frame({ type: "stream", data_type: "diary" })}`),
  );
  await using server = TaskServer.for(bot, folders, { token: "t0ken-of-the-diary" });
  for (const args of [downloadArgs("diary"), GENERIC, uploadArgs("diary.txt")]) {
    await server.settled((await server.begin(args)).taskId);
  }
  await server.finish();
  const said = await server.stderr;
  strictEqual(said.split("\n").filter((line) => line.includes("task=") || / task /.test(line)).length, 3, said);
  for (const word of ["diary", folders.top, "t0ken"]) ok(!said.includes(word), said);
  match(said, /download_file_stream/);
});
