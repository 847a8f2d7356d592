/**
 * Servers that are killed at random moments of creating, running and completing tasks. Whatever the moment: after the
 * restart every record is readable, no task is lost, none says that it works, and none claims what did not happen.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { basename, join } from "node:path";
import { generatedFile, generatedSha256, type Simulator, startSimulator } from "../../lib/simulator/mod.ts";
import { DOUBT, makeTaskFolders, START, type TaskFolders, TaskServer } from "../e2e/task_support.ts";
import { downloadArgs, list, pattern, sha256, uploadArgs } from "../e2e/transfer_support.ts";
import type { Message } from "../support/server_process.ts";
import { between, seeded } from "../unit/support.ts";

/** What a run came to. `lost`, `falseSuccesses` and `unreadable` have to be 0. */
export interface TaskFigures {
  /** Servers that were killed, each with tasks on their way. */
  readonly kills: number;
  /** Handles that clients were given. */
  readonly handles: number;
  /** Tasks that came through, by their own word and by the bot's. */
  readonly completed: number;
  /** Tasks that are in doubt, were refused or cancelled. */
  readonly failed: number;
  /** Handles of tasks that a later server did not know. */
  readonly lost: number;
  /** Tasks that claim a success which the disk or the bot does not confirm. */
  readonly falseSuccesses: number;
  /** Files of the task folder that could not be read. */
  readonly unreadable: number;
  readonly seconds: number;
}

/** How to run it. */
export interface TaskSoakOptions {
  /** @default 200 */
  readonly kills?: number;
  /** Servers at once, each with folders and a bot of its own. @default 3 */
  readonly lanes?: number;
  /** Makes delays and choices repeatable; what a delay hits depends on the machine. */
  readonly seed?: number;
}

/** Longest wait for a first task to end, in milliseconds. */
const PATIENCE_MS = 5_000;
/** Longest wait for changes of the task folder, in milliseconds. */
const QUIET_MS = 500;
/** Files to upload, by size in bytes. */
const UPLOADS = [10, 300_000, 2_500_000] as const;
const DOWNLOADS = [0, 10, 50_000, 4_000_000, 12_000_000] as const;

/** SHA-256 by size: of what the bot generates, and of what is uploaded. */
const GENERATED: ReadonlyMap<number, string> = new Map(DOWNLOADS.map((size) => [size, generatedSha256(size)]));
const SENT: ReadonlyMap<number, string> = new Map(
  await Promise.all(UPLOADS.map(async (size) => [size, await sha256(pattern(size))] as const)),
);

/** Runs it, and prints the seed. @throws {AssertionError} for what no figure counts. */
export async function soakTasks(
  { kills = 200, lanes = 3, seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0 }: TaskSoakOptions = {},
): Promise<TaskFigures> {
  await print(`tasks: seed ${seed}, ${kills} kills\n`);
  const start = performance.now();
  const rounds = Array.from({ length: lanes }, (_, lane) => Math.floor((kills + lane) / lanes));
  const runs = await Promise.all(rounds.map(async (count, lane) => {
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    const run = new Lane(`${lane}`, bot, folders, seeded(seed + lane));
    await run.prepare();
    for (let round = 0; round < count; round++) await run.round();
    await run.finish();
    return run.figures;
  }));
  const sum = (name: keyof Lane["figures"]): number => runs.reduce((total, figures) => total + figures[name], 0);
  return {
    ...{ kills, handles: sum("handles"), completed: sum("completed"), failed: sum("failed"), lost: sum("lost") },
    ...{ falseSuccesses: sum("falseSuccesses"), unreadable: sum("unreadable") },
    seconds: (performance.now() - start) / 1000,
  };
}

/** One folder, its bot, and one server after the other. */
class Lane {
  readonly figures = { handles: 0, completed: 0, failed: 0, lost: 0, falseSuccesses: 0, unreadable: 0 };
  readonly #name: string;
  readonly #bot: Simulator;
  readonly #folders: TaskFolders;
  readonly #random: () => number;
  /** Tasks that a client was given and not yet found again, and the name of what each moves. */
  readonly #handles = new Map<string, string>();
  readonly #unreadable = new Set<string>();
  /** Tasks that were checked, as the list told them; they may not change any more. */
  readonly #known = new Map<string, Message>();
  /** SHA-256 by name, of all that may come or go. */
  readonly #hashes = new Map<string, string>();
  /** Where the requests of the round under way begin, as the bot's clock tells it. */
  #since = 0;
  #count = 0;
  /** Tasks whose handle was lost with the server. */
  #unasked = 0;

  constructor(name: string, bot: Simulator, folders: TaskFolders, random: () => number) {
    this.#name = name;
    this.#bot = bot;
    this.#folders = folders;
    this.#random = random;
  }

