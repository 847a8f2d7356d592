/** Four tasks at once, which share the places of streams with calls that are waited for. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import { envelope } from "./support.ts";
import { answerOf, makeTaskFolders, recordsOf, refusalOf, START, successOf, TaskServer } from "./task_support.ts";
import { downloadArgs, heldFile } from "./transfer_support.ts";

Deno.test("a fifth task is refused as busy and has no record, and starts when one of the four has ended", async () => {
  verifies("tasks-bounds", "refusals-send-nothing");
  await using folders = await makeTaskFolders();
  const go = Promise.withResolvers<void>();
  await using bot = new RawBot(heldFile(go.promise, { announced: 1000 }));
  await using server = TaskServer.for(bot, folders);
  const answers = await Promise.all(Array.from({ length: 8 }, () => server.tool(START, downloadArgs("x"))));
  const ids = answers.flatMap(({ result }): string[] => result.resultType === "task" ? [result.taskId] : []);
  deepStrictEqual([answers.length, ids.length], [8, 4], "of many at once too");
  await bot.connection(3);
  const { outcome, kind, message } = refusalOf(await server.tool(START, downloadArgs("x")));
  deepStrictEqual([outcome, kind], ["failed", "busy"]);
  match(message, /4 tasks run already/);
  deepStrictEqual([...recordsOf(folders.tasks).keys()].sort(), ids.toSorted());
  const [cancelled = "", ...others] = ids;
  await server.cancelTask(cancelled);
  await server.settled(cancelled);
  others.push((await server.begin(downloadArgs("x"))).taskId);
  await bot.connection(4);
  go.resolve();
  for (const id of others) successOf(await server.settled(id));
  strictEqual(bot.connections.length, 5);
});

Deno.test("tasks and calls that are waited for share four places: a task that finds none says so as its result", async () => {
  verifies("tasks-bounds", "stream-slots");
  await using folders = await makeTaskFolders();
  const go = Promise.withResolvers<void>();
  await using bot = new RawBot(heldFile(go.promise, { announced: 1000 }));
  await using server = TaskServer.for(bot, folders);
  for (const id of ["one", "two"]) {
    const params = { name: "invoke_action", arguments: downloadArgs("x"), _meta: envelope() };
    await server.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  }
  await bot.connection(1);
  const tasks = [await server.begin(downloadArgs("x")), await server.begin(downloadArgs("x"))];
  await bot.connection(3);
  const late = await server.settled((await server.begin(downloadArgs("x"))).taskId);
  const { isError, structuredContent } = answerOf(late);
  const { outcome, kind } = structuredContent.diagnostics;
  deepStrictEqual([isError, outcome, kind], [true, "failed", "busy"]);
  strictEqual(refusalOf(await server.tool("invoke_action", downloadArgs("x"))).kind, "busy");
  strictEqual(bot.connections.length, 4, "nothing of either was sent");
  go.resolve();
  for (const { taskId } of tasks) successOf(await server.settled(taskId));
  for (const wanted of ["one", "two"]) {
    const { result } = await server.receive(({ id }) => id === wanted);
    strictEqual(result.structuredContent.diagnostics.outcome, "success");
  }
});
