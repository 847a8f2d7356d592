/**
 * The floor under a transfer: a bare loop in the same runtime that does the work no client can leave out, and nothing
 * else. Not a frame is judged, nothing is limited, synced or reported. Run as a process of its own, it prints what
 * came of it as JSON.
 *
 * ```sh
 * transfer_floor.ts download http://127.0.0.1:3000/ 536870912 /tmp/file.bin
 * transfer_floor.ts upload http://127.0.0.1:3000/ /tmp/file.bin
 * ```
 */
import { createHash } from "node:crypto";

/** A finished transfer. */
export interface Transferred {
  /** From before the request until the file is closed, or the last answer is here. */
  readonly ms: number;
  readonly bytes: number;
  /** Lowercase hex. */
  readonly sha256: string;
}

const CR = 13;
const UPLOAD_CHUNK_BYTES = 1024 * 1024;

/**
 * Fetches a generated file and writes it. Needs `--allow-net` and `--allow-write`.
 *
 * @param file What is sent as the action's `file`.
 */
export async function download(url: string, file: string, path: string): Promise<Transferred> {
  const start = performance.now();
  const hash = createHash("sha256");
  using target = await Deno.open(path, { write: true, createNew: true });
  const { body } = await post(url, "download_file_stream", { file });
  if (body === null) throw new Error("the answer is empty");
  let bytes = 0;
  for await (const frame of splitFrames(body)) {
    const { data } = JSON.parse(frame);
    if (data.data_type !== "file_chunk") continue;
    const decoded = Uint8Array.fromBase64(data.data);
    hash.update(decoded);
    await writeAll(target, decoded);
    bytes += decoded.length;
  }
  const sha256 = hash.digest("hex");
  return { ms: performance.now() - start, bytes, sha256 };
}

/** Reads a file and sends it chunk by chunk. Needs `--allow-net` and `--allow-read`. */
export async function upload(url: string, path: string): Promise<Transferred> {
  const start = performance.now();
  const hash = createHash("sha256");
  using source = await Deno.open(path);
  const { size } = await source.stat();
  const params = { stream_id: crypto.randomUUID(), total_chunks: Math.ceil(size / UPLOAD_CHUNK_BYTES) };
  const buffer = new Uint8Array(UPLOAD_CHUNK_BYTES);
  for (let index = 0; index < params.total_chunks; index++) {
    const chunk = buffer.subarray(0, await readFull(source, buffer));
    hash.update(chunk);
    const answer = await post(url, "upload_file_stream", {
      ...params,
      filename: "file.bin",
      chunk_index: index,
      chunk_data: chunk.toBase64(),
    });
    if ((await readFrame(answer)).status !== "chunk_received") throw new Error(`chunk ${index} was refused`);
  }
  const sha256 = hash.digest("hex");
  const last = { ...params, is_complete: true, expected_sha256: sha256 };
  const { file_size } = await readFrame(await post(url, "upload_file_stream", last));
  return { ms: performance.now() - start, bytes: file_size, sha256 };
}

/** JSON has no raw CR, so that one ends a frame; what stands between the two of an end is only a line feed. */
async function* splitFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of body) {
    let from = 0;
    for (let end = -1; (end = chunk.indexOf(CR, from)) !== -1; from = end + 1) {
      parts.push(decoder.decode(chunk.subarray(from, end), { stream: true }));
      const frame = parts.join("");
      parts = [];
      if (frame !== "\n") yield frame;
    }
    parts.push(decoder.decode(chunk.subarray(from), { stream: true }));
  }
}

function post(url: string, action: string, params: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify({ action, params }) });
}

/** `data` of an answer's only frame. */
async function readFrame(response: Response): Promise<{ status?: string; file_size: number }> {
  return JSON.parse(await response.text()).data;
}

async function readFull(file: Deno.FsFile, buffer: Uint8Array): Promise<number> {
  let length = 0;
  for (let n: number | null; length < buffer.length && (n = await file.read(buffer.subarray(length)));) length += n;
  return length;
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

if (import.meta.main) {
  const [what, url = "", ...rest] = Deno.args;
  const [first = "", second = ""] = rest;
  const result = what === "download" ? await download(url, first, second) : await upload(url, first);
  await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(result)));
}
