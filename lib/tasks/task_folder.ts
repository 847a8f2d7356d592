/** Whether a folder is fit for tasks: this user's, and nobody else's in any way. */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { missingGrants } from "../files/missing_grants.ts";
import { ownUid } from "../files/own_uid.ts";
import { quote, systemReason } from "../files/system_reason.ts";
import { tempName } from "./atomic_write.ts";
import { isOpenToOthers } from "./private_file.ts";

const NEXT_STEP = "Ask the operator to set SNOWLUMA_MCP_TASK_DIR to a private folder with mode 0700, or to a new one.";

/**
 * Makes the folder with mode 0700 if there is none, and checks it. Owners and modes count where the platform has them;
 * those of a folder that exists are never changed.
 *
 * Needs `--allow-read` and `--allow-write` for the folder, and for what it leads to if it is a link.
 *
 * @param path Absolute.
 * @returns Its real path.
 * @throws {Failure} `storage`
 */
export async function checkTaskFolder(path: string): Promise<string> {
  try {
    await requireGrants(path, path);
    await Deno.mkdir(path, { recursive: true, mode: 0o700 });
    const real = await Deno.realPath(path);
    await requireGrants(path, real);
    const folder = await Deno.lstat(real);
    if (!folder.isDirectory) throw unfit(path, "it is not a directory");
    if (isOpenToOthers(folder)) throw unfit(path, "its permissions are wider than 0700");
    if (folder.uid !== await ownUid(join(real, tempName()))) throw unfit(path, "it belongs to another user");
    for await (const _ of Deno.readDir(real)) break; // may be written to, and not be listed
    return real;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const reason = error instanceof Deno.errors.AlreadyExists ? "it is not a directory" : systemReason(error);
    throw unfit(path, reason, error);
  }
}

async function requireGrants(path: string, real: string): Promise<void> {
  const flags = await missingGrants([path, real], ["read", "write"]);
  if (flags === "") return;
  throw new Failure(
    "storage",
    `Cannot use the task folder ${quote(path)}: the permission is missing`,
    `Ask the operator to add ${flags}, or set SNOWLUMA_MCP_TASK_DIR to a folder that is granted; what init prints with ` +
      "these settings has it.",
  );
}

function unfit(path: string, reason: string, cause?: unknown): Failure {
  return new Failure("storage", `Cannot use the task folder ${quote(path)}: ${reason}`, NEXT_STEP, { cause });
}
