/** Files that are replaced whole: at any moment, also of a power cut, there is the old content or the new one. */
import { dirname, join } from "node:path";
import { syncFolder } from "../files/sync_folder.ts";
import { storageFailure } from "./storage_failure.ts";

/** Of files that are being written; ours alone. */
const TEMP_NAME = /^\.[0-9a-f]{32}\.tmp$/;

/** A new name for a file that does not outlive what it is made for. */
export function tempName(): string {
  return `.${crypto.getRandomValues(new Uint8Array(16)).toHex()}.tmp`;
}

/** Whether a name is one of ours for such files. */
export function isTempName(name: string): boolean {
  return TEMP_NAME.test(name);
}

/**
 * Puts the bytes, with mode 0600, where a file of that name may be. Resolves when both are durable.
 *
 * @throws {Failure} `storage`. Then the old content is still there, or the new one is and a power cut may take it.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temp = join(folder, tempName());
  try {
    await writeDurably(temp, bytes);
    await Deno.rename(temp, path);
    await syncFolder(folder);
  } catch (error) {
    await Deno.remove(temp).catch(() => {}); // renamed already, or for `removeLeftOvers`
    throw storageFailure("write", path, error);
  }
}

/**
 * Removes what writers left that were killed. To be called while nobody writes.
 *
 * @throws {Failure} `storage`
 */
export async function removeLeftOvers(folder: string): Promise<void> {
  try {
    for await (const { name, isFile } of Deno.readDir(folder)) {
      if (isFile && isTempName(name)) await removeIfThere(join(folder, name));
    }
  } catch (error) {
    throw storageFailure("list", folder, error);
  }
}

/** A starting process finds out its user with such a file, and may be faster. */
async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
  await file.sync();
}
