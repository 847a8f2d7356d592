/** What a demo session says and checks: a server of its own, an official client, and a line for every step. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Simulator } from "../simulator/mod.ts";
import { VERSION } from "../version.ts";
import { resolveConfig } from "../config/resolve.ts";
import { flagsOf, grantsOf } from "./grants.ts";
import { type ServerCommand, serverCommand } from "./server_command.ts";

/** Timeout of the server in the demo, in milliseconds: short, so that the stalled call is soon over. */
export const TIMEOUT_MS = 800;

/** Where files come and go in the demo; absolute. */
export interface Folders {
  readonly downloads: string;
  readonly uploads: string;
  readonly tasks: string;
}

/** A tool's structured content, as far as the demo looks at it. */
interface Structured {
  readonly result: {
    readonly actions?: ReadonlyArray<{ readonly name: string }>;
    readonly inputSchema?: { readonly required: readonly string[] };
    readonly valid?: boolean;
    readonly can_send?: boolean;
    readonly invoke_action?: Readonly<Record<string, unknown>>;
    readonly data?: {
      readonly message_id?: number;
      readonly message?: unknown;
      readonly messages?: unknown;
      readonly file_path?: string;
      readonly sha256?: string;
    };
    readonly file_path?: string;
    readonly sha256?: string;
    readonly uri?: string;
    readonly events?: ReadonlyArray<{
      readonly cursor: string;
      readonly event: { readonly user_id: number; readonly raw_message: string };
    }>;
    readonly next_cursor?: string;
    readonly released?: boolean;
  };
  readonly diagnostics: { readonly outcome: string; readonly kind?: string };
}

/** One server process, its client, and what is printed of their talk. */
export class Transcript {
  #progress = 0;
  readonly #client = new Client({ name: "demo", version: VERSION }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });

  constructor(readonly print: (line: string) => void, readonly simulator: Simulator) {}

  /** Requests that the bot has seen so far. */
  get requests(): number {
    return this.simulator.requests.length;
  }

  /** Starts a server. Disposing of what it gives ends it. */
  async connect(mode: "read" | "write", folders?: Folders): Promise<AsyncDisposable> {
    const server = await demoServer(this.simulator, mode, folders);
    await this.#client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
    const { tools } = await this.#client.listTools();
    this.print(`\n=== ${mode} mode: ${tools.map(({ name }) => name).join(", ")}`);
    return { [Symbol.asyncDispose]: () => this.#client.close() };
  }

  title(text: string): void {
    this.print(`\n--- ${text}`);
  }

  async call(name: string, args: Record<string, unknown>): Promise<Structured> {
    this.print(`> ${name} ${JSON.stringify(args)}`);
    const answer = await this.#client.callTool({ name, arguments: args }, { onprogress: this.#showProgress });
    const [content] = answer.content;
    const text = content?.type === "text" ? content.text : "";
    this.print(`< ${text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text}`);
    return answer.structuredContent as unknown as Structured;
  }

  /** Progress notifications that came so far. */
  get progress(): number {
    return this.#progress;
  }

  readonly #showProgress = ({ progress, total }: { progress: number; total?: number | undefined }): void => {
    this.#progress++;
    this.print(`… ${progress} of ${total ?? "?"} bytes`);
  };

  expect(holds: boolean | undefined, claim: string): void {
    if (!holds) throw new Error(`it does not hold that ${claim}`);
    this.print(`✓ ${claim}`);
  }
}

/** The command line that starts a server for the simulated bot, and its environment. */
export async function demoServer(
  { url, wsUrl }: Simulator,
  mode: "read" | "write",
  folders?: Folders,
): Promise<ServerCommand & { readonly args: string[]; readonly env: Record<string, string> }> {
  const { downloads, uploads, tasks } = folders ?? {};
  const flags = Object.fromEntries(
    Object.entries({
      endpoint: url,
      mode,
      "timeout-ms": String(TIMEOUT_MS),
      "stream-dir": downloads,
      "upload-root": uploads,
      "task-dir": tasks,
      "events-url": wsUrl,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { command, args } = serverCommand(flagsOf(grantsOf(resolveConfig({ flags, environment: {} }), [])));
  return {
    command: await mayRun(command) ? command : "deno",
    args: [...args, ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])],
    env: await cacheLocation(),
  };
}

/** Under a grant for the word `deno` alone, the executable's own path is not covered. */
async function mayRun(command: string): Promise<boolean> {
  const { state } = await Deno.permissions.query({ name: "run", command });
  return state === "granted";
}

/** The server finds its modules where this process has them; the client's own choice of variables lacks it. */
async function cacheLocation(): Promise<Record<string, string>> {
  const { state } = await Deno.permissions.query({ name: "env", variable: "DENO_DIR" });
  const path = state === "granted" ? Deno.env.get("DENO_DIR") : undefined;
  return path === undefined ? {} : { DENO_DIR: path };
}
