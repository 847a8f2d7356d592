/** Files of the task folder that are no records one may trust: each is named, none is touched, the others are read. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { makeTaskFolders, recordNames, refusalOf, successOf, type TaskFolders, TaskServer } from "./task_support.ts";
import { bits, downloadArgs, list } from "./transfer_support.ts";

const MIB = 1024 * 1024;
const SMALL = downloadArgs(generatedFile(10));

/** What is put into the folder under the name of a record, made out of a good one; and what is said of it. */
interface Case {
  readonly name: string;
  readonly put: (path: string, good: Message) => Promise<unknown>;
  readonly says: RegExp;
}

const text = (make: (good: Message) => string | Uint8Array, mode = 0o600): Case["put"] => async (path, good) => {
  const content = make(good);
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  await Deno.writeFile(path, bytes);
  await Deno.chmod(path, mode);
};
const fields = (more: Message): Case["put"] => text((good) => JSON.stringify({ ...good, ...more }));

const CASES: readonly Case[] = [
  { name: "cut", put: text((good) => JSON.stringify(good).slice(0, -20)), says: /not JSON/ },
  { name: "empty", put: text(() => ""), says: /not JSON/ },
  { name: "no text", put: text(() => new Uint8Array([0x22, 0xff, 0x22])), says: /not UTF-8/ },
  { name: "too large", put: text(() => new Uint8Array(16 * MIB + 1).fill(32)), says: /16777217 bytes/ },
  { name: "readable by others", put: text((good) => JSON.stringify(good), 0o644), says: /wider than 0600/ },
  { name: "writable by its group", put: text((good) => JSON.stringify(good), 0o620), says: /wider than 0600/ },
  { name: "newer", put: fields({ format: 2, status: "paused" }), says: /newer version/ },
  { name: "unknown field", put: fields({ note: "mine" }), says: /unknown field "note"/ },
  { name: "unknown status", put: fields({ status: "input_required" }), says: /"status"/ },
  { name: "success without an answer", put: fields({ answer: undefined }), says: /"answer"/ },
  { name: "of another task", put: fields({ taskId: crypto.randomUUID() }), says: /another task/ },
  { name: "list", put: text((good) => JSON.stringify([good])), says: /not an object/ },
  { name: "directory", put: (path) => Deno.mkdir(path), says: /not a regular file/ },
  {
    name: "symbolic link",
    async put(path, good): Promise<void> {
      const target = join(path, "../../elsewhere.json");
      await text((good) => JSON.stringify(good))(target, good);
      await Deno.symlink(target, path);
    },
    says: /symbolic link/,
  },
  {
    name: "FIFO",
    put: (path) => new Deno.Command("mkfifo", { args: ["-m", "600", path] }).output(),
    says: /not a regular file/,
  },
];

/** A folder with one good task, in which no server is. */
async function usedFolder(bot: { readonly url: string }, folders: TaskFolders): Promise<Message> {
  await using server = TaskServer.for(bot, folders);
  const task = await server.settled((await server.begin(SMALL)).taskId);
  await server.finish();
  return task;
}

/** What there is under a name: kind, permissions, and the bytes of a file. */
async function lookAt(path: string): Promise<unknown[]> {
  const { isFile, isDirectory, isSymlink, mode, size, mtime } = await Deno.lstat(path);
  return [isFile, isDirectory, isSymlink, mode, size, mtime, isFile && await Deno.readFile(path)];
}

Deno.test({
  name: "list_tasks names every file that is no record to trust, and why; none is touched, the others are read",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-validated", "tasks-private", "tasks-bounds");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    const done = await usedFolder(bot, folders);
    const good = JSON.parse(await Deno.readTextFile(join(folders.tasks, `${done.taskId}.json`)));
    const placed = await Promise.all(CASES.map(async ({ name, put, says }) => {
      const taskId = crypto.randomUUID();
      const path = join(folders.tasks, `${taskId}.json`);
      await put(path, { ...good, taskId });
      return { name, says, taskId, path, before: await lookAt(path) };
    }));

    await using server = TaskServer.for(bot, folders);
    const { tasks, unreadable } = await server.tasks();
    deepStrictEqual(tasks.map(({ taskId }: Message) => taskId), [done.taskId]);
    deepStrictEqual(unreadable.map(({ file }: Message) => file), placed.map(({ taskId }) => `${taskId}.json`).sort());
    for (const { name, says, taskId } of placed) {
      const { reason } = unreadable.find(({ file }: Message) => file === `${taskId}.json`);
      match(reason, says, name);
      for (const method of ["tasks/get", "tasks/cancel"]) {
        const { error } = await server.ask(method, { taskId });
        deepStrictEqual([error?.code, error?.data], [-32603, { kind: "storage" }], `${name}: ${JSON.stringify(error)}`);
        ok(error.message.includes(`${taskId}.json`) && says.test(error.message), error.message);
      }
    }
    deepStrictEqual(await server.get(done.taskId), done);
    successOf(await server.settled((await server.begin(SMALL)).taskId));
    await server.finish();
    for (const { name, path, before } of placed) deepStrictEqual(await lookAt(path), before, name);
    const said = await server.stderr;
    for (const { taskId } of placed) ok(said.includes(`${taskId}.json`), said);
  },
});

