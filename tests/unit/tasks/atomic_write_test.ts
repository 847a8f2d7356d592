import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { isTempName, removeLeftOvers, replaceFile, tempName } from "../../../lib/tasks/atomic_write.ts";
import { verifies } from "../../requirements.ts";
import { checkTaskFolder } from "../../../lib/tasks/task_folder.ts";
import { bits, list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { openStore } from "./support.ts";

const OLD = new Uint8Array(1000).fill(1);
const NEW = new Uint8Array(3_000_000).fill(2);

/** Does some work, and lists what was synced meanwhile, with the names in the folder at that moment. */
async function syncsOf(folder: string, work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const { sync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.sync = async function () {
    const { isDirectory, size } = await this.stat();
    const names = (await list(folder)).map((name) => isTempName(name) ? "temp" : name);
    seen.push(`${isDirectory ? "folder" : `file of ${size}`} with ${names.join(", ")}`);
    await sync.call(this);
  };
  try {
    await work();
  } finally {
    Deno.FsFile.prototype.sync = sync;
  }
  return seen;
}

Deno.test("replaceFile() syncs the new content before it has the name, and the folder after", async () => {
  verifies("tasks-atomic");
  await using temp = await tempFolder();
  const path = join(temp.path, "a");
  deepStrictEqual(await syncsOf(temp.path, () => replaceFile(path, OLD)), ["file of 1000 with temp", "folder with a"]);
  strictEqual(await bits(path), 0o600);
  await Deno.chmod(path, 0o640);
  deepStrictEqual(await syncsOf(temp.path, () => replaceFile(path, NEW)), [
    "file of 3000000 with temp, a",
    "folder with a",
  ]);
  strictEqual(await bits(path), 0o600);
  ok((await Deno.readFile(path)).every((byte) => byte === 2));
});

Deno.test("replaceFile() shows readers the old content or the new one, never a part", async () => {
  verifies("tasks-atomic");
  await using temp = await tempFolder();
  const path = join(temp.path, "a");
  await replaceFile(path, OLD);
  let writing = true;
  const writer = (async () => {
    for (let n = 0; n < 20; n++) await replaceFile(path, n % 2 === 0 ? NEW : OLD);
    writing = false;
  })();
  const sizes = new Set<number>();
  while (writing) sizes.add((await Deno.readFile(path)).length);
  await writer;
  for (const size of sizes) ok(size === OLD.length || size === NEW.length, `${size} bytes`);
});

Deno.test("replaceFile() names the file that the system refuses, and leaves nothing behind", async () => {
  verifies("tasks-atomic", "tasks-validated");
  await using temp = await tempFolder();
  await Deno.mkdir(join(temp.path, "taken", "below"), { recursive: true });
  const { kind, message, nextStep } = await failureOf(() => replaceFile(join(temp.path, "taken"), OLD));
  strictEqual(kind, "storage");
  match(message, /^Cannot write "taken" of the task folder: /);
  match(nextStep, /SNOWLUMA_MCP_TASK_DIR/);
  deepStrictEqual(await list(temp.path), ["taken"]);
  strictEqual((await failureOf(() => replaceFile(join(temp.path, "gone", "a"), OLD))).kind, "storage");
});

Deno.test("TaskStore.open() removes files that killed writers left, and no others", async () => {
  verifies("tasks-atomic");
  await using temp = await tempFolder();
  const [left, link, folder] = [tempName(), tempName(), tempName()];
  const others = [".notes.tmp", `${left}.txt`, left.slice(1), left.toUpperCase()];
  for (const name of [left, ...others]) await Deno.writeTextFile(join(temp.path, name), "x");
  await Deno.symlink(join(temp.path, others[0] ?? ""), join(temp.path, link));
  await Deno.mkdir(join(temp.path, folder));
  using _store = await openStore(temp.path);
  deepStrictEqual(await list(temp.path), [".lease", ".scope.json", link, folder, ...others].sort());
});

/** Does some work while somebody else removes every file just before it is to be removed. */
async function outrun<T>(work: () => Promise<T>): Promise<T> {
  const { remove } = Deno;
  Deno.remove = async (path, options) => {
    await remove(path, options);
    await remove(path, options);
  };
  try {
    return await work();
  } finally {
    Deno.remove = remove;
  }
}

Deno.test("two processes that open a folder at once do not trip over the files that each of them takes away", async () => {
  verifies("tasks-atomic", "tasks-lease");
  await using temp = await tempFolder();
  const left = Array.from({ length: 3 }, tempName);
  for (const name of left) await Deno.writeTextFile(join(temp.path, name), "x");
  await outrun(() => removeLeftOvers(temp.path));
  deepStrictEqual(await list(temp.path), []);
  strictEqual(await outrun(() => checkTaskFolder(temp.path)), temp.path);
  deepStrictEqual(await list(temp.path), []);
});

Deno.test("removeLeftOvers() fails for a file that the system does not let go", async () => {
  verifies("tasks-atomic");
  await using temp = await tempFolder();
  await Deno.writeTextFile(join(temp.path, tempName()), "x");
  const { remove } = Deno;
  Deno.remove = () => Promise.reject(new Deno.errors.PermissionDenied("Operation not permitted (os error 1)"));
  try {
    const { kind, message } = await failureOf(() => removeLeftOvers(temp.path));
    strictEqual(kind, "storage");
    match(message, /^Cannot list ".*" of the task folder: /);
  } finally {
    Deno.remove = remove;
  }
});
