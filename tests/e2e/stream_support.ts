/** What the tests of streams share: frames, their framings in HTTP, and a server whose downloads can be looked at. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { RawBot, type RawConnection, type RawScript } from "../support/raw_bot.ts";
import { GRANTS, type Message, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import { botEnv, type BotOptions, failureOf } from "./exec_support.ts";

/** A download and what it is asked for. */
export const DOWNLOAD = { action: "download_file_stream", params: { file_id: "f1" } };
/** A stream without a file. */
export const GENERIC = { action: "test_download_stream" };

/** A frame on its way. */
export type Sent = Readonly<Record<string, unknown>>;

/** An ok frame around this `data`; fields given replace its own. */
export function okFrame(data: unknown, fields: Sent = {}): Sent {
  return { status: "ok", retcode: 0, data, message: "", wording: "", stream: "stream-action", ...fields };
}

/** A failed frame. */
export function failedFrame(wording: string, retcode = 100): Sent {
  const data = { type: "error", data_type: "error" };
  return { status: "failed", retcode, data, message: wording, wording, stream: "stream-action" };
}

/** Frames of a download; fields given replace the right ones. */
export const file = {
  info: (size: number, fields: Sent = {}): Sent =>
    okFrame({ type: "stream", data_type: "file_info", file_name: "a.bin", file_size: size, chunk_size: 64, ...fields }),
  chunk: (index: number, text: string, fields: Sent = {}): Sent =>
    okFrame({
      ...{ type: "stream", data_type: "file_chunk", index, data: btoa(text), size: text.length },
      ...{ base64_size: btoa(text).length, progress: 0, ...fields },
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

/** Head of an answer in pieces, as stream answers are. */
export const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
/** The end of such an answer. */
export const END = "0\r\n\r\n";

/** A piece of such an answer. */
export function chunk(body: string | Uint8Array): Uint8Array {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const size = new TextEncoder().encode(`${bytes.length.toString(16)}\r\n`);
  return new Uint8Array([...size, ...bytes, 13, 10]);
}

/** A script that sends these bytes and leaves the end of the connection to the client. */
export function stays(...parts: readonly (string | Uint8Array)[]): RawScript {
  return async (connection) => {
    await connection.request.catch(() => {});
    for (const part of parts) await connection.write(part);
    await connection.closed;
  };
}

/** A script that sends a body in one piece and, unless told otherwise, its end. */
export function streams(body: string | Uint8Array, end: string = END): RawScript {
  return stays(CHUNKED, chunk(body), end);
}

/** A file that comes through. */
export const GOOD: string = wire(file.info(5), file.chunk(0, "he"), file.chunk(1, "llo"), file.complete(2, 5));

/** A server in write mode with a scripted bot and a download folder, all of which end with it. */
export class StreamRig implements AsyncDisposable {
  #calls = 0;
  readonly bot = new RawBot();
  readonly folder: string;
  readonly server: ServerProcess;
  readonly #held: AsyncDisposable;

  private constructor(folder: { readonly path: string } & AsyncDisposable, options: BotOptions) {
    this.#held = folder;
    this.folder = folder.path;
    this.server = new ServerProcess(rigOptions(this.bot, folder.path, options));
  }

  static async start(options: BotOptions = { timeoutMs: 5_000 }): Promise<StreamRig> {
    const rig = new StreamRig(await downloadFolder(), options);
    await rig.server.initialize();
    return rig;
  }

  /** Calls a stream action, which the bot answers by this script; the connection has been closed by us in the end. */
  async call(script: RawScript, args: Message = DOWNLOAD): Promise<Message> {
    const index = this.bot.connections.length;
    this.bot.script(script);
    const answer = await this.server.call(`call-${++this.#calls}`, "invoke_action", args);
    strictEqual(this.bot.connections.length, index + 1, "one connection");
    await closes(await this.bot.connection(index));
    return answer;
  }

  /** Checks that a call fails, is told why, and leaves nothing, and that the next one works. */
  async fails(script: RawScript, kind: string, says: RegExp, args: Message = DOWNLOAD): Promise<void> {
    const failure = failureOf(await this.call(script, args));
    deepStrictEqual([failure.kind, failure.outcome], [kind, "failed"], failure.message);
    match(failure.message, says);
    deepStrictEqual(names(this.folder), []);
    await this.succeeds(streams(GOOD), "hello");
  }

  /** Checks that a file comes through with these bytes; gives the result, and takes the file away. */
  async succeeds(script: RawScript, text: string, args: Message = DOWNLOAD): Promise<Message> {
    const answer = await this.call(script, args);
    const { structuredContent: { result, diagnostics }, isError } = answer.result;
    ok(!isError, JSON.stringify(diagnostics));
    deepStrictEqual(Object.keys(result).sort(), ["file_path", "file_size", "frame_count", "sha256", "terminal"]);
    strictEqual(await Deno.readTextFile(result.file_path), text);
    deepStrictEqual([result.file_size, diagnostics], [text.length, { outcome: "success" }]);
    await Deno.remove(result.file_path);
    deepStrictEqual(names(this.folder), []);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.bot[Symbol.asyncDispose]();
    await this.#held[Symbol.asyncDispose]();
  }
}

/** Waits until the server has closed a connection; fails if it does not. */
async function closes({ closed }: RawConnection): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("the server keeps the connection")), 5_000);
  await Promise.race([closed, late.promise]);
  clearTimeout(timer);
}

/** A new download folder, which is removed with all it holds. */
export async function downloadFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "stream_test_" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** How to start a server that downloads into this folder. */
export function rigOptions(bot: RawBot, folder: string, options: BotOptions = {}): ServerOptions {
  const grants = [...GRANTS, `--allow-read=${folder}`, `--allow-write=${folder}`];
  return { env: botEnv(bot, { ...options, env: { SNOWLUMA_MCP_STREAM_DIR: folder, ...options.env } }), grants };
}

/** Names in a folder. */
export function names(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name);
}
