/** What tasks/get tells: how far a task is, and what it came to, as invoke_action would have told it. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import { failedFrame, GENERIC, GOOD, okFrame, streams, wire } from "./stream_support.ts";
import { answerOf, makeTaskFolders, recordsOf, successOf, TaskServer } from "./task_support.ts";
import { downloadArgs, heldFile, pattern, sha256, uploadArgs } from "./transfer_support.ts";
import { UploadBot } from "./upload_bot.ts";

Deno.test("tasks/get tells how far a download is, then what invoke_action would have told", async () => {
  verifies("tasks-get", "download-whole");
  await using folders = await makeTaskFolders();
  const go = Promise.withResolvers<void>();
  await using bot = new RawBot();
  bot.script(heldFile(go.promise, { announced: 1000 }));
  await using server = TaskServer.for(bot, folders);
  const handle = await server.begin(downloadArgs("x"));
  const { taskId, createdAt } = handle;
  const working = await server.shows(taskId, ({ statusMessage }) => statusMessage !== undefined);
  const { _meta, lastUpdatedAt, ...rest } = working;
  deepStrictEqual(rest, {
    ...{ resultType: "complete", taskId, status: "working", statusMessage: "500 of 1000", createdAt },
    ...{ ttlMs: null, pollIntervalMs: 1000 },
  });
  ok(lastUpdatedAt >= createdAt);
  deepStrictEqual((await server.tasks()).tasks[0].progress, { value: 500, total: 1000 });
  go.resolve();
  const task = await server.settled(taskId);
  const { file_path, file_size, sha256: hash, frame_count } = successOf(task);
  deepStrictEqual([await Deno.readFile(file_path), file_size, frame_count], [pattern(1000), 1000, 4]);
  strictEqual(hash, await sha256(pattern(1000)));
  deepStrictEqual([task.ttlMs, task.pollIntervalMs, task.result.resultType], [null, 1000, "complete"]);
  ok(!("statusMessage" in task));
  const again = await server.get(taskId);
  deepStrictEqual(again, task, "and it stays so");
});

Deno.test("tasks/get tells how much of an upload is acknowledged, then the bot's answer", async () => {
  verifies("tasks-get");
  await using folders = await makeTaskFolders();
  const bytes = pattern(2 * 1024 * 1024);
  await Deno.writeFile(join(folders.uploads, "file.bin"), bytes);
  const go = Promise.withResolvers<void>();
  await using bot = new UploadBot(({ index }, right) => async (connection) => {
    if (index === 1) await go.promise;
    await right(connection);
  });
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(uploadArgs("file.bin"));
  await server.shows(taskId, ({ statusMessage }) => statusMessage === "1048576 of 2097152");
  go.resolve();
  const { status, data } = successOf(await server.settled(taskId));
  deepStrictEqual([status, data.sha256, data.file_path], ["ok", await sha256(bytes), "/bot/merged.bin"]);
  deepStrictEqual([bot.tally, bot.content], ["2/1/0", bytes]);
});

Deno.test("a refusal of the bot, and every other failure, is a completed task that tells it", async () => {
  verifies("tasks-get");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  await using server = TaskServer.for(bot, folders);
  const cases = [
    ["action_failed", wire(failedFrame("file not found")), /file not found/],
    ["invalid_answer", GOOD.replace("aGU=", "????"), /base64/],
    ["invalid_answer", "nonsense", /./],
  ] as const;
  for (const [kind, body, says] of cases) {
    bot.script(streams(body), streams(body));
    const { isError, structuredContent, content } = answerOf(
      await server.settled((await server.begin(downloadArgs("x"))).taskId),
    );
    const { outcome, kind: told, message } = structuredContent.diagnostics;
    deepStrictEqual([isError, structuredContent.result, outcome, told], [true, null, "failed", kind], message);
    match(message, says);
    const { result } = await server.tool("invoke_action", downloadArgs("x"));
    deepStrictEqual([result.structuredContent, result.content], [structuredContent, content], "as invoke_action");
  }
});

Deno.test("frames of a stream without a file are kept, and long numbers in them keep their digits", async () => {
  verifies("tasks-get", "digits");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  const first = wire(okFrame({ type: "stream", data_type: "data_chunk", id: "DIGITS" }));
  const last = wire(okFrame({ type: "response", data_type: "data_complete" }));
  bot.script(streams(first.replace('"DIGITS"', "123456789012345678901") + last));
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(GENERIC);
  await server.settled(taskId);
  const line = server.lines.at(-1) ?? "";
  strictEqual(line.split("123456789012345678901").length, 3, line);
  match(await Deno.readTextFile(join(folders.tasks, `${taskId}.json`)), /123456789012345678901/);
  await server.finish();
  await using next = TaskServer.for(bot, folders);
  await next.settled(taskId);
  strictEqual(next.lines.at(-1)?.split("123456789012345678901").length, 3, "after a restart too");
  strictEqual(bot.connections.length, 1);
});

Deno.test("test_download_stream of the simulated bot is completed, and looks as it does from invoke_action", async () => {
  verifies("tasks-get");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const task = await server.settled((await server.begin(GENERIC)).taskId);
  const { structuredContent } = (await server.tool("invoke_action", GENERIC)).result;
  deepStrictEqual(Object.keys(successOf(task)), Object.keys(structuredContent.result));
});

Deno.test("tasks go on while other calls are made, and each has a result of its own", async () => {
  verifies("tasks-get", "tasks-bounds");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const sizes = [10, 100_000, 2_000_000, 0];
  const handles = await Promise.all(sizes.map((size) => server.begin(downloadArgs(generatedFile(size)))));
  strictEqual((await server.tool("query_action", { action: "get_status" })).result.isError, undefined);
  for (const [index, { taskId }] of handles.entries()) {
    strictEqual(successOf(await server.settled(taskId)).file_size, sizes[index]);
  }
  deepStrictEqual([...recordsOf(folders.tasks).values()].map(({ status }) => status), sizes.map(() => "completed"));
});
