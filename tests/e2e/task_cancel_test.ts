/** tasks/cancel: it asks the work to stop. What the work came to by then is what the task says. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, generatedSha256, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { RawBot } from "../support/raw_bot.ts";
import { envelope } from "./support.ts";
import { DOUBT, makeTaskFolders, recordNames, recordsOf, START, successOf, TASKS, TaskServer } from "./task_support.ts";
import { downloadArgs, heldFile, list, partFiles, pattern, uploadArgs } from "./transfer_support.ts";
import { UploadBot } from "./upload_bot.ts";

const NEVER = Promise.withResolvers<void>().promise;

/** Checks that a task was cancelled, on disk too; gives what it says. */
function cancelled(task: Message, tasks: string): string {
  strictEqual(task.status, "cancelled", JSON.stringify(task).slice(0, 500));
  ok(!("result" in task) && !("error" in task));
  const { status, statusMessage } = recordsOf(tasks).get(task.taskId) ?? {};
  deepStrictEqual([status, statusMessage], ["cancelled", task.statusMessage]);
  return task.statusMessage;
}

Deno.test("tasks/cancel ends a download, of which nothing is left", async () => {
  verifies("tasks-cancel", "download-part");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(heldFile(NEVER));
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(downloadArgs("x"));
  await partFiles(folders.downloads, 1);
  await server.cancelTask(taskId);
  match(
    cancelled(await server.settled(taskId), folders.tasks),
    /^download_file_stream was cancelled; it changed nothing/,
  );
  await (await bot.connection(0)).closed;
  deepStrictEqual(await list(folders.downloads), []);
  await server.cancelTask(taskId);
  strictEqual((await server.get(taskId)).status, "cancelled", "a second time changes nothing");
});

Deno.test("tasks/cancel ends an upload before its last call, and the bot is told to forget it", async () => {
  verifies("tasks-cancel");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(5_000_000));
  await using bot = new UploadBot(({ kind, index }, right) =>
    kind === "chunk" && index > 0 ? ({ closed }) => closed : right
  );
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(uploadArgs("file.bin"));
  await bot.came("chunk", 5);
  await server.cancelTask(taskId);
  match(cancelled(await server.settled(taskId), folders.tasks), /changed nothing/);
  strictEqual(bot.tally, "5/0/1");
});

Deno.test("tasks/cancel once the last call of an upload has left leaves it in doubt, and says so", async () => {
  verifies("tasks-cancel");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(10));
  await using bot = new UploadBot(({ kind }, right) => kind === "final" ? ({ closed }) => closed : right);
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(uploadArgs("file.bin"));
  await bot.came("final");
  await server.cancelTask(taskId);
  match(cancelled(await server.settled(taskId), folders.tasks), DOUBT);
  strictEqual(bot.tally, "1/1/0", "no reset: the bot may have committed it");
});

Deno.test("tasks/cancel after the end changes nothing: what is completed stays", async () => {
  verifies("tasks-cancel");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(downloadArgs(generatedFile(1000)));
  const before = await server.settled(taskId);
  const record = recordsOf(folders.tasks).get(taskId);
  await server.cancelTask(taskId);
  deepStrictEqual(await server.get(taskId), before);
  deepStrictEqual(recordsOf(folders.tasks).get(taskId), record);
  strictEqual(successOf(before).sha256, generatedSha256(1000));
});

Deno.test("tasks/cancel in a race with the end leaves a whole file that is told of, or none", async () => {
  verifies("tasks-cancel", "download-whole");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const completed: string[] = [];
  for (let race = 0; race < 12; race++) {
    const { taskId } = await server.begin(downloadArgs(generatedFile(200_000, `${race}.bin`)));
    for (let wait = 0; wait < race; wait++) await server.ask("tasks/get", { taskId });
    await server.cancelTask(taskId);
    const task = await server.settled(taskId);
    if (task.status === "completed") completed.push(`${race}.bin`, successOf(task).sha256);
    else cancelled(task, folders.tasks);
  }
  const names = completed.filter((_, index) => index % 2 === 0);
  deepStrictEqual(await list(folders.downloads), names.toSorted());
  ok(completed.every((text, index) => index % 2 === 0 || text === generatedSha256(200_000)));
});

