/**
 * The folder that downloads go to, shared by all processes that name it. Its quota counts the finished files and the
 * reservations of all part files; a part file's name carries its reservation, so listing the folder tells both.
 * Subfolders and what they hold are the operator's, and do not count.
 */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { checkFolder } from "./folder_check.ts";
import { PartFile, partName, reservedBytes } from "./part_file.ts";
import { quote, systemReason } from "./system_reason.ts";

/** How often a new part file may be taken for a left-over by a starting process before we give up. */
const MAX_ATTEMPTS = 5;
const NEXT_STEP = "Check the download folder, which SNOWLUMA_MCP_STREAM_DIR names, then call again.";

/** A folder that was found fit for downloads. */
export class DownloadFolder {
  /** Reservations of this process come one after the other, so that no two refuse each other. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(readonly path: string, readonly isDefault: boolean, readonly quotaBytes: number) {}

  /**
   * Makes the folder with mode 0700 if there is none, and checks it: a directory of this user that nobody else may
   * write to. Needs `--allow-read` and `--allow-write` for the folder, and for what it leads to if it is a link.
   *
   * @param options.isDefault Nobody named this folder, so it must not be a link that somebody else may have put there.
   * @param options.quotaBytes Most bytes of finished files and reservations together.
   * @throws {Failure} `storage`, with the flags that are missing, or what is wrong with the folder.
   */
  static async open(
    path: string,
    options: { readonly isDefault: boolean; readonly quotaBytes: number },
  ): Promise<DownloadFolder> {
    const { isDefault, quotaBytes } = options;
    return new DownloadFolder(await checkFolder(path, isDefault), isDefault, quotaBytes);
  }

  /**
   * Removes part files whose processes are gone: those of our naming that nobody has locked. To be called once at
   * the start.
   *
   * @returns How many were removed.
   * @throws {Failure} `storage` if the folder cannot be listed.
   */
  async reclaim(): Promise<number> {
    let removed = 0;
    try {
      for await (const { name, isFile } of Deno.readDir(this.path)) {
        if (isFile && reservedBytes(name) !== undefined && await removeIfDead(join(this.path, name))) removed++;
      }
    } catch (error) {
      throw this.#failure(error);
    }
    return removed;
  }

  /**
   * Makes a part file that may come to so many bytes. Dispose of it.
   *
   * @param bytes A whole number from 0, below 10^15.
   * @throws {Failure} `quota` if there is no room for it, `storage` if the disk refuses.
   */
  reserve(bytes: number): Promise<PartFile> {
    const turn = this.#turn.then(() => this.#reserve(bytes));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #reserve(bytes: number): Promise<PartFile> {
    await checkFolder(this.path, this.isDefault); // folders for temporary files are cleaned now and then
    const part = await this.#createPart(bytes).catch((error) => Promise.reject(this.#failure(error)));
    try {
      // two processes may both see the other's part here and both refuse, but never both fit where one does
      let total = await this.#total();
      if (total > this.quotaBytes) {
        await this.reclaim();
        total = await this.#total();
      }
      if (total <= this.quotaBytes) return part;
      const taken = total - bytes;
      throw new Failure(
        "quota",
        `Cannot reserve ${bytes} bytes in ${quote(this.path)}: ${taken} of ${this.quotaBytes} bytes are taken`,
        "Ask the operator to move or delete finished files there, or to raise SNOWLUMA_MCP_MAX_STREAM_BYTES; " +
          "the folder may hold twice that.",
      );
    } catch (error) {
      await part.discard();
      throw this.#failure(error);
    }
  }

  async #createPart(bytes: number): Promise<PartFile> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const path = join(this.path, partName(bytes));
      const file = await Deno.open(path, { read: true, write: true, createNew: true, mode: 0o600 });
      let kept = false;
      try {
        // before it was locked, a starting process may have taken it for a left-over
        kept = await file.tryLock(true) && await isAt(file, path);
        if (kept) return new PartFile(file, path, bytes);
      } finally {
        if (!kept) {
          await Deno.remove(path).catch(() => {});
          file.close();
        }
      }
    }
    throw new Failure("storage", `Cannot create a file in ${quote(this.path)}: each one is removed at once`, NEXT_STEP);
  }

  /** Bytes of finished files and reservations. */
  async #total(): Promise<number> {
    let total = 0;
    const parts = new Set<number | null>(); // by inode, where there are any
    const files: Deno.FileInfo[] = [];
    for await (const { name, isFile } of Deno.readDir(this.path)) {
      if (!isFile) continue;
      const info = await lstatIfThere(join(this.path, name));
      const reserved = reservedBytes(name);
      if (reserved !== undefined) {
        total += reserved; // also of one that has just gone: its finished file may have been missed
        if (info !== undefined && info.ino !== null) parts.add(info.ino);
      } else if (info !== undefined) files.push(info);
    }
    // while a part is being published, it has both names
    for (const { ino, size } of files) if (!parts.has(ino)) total += size;
    return total;
  }

  #failure(cause: unknown): Failure {
    if (cause instanceof Failure) return cause;
    const message = `Cannot use the download folder ${quote(this.path)}: ${systemReason(cause)}`;
    return new Failure("storage", message, NEXT_STEP, { cause });
  }
}

/** Removes a part file under its lock, if that can be had. */
async function removeIfDead(path: string): Promise<boolean> {
  try {
    using file = await Deno.open(path, { read: true, write: true });
    if (!await file.tryLock(true)) return false;
    await Deno.remove(path);
    return true;
  } catch {
    return false; // gone meanwhile, or not ours to open
  }
}

async function isAt(file: Deno.FsFile, path: string): Promise<boolean> {
  const [own, there] = [await file.stat(), await lstatIfThere(path)];
  return there !== undefined && there.dev === own.dev && there.ino === own.ino;
}

async function lstatIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
