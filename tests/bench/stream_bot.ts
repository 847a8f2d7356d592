/**
 * A bot that does nothing but stream, so cheaply that it is not what is measured: a file of any size that is made as
 * it is read, and uploads that are counted and dropped. Run as a process of its own, it prints its address and lives
 * until its input ends. Its argument, in milliseconds, makes it a slow one: it pauses before it reads a call and before every frame.
 */
import { Buffer } from "node:buffer";

/** What `file` has to look like: the size in bytes. */
const GENERATED = /^generated:(\d+)$/;
const DEFAULT_CHUNK_BYTES = 65_536;
/** Larger chunks are lowered to it, as bots do. */
const MAX_CHUNK_BYTES = 16 * 1024 * 1024;

/** One call as it comes in; fields of other actions are left alone. */
interface Call {
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Bytes that were in `chunk_data`, which is cut out before the rest is parsed. */
  readonly chunkBytes: number;
}

/** What is known of an upload. */
interface Upload {
  readonly totalChunks: unknown;
  chunks: number;
  bytes: number;
}

const QUOTE = 34;
/** Most bytes after a chunk in its call: there its end is looked for. */
const MAX_TAIL_BYTES = 4096;
const encoder = new TextEncoder();

/** Starts the bot on a free port of 127.0.0.1. Needs `--allow-net=127.0.0.1`. */
export function startStreamBot(pauseMs = 0): Deno.HttpServer<Deno.NetAddr> {
  const uploads = new Map<unknown, Upload>();
  const handle = async (request: Request): Promise<Response> => {
    await pause(pauseMs);
    const call = readCall(Buffer.from(await request.arrayBuffer()));
    switch (call.action) {
      case "download_file_stream":
        return new Response(download(call.params, pauseMs));
      case "upload_file_stream":
        return new Response(frame(receive(uploads, call)));
      default: // what is called before a measurement, for instance get_status
        return Response.json({ status: "ok", retcode: 0, data: {} });
    }
  };
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handle);
}

/** The frames of a generated file, made one by one as the other side reads them. */
function download({ file, chunk_size }: Call["params"], pauseMs: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const size = Number(GENERATED.exec(String(file))?.[1]);
  if (Number.isNaN(size)) throw new TypeError(`Cannot generate ${JSON.stringify(file)}`);
  const chunkSize = Math.min(Number(chunk_size ?? DEFAULT_CHUNK_BYTES), MAX_CHUNK_BYTES);
  const total = Math.ceil(size / chunkSize);
  const block = pattern(Math.min(chunkSize, size));
  const data = encoder.encode(block.toBase64());
  const name = { file_name: "generated.bin" };
  let index = -1; // the file's description, then chunks, then the end
  return new ReadableStream({
    async pull(controller): Promise<void> {
      await pause(pauseMs);
      if (index === -1) {
        const info = { type: "stream", data_type: "file_info", ...name, file_size: size, chunk_size: chunkSize };
        controller.enqueue(frame(info));
      } else if (index < total) {
        const length = Math.min(chunkSize, size - index * chunkSize);
        const part = length === block.length ? data : encoder.encode(block.subarray(0, length).toBase64());
        controller.enqueue(chunkFrame(index, part, length, Math.floor(100 * (index * chunkSize + length) / size)));
      } else {
        const totals = { total_chunks: total, total_bytes: size, message: "Download complete" };
        controller.enqueue(frame({ type: "response", data_type: "file_complete", ...name, ...totals }));
        controller.close();
      }
      index++;
    },
  }, { highWaterMark: 0 });
}

/** Counts a chunk, or ends the upload where there is none. The hash is taken at its word. */
function receive(uploads: Map<unknown, Upload>, { params, chunkBytes }: Call): unknown {
  const { stream_id, chunk_index, total_chunks, expected_sha256 } = params;
  const upload = uploads.get(stream_id) ?? { totalChunks: total_chunks, chunks: 0, bytes: 0 };
  const counts = (): unknown => ({ received_chunks: upload.chunks, total_chunks: upload.totalChunks });
  if (chunk_index !== undefined) {
    uploads.set(stream_id, upload);
    upload.chunks++;
    upload.bytes += chunkBytes;
    return { type: "stream", stream_id, status: "chunk_received", ...counts() as object };
  }
  uploads.delete(stream_id);
  return {
    ...{ type: "response", stream_id, status: "file_complete", ...counts() as object },
    ...{ file_path: `/bot/${stream_id}`, file_size: upload.bytes, sha256: expected_sha256 },
  };
}

/** Parses everything but the chunk, of which only the length counts. */
function readCall(body: Buffer): Call {
  const key = '"chunk_data":"';
  const at = body.indexOf(key);
  if (at === -1) return { ...JSON.parse(body.toString()), chunkBytes: 0 };
  const start = at + key.length;
  const end = body.indexOf(QUOTE, Math.max(start, body.length - MAX_TAIL_BYTES));
  const padding = body.toString("latin1", end - 2, end).replace(/[^=]/g, "").length;
  const rest = body.toString("utf8", 0, start) + body.toString("utf8", end);
  return { ...JSON.parse(rest), chunkBytes: (end - start) / 4 * 3 - padding };
}

function frame(data: unknown): Uint8Array<ArrayBuffer> {
  const marks = { message: "", wording: "", stream: "stream-action" };
  return encoder.encode(`${JSON.stringify({ status: "ok", retcode: 0, data, ...marks })}\r\n\r\n`);
}

/** The same for a chunk, whose base64 is copied and not written anew. */
function chunkFrame(index: number, base64: Uint8Array, size: number, progress: number): Uint8Array<ArrayBuffer> {
  const head = `{"status":"ok","retcode":0,"data":{"type":"stream","data_type":"file_chunk","index":${index},"data":"`;
  const tail = `","size":${size},"progress":${progress},"base64_size":${base64.length}},` +
    `"message":"","wording":"","stream":"stream-action"}\r\n\r\n`;
  const bytes = new Uint8Array(head.length + base64.length + tail.length);
  encoder.encodeInto(head, bytes);
  bytes.set(base64, head.length);
  encoder.encodeInto(tail, bytes.subarray(head.length + base64.length));
  return bytes;
}

/** Bytes without a short period, the same in every run. */
export function pattern(length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + 1, 2_654_435_761);
  return new Uint8Array(words.buffer, 0, length);
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) {
  const bot = startStreamBot(Number(Deno.args[0] ?? 0));
  await Deno.stdout.write(encoder.encode(`http://127.0.0.1:${bot.addr.port}/\n`));
  await Deno.stdin.readable.pipeTo(new WritableStream());
  Deno.exit();
}
