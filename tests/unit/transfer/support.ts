/** What the tests of transfers share: frames as a bot sends them, and bodies made of pieces. */
import { ok } from "node:assert/strict";
import { DownloadFolder } from "../../../lib/files/download_folder.ts";
import type { HttpStream } from "../../../lib/onebot/exchange.ts";
import { checkFrame, type Frame } from "../../../lib/onebot/frame.ts";
import { StreamFault } from "../../../lib/onebot/stream_fault.ts";
import { type DownloadPorts, type SavedFile, saveFile } from "../../../lib/transfer/download.ts";
import { list, tempFolder } from "../files/support.ts";

/** Largest file of {@link save}, in bytes. */
export const MAX_BYTES = 1000;

/** A frame on its way. */
export type Sent = Readonly<Record<string, unknown>>;

/** An ok frame around this `data`. */
export function okFrame(data: unknown): Sent {
  return { status: "ok", retcode: 0, data, message: "", wording: "", stream: "stream-action" };
}

/** A failed frame. */
export function failedFrame(wording: string, retcode = 100): Sent {
  const data = { type: "error", data_type: "error" };
  return { status: "failed", retcode, data, message: wording, wording, stream: "stream-action" };
}

/** Frames of a download; fields given replace the right ones. */
export const file = {
  info: (size: number, fields: Sent = {}): Sent =>
    okFrame({
      type: "stream",
      data_type: "file_info",
      file_name: "a.bin",
      file_size: size,
      chunk_size: 65_536,
      ...fields,
    }),
  chunk: (index: number, bytes: Uint8Array, fields: Sent = {}): Sent =>
    okFrame({
      ...{ type: "stream", data_type: "file_chunk", index, data: bytes.toBase64(), size: bytes.length },
      ...{ base64_size: bytes.toBase64().length, progress: 0, ...fields },
    }),
  complete: (chunks: number, size: number, fields: Sent = {}): Sent =>
    okFrame({
      ...{ type: "response", data_type: "file_complete", file_name: "a.bin" },
      ...{ total_chunks: chunks, total_bytes: size, message: "done", ...fields },
    }),
};

/** Frames as they stand in a body. */
export function wire(...frames: readonly Sent[]): string {
  return frames.map((frame) => `${JSON.stringify(frame)}\r\n\r\n`).join("");
}

/** A body of these pieces; `left` tells whether its reader has let go of it or come to its end. */
export class Body implements HttpStream {
  readonly body: AsyncIterable<Uint8Array>;
  left = false;
  /** Pieces that were asked for. */
  read = 0;

  constructor(pieces: readonly (string | Uint8Array)[], readonly status: number = 200, end?: Error) {
    this.body = this.#give(pieces, end);
  }

  async *#give(pieces: readonly (string | Uint8Array)[], end?: Error): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of pieces) {
        this.read++;
        yield typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
      }
      if (end !== undefined) throw end;
    } finally {
      this.left = true;
    }
  }
}

/** Frames that are checked and given one after the other. */
export async function* checked(...frames: readonly Sent[]): AsyncGenerator<Frame> {
  for (const frame of frames) yield checkFrame(frame);
}

/** A fault as plain data, to be compared with. */
export function fault(kind: StreamFault["kind"], message: string): StreamFault {
  return new StreamFault(kind, message);
}

/** What became of a download. */
export interface Saved {
  readonly result: PromiseSettledResult<SavedFile> | undefined;
  readonly folder: string;
  /** What is left in the folder, and what it holds where it is one file. */
  readonly names: string[];
  readonly bytes: Uint8Array | undefined;
  readonly progress: [number, number?][];
}

/** Saves into a folder of its own. */
export async function save(frames: AsyncIterable<Frame>, fields: Partial<DownloadPorts> = {}): Promise<Saved> {
  await using temp = await tempFolder();
  const folder = await DownloadFolder.open(temp.path, { isDefault: false, quotaBytes: 2 * MAX_BYTES });
  const progress: [number, number?][] = [];
  const { signal } = new AbortController();
  const onBytes = (...values: [number, number?]): void => void progress.push(values);
  const work = saveFile(frames, { folder, maxBytes: MAX_BYTES, redact: (text) => text, onBytes, signal, ...fields });
  const [result] = await Promise.allSettled([work]);
  const names = await list(temp.path);
  const bytes = names.length === 1 ? await Deno.readFile(`${temp.path}/${names[0]}`) : undefined;
  return { result, names, bytes, progress, folder: temp.path };
}

/** Throws what the work was rejected with. */
export async function fails(result: PromiseSettledResult<unknown> | undefined): Promise<void> {
  ok(result?.status === "rejected", JSON.stringify(result));
  await Promise.reject(result.reason);
}
