/** What the tests of durable tasks share: a folder for records, a server whose client knows tasks, and their calls. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { type Message, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import { envelope } from "./support.ts";
import { eventually, fileGrants, type Folders, list, makeFolders, transferOptions } from "./transfer_support.ts";

/** Capabilities of a client that knows tasks. */
export const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
/** The tool that starts them. */
export const START = "invoke_action_background";
/** What a task says whose fate at the bot nobody knows. */
export const DOUBT = /remote outcome is UNKNOWN/;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Folders of transfers, and one for tasks, which is absent until a server makes it. */
export interface TaskFolders extends Folders {
  readonly tasks: string;
}

/** Makes folders for one test. */
export async function makeTaskFolders(): Promise<TaskFolders> {
  const folders = await makeFolders();
  return { ...folders, tasks: join(folders.top, "tasks") };
}

/** How to start a server that may use these folders and nothing else. */
export function taskOptions(
  bot: { readonly url: string },
  folders: TaskFolders,
  options: NonNullable<Parameters<typeof transferOptions>[2]> = {},
): ServerOptions {
  const { downloads, uploads, tasks } = folders;
  const env = { SNOWLUMA_MCP_TASK_DIR: tasks, ...options.env };
  return {
    ...transferOptions(bot, folders, { ...options, env }),
    grants: fileGrants([downloads, uploads, tasks], [downloads, tasks]),
  };
}

/** A server process whose client speaks 2026-07-28 and, unless told otherwise, knows tasks. */
export class TaskServer extends ServerProcess {
  #calls = 0;

  /** A server of {@link taskOptions}. */
  static for(...options: Parameters<typeof taskOptions>): TaskServer {
    return new TaskServer(taskOptions(...options));
  }

  /** Sends a request with its envelope and gives the JSON-RPC answer. */
  ask(method: string, params: Message = {}, clientCapabilities: Message = TASKS): Promise<Message> {
    const _meta = { ...envelope({ clientCapabilities }), ...params._meta };
    return this.request(`task-${++this.#calls}`, method, { ...params, _meta }, 20_000);
  }

  /** Calls a tool. */
  tool(name: string, args: Message = {}, _meta: Message = {}): Promise<Message> {
    return this.ask("tools/call", { name, arguments: args, _meta });
  }

  /** Starts a task, and gives its handle. */
  async begin(args: Message, meta: Message = {}): Promise<Message> {
    const { result, error } = await this.tool(START, args, meta);
    strictEqual(result?.resultType, "task", JSON.stringify(error ?? result).slice(0, 500));
    match(result.taskId, UUID);
    return result;
  }

  /** A task as `tasks/get` gives it. */
  async get(taskId: string): Promise<Message> {
    const { result, error } = await this.ask("tasks/get", { taskId });
    strictEqual(error, undefined, JSON.stringify(error));
    return result;
  }

  /** Waits for the end of a task, and gives it. */
  settled(taskId: string): Promise<Message> {
    return this.shows(taskId, ({ status }) => status !== "working");
  }

  /** Asks for a task until it looks so. */
  shows(taskId: string, fits: (task: Message) => boolean): Promise<Message> {
    return eventually(async () => {
      const task = await this.get(taskId);
      return fits(task) ? task : undefined;
    });
  }

  /** Asks a task to stop; the answer is empty, but for what every answer has. */
  async cancelTask(taskId: string): Promise<void> {
    const { result, error } = await this.ask("tasks/cancel", { taskId });
    strictEqual(error, undefined, JSON.stringify(error));
    const { resultType, _meta, ...rest } = result;
    deepStrictEqual([resultType, rest], ["complete", {}]);
  }

  /** The list, or one page of it. */
  async tasks(args: Message = {}): Promise<Message> {
    const { result } = await this.tool("list_tasks", args);
    strictEqual(result.isError ?? false, false, JSON.stringify(result).slice(0, 500));
    return result.structuredContent.result;
  }

  /** Ends its input, and checks that it ends well. */
  async finish(): Promise<void> {
    await this.closeInput();
    const { code } = await this.exit();
    strictEqual(code, 0, await this.stderr);
  }

  /** Kills it, as a crash would. */
  async crash(): Promise<void> {
    this.kill("SIGKILL");
    strictEqual((await this.exit()).signal, "SIGKILL");
  }
}

/** Names of the records in a folder, sorted. */
export async function recordNames(folder: string): Promise<string[]> {
  return (await list(folder)).filter((name) => !name.startsWith("."));
}

/** The records of a folder, as they stand on disk, by task. */
export function recordsOf(folder: string): Map<string, Message> {
  const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) => name.endsWith(".json"));
  return new Map(
    names.filter((name) => !name.startsWith(".")).map((name) => [
      name.slice(0, -".json".length),
      JSON.parse(Deno.readTextFileSync(join(folder, name))) as Message,
    ]),
  );
}

/** What a completed task answered, after checking that it says the same in every place. */
export function answerOf(task: Message): Message {
  strictEqual(task.status, "completed", JSON.stringify(task).slice(0, 500));
  ok(!("error" in task), "an answer and an error");
  const { content, structuredContent, isError = false } = task.result;
  const { result, diagnostics } = structuredContent;
  const text = isError ? `${diagnostics.message}. ${diagnostics.next_step}` : JSON.stringify(result);
  deepStrictEqual(content, [{ type: "text", text }]);
  return task.result;
}

/** What a completed task came to that went well. */
export function successOf(task: Message): Message {
  const { structuredContent, isError } = answerOf(task);
  strictEqual(isError ?? false, false, JSON.stringify(structuredContent).slice(0, 500));
  strictEqual(structuredContent.diagnostics.outcome, "success");
  return structuredContent.result;
}

/** The error of a failed task, after checking that its fate is in doubt and that there is no answer. */
export function doubtOf(task: Message): Message {
  strictEqual(task.status, "failed", JSON.stringify(task).slice(0, 500));
  ok(!("result" in task), "an error and an answer");
  deepStrictEqual(Object.keys(task.error).sort(), ["code", "message"]);
  strictEqual(task.error.code, -32603);
  match(task.error.message, DOUBT);
  strictEqual(task.statusMessage, task.error.message);
  return task.error;
}

/** The diagnostics of a tool that refused. */
export function refusalOf(answer: Message): Message {
  const { structuredContent, isError } = answer.result ?? {};
  strictEqual(isError, true, JSON.stringify(answer).slice(0, 500));
  return structuredContent.diagnostics;
}
