/** What the end-to-end tests share: envelopes of the stateless revision, commands that run to their end, peers. */
import { toText } from "@std/streams";
import {
  GRANTS,
  type Message,
  serverCommand,
  type ServerOptions,
  type ServerProcess,
} from "../support/server_process.ts";

/** The stateless revision that is served. */
export const MODERN = "2026-07-28";

const PREFIX = "io.modelcontextprotocol";

/** The `_meta` that revision 2026-07-28 wants in every request; fields given replace its own, by short name. */
export function envelope(fields: Message = {}): Message {
  const all: Message = {
    protocolVersion: MODERN,
    clientInfo: { name: "raw", version: "1" },
    clientCapabilities: {},
    ...fields,
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`${PREFIX}/${name}`, value]));
}

/** Sends a request with an envelope and waits for its answer. */
export function modernRequest(
  server: ServerProcess,
  id: number | string,
  method: string,
  params: Message = {},
): Promise<Message> {
  return server.request(id, method, { ...params, _meta: envelope() });
}

/** What a command left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program with nothing on standard input and waits for its end, 20 s at most. */
export async function runCommand(
  args: readonly string[],
  options: Omit<ServerOptions, "args"> = {},
): Promise<Finished> {
  const { command, args: all, env } = serverCommand({ ...options, args });
  const child = new Deno.Command(command, {
    args: all,
    env,
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const [stdout, stderr, { code }] = await Promise.all([toText(child.stdout), toText(child.stderr), child.status]);
  clearTimeout(timer);
  return { code, stdout, stderr };
}

/** Grants for a program that also reads the given files. */
export function grantsToRead(...paths: readonly string[]): string[] {
  return [...GRANTS, ...paths.map((path) => `--allow-read=${path}`)];
}

/** An endpoint on which nothing listens. */
export function deadEndpoint(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return `http://127.0.0.1:${listener.addr.port}/`;
}

/** A peer that takes requests and never answers. Disposing it cuts them. */
export class SilentBot implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #connections: Deno.Conn[] = [];
  readonly #serving: Promise<void>;
  #asked = 0;
  #wake: () => void = () => {};

  constructor() {
    this.#serving = this.#accept();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}/`;
  }

  /** Resolves once so many requests have begun to arrive. */
  async asked(count: number): Promise<void> {
    while (this.#asked < count) await new Promise<void>((resolve) => this.#wake = resolve);
  }

  async #accept(): Promise<void> {
    const reading: Promise<void>[] = [];
    try {
      for await (const connection of this.#listener) {
        this.#connections.push(connection);
        reading.push(this.#read(connection));
      }
    } finally {
      await Promise.all(reading);
    }
  }

  async #read(connection: Deno.Conn): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      for (let first = true; await connection.read(buffer) !== null; first = false) {
        if (!first) continue;
        this.#asked += 1;
        this.#wake();
      }
    } catch {
      // cut by the other side or by us
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#connections) {
      try {
        connection.close();
      } catch {
        // closed already
      }
    }
    await this.#serving;
  }
}
