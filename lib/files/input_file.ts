/**
 * A file to upload, and the fence around what may be one. Callers are models that may have been talked into asking
 * for a key, so whatever is not plainly a file of the upload root is refused.
 *
 * Races that remain, as Deno opens by path alone, and waits for a FIFO: whoever may rename a directory between root
 * and file can put another in its place between two looks at it, so only the root's owner and uid 0 may be able to;
 * and whoever may replace the file by a FIFO just before it is opened lets the call fail 2 s later, and a thread wait.
 */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { quote, systemReason } from "./system_reason.ts";
import { componentsBelow, type UploadRoot } from "./upload_root.ts";

export { openUploadRoot, type UploadRoot } from "./upload_root.ts";

/** Longest wait for a file to open, in milliseconds. */
const OPEN_MS = 2000;
/** How often path and file are compared: who swaps a folder over and over passes one look in eight or so, not all. */
const LOOKS = 10;
/** Write bits of group and others. */
const OTHERS_MAY_WRITE = 0o022;
/** Files that hold keys or passwords. The root may well be somebody's home. */
const KEY_FILE = /\.(?:pem|key|p12|pfx|ppk|jks|kdbx)$|^id_(?:rsa|dsa|ecdsa|ed25519)/i;

const ANOTHER = "Give a plain file below the upload root that SNOWLUMA_MCP_UPLOAD_ROOT names, in its exact spelling.";
const SMALLER = "Give a smaller file, or ask the operator to raise SNOWLUMA_MCP_MAX_STREAM_BYTES.";
const SHUT = "Give a file directly in the upload root, or ask the operator to let nobody else write below " +
  "SNOWLUMA_MCP_UPLOAD_ROOT.";
const NEVER =
  "Such files are never uploaded, wherever they lie below SNOWLUMA_MCP_UPLOAD_ROOT; do not look for a way around it.";
const AGAIN = "Call again when nothing writes to the file any more.";

/** An open file that passed the fence. Disposing of it closes it. */
export class InputFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #seen: Deno.FileInfo;
  #position = 0;

  /**
   * Takes over a file that has passed; {@link openInputFile} is the way to one.
   *
   * @param name Its base name.
   * @param file Open for reading, at its start.
   * @param seen What is expected of it at the end.
   */
  constructor(readonly name: string, file: Deno.FsFile, seen: Deno.FileInfo) {
    this.#file = file;
    this.#seen = seen;
  }

  /** Bytes. */
  get size(): number {
    return this.#seen.size;
  }

  /**
   * Fills `into` with the next bytes.
   *
   * @returns How many there were: fewer than fit only at the end, then 0.
   * @throws {Failure} `input_file` if the file is shorter or longer than at first, or cannot be read.
   */
  async read(into: Uint8Array): Promise<number> {
    let filled = 0;
    try {
      while (filled < into.length) {
        const count = await this.#file.read(into.subarray(filled));
        if (count === null) break;
        filled += count;
      }
    } catch (error) {
      throw refusal(this.name, systemReason(error), ANOTHER, error);
    }
    this.#position += filled;
    if (this.#position > this.size || (filled < into.length && this.#position < this.size)) throw this.#changed();
    return filled;
  }

  /**
   * To be called after the last byte.
   *
   * @throws {Failure} `input_file` if the file is not what it was when it was opened.
   */
  async checkUnchanged(): Promise<void> {
    const atEnd = await this.read(new Uint8Array(1)) === 0;
    const now = await this.#file.stat().catch((error) => {
      throw refusal(this.name, systemReason(error), AGAIN, error);
    });
    const seen = this.#seen;
    const same = now.size === seen.size && now.mtime?.getTime() === seen.mtime?.getTime() &&
      now.ctime?.getTime() === seen.ctime?.getTime();
    if (!atEnd || !same) throw this.#changed();
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#file.close();
  }

  #changed(): Failure {
    return refusal(this.name, "it changed while it was read", AGAIN);
  }
}

/**
 * Opens a file of the upload root. Refused are: what is outside, links and whatever is reached through one, what is
 * no regular file or has several hard links, hidden components, key files, and directories that others may write to.
 *
 * @param path Relative to the root, or absolute; without `..`.
 * @param maxBytes Largest size, itself allowed.
 * @throws {Failure} `input_file`. For everything outside it is the same, whether there is such a file or not.
 */