/** A call that starts an upload, as a line, and the line that cancels it. */
function unheard(id: string): [call: string, cancellation: string] {
  const params = {
    ...{ name: START, arguments: uploadArgs("file.bin") },
    _meta: envelope({ clientCapabilities: TASKS }),
  };
  const cancelled = { requestId: id, reason: "no longer wanted" };
  return [
    `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`,
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: cancelled })}\n`,
  ];
}

Deno.test("a call that is cancelled before its handle leaves starts no work, or work that is cancelled", async () => {
  verifies("tasks-cancel", "tasks-handle");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(100));
  // an upload that has begun is held until it is given up
  await using bot = new UploadBot(({ kind }, right) => kind === "chunk" ? ({ closed }) => closed : right);
  await using server = TaskServer.for(bot, folders);
  await server.tasks(); // the folder is open: nothing but the call is in the way
  // how much later the cancellation follows, in milliseconds, or in the same write; as many as there are places
  for (const [index, wait] of [undefined, 0, 1, 2].entries()) {
    const id = `unheard-${index}`;
    const [call, cancellation] = unheard(id);
    if (wait === undefined) await server.send(call + cancellation);
    else {
      await server.send(call);
      await new Promise((resolve) => setTimeout(resolve, wait)); // it is checked, recorded or about to leave
      await server.send(cancellation);
    }
    await server.ask("server/discover"); // read after both
    const answered = server.lines.map((line): Message => JSON.parse(line)).find((message) => message.id === id);
    if (answered !== undefined) await server.cancelTask(answered.result.taskId); // it was faster: the client knows it
    ok(answered === undefined || index > 0, "a call is answered that was cancelled in the same write");
    const { tasks } = await server.tasks();
    for (const { taskId } of tasks) cancelled(await server.settled(taskId), folders.tasks);
  }
  strictEqual(bot.of("final").length, 0, "no upload was committed");
  await server.finish();
  for (const { status } of recordsOf(folders.tasks).values()) strictEqual(status, "cancelled");
});

Deno.test("a call that is cancelled while the task folder is opened leaves no record and calls nobody", async () => {
  verifies("tasks-cancel", "refusals-send-nothing");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(100));
  await using bot = new UploadBot();
  await using server = TaskServer.for(bot, folders);
  await server.send(unheard("first").join("")); // the first thing that it reads
  deepStrictEqual((await server.tasks()).tasks, []);
  await server.finish(); // by now whatever was begun has its record
  deepStrictEqual([await recordNames(folders.tasks), bot.tally], [[], "0/0/0"]);
});

Deno.test("tasks methods refuse ids that are of no task, such as paths, and touch no file", async () => {
  verifies("tasks-methods", "tasks-cancel", "tasks-validated");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const outside = join(folders.top, `${crypto.randomUUID()}.json`);
  await Deno.writeTextFile(outside, "{}");
  const { taskId } = await server.begin(downloadArgs(generatedFile(10)));
  await server.settled(taskId);
  const ids = [
    ...[crypto.randomUUID(), "", "x", "../x", ".scope", ".lease", outside, outside.replace(/\.json$/, "")],
    ...[`../${folders.tasks}/${taskId}`, `${taskId}.json`, taskId.toUpperCase(), `${taskId}\u0000`, "__proto__"],
    "y".repeat(100_000),
  ].filter((id) => id !== taskId);
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    for (const id of ids) {
      const { error } = await server.ask(method, { taskId: id, inputResponses: {} });
      strictEqual(error?.code, -32602, `${method} ${id.slice(0, 100)}: ${JSON.stringify(error)}`);
      match(error.message, /^Unknown task "/);
      ok(error.message.length < 300, error.message);
    }
    for (const params of [{}, { taskId: 5 }, { taskId: null }, { taskId: [taskId] }, { id: taskId }]) {
      strictEqual((await server.ask(method, params)).error?.code, -32602, `${method} ${JSON.stringify(params)}`);
    }
  }
  deepStrictEqual(await recordNames(folders.tasks), [`${taskId}.json`]);
  strictEqual(await Deno.readTextFile(outside), "{}");
});

Deno.test("tasks/update takes answers to outstanding requests alone, of which there are none", async () => {
  verifies("tasks-update");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(heldFile(NEVER));
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(downloadArgs("x"));
  const update = (more: Message): Promise<Message> => server.ask("tasks/update", { taskId, ...more });
  const { result } = await update({ inputResponses: {} });
  const { resultType, _meta, ...rest } = result;
  deepStrictEqual([resultType, rest], ["complete", {}], "nothing to take, nothing taken");
  const forms = [{ action: "accept", content: { a: 1 } }, { action: "decline" }, 5, null, { method: "x" }];
  for (const form of forms) {
    const { error } = await update({ inputResponses: { "first answer": form } });
    strictEqual(error?.code, -32602, JSON.stringify(error));
    match(error.message, /"first answer"|inputResponses/);
  }
  for (const params of [{}, { status: "completed" }]) {
    strictEqual((await update(params)).error?.code, -32602, JSON.stringify(params));
  }
  strictEqual((await server.get(taskId)).status, "working", "it is no way to edit tasks");
});