Deno.test("list_tasks names files of others, whatever they are called", async () => {
  verifies("tasks-validated");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  const { taskId } = await usedFolder(bot, folders);
  const names = [
    "notes.txt",
    ".hidden",
    "tasks.json",
    `${taskId.toUpperCase()}.json`,
    `${taskId}.json.bak`,
    "a b\n.json",
  ];
  for (const name of names) await Deno.writeTextFile(join(folders.tasks, name), "{}", { mode: 0o600 });
  const before = await list(folders.tasks);
  await using server = TaskServer.for(bot, folders);
  const { tasks, unreadable } = await server.tasks();
  deepStrictEqual([tasks.length, unreadable.map(({ file }: Message) => file)], [1, names.toSorted()]);
  for (const { reason } of unreadable) match(reason, /^its name is not <task id>\.json$/);
  deepStrictEqual(await list(folders.tasks), before);
});

Deno.test({
  name: "a record that is spoiled while the server runs is an error when it is read, not an old answer",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-validated", "tasks-private");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    await using server = TaskServer.for(bot, folders);
    const { taskId } = await server.settled((await server.begin(SMALL)).taskId);
    const path = join(folders.tasks, `${taskId}.json`);
    const content = await Deno.readTextFile(path);
    const isRefused = async (says: RegExp): Promise<void> => {
      const { error } = await server.ask("tasks/get", { taskId });
      deepStrictEqual([error?.code, error?.data], [-32603, { kind: "storage" }], JSON.stringify(error));
      match(error.message, says);
    };
    await Deno.chmod(path, 0o640);
    await isRefused(/wider than 0600/);
    await Deno.chmod(path, 0o600);
    await Deno.writeTextFile(path, content.slice(0, 40));
    await isRefused(/not JSON/);
    await Deno.writeTextFile(path, content);
    successOf(await server.get(taskId));
  },
});

Deno.test("a record that the operator deletes while the server runs is unknown, and the others stay", async () => {
  verifies("tasks-get", "tasks-list", "tasks-cancel");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  const [gone, kept] = [await server.begin(SMALL), await server.begin(SMALL)];
  const task = await server.settled(kept.taskId);
  await server.settled(gone.taskId);
  await Deno.remove(join(folders.tasks, `${gone.taskId}.json`));
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    const { error } = await server.ask(method, { taskId: gone.taskId, inputResponses: {} });
    strictEqual(error?.code, -32602, `${method}: ${JSON.stringify(error)}`);
    match(error.message, /^Unknown task "/);
  }
  const { tasks, unreadable } = await server.tasks();
  deepStrictEqual([tasks.map(({ taskId }: Message) => taskId), unreadable], [[kept.taskId], []]);
  deepStrictEqual(await server.get(kept.taskId), task);
});

Deno.test({
  name: "everything a server makes in the task folder is this user's alone",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-private", "tasks-atomic");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    const { taskId } = await usedFolder(bot, folders);
    deepStrictEqual(await list(folders.tasks), [".lease", ".scope.json", `${taskId}.json`], "and no temporary files");
    for (const name of await list(folders.tasks)) strictEqual(await bits(join(folders.tasks, name)), 0o600, name);
    strictEqual(await bits(folders.tasks), 0o700);
  },
});

Deno.test({
  name: "a lease or a scope that others may write is refused, and the server works without tasks",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("tasks-private", "tasks-validated");
    await using folders = await makeTaskFolders();
    await using bot = await startSimulator();
    const done = await usedFolder(bot, folders);
    for (const name of [".lease", ".scope.json"]) {
      const path = join(folders.tasks, name);
      await Deno.chmod(path, 0o666);
      await using server = TaskServer.for(bot, folders);
      const { kind, message } = refusalOf(await server.tool("list_tasks"));
      strictEqual(kind, "storage");
      ok(message.includes(name) && message.includes("0600"), message);
      strictEqual((await server.tool("query_action", { action: "get_status" })).result.isError, undefined);
      await Deno.chmod(path, 0o600);
      deepStrictEqual(await server.get(done.taskId), done, "and with tasks as soon as that is put right");
    }
    strictEqual((await recordNames(folders.tasks)).length, 1);
  },
});
