/** The life of a task, driven by the official library of the extension over real stdio. */
import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  TaskCancelledError,
  type TaskEnabledSession,
  TaskFailedError,
} from "@modelcontextprotocol/ext-tasks/client";
import { generatedFile, generatedSha256, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { legacyClient } from "../support/clients.ts";
import { type Message, serverCommand, type ServerOptions } from "../support/server_process.ts";
import { MODERN } from "./support.ts";
import { DOUBT, makeTaskFolders, START, taskOptions, TASKS, TaskServer } from "./task_support.ts";
import { downloadArgs, list, pattern, sha256, uploadArgs } from "./transfer_support.ts";
import { UploadBot } from "./upload_bot.ts";

type SessionOptions = Parameters<typeof createTaskSessionFromClient>[1];
type Dispatch = NonNullable<SessionOptions["rawDispatch"]>;
type Response = Awaited<ReturnType<Dispatch>>;

/** The official client, and what its library makes of it. */
interface Session extends AsyncDisposable {
  readonly client: Client;
  readonly tasks: TaskEnabledSession;
}

async function openSession(options: ServerOptions): Promise<Session> {
  const clientInfo = { name: "tasks-test", version: "1" };
  const client = new Client(clientInfo, { capabilities: TASKS, versionNegotiation: { mode: { pin: MODERN } } });
  const transport = new StdioClientTransport({ ...serverCommand(options), stderr: "ignore" });
  await client.connect(transport);
  const tasks = createTaskSessionFromClient(client, {
    endpointId: "bot",
    rawDispatch: dispatchOver(transport),
    v2RequestFraming: { protocolVersion: MODERN, clientInfo, clientCapabilities: {} },
  });
  return {
    client,
    tasks,
    async [Symbol.asyncDispose](): Promise<void> {
      await tasks.close();
      await client.close();
    },
  };
}

/** A way past the client, whose own requests know no tasks, over its connection. */
function dispatchOver(transport: StdioClientTransport): Dispatch {
  const waiting = new Map<unknown, (response: Response) => void>();
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    const { id, result, error } = message as Message;
    const take = waiting.get(id);
    if (take === undefined) return onmessage?.(message);
    waiting.delete(id);
    take(error === undefined ? { kind: "result", result } : { kind: "error", error });
  };
  return async (request) => {
    const id = `raw-${crypto.randomUUID()}`;
    const response = Promise.withResolvers<Response>();
    waiting.set(id, response.resolve);
    await transport.send({ ...request as Message, jsonrpc: "2.0", id } as Parameters<typeof transport.send>[0]);
    return await response.promise;
  };
}

Deno.test("the official library sees a download through: call, poll, settle", async () => {
  verifies("tasks-handle", "tasks-get", "tasks-methods", "tasks-clients");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using session = await openSession(taskOptions(bot, folders));
  const { tools } = await session.client.listTools();
  ok(tools.some(({ name }) => name === START) && tools.some(({ name }) => name === "list_tasks"));
  const { inventory, execution, cancellation } = session.tasks.capabilities;
  deepStrictEqual([inventory, execution, cancellation], ["known-handles", true, true]);

  const running = await session.tasks.callTool(START, downloadArgs(generatedFile(3_000_000)));
  strictEqual(running.kind, "task");
  const seen: string[] = [];
  const { outcome, lastTask } = await running.settle({
    onEvent: (event) => void (event.type === "task" && seen.push(event.task.status)),
  });
  const { structuredContent } = resultFromTaskOutcome(outcome) as Message;
  strictEqual(structuredContent.result.sha256, generatedSha256(3_000_000));
  deepStrictEqual([seen[0], lastTask?.status, lastTask?.retentionMs], ["working", "completed", null]);
  strictEqual(lastTask?.suggestedPollIntervalMs, 1000);
  deepStrictEqual(await list(folders.downloads), ["3000000.bin"]);
});

Deno.test("the official library sees an upload through, and is told a refusal of the bot as a result", async () => {
  verifies("tasks-get");
  await using folders = await makeTaskFolders();
  const bytes = pattern(2_500_000);
  await Deno.writeFile(join(folders.uploads, "file.bin"), bytes);
  await using bot = await startSimulator();
  await using session = await openSession(taskOptions(bot, folders));
  const upload = await session.tasks.callTool(START, uploadArgs("file.bin"));
  const refused = await session.tasks.callTool(START, downloadArgs("no such file"));
  const [sent, told] = [await upload.settle(), await refused.settle()];
  const { result, diagnostics } = (resultFromTaskOutcome(sent.outcome) as Message).structuredContent;
  deepStrictEqual([result.data.sha256, diagnostics], [await sha256(bytes), { outcome: "success" }]);
  strictEqual(told.outcome.status, "completed");
  const { isError, structuredContent } = resultFromTaskOutcome(told.outcome) as Message;
  deepStrictEqual([isError, structuredContent.diagnostics.kind], [true, "action_failed"]);
});

Deno.test("the official library cancels, and finds the task cancelled", async () => {
  verifies("tasks-cancel", "tasks-update");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(100));
  await using bot = new UploadBot(({ kind }, right) => kind === "chunk" ? ({ closed }) => closed : right);
  await using session = await openSession(taskOptions(bot, folders));
  const upload = await session.tasks.callTool(START, uploadArgs("file.bin"));
  await bot.came("chunk");
  ok(upload.handle);
  const { taskId } = upload.handle;
  await rejects(() => session.tasks.task(taskId).updateJson({ x: { action: "accept" } }), /no outstanding request/);
  await upload.cancel();
  const outcome = await session.tasks.task(taskId).result();
  strictEqual(outcome.status, "cancelled");
  match(outcome.task?.statusMessage ?? "", /changed nothing at the bot/);
  throws(() => resultFromTaskOutcome(outcome), TaskCancelledError);
  strictEqual(bot.tally, "1/0/1");
});

Deno.test("the official library is told by the next server that a task was left unfinished", async () => {
  verifies("tasks-restart");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(100));
  await using bot = new UploadBot(({ kind }, right) => kind === "chunk" ? ({ closed }) => closed : right);
  await using first = TaskServer.for(bot, folders);
  const { taskId } = await first.begin(uploadArgs("file.bin"));
  await bot.came("chunk");
  await first.crash();
  await using session = await openSession(taskOptions(bot, folders));
  const outcome = await session.tasks.task(taskId).result();
  strictEqual(outcome.status, "failed");
  const { error } = outcome as { error: TaskFailedError };
  ok(error instanceof TaskFailedError);
  strictEqual(error.code, -32603);
  match(error.message, DOUBT);
  strictEqual(bot.tally, "1/0/0", "nothing is replayed");
});

Deno.test("the older generation's official client does not see the tools, and is told that it lacks tasks", async () => {
  verifies("tasks-clients");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using client = await legacyClient(taskOptions(bot, folders));
  const names = (await client.listTools()).tools.map(({ name }: Message) => name);
  ok(names.includes("invoke_action") && !names.includes(START) && !names.includes("list_tasks"), names.join());
  for (const [tool, args] of [[START, downloadArgs(generatedFile(10))], ["list_tasks", {}]] as const) {
    await rejects(() => client.callTool(tool, args), (error: Message) => error.code === -32021);
  }
  const { structuredContent } = await client.callTool("invoke_action", downloadArgs(generatedFile(10)));
  strictEqual(structuredContent.diagnostics.outcome, "success", "the tools of before go on");
  strictEqual(bot.requests.length, 1);
});
