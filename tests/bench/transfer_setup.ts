/** What transfers are measured with: a folder with a file to upload, bots that stream, our server, and the floors. */
import { fromFileUrl } from "@std/path";
import { TextLineStream } from "@std/streams";
import { V8_FLAGS } from "../../lib/cli/server_command.ts";
import { PROXIES } from "../support/server_process.ts";
import type { Call, ServerSpec } from "./driver.ts";
import { pattern } from "./stream_bot.ts";
import type { Transferred } from "./transfer_floor.ts";

const MIB = 1024 * 1024;
/** Size of the files, unless a figure says otherwise, in MiB. */
export const FILE_MIB = 512;
/** Disk space for the file to upload and the most that is downloaded before it is removed, with some to spare. */
const NEEDED_MIB = 4096;
/** How long the slow bot waits before it reads a call and before each frame, in milliseconds. */
const SLOW_MS = 10;

const STREAM_BOT = fromFileUrl(new URL("./stream_bot.ts", import.meta.url));
const FLOOR = fromFileUrl(new URL("./transfer_floor.ts", import.meta.url));

/** Where one server or one floor puts what it downloads. Disposing it removes the folder. */
export interface Downloads extends AsyncDisposable {
  readonly folder: string;
}

/** Disposing it ends the bots and removes every file. */
export interface TransferSetup extends AsyncDisposable {
  /** Addresses of a bot that is as quick as it can be, and of one that takes its time. */
  readonly quickBot: string;
  readonly slowBot: string;
  /** The file to upload, of {@linkcode FILE_MIB}. */
  readonly upload: Call;
  /** Makes a folder for downloads, on the disk that holds everything else. */
  downloads(): Promise<Downloads>;
  /** Our server in write mode. */
  server(bot: string, downloads: Downloads): ServerSpec;
  /** Runs a floor once, in a process of its own. */
  floor(what: "download" | "upload"): Promise<Transferred>;
}

/** The call that downloads a generated file. */
export function downloadCall(mib: number, params: Readonly<Record<string, unknown>> = {}): Call {
  return ["invoke_action", { action: "download_file_stream", params: { file: `generated:${mib * MIB}`, ...params } }];
}

/**
 * Prepares everything. Gives the reason when the disk has no room for it.
 *
 * @param ours Our server in docs mode, as its users start it.
 */
export async function setUpTransfers(ours: ServerSpec): Promise<TransferSetup | string> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "transfers-" }));
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const room = await freeMib(folder);
  if (room < NEEDED_MIB) return `${folder} has room for ${room} MiB, not for ${NEEDED_MIB}`;
  const uploads = `${folder}/uploads`;
  await Deno.mkdir(uploads, { mode: 0o700 });
  await writeFile(`${uploads}/file.bin`);
  const [quickBot, slowBot] = await Promise.all([stack.use(new Bot(0)).url, stack.use(new Bot(SLOW_MS)).url]);
  const downloads = async (): Promise<Downloads> => {
    const made = await Deno.makeTempDir({ dir: folder, prefix: "downloads-" });
    return { folder: made, [Symbol.asyncDispose]: () => Deno.remove(made, { recursive: true }) };
  };
  const running = stack.move();
  return {
    quickBot,
    slowBot,
    upload: ["invoke_action", { action: "upload_file_stream", execution: { input_file: `${uploads}/file.bin` } }],
    downloads,
    server: (bot, { folder: made }) => serverSpec(ours, bot, made, uploads),
    floor: async (what) => {
      if (what === "upload") return await runFloor([what, quickBot, `${uploads}/file.bin`]);
      await using made = await downloads();
      return await runFloor([what, quickBot, `generated:${FILE_MIB * MIB}`, `${made.folder}/file.bin`]);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** A bot in a process of its own, which ends with its input. */
class Bot implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly url: Promise<string>;

  constructor(pauseMs: number) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-net=127.0.0.1", V8_FLAGS, STREAM_BOT, `${pauseMs}`],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    this.url = this.#readUrl();
  }

  async #readUrl(): Promise<string> {
    const lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
    for await (const line of lines) return line;
    throw new Error("the stream bot did not start");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child.stdin.close();
    await this.#child.status;
  }
}

function serverSpec({ command, args }: ServerSpec, bot: string, downloads: string, uploads: string): ServerSpec {
  const folders = [`--allow-read=${downloads},${uploads}`, `--allow-write=${downloads}`];
  const grants = ["--allow-net=127.0.0.1", PROXIES, ...folders];
  const flags = ["--endpoint", bot, "--mode", "write", "--stream-dir", downloads, "--upload-root", uploads];
  return { name: "ours", command, args: [...args.slice(0, -1), ...grants, ...args.slice(-1), ...flags] };
}

async function runFloor(args: readonly string[]): Promise<Transferred> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-read", "--allow-write", V8_FLAGS, FLOOR, ...args],
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`the floor of ${args[0]} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Writes the file to upload, and waits for the disk, so that it is not still busy when the first upload starts. */
async function writeFile(path: string): Promise<void> {
  const block = pattern(MIB);
  using file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  for (let i = 0; i < FILE_MIB; i++) {
    for (let at = 0; at < MIB;) at += await file.write(block.subarray(at));
  }
  await file.sync();
}

async function freeMib(folder: string): Promise<number> {
  const { stdout } = await new Deno.Command("df", { args: ["-Pk", folder] }).output();
  return Math.floor(Number(new TextDecoder().decode(stdout).trim().split("\n").at(-1)?.split(/\s+/)[3]) / 1024);
}
