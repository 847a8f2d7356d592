import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { LEASE_NAME } from "../../../lib/tasks/lease.ts";
import type { TaskStore } from "../../../lib/tasks/store.ts";
import { completed } from "../../../lib/tasks/transitions.ts";
import { verifies } from "../../requirements.ts";
import { list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { AT, bindFolder, makeRecord, openStore, plant, plantRecord, SUCCESS } from "./support.ts";

const DONE = completed(makeRecord(), { isError: false, structuredContent: SUCCESS }, AT);
/** Of the same task, but somebody else's. */
const FOREIGN = { ...DONE, answer: { isError: false, structuredContent: { ...SUCCESS, result: "foreign" } } };
const REFUSED = /^Cannot find "\.lease" of the task folder: /;

/** Where a folder is, was, and what else there may be. */
interface Places {
  readonly path: string;
  readonly aside: string;
  readonly other: string;
}

/** What happens to the folder of an open store, and how it is put right. */
interface Loss {
  readonly name: string;
  readonly lose: (places: Places) => Promise<unknown>;
  readonly restore?: (places: Places) => Promise<unknown>;
}

const moveBack: Loss["restore"] = async ({ path, aside }) => {
  await Deno.remove(path, { recursive: true }).catch(() => {});
  await Deno.rename(aside, path);
};

const LOSSES: readonly Loss[] = [
  { name: "is moved away", lose: ({ path, aside }) => Deno.rename(path, aside), restore: moveBack },
  { name: "is removed", lose: ({ path }) => Deno.remove(path, { recursive: true }) },
  {
    name: "is moved away, and another is there",
    lose: async ({ path, aside, other }) => {
      await Deno.rename(path, aside);
      await Deno.rename(other, path);
    },
    restore: moveBack,
  },
  {
    name: "is moved away, and a link to another is there",
    lose: async ({ path, aside, other }) => {
      await Deno.rename(path, aside);
      await Deno.symlink(other, path);
    },
    restore: moveBack,
  },
  { name: "has its lease deleted", lose: ({ path }) => Deno.remove(join(path, LEASE_NAME)) },
  {
    name: "has its lease moved, and an empty folder is in its place",
    lose: async ({ path, aside }) => {
      await Deno.rename(join(path, LEASE_NAME), aside);
      await Deno.mkdir(join(path, LEASE_NAME));
    },
    restore: ({ path, aside }) => moveBack({ path: join(path, LEASE_NAME), aside, other: "" }),
  },
  {
    name: "has another lease in the place of its own",
    lose: async ({ path, aside }) => {
      await Deno.rename(join(path, LEASE_NAME), aside);
      await plant(path, LEASE_NAME, "");
    },
    restore: ({ path, aside }) => Deno.rename(aside, join(path, LEASE_NAME)),
  },
];

/** All files below a folder with what is in them. */
async function contents(path: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await list(path)) {
    const inner = join(path, name);
    const { isFile, isDirectory } = await Deno.lstat(inner);
    found.push(isFile ? `${inner} ${await Deno.readTextFile(inner)}` : inner);
    if (isDirectory) found.push(...await contents(inner));
  }
  return found;
}

/** Checks that a store neither reads nor writes. */
async function refuses(store: TaskStore): Promise<void> {
  const next = makeRecord();
  const uses = [() => store.read(DONE.taskId), () => store.create(next), () => store.replace(DONE)];
  for (const use of uses) {
    const { kind, message } = await failureOf(use);
    strictEqual(kind, "storage");
    match(message, REFUSED);
  }
  strictEqual(store.summary(next.taskId), undefined);
}

for (const { name, lose, restore } of LOSSES) {
  Deno.test(`TaskStore reads and writes nothing when its folder ${name}`, async () => {
    verifies("tasks-lease", "tasks-private", "tasks-first");
    await using temp = await tempFolder();
    const [path, aside, other] = ["tasks", "aside", "other"].map((part) => join(temp.path, part)) as [
      string,
      string,
      string,
    ];
    for (const folder of [path, other]) await Deno.mkdir(folder, { mode: 0o700 });
    await bindFolder(other);
    await plantRecord(other, FOREIGN);
    using store = await openStore(path);
    await store.create(DONE);
    await lose({ path, aside, other });
    const before = await contents(temp.path);
    await refuses(store);
    deepStrictEqual(await contents(temp.path), before);
    if (restore === undefined) return;
    await restore({ path, aside, other });
    deepStrictEqual(await store.read(DONE.taskId), DONE, "as it was, once it is back");
    await store.create(makeRecord());
    strictEqual(store.list().length, 2);
  });
}

/** Opens a folder while something happens to its lease between opening and locking it. */
async function openWhile<T>(between: () => Promise<unknown>, open: () => Promise<T>): Promise<T> {
  const { tryLock } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.tryLock = async function (exclusive) {
    Deno.FsFile.prototype.tryLock = tryLock;
    await between();
    return await tryLock.call(this, exclusive);
  };
  try {
    return await open();
  } finally {
    Deno.FsFile.prototype.tryLock = tryLock;
  }
}

Deno.test("TaskStore.open() does not take a lease that is another's by the time it is locked", async () => {
  verifies("tasks-lease");
  await using temp = await tempFolder();
  await bindFolder(temp.path);
  const lease = join(temp.path, LEASE_NAME);
  let first: (TaskStore & Disposable) | undefined;
  const replaced = async (): Promise<void> => {
    await Deno.remove(lease);
    first = await openStore(temp.path);
  };
  const { kind } = await failureOf(() => openWhile(replaced, () => openStore(temp.path)));
  strictEqual(kind, "busy");
  ok(first !== undefined);
  await first.create(DONE);
  first.close();

  const gone = await failureOf(() => openWhile(() => Deno.remove(lease), () => openStore(temp.path)));
  strictEqual(gone.kind, "storage");
  match(gone.message, /^Cannot lock "\.lease" of the task folder: No such file or directory/);
  using store = await openStore(temp.path);
  deepStrictEqual(await store.read(DONE.taskId), DONE);
});

Deno.test("TaskStore.read() forgets no task when the folder is moved away just as it is read", async () => {
  verifies("tasks-lease", "tasks-get");
  await using temp = await tempFolder();
  const [path, aside] = [join(temp.path, "tasks"), join(temp.path, "aside")];
  using store = await openStore(path);
  await store.create(DONE);
  const { lstat } = Deno;
  Deno.lstat = async (given) => {
    if (String(given).endsWith(".json")) await Deno.rename(path, aside);
    return await lstat(given);
  };
  try {
    const { kind, message } = await failureOf(() => store.read(DONE.taskId));
    strictEqual(kind, "storage");
    match(message, REFUSED);
  } finally {
    Deno.lstat = lstat;
  }
  await Deno.rename(aside, path);
  deepStrictEqual(await store.read(DONE.taskId), DONE);
});