export async function openInputFile(root: UploadRoot, path: string, maxBytes: number): Promise<InputFile> {
  const refuse = (reason: string, nextStep = ANOTHER, cause?: unknown): never => {
    throw refusal(path, reason, nextStep, cause);
  };
  if (path === "" || path.includes("\0")) return refuse("it is not a path");
  const below = componentsBelow(root, path);
  if (below === undefined || path.split(/[/\\]/).includes("..")) {
    return refuse('it leads out of the upload root, or has ".." in it');
  }
  const name = below.at(-1);
  if (name === undefined) return refuse("it is not a regular file");
  if (below.some((component) => component.startsWith("."))) return refuse("hidden files are not uploaded", NEVER);
  if (KEY_FILE.test(name)) return refuse("files of keys and passwords are not uploaded", NEVER);
  try {
    await checkDirectories(root.real, below.slice(0, -1), refuse);
    const real = join(root.real, ...below);
    const seen = await Deno.lstat(real); // follows no link, waits for no FIFO
    if (seen.isSymlink) return refuse("it is, or is reached through, a link");
    if (!seen.isFile) return refuse("it is not a regular file");
    const file = await openSoon(real, refuse);
    try {
      const opened = await file.stat();
      if (!opened.isFile || opened.dev !== seen.dev || opened.ino !== seen.ino) {
        refuse("it changed while it was opened");
      }
      // both looks: one of the names may have gone in between
      if ((seen.nlink ?? 1) > 1 || (opened.nlink ?? 1) > 1) refuse("it has another name, by a hard link");
      if (opened.size > maxBytes) refuse(`it has ${opened.size} bytes, and ${maxBytes} are allowed`, SMALLER);
      for (let look = 0; look < LOOKS; look++) {
        if (await Deno.realPath(real) !== real) refuse("it is, or is reached through, a link");
        const { dev, ino } = await Deno.lstat(real); // a folder that was a link for just that moment leads elsewhere now
        if (dev !== opened.dev || ino !== opened.ino) refuse("it changed while it was opened");
      }
      return new InputFile(name, file, opened);
    } catch (error) {
      file.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    // without a grant for what was opened, a link has just taken the file's place
    const changed = error instanceof Deno.errors.NotCapable;
    return refuse(changed ? "it changed while it was opened" : systemReason(error), ANOTHER, error);
  }
}

/** Opens a regular file, which takes no time; what takes longer has become a FIFO that waits for a writer. */
async function openSoon(path: string, refuse: (why: string) => never): Promise<Deno.FsFile> {
  const opening = Deno.open(path, { read: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(resolve, OPEN_MS, undefined));
  try {
    const file = await Promise.race([opening, late]);
    if (file !== undefined) return file;
  } finally {
    clearTimeout(timer);
  }
  opening.then((opened) => opened.close(), () => {});
  return refuse("it changed while it was opened");
}

/** Makes sure that nobody but the root's owner and uid 0 can exchange anything on the way to the file. */
async function checkDirectories(
  root: string,
  names: readonly string[],
  refuse: (why: string, nextStep?: string) => never,
): Promise<void> {
  const { mode: rootMode, uid: owner } = await Deno.lstat(root);
  if (names.length > 0 && othersMayWrite(rootMode)) {
    refuse("others may write to the upload root, so files in its folders are not sent", SHUT);
  }
  let path = root;
  for (const name of names) {
    path = join(path, name);
    const { isSymlink, isDirectory, mode, uid } = await Deno.lstat(path);
    if (isSymlink) refuse("it is, or is reached through, a link");
    if (!isDirectory) refuse("there is no such file");
    if (othersMayWrite(mode)) refuse("others may write to a folder that it is in", SHUT);
    if (uid !== owner && uid !== 0) refuse("a folder that it is in belongs to another user");
  }
}

function othersMayWrite(mode: number | null): boolean {
  return ((mode ?? 0) & OTHERS_MAY_WRITE) !== 0;
}

function refusal(path: string, reason: string, nextStep: string, cause?: unknown): Failure {
  return new Failure("input_file", `Cannot upload ${quote(path)}: ${reason}`, nextStep, { cause });
}
