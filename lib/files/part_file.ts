/**
 * A file that is still being written. Its name ends in `.part` and says how many bytes it may come to, its lock says
 * that its process lives, and it gets its real name only when it is whole.
 */
import { dirname, join } from "node:path";
import { Failure } from "../errors.ts";
import { cleanFileName, markedName, numberedName } from "./file_name.ts";
import { syncFolder } from "./sync_folder.ts";
import { quote, systemReason } from "./system_reason.ts";

/** Highest number that a name is tried with before chance decides. */
const MAX_NUMBER = 1000;
/** Names with random letters that are tried after that. */
const RANDOM_NAMES = 10;
/** Ours alone; other programs have `.part` files too. Fifteen digits are below 2^53. */
const PART_NAME = /^\.onebot-[0-9a-f]{32}-(0|[1-9][0-9]{0,14})\.part$/;
const NEXT_STEP = "Check that the disk of the download folder has room and is writable, then call again.";
const TOO_LARGE = "If the file is to be kept, ask the operator to raise SNOWLUMA_MCP_MAX_STREAM_BYTES.";

/**
 * A new name of a part file that may come to so many bytes.
 *
 * @throws {RangeError} unless they are a whole number from 0, below 10^15.
 */
export function partName(reservedBytes: number): string {
  if (!Number.isInteger(reservedBytes) || reservedBytes < 0 || reservedBytes >= 1e15) {
    throw new RangeError(`not a number of bytes: ${reservedBytes}`);
  }
  return `.onebot-${randomHex(16)}-${reservedBytes}.part`;
}

/** How many bytes a part file of this name may come to; `undefined` if it is no name of ours. */
export function reservedBytes(name: string): number | undefined {
  const digits = PART_NAME.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** One download in progress. Disposing of it removes the file unless it was committed. */
export class PartFile implements AsyncDisposable {
  readonly #file: Deno.FsFile;
  readonly #path: string;
  readonly #link: typeof Deno.link;
  #room: number;
  #open = true;

  /**
   * Takes over a new file; `DownloadFolder.reserve()` is the way to one.
   *
   * @param file Open for reading and writing, empty and locked; it is closed here.
   * @param path Where it is, in the folder that it is to be published in.
   * @param bytes How much may be written.
   * @param link Makes a hard link, or fails where there are none.
   */
  constructor(file: Deno.FsFile, path: string, bytes: number, link: typeof Deno.link = Deno.link) {
    this.#file = file;
    this.#path = path;
    this.#room = bytes;
    this.#link = link;
  }

  /**
   * Appends all of the bytes. Wait for it before the next one.
   *
   * @throws {Failure} `quota` for more bytes than were reserved, `storage` if the disk refuses them.
   */
  async write(bytes: Uint8Array): Promise<void> {
    if (bytes.length > this.#room) {
      const why = `its reservation has ${this.#room} bytes left, and ${bytes.length} came`;
      throw new Failure("quota", `Cannot store the download: ${why}`, TOO_LARGE);
    }
    this.#room -= bytes.length;
    try {
      while (bytes.length > 0) bytes = bytes.subarray(await this.#file.write(bytes));
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /**
   * Makes the file durable and gives it a name that nothing has yet. Afterwards it is no longer ours to remove.
   *
   * @param hint The remote name; see `cleanFileName`.
   * @returns The absolute path.
   * @throws {Failure} `storage`; then there is no file of that name of ours.
   */
  async commit(hint: string): Promise<string> {
    try {
      await this.#file.sync();
      const path = await this.#publish(cleanFileName(hint));
      this.#open = false;
      await Deno.remove(this.#path).catch(() => {}); // renamed away, or a second name that the next start removes
      this.#file.close();
      return path;
    } catch (error) {
      throw error instanceof Failure ? error : storageFailure(error);
    }
  }

  /** Removes the file and gives its reservation back; does nothing a second time or after a commit. Never throws. */
  async discard(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await Deno.remove(this.#path).catch(() => {}); // the next start has another try
    try {
      this.#file.close();
    } catch { /* closed already */ }
  }

  /** The same as {@link discard}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.discard();
  }

  async #publish(name: string): Promise<string> {
    const folder = dirname(this.#path);
    for (const candidate of candidates(name)) {
      const path = join(folder, candidate);
      if (!await this.#claim(path)) continue;
      try {
        const [named, own] = [await Deno.lstat(path), await this.#file.stat()];
        if (named.dev !== own.dev || named.ino !== own.ino) throw new Error("the part file was exchanged");
        await syncFolder(folder); // the name has to outlive a power cut too
      } catch (error) {
        await Deno.remove(path).catch(() => {});
        throw error;
      }
      return path;
    }
    const next = "Move or delete finished files of that name in the download folder, then call again.";
    throw new Failure("storage", `Cannot store the download as ${quote(name)}: too many files have that name`, next);
  }

  /** Gives the file this name as well, unless something has it: then `false`. Never replaces anything. */
  async #claim(path: string): Promise<boolean> {
    try {
      await this.#link(this.#path, path);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      if (error instanceof Deno.errors.NotFound) throw error;
    }
    // without hard links (FAT, some network shares) an empty file of ours takes the place, then gives way
    try {
      (await Deno.open(path, { write: true, createNew: true, mode: 0o600 })).close();
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    }
    try {
      await Deno.rename(this.#path, path);
      return true;
    } catch (error) {
      await Deno.remove(path).catch(() => {});
      throw error;
    }
  }
}

function* candidates(name: string): Generator<string> {
  yield name;
  for (let n = 2; n <= MAX_NUMBER; n++) yield numberedName(name, n);
  for (let n = 0; n < RANDOM_NAMES; n++) yield markedName(name, randomHex(8));
}

function storageFailure(cause: unknown): Failure {
  return new Failure("storage", `Cannot store the download: ${systemReason(cause)}`, NEXT_STEP, { cause });
}

function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
