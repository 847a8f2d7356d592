/** What the tests of transfers share: folders, a server that may use them, and calls of the three kinds. */
import { strictEqual } from "node:assert/strict";
import { join } from "node:path";
import type { RawScript } from "../support/raw_bot.ts";
import { type Message, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import { botEnv, type BotOptions } from "./exec_support.ts";

/** A folder of folders, removed with all it holds. */
export interface Folders extends AsyncDisposable {
  /** Holds the other two, and is not granted itself. */
  readonly top: string;
  /** For downloads; absent until a server makes it. */
  readonly downloads: string;
  /** The upload root. */
  readonly uploads: string;
}

/** Makes folders for one test. */
export async function makeFolders(): Promise<Folders> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "transfer_test_" }));
  const folders = { top, downloads: join(top, "down"), uploads: join(top, "up") };
  await Deno.mkdir(folders.uploads, { mode: 0o755 });
  return { ...folders, [Symbol.asyncDispose]: () => Deno.remove(top, { recursive: true }) };
}

/** How to start a server that may use these folders and nothing else. */
export function transferOptions(
  bot: { readonly url: string },
  { downloads, uploads }: Pick<Folders, "downloads" | "uploads">,
  { maxBytes, ...options }: BotOptions & { readonly maxBytes?: number } = {},
): ServerOptions {
  return {
    env: {
      ...botEnv(bot, { timeoutMs: 20_000, ...options }),
      SNOWLUMA_MCP_STREAM_DIR: downloads,
      SNOWLUMA_MCP_UPLOAD_ROOT: uploads,
      ...(maxBytes !== undefined && { SNOWLUMA_MCP_MAX_STREAM_BYTES: String(maxBytes) }),
      ...options.env,
    },
    grants: fileGrants([downloads, uploads], [downloads]),
  };
}

/** Grants of README, and to read and write these paths. */
export function fileGrants(read: readonly string[], write: readonly string[]): string[] {
  const grants = ["--allow-net=127.0.0.1", "--allow-env=SNOWLUMA_MCP_*"];
  return [...grants, `--allow-read=${read.join(",")}`, `--allow-write=${write.join(",")}`];
}

/** A server of {@link transferOptions}, after the handshake. */
export async function transferServer(...options: Parameters<typeof transferOptions>): Promise<ServerProcess> {
  const server = new ServerProcess(transferOptions(...options));
  await server.initialize();
  return server;
}

/** Arguments of a download. */
export function downloadArgs(file: string, params: Message = {}): Message {
  return { action: "download_file_stream", params: { file, ...params } };
}

/** Arguments of an upload. */
export function uploadArgs(input_file: string, params: Message = {}): Message {
  return { action: "upload_file_stream", params, execution: { input_file } };
}

/** Downloads a file. */
export function download(server: ServerProcess, id: string, file: string, params: Message = {}): Promise<Message> {
  return server.call(id, "invoke_action", downloadArgs(file, params), 20_000);
}

/** Uploads a file. */
export function upload(server: ServerProcess, id: string, file: string, params: Message = {}): Promise<Message> {
  return server.call(id, "invoke_action", uploadArgs(file, params), 20_000);
}

/** Calls without waiting for the answer. */
export async function begin(server: ServerProcess, id: string, args: Message): Promise<void> {
  await server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "invoke_action", arguments: args } });
}

/** Cancels what {@link begin} began. */
export async function cancel(server: ServerProcess, id: string): Promise<void> {
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
}

/** The result of a transfer that came through. */
export function resultOf(answer: Message): Message {
  const { structuredContent, isError } = answer.result ?? answer;
  strictEqual(isError ?? false, false, JSON.stringify(answer).slice(0, 500));
  strictEqual(structuredContent.diagnostics.outcome, "success");
  return structuredContent.result;
}

/** SHA-256 in lower-case hex. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Names in a folder, sorted; none if it is absent. */
export async function list(path: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(path), ({ name }) => name)).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The permission bits of a path. */
export async function bits(path: string): Promise<number> {
  return ((await Deno.lstat(path)).mode ?? 0) & 0o7777;
}

/** Whether the tests may give files away, which makes folders of other users possible. */
export async function isRoot(): Promise<boolean> {
  await using folders = await makeFolders();
  return (await Deno.stat(folders.top)).uid === 0;
}

/** Looks until something is there, 10 s at most. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 10_000; performance.now() < end;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error("it never came");
}

/** Waits until a folder has so many part files of downloads, and gives their names. */
export function partFiles(folder: string, count: number): Promise<string[]> {
  return eventually(async () => {
    const names = (await list(folder)).filter((name) => /^\.onebot-[0-9a-f]{32}-[1-9][0-9]*\.part$/.test(name));
    return names.length === count ? names : undefined;
  });
}

/** Bytes without a short period, the same in every run. */
export function pattern(length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < words.length; i++) words[i] = Math.imul(i + 1, 2_654_435_761);
  return new Uint8Array(words.buffer, 0, length);
}

/** An ok frame with its end. */
export function frame(data: unknown): string {
  const marks = { message: "", wording: "", stream: "stream-action" };
  return `${JSON.stringify({ status: "ok", retcode: 0, data, ...marks })}\r\n\r\n`;
}

/** A failed frame with its end. */
export function failedFrame(wording: string): string {
  const data = { type: "error", data_type: "error" };
  const marks = { message: wording, wording, stream: "stream-action" };
  return `${JSON.stringify({ status: "failed", retcode: 100, data, ...marks })}\r\n\r\n`;
}

/** A file that comes half, and whole when it is let go; its size is announced as 0 unless given. */
export function heldFile(
  until: Promise<unknown>,
  { name = "held.bin", announced = 0, bytes = pattern(1000) }: {
    readonly name?: string;
    readonly announced?: number;
    readonly bytes?: Uint8Array<ArrayBuffer>;
  } = {},
): RawScript {
  const info = { type: "stream", data_type: "file_info", file_name: name, file_size: announced, chunk_size: 65_536 };
  const half = Math.ceil(bytes.length / 2);
  const [first, second] = [bytes.subarray(0, half), bytes.subarray(half)].map((part, index) =>
    frame({ type: "stream", data_type: "file_chunk", index, data: part.toBase64(), size: part.length })
  );
  const totals = { total_chunks: 2, total_bytes: bytes.length, message: "" };
  const end = frame({ type: "response", data_type: "file_complete", file_name: name, ...totals });
  return async (connection) => {
    await connection.request.catch(() => {});
    await connection.write(`HTTP/1.1 200 OK\r\n\r\n${frame(info)}${first}`);
    await Promise.race([until, connection.closed]);
    await connection.write(`${second}${end}`);
  };
}
