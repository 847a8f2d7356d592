/** doctor on the folders of transfers and tasks. */
import { ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { type Finished, runCommand } from "./support.ts";
import { fileGrants, type Folders, makeFolders } from "./transfer_support.ts";

/** Runs it in write mode, with grants for all the folders. */
function doctor({ top, downloads }: Folders, ...args: string[]): Promise<Finished> {
  const write = ["--endpoint", "simulator", "--mode", "write", "--stream-dir", downloads];
  return runCommand(["doctor", ...write, ...args], { grants: fileGrants([top], [top]) });
}

Deno.test("doctor shows where files come, go and tasks are kept, or that they are off", async () => {
  verifies("doctor", "tasks-private");
  await using folders = await makeFolders();
  const tasks = `${folders.top}/tasks`;
  const { code, stdout } = await doctor(folders, "--upload-root", folders.uploads, "--task-dir", tasks);
  strictEqual(code, 0, stdout);
  const lines = [
    `downloads  into ${folders.downloads}`,
    `uploads    from ${folders.uploads}`,
    `tasks      in ${tasks}`,
  ];
  for (const line of lines) ok(stdout.includes(`\n  ${line}\n`), stdout);
  if (Deno.build.os !== "windows") strictEqual(((await Deno.stat(tasks)).mode ?? 0) & 0o777, 0o700);
  const bare = await doctor(folders);
  ok(bare.stdout.includes("\n  uploads    off\n  tasks      off\n"), bare.stdout);
});

Deno.test("doctor looks at the task folder without taking it", async () => {
  verifies("doctor", "tasks-lease");
  await using folders = await makeFolders();
  for (let time = 0; time < 2; time++) {
    const { code, stdout } = await doctor(folders, "--task-dir", `${folders.top}/tasks`);
    strictEqual(code, 0, stdout);
  }
  const left = [];
  for await (const { name } of Deno.readDir(`${folders.top}/tasks`)) left.push(name);
  strictEqual(left.join(), "", "the lease was taken");
});

Deno.test({
  name: "doctor exits 1 for a task folder that others may enter",
  ignore: Deno.build.os === "windows",
  async fn() {
    verifies("doctor", "tasks-private");
    await using folders = await makeFolders();
    const { code, stdout } = await doctor(folders, "--task-dir", folders.uploads); // 0755
    strictEqual(code, 1, stdout);
    ok(stdout.includes("  not usable") && /Problem: .*0700.*SNOWLUMA_MCP_TASK_DIR/.test(stdout), stdout);
  },
});

Deno.test({
  name: "doctor exits 1 for a task folder that uploads could be made from",
  ignore: Deno.build.os === "windows",
  async fn() {
    verifies("doctor", "tasks-private");
    await using folders = await makeFolders();
    const tasks = `${folders.uploads}/tasks`;
    const { code, stdout } = await doctor(folders, "--upload-root", folders.uploads, "--task-dir", tasks);
    strictEqual(code, 1, stdout);
    ok(/Problem: .*SNOWLUMA_MCP_TASK_DIR .*SNOWLUMA_MCP_UPLOAD_ROOT/.test(stdout), stdout);
  },
});

Deno.test("doctor says that transfers and tasks are for write mode", async () => {
  verifies("doctor");
  const { code, stdout } = await runCommand(["doctor", "--endpoint", "simulator", "--task-dir", "/nowhere/tasks"]);
  strictEqual(code, 0, stdout);
  ok(stdout.includes("only write mode has transfers and tasks"), stdout);
});
