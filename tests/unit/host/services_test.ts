import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Services } from "../../../lib/host/services.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { Redactor } from "../../../lib/redact.ts";
import { verifies } from "../../requirements.ts";
import { list, tempFolder } from "../files/support.ts";
import { failureOf } from "../support.ts";

/** Services whose tasks are in this folder. */
function servicesOf(taskDir: string): Services {
  const environment = {
    SNOWLUMA_MCP_ENDPOINT: "http://127.0.0.1:3000/",
    SNOWLUMA_MCP_MODE: "write",
    SNOWLUMA_MCP_TASK_DIR: taskDir,
  };
  const config = resolveConfig({ flags: {}, environment, tempDir: "/somewhere" });
  return new Services(config, new Redactor([]), () => {}, () => false);
}

Deno.test("Services opens no tasks once it was closed, so that nobody holds the folder who would not give it back", async () => {
  verifies("tasks-closed", "tasks-lease", "shutdown");
  await using temp = await tempFolder();
  const path = join(temp.path, "tasks");
  const services = servicesOf(path);
  const { tasks } = services.ports;
  ok(tasks !== undefined);
  await services.close(0);
  for (const ask of [tasks, () => services.ports.tasks?.()]) {
    const { kind, message, outcome } = await failureOf(ask);
    deepStrictEqual([kind, outcome], ["cancelled", "failed"]);
    match(message, /^Cannot use tasks: the server is shutting down$/);
  }
  deepStrictEqual(await list(temp.path), [], "the folder was not even made");
});

Deno.test("Services gives the task folder back when it is closed while the folder is being opened", async () => {
  verifies("tasks-closed", "tasks-lease");
  await using temp = await tempFolder();
  const path = join(temp.path, "tasks");
  const first = servicesOf(path);
  first.start();
  await first.close(0);
  const second = servicesOf(path);
  strictEqual((await second.ports.tasks?.())?.list().tasks.length, 0);
  await second.close(0);
});
