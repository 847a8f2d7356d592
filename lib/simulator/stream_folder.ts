/** The stream folder of the simulated host: the only place whose files the stream actions read. It is on no disk. */
import { posix } from "node:path";

/** Path of the folder. Clients never build paths from it, they use what an upload answered. */
export const STREAM_ROOT = "/tmp/snowluma-stream";

/** Largest file that is streamed in either direction, in bytes (4 GiB). */
export const MAX_STREAM_BYTES = 4_294_967_296;

/** A file in the folder. */
export interface StreamFile {
  readonly name: string;
  readonly sizeBytes: number;
  /** `length` bytes from `at` on, fewer at the end of the file. */
  read(at: number, length: number): Uint8Array;
}

/**
 * The path of the bot host that a source names, absolute or as a `file:` URL, with `..` resolved; undefined when
 * it names none.
 */
export function hostPath(source: string): string | undefined {
  if (source.startsWith("/")) return posix.normalize(source);
  if (!/^file:/i.test(source)) return undefined;
  const url = URL.parse(source);
  // A host in a file URL is another machine.
  if (url === null || url.host !== "") return undefined;
  try {
    return posix.normalize(decodeURIComponent(url.pathname));
  } catch {
    return undefined;
  }
}

/** Whether a path, resolved by {@link hostPath}, lies in the folder. */
export function isInStreamFolder(path: string): boolean {
  return path.startsWith(`${STREAM_ROOT}/`);
}
