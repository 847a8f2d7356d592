/** Disks that refuse: a task that cannot be recorded does not begin, and an end that cannot be is no success. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { TextLineStream } from "@std/streams";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import { type Message, serverCommand, type ServerOptions } from "../support/server_process.ts";
import { GENERIC, okFrame, streams, wire } from "./stream_support.ts";
import { envelope } from "./support.ts";
import * as support from "./task_support.ts";
import { downloadArgs, eventually, heldFile, list } from "./transfer_support.ts";

const { doubtOf, makeTaskFolders, recordNames, recordsOf, refusalOf, START, successOf, TaskServer, TASKS } = support;
const SMALL = downloadArgs(generatedFile(10));

/** A server that may write so many blocks (of 512 or 1024 bytes) into a file: a disk that is full beyond. */
class LimitedServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(options: ServerOptions, blocks: number) {
    const { command, args, env } = serverCommand(options);
    const limited = ["-c", `trap "" XFSZ; ulimit -f ${blocks}; exec "$@"`, "sh", command, ...args];
    const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    this.#child = new Deno.Command("sh", { args: limited, env, clearEnv: true, ...pipes }).spawn();
    this.#input = this.#child.stdin.getWriter();
    const lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
    this.#lines = lines.getReader();
  }

  async ask(method: string, params: Message): Promise<Message> {
    const _meta = envelope({ clientCapabilities: TASKS });
    const line = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
    return JSON.parse((await this.#lines.read()).value ?? "{}");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    strictEqual((await this.#child.status).code, 0);
    await this.#lines.cancel();
  }
}

Deno.test({
  name: "a task whose record finds no room does not begin: an error, no handle, no call, no file",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-first", "tasks-atomic", "refusals-send-nothing");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    await using first = TaskServer.for(bot, folders);
    await first.tasks(); // the folder is bound
    await first.finish();
    await using server = new LimitedServer(support.taskOptions(bot, folders), 0);
    for (let attempt = 0; attempt < 6; attempt++) { // more than there are places: each is given back
      const answer = await server.ask("tools/call", { name: START, arguments: SMALL });
      const { outcome, kind, message, next_step } = refusalOf(answer);
      deepStrictEqual([outcome, kind], ["failed", "storage"], message);
      match(message, /^Cannot write "[-0-9a-f]+\.json" of the task folder: File too large/);
      match(next_step, /SNOWLUMA_MCP_TASK_DIR/);
    }
    deepStrictEqual([bot.requests.length, await list(folders.tasks)], [0, [".lease", ".scope.json"]]);
  },
});

Deno.test({
  name: "a task whose end finds no room is never told as completed; the next start tells that it is in doubt",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-get", "tasks-atomic", "tasks-restart");
    await using folders = await makeTaskFolders();
    await using bot = new RawBot();
    const body = wire(okFrame({ type: "response", data_type: "data_complete", text: "x".repeat(5000) }));
    bot.script(streams(body));
    let taskId = "";
    {
      await using server = new LimitedServer(support.taskOptions(bot, folders), 2);
      const { result } = await server.ask("tools/call", { name: START, arguments: GENERIC });
      strictEqual(result?.resultType, "task", JSON.stringify(result));
      taskId = result.taskId;
      const error = await eventually(async () => (await server.ask("tasks/get", { taskId })).error);
      deepStrictEqual([error.code, error.data], [-32603, { kind: "storage" }], JSON.stringify(error));
      match(error.message, /File too large/);
      const listed = await server.ask("tools/call", { name: "list_tasks" });
      const { tasks } = listed.result.structuredContent.result;
      deepStrictEqual(tasks.map(({ status }: Message) => status), ["working"], "the list claims no end either");
    }
    deepStrictEqual(await list(folders.tasks), [".lease", ".scope.json", `${taskId}.json`], "no temporary file");
    strictEqual(recordsOf(folders.tasks).get(taskId)?.status, "working");
    await using next = TaskServer.for(bot, folders);
    doubtOf(await next.get(taskId));
    strictEqual(bot.connections.length, 1);
  },
});

Deno.test("a folder that is taken away under a running server is an error until it is back, never a success", async () => {
  verifies("tasks-first", "tasks-get", "tasks-atomic");
  await using folders = await makeTaskFolders();
  const go = Promise.withResolvers<void>();
  await using bot = new RawBot();
  bot.script(heldFile(go.promise, { announced: 1000 }));
  await using server = TaskServer.for(bot, folders);
  const { taskId } = await server.begin(downloadArgs("x"));
  await bot.connection(0);
  const aside = join(folders.top, "aside");
  await Deno.rename(folders.tasks, aside);
  const refused = refusalOf(await server.tool(START, SMALL));
  deepStrictEqual([refused.outcome, refused.kind], ["failed", "storage"]);
  go.resolve();
  const error = await eventually(async () => (await server.ask("tasks/get", { taskId })).error);
  deepStrictEqual([error.code, error.data], [-32603, { kind: "storage" }], JSON.stringify(error));
  deepStrictEqual(await list(folders.tasks), [], "it is not made again unasked");
  strictEqual(recordsOf(aside).get(taskId)?.status, "working");
  await Deno.rename(aside, folders.tasks);
  successOf(await server.get(taskId));
  strictEqual(recordsOf(folders.tasks).get(taskId)?.status, "completed");
  deepStrictEqual([(await recordNames(folders.tasks)).length, bot.connections.length], [1, 1]);
});

Deno.test({
  name: "a start that cannot record what was left unfinished names it, and its task does not seem to work",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-restart", "tasks-atomic", "tasks-validated");
    await using folders = await makeTaskFolders();
    await using bot = new RawBot();
    bot.script(heldFile(Promise.resolve()), heldFile(Promise.withResolvers<void>().promise));
    await using first = TaskServer.for(bot, folders);
    const done = await first.settled((await first.begin(downloadArgs("x"))).taskId);
    const { taskId } = await first.begin(downloadArgs("x"));
    await first.crash();
    {
      await using server = new LimitedServer(support.taskOptions(bot, folders), 0);
      const listed = await server.ask("tools/call", { name: "list_tasks" });
      const { tasks, unreadable } = listed.result.structuredContent.result;
      deepStrictEqual(tasks.map(({ taskId }: Message) => taskId), [done.taskId]);
      deepStrictEqual(unreadable.map(({ file }: Message) => file), [`${taskId}.json`]);
      match(unreadable[0].reason, /^it was left unfinished, and its end cannot be written: .*File too large/);
      const { error } = await server.ask("tasks/get", { taskId });
      deepStrictEqual([error?.code, error?.data], [-32603, { kind: "storage" }]);
      match(error.message, /left unfinished/);
      deepStrictEqual(successOf((await server.ask("tasks/get", { taskId: done.taskId })).result), successOf(done));
    }
    await using next = TaskServer.for(bot, folders);
    doubtOf(await next.get(taskId));
  },
});
