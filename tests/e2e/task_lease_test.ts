/** A folder is one process's and one configuration's: others start and work, but for their tasks. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { RawBot } from "../support/raw_bot.ts";
import { doubtOf, makeTaskFolders, recordNames, refusalOf, START, successOf, TaskServer } from "./task_support.ts";
import { downloadArgs, heldFile, list } from "./transfer_support.ts";

const SMALL = downloadArgs(generatedFile(10));
const METHODS = ["tasks/get", "tasks/cancel", "tasks/update"];

/** Checks that all about tasks is refused as busy, and the rest works; gives what was said. */
async function isBusy(server: TaskServer, taskId: string): Promise<Message> {
  const refusals = [await server.tool(START, SMALL), await server.tool("list_tasks")].map(refusalOf);
  for (const { outcome, kind, message } of refusals) deepStrictEqual([outcome, kind], ["failed", "busy"], message);
  for (const method of METHODS) {
    const { error } = await server.ask(method, { taskId, inputResponses: {} });
    deepStrictEqual([error?.code, error?.data], [-32603, { kind: "busy" }], JSON.stringify(error));
    strictEqual(error.message, `${refusals[0]?.message}. ${refusals[0]?.next_step}`);
  }
  const { result } = await server.tool("query_action", { action: "get_status" });
  strictEqual(result.structuredContent.diagnostics.outcome, "success");
  strictEqual((await server.tool("invoke_action", SMALL)).result.structuredContent.diagnostics.outcome, "success");
  return refusals[0] ?? {};
}

/** Every file of a folder with its bytes. */
async function contents(folder: string): Promise<ReadonlyArray<readonly [string, Uint8Array]>> {
  return await Promise.all(
    (await list(folder)).map(async (name) => [name, await Deno.readFile(join(folder, name))] as const),
  );
}

for (const end of ["ends", "is killed"] as const) {
  Deno.test(`a second server on a folder answers busy for its tasks, and has them once the first ${end}`, async () => {
    verifies("tasks-lease");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    bot.script({ kind: "delay", ms: Infinity, when: "before", action: "test_download_stream" });
    await using first = TaskServer.for(bot, folders);
    const done = await first.settled((await first.begin(SMALL)).taskId);
    const held = (await first.begin({ action: "test_download_stream" })).taskId;
    await using second = TaskServer.for(bot, folders);
    const before = await contents(folders.tasks);
    const { message, next_step } = await isBusy(second, done.taskId);
    match(message, /^Cannot use the task folder ".*": another process has it$/);
    match(next_step, /^Use invoke_action, .* end the other server, or set SNOWLUMA_MCP_TASK_DIR to another folder\.$/);
    deepStrictEqual(await contents(folders.tasks), before, "nothing is touched");
    strictEqual((await first.get(held)).status, "working");
    if (end === "ends") await first.finish();
    else await first.crash();
    deepStrictEqual(await second.get(done.taskId), done);
    doubtOf(await second.get(held));
    successOf(await second.settled((await second.begin(SMALL)).taskId));
    strictEqual((await second.tasks()).tasks.length, 3);
  });
}

Deno.test("a server whose folder was moved away touches nothing of the one that another server made in its place", async () => {
  verifies("tasks-lease", "tasks-first");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  bot.script({ kind: "delay", ms: Infinity, when: "before", action: "test_download_stream" });
  await using first = TaskServer.for(bot, folders);
  const done = await first.settled((await first.begin(SMALL)).taskId);
  const held = (await first.begin({ action: "test_download_stream" })).taskId;
  const aside = join(folders.top, "aside");
  await Deno.rename(folders.tasks, aside);
  await using second = TaskServer.for(bot, folders);
  const own = await second.settled((await second.begin(SMALL)).taskId);
  await Deno.copyFile(join(aside, `${done.taskId}.json`), join(folders.tasks, `${done.taskId}.json`));
  const before = [await contents(folders.tasks), await contents(aside)];

  const { outcome, kind, message } = refusalOf(await first.tool(START, SMALL));
  deepStrictEqual([outcome, kind], ["failed", "storage"]);
  match(message, /^Cannot find "\.lease" of the task folder: it, or the folder, is another one than was opened$/);
  const { error } = await first.ask("tasks/get", { taskId: done.taskId });
  deepStrictEqual([error?.code, error?.data], [-32603, { kind: "storage" }], JSON.stringify(error));
  await first.cancelTask(held); // its end cannot be written
  await first.finish();
  deepStrictEqual([await contents(folders.tasks), await contents(aside)], before, "nothing is touched");
  deepStrictEqual(await second.get(own.taskId), own);
});

Deno.test("a folder of another endpoint or token is busy, with advice, and nothing in it is touched", async (t) => {
  verifies("tasks-scope");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator({ token: "first-token" });
  await using other = await startSimulator({ token: "second-token" });
  const first = { url: bot.url, token: "first-token" };
  await using server = TaskServer.for(first, folders, { ...first });
  const done = await server.settled((await server.begin(SMALL)).taskId);
  await server.finish();
  const before = await contents(folders.tasks);
  const changed: ReadonlyArray<readonly [name: string, bot: { readonly url: string; readonly token?: string }]> = [
    ["another endpoint and token", { url: other.url, token: "second-token" }],
    ["another path of the endpoint", { url: `${bot.url}x/`, token: "first-token" }],
    ["another token", { url: bot.url, token: "first-tokem" }],
    ["no token", { url: bot.url }],
  ];
  for (const [index, [name, options]] of changed.entries()) {
    await t.step(name, async () => {
      await using next = TaskServer.for(options, folders, { ...options });
      const { message, next_step } = index === 0
        ? await isBusy(next, done.taskId)
        : refusalOf(await next.tool("list_tasks"));
      match(message, /^Cannot use the task folder ".*": it belongs to another mode, endpoint or token$/);
      match(next_step, /^Use invoke_action, .* set SNOWLUMA_MCP_TASK_DIR to a new private folder and keep the old one/);
      await next.finish();
      deepStrictEqual(await contents(folders.tasks), before);
    });
  }
  await using again = TaskServer.for(first, folders, { ...first });
  deepStrictEqual(await again.get(done.taskId), done, "under its own configuration it is as it was");
});

Deno.test("records without a word of whose they are belong to nobody: an error, and they stay as they are", async () => {
  verifies("tasks-scope", "tasks-validated");
  await using folders = await makeTaskFolders();
  await using bot = new RawBot();
  bot.script(heldFile(Promise.withResolvers<void>().promise));
  await using server = TaskServer.for(bot, folders);
  await server.begin(downloadArgs("x"));
  await server.crash();
  await Deno.remove(join(folders.tasks, ".scope.json"));
  const before = await contents(folders.tasks);
  await using next = TaskServer.for(bot, folders);
  const { kind, message } = refusalOf(await next.tool("list_tasks"));
  strictEqual(kind, "storage");
  match(message, /no \.scope\.json/);
  deepStrictEqual(await contents(folders.tasks), before);
  strictEqual((await recordNames(folders.tasks)).length, 1);
});
