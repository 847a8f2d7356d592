/** Opens the tasks of the configured folder. */
import type { Config } from "../config/resolve.ts";
import type { Log } from "../log.ts";
import { TaskRunner } from "../tasks/runner.ts";
import { TaskStore } from "../tasks/store.ts";

/**
 * Takes the folder for this process; what an ended one left unfinished is recorded as failed. Needs `--allow-read` and
 * `--allow-write` for the folder.
 *
 * @throws {Failure} `busy` when another process or configuration has the folder, `storage` when it cannot be used.
 */
export async function openTasks(config: Config, log: Log): Promise<TaskRunner> {
  const { mode, token, taskDir = "", scopeEndpoint = "" } = config; // without a folder nobody asks
  const store = await TaskStore.open(taskDir, { mode, endpoint: scopeEndpoint, ...(token !== undefined && { token }) });
  for (const { file, reason } of store.unreadable) {
    log("warn", `Cannot read the task file ${JSON.stringify(file)}: ${reason}`);
  }
  return new TaskRunner(store, { log });
}
