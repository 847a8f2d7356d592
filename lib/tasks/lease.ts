/** One process at a time: a lock that ends with the process, however it ends. */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { quote } from "../files/system_reason.ts";
import { openPrivate } from "./private_file.ts";
import { RecordFault } from "./record.ts";
import { storageFailure } from "./storage_failure.ts";

/** Never deleted: whoever held it under the old name and whoever makes a new one would both have it. */
export const LEASE_NAME = ".lease";

const NEXT_STEP = "Use invoke_action, which works without tasks; the operator can end the other server, or set " +
  "SNOWLUMA_MCP_TASK_DIR to another folder.";

/** A folder that is this process's. Disposing of it gives the folder back; so does a crash. */
export interface Lease extends Disposable {
  /**
   * Makes sure that the folder is still the one that was taken: where it was moved away, its path may be somebody else's
   * by now.
   *
   * @throws {Failure} `storage`
   */
  readonly check: () => Promise<void>;
}

/**
 * Takes the folder for this process.
 *
 * @param folder Its real path.
 * @throws {Failure} `busy` when somebody has it, `storage` when nobody can.
 */
export async function takeLease(folder: string): Promise<Lease> {
  const path = join(folder, LEASE_NAME);
  try {
    const file = await openOrCreate(path);
    let taken = false;
    try {
      taken = await file.tryLock(true) && await isAt(file, path);
      if (taken) return { check: () => check(file, path), [Symbol.dispose]: () => file.close() };
    } finally {
      if (!taken) file.close();
    }
  } catch (error) {
    throw storageFailure("lock", path, error);
  }
  throw new Failure("busy", `Cannot use the task folder ${quote(folder)}: another process has it`, NEXT_STEP);
}

async function openOrCreate(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, { read: true, write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    return await openPrivate(path, { read: true, write: true });
  }
}

async function check(file: Deno.FsFile, path: string): Promise<void> {
  try {
    if (await isAt(file, path)) return;
  } catch (error) {
    throw storageFailure("find", path, error);
  }
  throw storageFailure("find", path, new RecordFault("it, or the folder, is another one than was opened"));
}

async function isAt(file: Deno.FsFile, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([file.stat(), Deno.lstat(path)]);
  return own.dev === there.dev && own.ino === there.ino;
}
