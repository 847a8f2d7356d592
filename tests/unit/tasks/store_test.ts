import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { MAX_RECORD_BYTES } from "../../../lib/tasks/record.ts";
import { cancelledWith, completed, interrupted, withProgress } from "../../../lib/tasks/transitions.ts";
import { verifies } from "../../requirements.ts";
import { bits, list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { AT, bindFolder, makeRecord, openStore, ORIGIN, plant, plantRecord, SUCCESS } from "./support.ts";

const WIDE = /^its permissions are wider than 0600$/;
const DONE = { isError: false, structuredContent: SUCCESS };

Deno.test("TaskStore keeps records in private files, and gives them back after it was opened again", async () => {
  verifies("tasks-first", "tasks-private", "tasks-restart");
  await using temp = await tempFolder();
  const records = [
    completed(withProgress(makeRecord(), 5, 10, AT), DONE, AT + 1),
    cancelledWith(makeRecord(), "unknown", AT + 2),
    interrupted(makeRecord(), "closed", AT + 3),
  ];
  {
    using store = await openStore(temp.path);
    for (const record of records) {
      await store.create(makeRecord({ taskId: record.taskId }));
      strictEqual(store.summary(record.taskId)?.status, "working");
      await store.replace(record);
      strictEqual(await bits(join(temp.path, `${record.taskId}.json`)), 0o600);
    }
  }
  using store = await openStore(temp.path);
  strictEqual(store.list().length, 3);
  for (const record of records) {
    const { taskId } = record;
    deepStrictEqual(await store.read(taskId), record);
    const { answer: _answer, error: _error, format: _format, traceparent: _trace, ...summary } = record;
    deepStrictEqual(store.summary(taskId), summary);
  }
  deepStrictEqual(store.unreadable, []);
});

Deno.test("TaskStore knows no ids but those of its files, whatever they look like", async () => {
  verifies("tasks-get");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  await plant(temp.path, "x.json", "{}");
  using store = await openStore(temp.path);
  for (const id of ["", "x", ".scope", "../x", crypto.randomUUID(), `${crypto.randomUUID()}\0`]) {
    strictEqual(await store.read(id), undefined, id);
    strictEqual(store.summary(id), undefined, id);
  }
});

Deno.test("TaskStore.open() ends what the last process left working, on disk, and only that", async () => {
  verifies("tasks-restart");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const [working, done] = [withProgress(makeRecord(), 7, 9, AT), completed(makeRecord(), DONE, AT)];
  for (const record of [working, done]) await plantRecord(temp.path, record);
  const path = join(temp.path, `${working.taskId}.json`);
  using store = await openStore(temp.path);
  const ended = JSON.parse(await Deno.readTextFile(path));
  const { error, progress, createdAt, lastUpdatedAt, action } = ended;
  deepStrictEqual([ended.status, error.code, progress, createdAt], [
    "failed",
    -32603,
    { value: 7, total: 9 },
    working.createdAt,
  ]);
  match(error.message, /^The server ended while upload_file_stream ran: its remote outcome is UNKNOWN/);
  ok(lastUpdatedAt > working.lastUpdatedAt);
  strictEqual(action, ORIGIN.action);
  deepStrictEqual(await store.read(working.taskId), ended);
  strictEqual(store.summary(working.taskId)?.status, "failed");
  deepStrictEqual(await store.read(done.taskId), done);
});

Deno.test("TaskStore.open() names what was left working and cannot be ended, and keeps the others", async () => {
  verifies("tasks-restart", "tasks-validated");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const working = Array.from({ length: 4 }, () => makeRecord());
  const done = completed(makeRecord(), DONE, AT);
  for (const record of [...working, done]) await plantRecord(temp.path, record);
  const files = working.map(({ taskId }) => `${taskId}.json`).sort();
  const { sync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.sync = () => Promise.reject(new Error("Input/output error (os error 5)"));
  try {
    using store = await openStore(temp.path);
    deepStrictEqual(store.unreadable.map(({ file }) => file), files);
    for (const { file, reason } of store.unreadable) {
      match(reason, /^it was left unfinished, and its end cannot be written: .*Input\/output error$/);
      const { kind, message } = await failureOf(() => store.read(file.slice(0, -".json".length)));
      deepStrictEqual([kind, message], ["storage", `Cannot read "${file}" of the task folder: ${reason}`]);
    }
    deepStrictEqual(store.list().map(({ taskId }) => taskId), [done.taskId]);
    deepStrictEqual(await store.read(done.taskId), done);
  } finally {
    Deno.FsFile.prototype.sync = sync;
  }
  using store = await openStore(temp.path);
  deepStrictEqual(store.unreadable, [], "the next start tries again");
  deepStrictEqual(store.list().map(({ status }) => status).sort(), ["completed", ...Array(4).fill("failed")]);
});

Deno.test("TaskStore.open() names each file that is no readable task, touches none, and keeps the others", async () => {
  verifies("tasks-validated", "tasks-private");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const good = completed(makeRecord(), DONE, AT);
  await plantRecord(temp.path, good);
  const text = JSON.stringify(good);
  const cases: Array<[plant: (path: string, name: string) => Promise<unknown>, reason: RegExp]> = [
    [(_, name) => plant(temp.path, name, ""), /^it is not JSON$/],
    [(_, name) => plant(temp.path, name, text.slice(0, -9)), /^it is not JSON$/],
    [(_, name) => plant(temp.path, name, new Uint8Array([0x22, 0xff, 0x22])), /^it is not UTF-8 text$/],
    [(_, name) => plant(temp.path, name, text), /^it is the record of another task$/],
    [(_, name) => plant(temp.path, name, JSON.stringify({ ...good, more: 1 })), /^it has the unknown field "more"$/],
    [(_, name) => plant(temp.path, name, '{"format":2}'), /^it was written by a newer version$/],
    [(path) => truncated(path, MAX_RECORD_BYTES + 1), /^it has 16777217 bytes, and 16777216 are allowed$/],
    [(path) => Deno.mkdir(path), /^it is not a regular file$/],
    [(path) => Deno.symlink(join(temp.path, `${good.taskId}.json`), path), /^it is a symbolic link$/],
    [(path) => Deno.symlink("/nowhere", path), /^it is a symbolic link$/],
    [(path) => new Deno.Command("mkfifo", { args: [path] }).output(), /^it is not a regular file$/],
  ];
  for (const mode of [0o601, 0o604, 0o610, 0o640]) {
    cases.push([(_, name) => plant(temp.path, name, text.replace(good.taskId, name.slice(0, 36)), mode), WIDE]);
  }
  const expected = new Map<string, RegExp>();
  for (const [plantIt, reason] of cases) {
    const name = `${crypto.randomUUID()}.json`;
    await plantIt(join(temp.path, name), name);
    expected.set(name, reason);
  }
  for (const name of ["notes.txt", `${good.taskId}.json.bak`, `${good.taskId.toUpperCase()}.json`, ".DS_Store"]) {
    await plant(temp.path, name, text);
    expected.set(name, /^its name is not <task id>\.json$/);
  }
  const before = await inodes(temp.path);
  using store = await openStore(temp.path);
  deepStrictEqual(store.unreadable.map(({ file }) => file), [...expected.keys()].sort());
  for (const { file, reason } of store.unreadable) match(reason, expected.get(file) ?? /never/);
  deepStrictEqual(await inodes(temp.path), before, "what cannot be read is not touched");
  deepStrictEqual(store.list().map(({ taskId }) => taskId), [good.taskId]);
  deepStrictEqual(await store.read(good.taskId), good);

  const [{ file = "", reason = "" } = {}] = store.unreadable.filter(({ reason }) => /newer/.test(reason));
  const { kind, message } = await failureOf(() => store.read(file.replace(".json", "")));
  deepStrictEqual([kind, message], ["storage", `Cannot read ${JSON.stringify(file)} of the task folder: ${reason}`]);
});

Deno.test("TaskStore.read() validates again what was replaced behind its back", async () => {
  verifies("tasks-validated");
  await using temp = await tempFolder();
  using store = await openStore(temp.path);
  const [one, other] = [completed(makeRecord(), DONE, AT), completed(makeRecord(), DONE, AT)];
  for (const record of [one, other]) await store.create(record);
  const path = join(temp.path, `${one.taskId}.json`);
  const attacks: Array<[attack: () => Promise<unknown>, reason: RegExp]> = [
    [() => plant(temp.path, `${one.taskId}.json`, "{"), /: it is not JSON$/],
    [() => plant(temp.path, `${one.taskId}.json`, JSON.stringify(other)), /: it is the record of another task$/],
    [() => Deno.chmod(path, 0o644), /: its permissions are wider than 0600$/],
    [() => truncated(path, MAX_RECORD_BYTES + 1), /: it has 16777217 bytes/],
    [() => relink(path, join(temp.path, `${other.taskId}.json`)), /: it is a symbolic link$/],
    [() => relink(path, join(temp.path, "nothing")), /: it is a symbolic link$/],
  ];
  for (const [attack, reason] of attacks) {
    await attack();
    const { kind, message } = await failureOf(() => store.read(one.taskId));
    strictEqual(kind, "storage");
    match(message, reason);
    ok(message.includes(`${one.taskId}.json`));
    deepStrictEqual(await store.read(other.taskId), other);
  }
});

Deno.test("TaskStore.read() knows a task no more whose file was deleted, and neither does the list", async () => {
  verifies("tasks-get", "tasks-list");
  await using temp = await tempFolder();
  using store = await openStore(temp.path);
  const [one, other] = [completed(makeRecord(), DONE, AT), completed(makeRecord(), DONE, AT)];
  for (const record of [one, other]) await store.create(record);
  await Deno.remove(join(temp.path, `${one.taskId}.json`));
  for (let time = 0; time < 2; time++) strictEqual(await store.read(one.taskId), undefined);
  deepStrictEqual([store.summary(one.taskId), store.unreadable], [undefined, []]);
  deepStrictEqual(store.list().map(({ taskId }) => taskId), [other.taskId]);
  deepStrictEqual(await store.read(other.taskId), other);
});

Deno.test("TaskStore.read() takes no file that was put in another's place while it was opened", async () => {
  verifies("tasks-validated");
  await using temp = await tempFolder();
  using store = await openStore(temp.path);
  const record = completed(makeRecord(), DONE, AT);
  await store.create(record);
  const path = join(temp.path, `${record.taskId}.json`);
  const { open } = Deno;
  Deno.open = async (given, options) => {
    await Deno.rename(path, `${path}.aside`);
    await Deno.symlink(join(temp.path, "other"), path);
    await plant(temp.path, "other", JSON.stringify(record));
    return await open(given, options);
  };
  try {
    const { kind, message } = await failureOf(() => store.read(record.taskId));
    deepStrictEqual(kind, "storage");
    match(message, /: it changed while it was opened$/);
  } finally {
    Deno.open = open;
  }
});

Deno.test("TaskStore writes nothing any more after close()", async () => {
  verifies("tasks-lease");
  await using temp = await tempFolder();
  const store = await openStore(temp.path);
  const record = makeRecord();
  await store.create(record);
  store.close();
  const before = await inodes(temp.path);
  for (const write of [() => store.create(makeRecord()), () => store.replace(completed(record, DONE, AT))]) {
    strictEqual((await failureOf(write)).kind, "storage");
  }
  deepStrictEqual(await inodes(temp.path), before);
});

Deno.test("TaskStore.create() leaves no record that a start would tell of when it fails", async () => {
  verifies("tasks-first");
  await using temp = await tempFolder();
  using store = await openStore(temp.path);
  const record = makeRecord();
  const { sync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.sync = async function () {
    if ((await this.stat()).isDirectory) throw new Error("Input/output error (os error 5)"); // the name is there by then
    await sync.call(this);
  };
  try {
    match((await failureOf(() => store.create(record))).message, /^Cannot write ".*\.json" of the task folder: Input/);
  } finally {
    Deno.FsFile.prototype.sync = sync;
  }
  strictEqual(store.summary(record.taskId), undefined);
  deepStrictEqual(await list(temp.path), [".lease", ".scope.json"]);
});

/** Puts a link in the place of a file. */
async function relink(path: string, target: string): Promise<void> {
  await Deno.remove(path);
  await Deno.symlink(target, path);
}

/** A private file of so many bytes that takes no room. */
async function truncated(path: string, bytes: number): Promise<void> {
  await Deno.writeTextFile(path, "", { mode: 0o600 });
  await Deno.chmod(path, 0o600);
  await Deno.truncate(path, bytes);
}

/** What is where in a folder. */
async function inodes(path: string): Promise<Array<[name: string, inode: number | null, mtime: number]>> {
  return await Promise.all((await list(path)).map(async (name) => {
    const { ino, mtime } = await Deno.lstat(join(path, name));
    return [name, ino, mtime?.getTime() ?? 0] as [string, number | null, number];
  }));
}
