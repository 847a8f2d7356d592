/** Who is offered tasks: write mode, a folder, and a client that says that it knows them. Others are told what lacks. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { makeTaskFolders, recordNames, refusalOf, START, TASKS, TaskServer } from "./task_support.ts";
import { downloadArgs } from "./transfer_support.ts";

const EXTENSION = "io.modelcontextprotocol/tasks";
const TOOLS = [START, "list_tasks"];
const METHODS = ["tasks/get", "tasks/cancel", "tasks/update"];
const DOWNLOAD = downloadArgs(generatedFile(10));

/** Names of the task tools that are listed. */
async function listed(server: TaskServer, capabilities: Message): Promise<string[]> {
  const { result } = await server.ask("tools/list", {}, capabilities);
  return result.tools.map(({ name }: Message) => name).filter((name: string) => TOOLS.includes(name));
}

/** What discovery says of the extension. */
async function advertised(server: TaskServer): Promise<unknown> {
  return (await server.ask("server/discover")).result.capabilities.extensions?.[EXTENSION];
}

Deno.test("the extension is advertised and its tools are listed where a folder and write mode are set", async () => {
  verifies("tasks-clients", "visibility");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  deepStrictEqual(await advertised(server), {});
  deepStrictEqual(await listed(server, TASKS), TOOLS);
  deepStrictEqual(await listed(server, { extensions: { [EXTENSION]: { more: true } } }), TOOLS);
  for (const others of [{}, { extensions: {} }, { extensions: { "io.modelcontextprotocol/ui": {} } }]) {
    deepStrictEqual(await listed(server, others), [], JSON.stringify(others));
  }
  const { tools } = (await server.ask("tools/list")).result;
  const schemaOf = (wanted: string): unknown => tools.find(({ name }: Message) => name === wanted).inputSchema;
  deepStrictEqual(schemaOf(START), schemaOf("invoke_action"), "the same arguments");
});

Deno.test("tasks are off in read mode and without a folder: not advertised, not listed, and refused", async () => {
  verifies("tasks-clients", "gate-every-call", "refusals-send-nothing");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  const ways = [
    { options: { mode: "read" }, kinds: ["mode", "not_configured"] },
    { options: { env: { SNOWLUMA_MCP_TASK_DIR: "" } }, kinds: ["not_configured", "not_configured"] },
  ] as const;
  for (const { options, kinds } of ways) {
    await using server = TaskServer.for(bot, folders, options);
    strictEqual(await advertised(server), undefined);
    deepStrictEqual(await listed(server, TASKS), []);
    for (const [index, args] of [DOWNLOAD, {}].entries()) {
      const { outcome, kind, message } = refusalOf(await server.tool(TOOLS[index] ?? "", args));
      deepStrictEqual([outcome, kind], ["failed", kinds[index]], message);
    }
    for (const method of METHODS) strictEqual((await server.ask(method, { taskId: "x" })).error?.code, -32601, method);
  }
  deepStrictEqual(bot.requests.length, 0);
  await rejects(() => Deno.lstat(folders.tasks), Deno.errors.NotFound);
});

Deno.test("a client without the extension is told that it lacks it, and nothing is done", async () => {
  verifies("tasks-clients", "tasks-methods", "refusals-send-nothing");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const requests = [
    ["tools/call", { name: START, arguments: DOWNLOAD }],
    ["tools/call", { name: START, arguments: {} }],
    ["tools/call", { name: "list_tasks" }],
    ...METHODS.map((method) => [method, { taskId: crypto.randomUUID(), inputResponses: {} }] as const),
  ] as const;
  for (const [method, params] of requests) {
    for (const capabilities of [{}, { extensions: {} }]) {
      const { result, error } = await server.ask(method, params, capabilities);
      strictEqual(result, undefined);
      strictEqual(error.code, -32021, `${method}: ${JSON.stringify(error)}`);
      deepStrictEqual(error.data.requiredCapabilities, { extensions: { [EXTENSION]: {} } });
      match(error.message, /io\.modelcontextprotocol\/tasks/);
      const starts = "name" in params && params.name === START;
      const advice = starts ? "; invoke_action makes the same transfers and waits for them" : "";
      strictEqual(error.message.split(EXTENSION)[1], advice, JSON.stringify(params));
    }
  }
  deepStrictEqual([bot.requests.length, await recordNames(folders.tasks)], [0, []]);
});

Deno.test("the older generation has no tasks, whatever its client declares", async () => {
  verifies("tasks-clients", "tasks-methods");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const params = { capabilities: TASKS, clientInfo: { name: "raw", version: "1" }, protocolVersion: "2025-11-25" };
  const { result } = await server.request("init", "initialize", params);
  ok(!("tasks" in result.capabilities) && !(EXTENSION in (result.capabilities.extensions ?? {})));
  await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const { tools } = (await server.request("list", "tools/list")).result;
  deepStrictEqual(tools.filter(({ name }: Message) => TOOLS.includes(name)), []);
  for (const name of TOOLS) strictEqual((await server.call(name, name, DOWNLOAD)).error?.code, -32021);
  for (const method of [...METHODS, "tasks/list", "tasks/result"]) {
    const { error } = await server.request(method, method, { taskId: crypto.randomUUID() });
    strictEqual(error?.code, -32601, `${method}: ${JSON.stringify(error)}`);
  }
  deepStrictEqual([bot.requests.length, await recordNames(folders.tasks)], [0, []]);
});

Deno.test("tasks/list and tasks/result are unknown methods", async () => {
  verifies("tasks-methods");
  await using folders = await makeTaskFolders();
  await using server = TaskServer.for({ url: "simulator" }, folders);
  for (const method of ["tasks/list", "tasks/result", "tasks/delete"]) {
    strictEqual((await server.ask(method, { taskId: crypto.randomUUID() })).error?.code, -32601, method);
  }
});
