/** Files that are this user's alone. What somebody else could have written, or put in their place, is refused. */
import { MAX_RECORD_BYTES, RecordFault, tooLong } from "./record.ts";

/** Permission bits of group and others. */
const OTHERS = 0o077;

/** Whether group or others have any permission, where the platform has such. */
export function isOpenToOthers({ mode }: Deno.FileInfo): boolean {
  return Deno.build.os !== "windows" && ((mode ?? 0) & OTHERS) !== 0;
}

/**
 * Opens a file that is there, and no other one through a link.
 *
 * @throws {RecordFault} for what is no regular file, or not private.
 * @throws {Error} the system's.
 */
export async function openPrivate(path: string, options: Deno.OpenOptions): Promise<Deno.FsFile> {
  const seen = await Deno.lstat(path); // follows no link, waits for no FIFO
  if (seen.isSymlink) throw new RecordFault("it is a symbolic link");
  if (!seen.isFile) throw new RecordFault("it is not a regular file");
  const file = await Deno.open(path, options);
  try {
    const opened = await file.stat();
    if (opened.dev !== seen.dev || opened.ino !== seen.ino) throw new RecordFault("it changed while it was opened");
    if (isOpenToOthers(opened)) throw new RecordFault("its permissions are wider than 0600");
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * Reads a private file of UTF-8 text, of at most {@link MAX_RECORD_BYTES}.
 *
 * @throws {RecordFault} as {@link openPrivate}, for more bytes (without reading them), and for other bytes.
 * @throws {Error} the system's.
 */
export async function readPrivate(path: string): Promise<string> {
  using file = await openPrivate(path, { read: true });
  const { size } = await file.stat();
  if (size > MAX_RECORD_BYTES) throw new RecordFault(tooLong(size));
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const count = await file.read(bytes.subarray(filled));
    if (count === null) break; // cut meanwhile: what there is will be found lacking
    filled += count;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, filled));
  } catch {
    throw new RecordFault("it is not UTF-8 text");
  }
}
