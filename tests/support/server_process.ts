/** The server as a child process with its real pipes, for tests that look at bytes, signals and exit codes. */
import { TextLineStream, toText } from "@std/streams";
import { fromFileUrl } from "@std/path";
import { PROXY_VARIABLES } from "../../lib/config/needs.ts";
import { BINARY, IS_BINARY } from "./binary.ts";

/** The program's entry. */
export const MAIN: string = fromFileUrl(new URL("../../main.ts", import.meta.url));

/** How to start it. */
export interface ServerOptions {
  /** Command line after `main.ts`. */
  readonly args?: readonly string[];
  /** The whole environment, beside what Deno itself needs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Permission flags; the ones users are told to type by default. Proxy variables go with any grant for the network. */
  readonly grants?: readonly string[];
}

/** What whoever connects has to be granted: these variables are removed first. */
export const PROXIES: string = `--allow-env=${PROXY_VARIABLES.join(",")}`;

/** Grants as README gives them, with net for every port of loopback. */
export const GRANTS: readonly string[] = ["--allow-env=SNOWLUMA_MCP_*", "--allow-net=127.0.0.1"];

/** Command line and environment that start the server, for process-spawning clients too. */
export function serverCommand(
  { args = [], env = {}, grants = GRANTS }: ServerOptions = {},
): { command: string; args: string[]; env: Record<string, string> } {
  const inherited = ["PATH", "HOME", "DENO_DIR", "TMPDIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const connects = grants.some((grant) => grant.startsWith("--allow-net"));
  const environment = { ...Object.fromEntries(inherited), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env };
  if (IS_BINARY) return { command: BINARY, args: [...args], env: environment };
  return {
    command: Deno.execPath(),
    args: ["run", "--no-prompt", ...grants, ...connects ? [PROXIES] : [], MAIN, ...args],
    env: environment,
  };
}

/** A JSON-RPC message, loosely. */
// deno-lint-ignore no-explicit-any
export type Message = Record<string, any>;

/** A running server process. Disposing it kills it if it still runs. */
export class ServerProcess implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #stdout: Promise<void>;
  /** Everything on standard error, once the process has ended. */
  readonly stderr: Promise<string>;
  /** Raw lines of standard output so far. */
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #ended = false;

  constructor(options: ServerOptions = {}) {
    const { command, args, env } = serverCommand(options);
    this.#child = new Deno.Command(command, {
      args,
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.stderr = toText(this.#child.stderr);
    this.#stdout = this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async #read(): Promise<void> {
    const lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
    for await (const line of lines) {
      this.lines.push(line);
      this.#wakeAll();
    }
    this.#ended = true;
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /** Sends a message as a line, or text and bytes exactly as given. */
  async send(message: Message | string | Uint8Array): Promise<void> {
    const bytes = message instanceof Uint8Array
      ? message
      : this.#encoder.encode(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
    await this.#input.write(bytes);
  }

  /** The first line of output, past or coming, that fits. */
  async receive(fits: (message: Message) => boolean, withinMs = 10_000): Promise<Message> {
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      this.#wakeAll();
    }, withinMs);
    try {
      for (let seen = 0;;) {
        for (; seen < this.lines.length; seen++) {
          const message = JSON.parse(this.lines[seen] ?? "") as Message;
          if (fits(message)) return message;
        }
        if (expired || this.#ended) {
          throw new Error(`no such line; got:\n${this.lines.map((line) => line.slice(0, 300)).join("\n")}`);
        }
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request and waits for its answer. */
  async request(id: number | string, method: string, params?: Message, withinMs?: number): Promise<Message> {
    await this.send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return await this.receive((message) => message.id === id && !("method" in message), withinMs);
  }

  /** The legacy handshake. */
  async initialize(protocolVersion = "2025-11-25"): Promise<Message> {
    const answer = await this.request("init", "initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "raw", version: "1" },
    });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Calls a tool and gives the JSON-RPC answer. */
  call(id: number | string, name: string, args: Message = {}, withinMs?: number): Promise<Message> {
    return this.request(id, "tools/call", { name, arguments: args }, withinMs);
  }

  /** Ends its standard input. */
  async closeInput(): Promise<void> {
    await this.#input.close();
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for the process to end; gives its code and how long that took from now, in milliseconds. */
  async exit(): Promise<{ code: number; signal: Deno.Signal | null; ms: number }> {
    const start = performance.now();
    const { code, signal } = await this.#child.status;
    await this.#stdout;
    return { code, signal, ms: performance.now() - start };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // it has ended already
    }
    await this.#input.close().catch(() => {});
    await this.#child.status;
    await this.#stdout.catch(() => {});
    await this.stderr.catch(() => {});
  }
}
