/** Files of any size that are nowhere: their bytes are made when they are read, and are always the same. */
import { createHash } from "node:crypto";
import { ActionFailure } from "./failure.ts";
import { LINK_BASE } from "./sources.ts";
import { MAX_STREAM_BYTES, STREAM_ROOT, type StreamFile } from "./stream_folder.ts";

/**
 * The content repeats after so many bytes. It is a prime: chunks of a power of two differ from one another until a
 * million of them, so that a lost or a swapped one changes the digest.
 */
const PERIOD_BYTES = 1_048_573;

let period: Uint8Array<ArrayBuffer> | undefined;

/**
 * The `file` param of a generated file in the stream folder, for the download actions and wherever a file is sent.
 *
 * @param bytes Size, 0 to 4 GiB.
 * @param name What the bot says the file is called, hostile ones too. @default `${bytes}.bin`
 * @throws RangeError if the size is out of bounds; URIError if the name holds half a surrogate pair.
 */
export function generatedFile(bytes: number, name?: string): string {
  return `${STREAM_ROOT}${generatedPath(bytes, name)}`;
}

/**
 * The same content behind a link of unknown size: `file_size` and `progress` are 0, and its chunks have the sizes of
 * the network, whatever `chunk_size` says.
 *
 * @param bytes Size, 0 to 4 GiB.
 * @param name What the bot says the file is called, hostile ones too. @default `${bytes}.bin`
 * @throws RangeError if the size is out of bounds; URIError if the name holds half a surrogate pair.
 */
export function generatedLink(bytes: number, name?: string): string {
  return `${LINK_BASE}${generatedPath(bytes, name)}`;
}

/** SHA-256 of generated content of this size in lower-case hex; made piece by piece, about 1 s for a GiB. */
export function generatedSha256(bytes: number): string {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes; at += PERIOD_BYTES) hash.update(content(at, Math.min(PERIOD_BYTES, bytes - at)));
  return hash.digest("hex");
}

/**
 * The generated file at a path below the stream folder or the host of links, as the functions above write it.
 *
 * @throws ActionFailure if it is larger than the bot streams.
 */
export function generatedAt(path: string): StreamFile | undefined {
  const [, size, encodedName] = /^\/generated\/([0-9]{1,15})(?:\.bin|-([^/]*))$/.exec(path) ?? [];
  if (size === undefined) return undefined;
  const sizeBytes = Number(size);
  if (sizeBytes > MAX_STREAM_BYTES) throw new ActionFailure(`file exceeds ${MAX_STREAM_BYTES} bytes`);
  return {
    name: encodedName === undefined ? `${size}.bin` : decodeURIComponent(encodedName),
    sizeBytes,
    read: (at, length) => content(at, Math.max(0, Math.min(length, sizeBytes - at))),
  };
}

/** The size is in the path, so nothing has to be remembered; an encoded name is one part of it, whatever it holds. */
function generatedPath(bytes: number, name: string | undefined): string {
  if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > MAX_STREAM_BYTES) {
    throw new RangeError(`Cannot generate ${bytes} bytes: expected 0 to ${MAX_STREAM_BYTES}`);
  }
  return `/generated/${bytes}${name === undefined ? ".bin" : `-${encodeURIComponent(name)}`}`;
}

function content(at: number, length: number): Uint8Array<ArrayBuffer> {
  period ??= noise(PERIOD_BYTES);
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length;) {
    const from = (at + done) % PERIOD_BYTES;
    const part = period.subarray(from, from + length - done);
    bytes.set(part, done);
    done += part.byteLength;
  }
  return bytes;
}

/** Pseudo-random bytes, always the same (xorshift, 32 bits). */
function noise(length: number): Uint8Array<ArrayBuffer> {
  let state = 1;
  return new Uint8Array(length).map(() => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  });
}