  /** Makes the files to upload. */
  async prepare(): Promise<void> {
    for (const size of UPLOADS) await Deno.writeFile(join(this.#folders.uploads, `${size}.bin`), pattern(size));
  }

  /** Checks what the server before left, starts tasks, and kills. */
  async round(): Promise<void> {
    await using server = await this.#start();
    this.#misbehave();
    const watcher = Deno.watchFs(this.#folders.tasks);
    const started = this.#beginAll(server);
    await this.#waitFor(server, started, watcher);
    await server.crash();
    await Promise.all(started); // handles that came at the last moment count
  }

  /** Checks what the last server left. */
  async finish(): Promise<void> {
    await using server = await this.#start();
    await server.finish();
    strictEqual(this.#known.size, this.figures.handles - this.figures.lost + this.#unasked);
  }

  async #start(): Promise<TaskServer> {
    const server = TaskServer.for(this.#bot, this.#folders);
    try {
      await this.#check(server);
      await this.#tidy();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Compares what this server knows with what clients were told, and with the disk and the bot. */
  async #check(server: TaskServer): Promise<void> {
    const { tasks, unreadable } = await this.#list(server);
    for (const { file } of unreadable) this.#unreadable.add(file);
    this.figures.unreadable = this.#unreadable.size;
    const listed = new Map(tasks.map((task) => [task["taskId"] as string, task]));
    for (const [id, before] of this.#known) deepStrictEqual(listed.get(id), before, "a task that had ended");
    for (const id of this.#handles.keys()) if (!listed.has(id)) this.figures.lost++;
    for (const [id, task] of listed) {
      if (this.#known.has(id)) continue;
      this.#known.set(id, task);
      if (!this.#handles.has(id)) this.#unasked++;
      const { result } = await server.ask("tasks/get", { taskId: id });
      strictEqual(result.status, task["status"]);
      await this.#judge(result, this.#handles.get(id));
    }
    this.#handles.clear();
    const temporary = [...await list(this.#folders.tasks), ...await list(this.#folders.downloads)]
      .filter((name) => /\.(tmp|part)$/.test(name));
    deepStrictEqual(temporary, [], "files that nobody writes any more");
    this.#checkReplays();
  }

  /** Holds the word of one task against the disk and the bot; its name is not known when its handle was lost. */
  async #judge({ status, statusMessage, result, error }: Message, name: string | undefined): Promise<void> {
    ok(status !== "working", "a task that works, without anybody who works on it");
    if (status === "completed" && !result.isError) {
      if (await this.#cameThrough(result.structuredContent.result)) this.figures.completed++;
      else this.figures.falseSuccesses++;
      return;
    }
    this.figures.failed++;
    if (status === "failed") match(error.message, DOUBT);
    else if (status === "completed") strictEqual(result.structuredContent.diagnostics.outcome, "failed");
    else match(statusMessage, /changed nothing|remote outcome is UNKNOWN/);
    const denies = status === "completed" || /changed nothing/.test(statusMessage);
    if (denies && name !== undefined) ok(!await this.#mayHaveHappened(name), `${name} came, and its task denies it`);
  }

  /** Whether a file was published, or the bot was asked to make it of its chunks. */
  async #mayHaveHappened(name: string): Promise<boolean> {
    const first = this.#requests().find(({ params }) => params["filename"] === name);
    const id = first?.params["stream_id"];
    const committed = this.#requests().some(({ params }) => params["is_complete"] && params["stream_id"] === id);
    return committed || (await list(this.#folders.downloads)).includes(name);
  }

  async #cameThrough(result: Message): Promise<boolean> {
    if (result["file_path"] !== undefined) {
      const bytes = await Deno.readFile(result["file_path"]).catch(() => undefined);
      return bytes !== undefined && await sha256(bytes) === this.#hashes.get(basename(result["file_path"]));
    }
    const { file_path, sha256: told } = result["data"];
    const name = basename(file_path).split("__").at(-1) ?? "";
    return told === this.#hashes.get(name) && await sha256(await this.#fetch(file_path)) === told;
  }

  /** What the bot has under a path of its own. */
  async #fetch(file: string): Promise<Uint8Array<ArrayBuffer>> {
    const frames = (await this.#tell({ action: "download_file_stream", params: { file } })).split("\r\n\r\n");
    const chunks = frames.filter((frame) => frame.includes('"file_chunk"'))
      .map((frame) => Uint8Array.fromBase64(JSON.parse(frame).data.data));
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  /** No download may have been asked for twice, and no upload committed twice. */
  #checkReplays(): void {
    const seen = new Set<unknown>();
    for (const { action, params } of this.#requests()) {
      const key = action === "upload_file_stream" ? params["is_complete"] && params["stream_id"] : params["file"];
      if (key === undefined) continue;
      ok(!seen.has(key), `${action} was repeated`);
      seen.add(key);
    }
  }

  /** Takes away what has been checked: disk and bot keep only so much. */
  async #tidy(): Promise<void> {
    for (const name of await list(this.#folders.downloads)) await Deno.remove(join(this.#folders.downloads, name));
    const streams = this.#requests().filter(({ params }) => params["total_chunks"] !== undefined);
    this.#bot.clearFaults();
    for (const { params: { stream_id } } of streams) {
      await this.#tell({ action: "upload_file_stream", params: { stream_id, reset: true } });
    }
    await this.#tell({ action: "clean_stream_temp_file", params: {} });
    this.#since = performance.now();
  }

  /** Lets the bot be slow now and then, before or after it has done what it was asked. */
  #misbehave(): void {
    const ms = between(this.#random, 5, 60);
    const when = this.#random() < 0.5 ? "before" : "after";
    if (this.#random() < 0.5) this.#bot.script({ kind: "delay", ms, when, times: Infinity });
  }

  /** Starts some tasks at once, more than may run sometimes, and cancels one now and then. */
  #beginAll(server: TaskServer): Promise<string | undefined>[] {
    return Array.from({ length: between(this.#random, 2, 5) }, async () => {
      const cancel = this.#random() < 0.1;
      const { name, args } = this.#transfer();
      const { result } = await server.tool(START, args);
      if (result?.resultType !== "task") return undefined;
      this.figures.handles++;
      this.#handles.set(result.taskId, name);
      if (cancel) await server.ask("tasks/cancel", { taskId: result.taskId });
      return result.taskId as string;
    }).map((begun) => begun.catch(() => undefined)); // killed before it could answer
  }

  /** A download or an upload of a name that never was before. */
  #transfer(): { name: string; args: Message } {
    const name = `${this.#name}-${++this.#count}.bin`;
    if (this.#random() < 0.5) {
      const size = this.#of(DOWNLOADS);
      this.#hashes.set(name, GENERATED.get(size) ?? "");
      return { name, args: downloadArgs(generatedFile(size, name)) };
    }
    const size = this.#of(UPLOADS);
    this.#hashes.set(name, SENT.get(size) ?? "");
    return { name, args: uploadArgs(`${size}.bin`, { filename: name }) };
  }

  /** Waits for the moment of the kill: while tasks are created, while they run, as they end, or amid any write. */
  async #waitFor(
    server: TaskServer,
    started: readonly Promise<string | undefined>[],
    watcher: Deno.FsWatcher,
  ): Promise<void> {
    const phase = this.#of(["creation", "progress", "completion", "write", "write"]);
    if (phase === "write") return await changes(watcher, between(this.#random, 1, 24));
    watcher.close();
    if (phase === "creation") return await sleep(this.#random() * 15);
    const ids = (await Promise.all(started)).filter((id) => id !== undefined);
    if (phase === "progress") return await sleep(this.#random() * 120);
    const end = performance.now() + PATIENCE_MS;
    const ended = async (): Promise<boolean> => {
      const answers = await Promise.all(ids.map((taskId) => server.ask("tasks/get", { taskId })));
      return answers.some(({ result }) => result?.status !== "working");
    };
    while (performance.now() < end && ids.length > 0 && !await ended());
    await sleep(this.#random() * 40);
  }

  async #list(server: TaskServer): Promise<{ tasks: Message[]; unreadable: Message[] }> {
    const tasks: Message[] = [];
    let unreadable: Message[] = [];
    let cursor: string | undefined;
    do {
      const page = await server.tool("list_tasks", { limit: 100, ...(cursor !== undefined && { cursor }) });
      const { isError, structuredContent: { result, diagnostics } } = page["result"];
      ok(!isError, JSON.stringify(diagnostics));
      tasks.push(...result.tasks);
      unreadable = result.unreadable;
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    return { tasks, unreadable };
  }

  /** Asks the bot itself, beside the server. */
  async #tell(body: Message): Promise<string> {
    const headers = { "content-type": "application/json", [MARK]: "1" };
    return await (await fetch(this.#bot.url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  }

  /** Requests of the server in the round under way. */
  #requests(): Simulator["requests"] {
    return this.#bot.requests.filter(({ at, headers }) => at >= this.#since && headers[MARK] === undefined);
  }

  /** One of a list that is not empty. */
  #of<T>(list: readonly T[]): T {
    return list[between(this.#random, 0, list.length - 1)] as T;
  }
}

/** Header of requests that come from here. */
const MARK = "x-soak";

/** Waits for so many changes of a watched folder, as long as there are any, and watches no more. */
async function changes(watcher: Deno.FsWatcher, count: number): Promise<void> {
  const timer = setTimeout(() => watcher.close(), QUIET_MS);
  for await (const { kind } of watcher) if (kind !== "access" && --count <= 0) break;
  clearTimeout(timer);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function print(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}

if (import.meta.main) await print(`${JSON.stringify(await soakTasks())}\n`);
