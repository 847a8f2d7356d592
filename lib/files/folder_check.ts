/** Whether a folder is fit for downloads: ours, and nobody else's to write to. */
import { join, resolve } from "node:path";
import { Failure } from "../errors.ts";
import { missingGrants } from "./missing_grants.ts";
import { ownUid } from "./own_uid.ts";
import { partName } from "./part_file.ts";
import { quote, systemReason } from "./system_reason.ts";

/** Write bits of group and others. */
const OTHERS_MAY_WRITE = 0o022;
const NEXT_STEP = "Ask the operator to set SNOWLUMA_MCP_STREAM_DIR to a private folder, where nobody else may write.";

/**
 * Makes the folder with mode 0700 if there is none, and checks it. Owners and modes count where the platform has
 * them.
 *
 * @param isDefault Nobody named this folder: it must not be a link.
 * @returns Its real path.
 * @throws {Failure} `storage`
 */
export async function checkFolder(path: string, isDefault: boolean): Promise<string> {
  const given = resolve(path);
  try {
    await requireGrants(given, given);
    await Deno.mkdir(given, { recursive: true, mode: 0o700 });
    // after mkdir: in a shared folder somebody may have been faster
    if (isDefault && (await Deno.lstat(given)).isSymlink) throw unfit(given, "it is a symbolic link");
    const real = await Deno.realPath(given);
    await requireGrants(given, real);
    const { isDirectory, mode, uid } = await Deno.lstat(real);
    if (!isDirectory) throw unfit(given, "it is not a directory");
    if (((mode ?? 0) & OTHERS_MAY_WRITE) !== 0) throw unfit(given, "its group or others may write to it");
    if (uid !== await ownUid(join(real, partName(0)))) throw unfit(given, "it belongs to another user");
    return real;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const reason = error instanceof Deno.errors.AlreadyExists ? "it is not a directory" : systemReason(error);
    throw unfit(given, reason, error);
  }
}

async function requireGrants(given: string, real: string): Promise<void> {
  const flags = await missingGrants([given, real], ["read", "write"]);
  if (flags === "") return;
  throw new Failure(
    "storage",
    `Cannot use the download folder ${quote(given)}: the permission is missing`,
    `Ask the operator to add ${flags}, or set SNOWLUMA_MCP_STREAM_DIR to a folder that is granted; what init prints with ` +
      "these settings has it.",
  );
}

function unfit(path: string, reason: string, cause?: unknown): Failure {
  return new Failure("storage", `Cannot use the download folder ${quote(path)}: ${reason}`, NEXT_STEP, { cause });
}
