import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { checkTaskFolder } from "../../../lib/tasks/task_folder.ts";
import { verifies } from "../../requirements.ts";
import { bits, isRoot, list, startChild, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";
import { bindFolder, openStore } from "./support.ts";

Deno.test("checkTaskFolder() makes a private folder and leaves nothing in it", async () => {
  verifies("tasks-private");
  await using temp = await tempFolder();
  const path = join(temp.path, "a", "b");
  strictEqual(await checkTaskFolder(path), path);
  deepStrictEqual([await bits(join(temp.path, "a")), await bits(path)], [0o700, 0o700]);
  strictEqual(await checkTaskFolder(path), path);
  deepStrictEqual(await list(path), []);
});

Deno.test("checkTaskFolder() gives the real path of a folder that is named by a link", async () => {
  verifies("tasks-private");
  await using temp = await tempFolder();
  await Deno.mkdir(join(temp.path, "real"), { mode: 0o700 });
  await Deno.symlink(join(temp.path, "real"), join(temp.path, "link"));
  strictEqual(await checkTaskFolder(join(temp.path, "link")), join(temp.path, "real"));
});

Deno.test({
  name: "checkTaskFolder() refuses every wider permission, and changes none",
  ignore: Deno.build.os === "windows",
  async fn() {
    verifies("tasks-private");
    await using temp = await tempFolder();
    for (const mode of [0o701, 0o702, 0o704, 0o710, 0o720, 0o740, 0o755]) {
      await Deno.chmod(temp.path, mode);
      const { kind, message, nextStep } = await failureOf(() => checkTaskFolder(temp.path));
      strictEqual(kind, "storage");
      strictEqual(
        message,
        `Cannot use the task folder ${JSON.stringify(temp.path)}: its permissions are wider than 0700`,
      );
      match(nextStep, /set SNOWLUMA_MCP_TASK_DIR to a private folder with mode 0700, or to a new one\.$/);
      strictEqual(await bits(temp.path), mode);
    }
    await Deno.chmod(temp.path, 0o700);
    strictEqual(await checkTaskFolder(temp.path), temp.path);
  },
});

Deno.test("checkTaskFolder() refuses what is no directory", async () => {
  verifies("tasks-private");
  await using temp = await tempFolder();
  const path = join(temp.path, "file");
  await Deno.writeTextFile(path, "kept");
  for (const given of [path, join(path, "below")]) {
    const { kind, message } = await failureOf(() => checkTaskFolder(given));
    strictEqual(kind, "storage");
    match(message, /it is not a directory|Not a directory/);
  }
  strictEqual(await Deno.readTextFile(path), "kept");
});

Deno.test({
  name: "checkTaskFolder() refuses a folder of another user",
  ignore: Deno.build.os === "windows" || !await isRoot(),
  async fn() {
    verifies("tasks-private");
    await using temp = await tempFolder();
    await Deno.chown(temp.path, 12345, null);
    const { kind, message } = await failureOf(() => checkTaskFolder(temp.path));
    strictEqual(kind, "storage");
    match(message, /it belongs to another user$/);
    deepStrictEqual(await list(temp.path), []);
  },
});

/** Takes root's licence to pass by permissions from what a shell runs next; others have none. */
const AS_OWNER = await isRoot() ? 'set -- setpriv --bounding-set=-dac_override,-dac_read_search "$@"' : ":";

Deno.test({
  name: "checkTaskFolder() refuses a folder that may be written to, and not be listed",
  ignore: Deno.build.os === "windows" || !await obeysPermissions(),
  async fn() {
    verifies("tasks-private", "tasks-validated");
    await using temp = await tempFolder();
    const path = join(temp.path, "tasks");
    await Deno.mkdir(path);
    await Deno.chmod(path, 0o300);
    const grants = [`--allow-read=${path}`, `--allow-write=${path}`];
    await using child = startChild("../tasks/store_child.ts", grants, [path], AS_OWNER);
    const { kind, message } = JSON.parse(await child.ask("check"));
    deepStrictEqual([kind, message], [
      "storage",
      `Cannot use the task folder ${JSON.stringify(path)}: Permission denied (EACCES)`,
    ]);
    await Deno.chmod(path, 0o700);
    deepStrictEqual([await child.ask("check"), await list(path)], [JSON.stringify(path), []]);
  },
});

/** Whether a process can be had that permissions bind. */
async function obeysPermissions(): Promise<boolean> {
  await using temp = await tempFolder();
  await Deno.chmod(temp.path, 0o300);
  const script = `${AS_OWNER}; exec "$@"`;
  try {
    const { code, stderr } = await new Deno.Command("sh", { args: ["-c", script, "sh", "ls", temp.path] }).output();
    return code !== 0 && new TextDecoder().decode(stderr).includes("denied");
  } finally {
    await Deno.chmod(temp.path, 0o700);
  }
}

Deno.test("checkTaskFolder() names the flags that are missing, also of what a link leads to", async () => {
  verifies("tasks-private");
  await using temp = await tempFolder();
  const [real, link] = [join(temp.path, "real"), join(temp.path, "link")];
  await Deno.mkdir(real, { mode: 0o700 });
  await Deno.symlink(real, link);
  await using none = startChild("../tasks/store_child.ts", [], [real]);
  await using half = startChild("../tasks/store_child.ts", [`--allow-read=${link}`, `--allow-write=${link}`], [link]);
  const told = [JSON.parse(await none.ask("open")), JSON.parse(await half.ask("open"))];
  for (const { kind, next } of told) {
    strictEqual(kind, "storage");
    strictEqual(
      next,
      `Ask the operator to add --allow-read=${real} --allow-write=${real}, ` +
        "or set SNOWLUMA_MCP_TASK_DIR to a folder that is granted; what init prints with these settings has it.",
    );
  }
});

Deno.test("TaskStore.open() takes the folder, and nobody else has it until it is closed", async () => {
  verifies("tasks-lease");
  await using temp = await tempFolder();
  const store = await openStore(temp.path);
  const { kind, message, nextStep } = await failureOf(() => openStore(temp.path));
  strictEqual(kind, "busy");
  strictEqual(message, `Cannot use the task folder ${JSON.stringify(temp.path)}: another process has it`);
  match(nextStep, /^Use invoke_action, .* end the other server, or set SNOWLUMA_MCP_TASK_DIR to another folder\.$/);
  store.close();
  store.close();
  using _again = await openStore(temp.path);
  strictEqual(await bits(join(temp.path, ".lease")), 0o600);
});

Deno.test("TaskStore.open() is refused while another process has the folder, and not after it was killed", async () => {
  verifies("tasks-lease", "tasks-restart");
  await using temp = await tempFolder();
  const grants = [`--allow-read=${temp.path}`, `--allow-write=${temp.path}`];
  await using child = startChild("../tasks/store_child.ts", grants, [temp.path]);
  strictEqual(await child.ask("open"), "0");
  const taskId: string = JSON.parse(await child.ask("create"));
  const before = await list(temp.path);
  strictEqual((await failureOf(() => openStore(temp.path))).kind, "busy");
  deepStrictEqual(await list(temp.path), before, "who may not have it changes nothing");
  await child.kill();
  using store = await openStore(temp.path);
  deepStrictEqual(store.list().map((task) => [task.taskId, task.status]), [[taskId, "failed"]]);
});

Deno.test("TaskStore.open() takes no lease that somebody else could have made", async () => {
  verifies("tasks-private", "tasks-lease");
  await using temp = await tempFolder();
  const lease = join(temp.path, ".lease");
  await Deno.writeTextFile(join(temp.path, "elsewhere"), "", { mode: 0o600 });
  await Deno.symlink(join(temp.path, "elsewhere"), lease);
  const linked = await failureOf(() => openStore(temp.path));
  deepStrictEqual(
    [linked.kind, linked.message],
    ["storage", 'Cannot lock ".lease" of the task folder: it is a symbolic link'],
  );
  await Deno.remove(lease);
  await bindFolder(temp.path);
  await Deno.chmod(lease, 0o644);
  const open = await failureOf(() => openStore(temp.path));
  deepStrictEqual(
    [open.kind, open.message],
    ["storage", 'Cannot lock ".lease" of the task folder: its permissions are wider than 0600'],
  );
});
