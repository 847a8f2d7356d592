/**
 * A file out of a stream: decoded, hashed and written as it comes, and named only when it is whole. What is wrong with
 * a frame is found before its bytes are used.
 */
import { createHash } from "node:crypto";
import type { DownloadFolder } from "../files/download_folder.ts";
import { cleanFileName } from "../files/file_name.ts";
import type { PartFile } from "../files/part_file.ts";
import { ExchangeError } from "../onebot/exchange.ts";
import { checkTold, count, type Frame, text } from "../onebot/frame.ts";
import { StreamFault } from "../onebot/stream_fault.ts";

/** Most chunks of one file: 4 GiB in pieces of a kilobyte. */
export const MAX_CHUNKS = 4_194_304;

/** What a download gives. */
export interface SavedFile {
  /** Absolute, on the machine of this server. */
  readonly file_path: string;
  /** Bytes. */
  readonly file_size: number;
  /** Of those bytes, in lower-case hex. */
  readonly sha256: string;
  /** All frames, first and last included. */
  readonly frame_count: number;
  /** `data` of the last frame. */
  readonly terminal: unknown;
}

/** What a download needs. */
export interface DownloadPorts {
  readonly folder: DownloadFolder;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Takes secrets out of a name. */
  readonly redact: (text: string) => string;
  /** Gets the bytes written so far, and all bytes where that is known. */
  readonly onBytes: (written: number, total?: number) => void;
  /** Ends the download as long as the file has no name yet. */
  readonly signal: AbortSignal;
}

/**
 * Saves the file of a stream. Whatever goes wrong, nothing of it is left.
 *
 * @throws {StreamFault} when the stream contradicts itself or hits a limit.
 * @throws {Failure} `quota` or `storage`.
 */
export async function saveFile(frames: AsyncIterable<Frame>, ports: DownloadPorts): Promise<SavedFile> {
  const iterator = frames[Symbol.asyncIterator]();
  try {
    const { value: first } = await iterator.next();
    const info = readInfo(first, ports.maxBytes);
    await using part = await ports.folder.reserve(info.size || ports.maxBytes); // an unknown size is 0
    await using file = new Incoming(part, info.size, ports);
    for (let result; !(result = await iterator.next()).done;) {
      const { data } = result.value;
      if (data.data_type === "file_chunk") {
        await file.take(data);
        continue;
      }
      if (data.data_type !== "file_complete" || result.value.role !== "last") {
        throw new StreamFault("invalid_answer", "neither file_chunk nor file_complete follows file_info");
      }
      const sha256 = await file.finish(data);
      if (ports.signal.aborted) throw new ExchangeError("cancelled", true);
      const file_path = await part.commit(ports.redact(cleanFileName(ports.redact(info.name), ports.redact)));
      return { file_path, file_size: file.size, sha256, frame_count: file.chunks + 2, terminal: data };
    }
    throw new StreamFault("invalid_answer", "the stream ends before file_complete");
  } finally {
    await iterator.return?.();
  }
}

/** The first frame: a name, and a size that is 0 where the bot does not know it. */
function readInfo(frame: Frame | undefined, maxBytes: number): { name: string; size: number } {
  if (frame?.data.data_type !== "file_info" || frame.role !== "more") {
    throw new StreamFault("invalid_answer", "the stream does not begin with file_info");
  }
  const name = text(frame.data, "file_name");
  const size = count(frame.data, "file_size");
  if (size > maxBytes) throw tooLarge(`the file has ${size} bytes, more`, maxBytes);
  return { name, size };
}

/** The file as far as it has come. */
class Incoming implements AsyncDisposable {
  readonly #part: PartFile;
  readonly #announced: number;
  readonly #ports: DownloadPorts;
  readonly #hash = createHash("sha256");
  /** One chunk is written while the next one comes in, each from a buffer of its own. */
  #writing: Promise<void> = Promise.resolve();
  #idle: Uint8Array<ArrayBuffer> = new Uint8Array();
  #written: Uint8Array<ArrayBuffer> = new Uint8Array();
  size = 0;
  chunks = 0;

  constructor(part: PartFile, announced: number, ports: DownloadPorts) {
    this.#part = part;
    this.#announced = announced;
    this.#ports = ports;
  }

  async take(data: Frame["data"]): Promise<void> {
    if (count(data, "index") !== this.chunks) throw new StreamFault("invalid_answer", "a chunk is out of order");
    if (++this.chunks > MAX_CHUNKS) throw new StreamFault("too_large", `the file has more than ${MAX_CHUNKS} chunks`);
    const base64 = text(data, "data");
    if (this.#idle.length < base64.length) this.#idle = new Uint8Array(base64.length); // one size for chunks of one size
    const bytes = decode(base64, count(data, "size"), this.#idle);
    this.size += bytes.length;
    if (this.size > this.#ports.maxBytes) throw tooLarge("more bytes came", this.#ports.maxBytes);
    if (this.#announced > 0 && this.size > this.#announced) throw disagrees("more bytes come than file_info announced");
    this.#hash.update(bytes);
    await this.#writing;
    [this.#idle, this.#written] = [this.#written, this.#idle];
    const size = this.size;
    this.#writing = this.#part.write(bytes).then(() => this.#ports.onBytes(size, this.#announced || undefined));
    this.#writing.catch(() => {}); // told to the next one who waits for it
  }

  /** Checks the last frame and its totals; gives the hash. */
  async finish(data: Frame["data"]): Promise<string> {
    await this.#writing;
    checkTold(data);
    if (count(data, "total_chunks") !== this.chunks) throw disagrees("total_chunks is not the number of chunks");
    if (count(data, "total_bytes") !== this.size) throw disagrees("total_bytes is not the number of bytes");
    if (this.#announced > 0 && this.size !== this.#announced) {
      throw disagrees("fewer bytes came than file_info announced");
    }
    return this.#hash.digest("hex");
  }

  /** Waits for what is being written, so that the part is not closed under it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing.catch(() => {});
  }
}

/** Strict base64 of exactly so many bytes, decoded into a buffer that has room for it. */
function decode(base64: string, size: number, into: Uint8Array<ArrayBuffer>): Uint8Array {
  let written: number | undefined;
  try {
    ({ written } = into.setFromBase64(base64, { lastChunkHandling: "strict" }));
  } catch { /* told below */ }
  // the decoder skips white space, which shows in the length
  if (written === undefined || base64.length !== 4 * Math.ceil(written / 3)) {
    throw new StreamFault("invalid_answer", "a chunk is not base64");
  }
  if (written !== size) throw disagrees("size is not the size of the chunk");
  return into.subarray(0, written);
}

function disagrees(how: string): StreamFault {
  return new StreamFault("invalid_answer", `the stream contradicts itself: ${how}`);
}

function tooLarge(what: string, maxBytes: number): StreamFault {
  return new StreamFault("too_large", `${what} than the limit of ${maxBytes} (SNOWLUMA_MCP_MAX_STREAM_BYTES)`);
}
