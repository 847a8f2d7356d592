/** The whole MCP server inside of another program, on a connection of that program's choice. */
import type { Config } from "./config/resolve.ts";
import { SIMULATOR } from "./config/settings.ts";
import { UsageError } from "./errors.ts";
import type { EventHub } from "./events/hub.ts";
import type { Executor } from "./executor.ts";
import { runnerOf, type TaskFolder } from "./host/task_folder.ts";
import type { Transport } from "./host/transport.ts";
import type { Fields, Log } from "./log.ts";
import { Redactor } from "./redact.ts";

/**
 * What an embedder may hand in instead of what the configuration makes. The configuration still says what there is
 * (mode, events, tasks); these say what works behind it. What is handed in may be shared by several servers, and is
 * closed by whoever made it.
 */
export interface EmbedderPorts {
  /**
   * Runs the calls, behind its own permissions. Used in read and write mode. Since others may wait in it too, a server
   * that closes does not give up the calls that wait for their turn, but for a second treats them like those that run.
   */
  readonly executor?: Executor;
  /**
   * Has the event resources. The client sees those that it has made itself, and they are released when the server
   * closes; the hub's limits hold for all who use it. A program that wants to be told of updates itself sets
   * `onUpdated` before. Used in read and write mode; the configuration has to have an address of events.
   */
  readonly events?: EventHub;
  /** Keeps the background tasks. Used in write mode; the configuration has to have a task folder. */
  readonly tasks?: TaskFolder;
  /** Gets a line for every call and for what an operator should know, without secrets. Nothing is logged otherwise. */
  readonly log?: Log;
}

/** A server for one connection. */
export interface EmbeddedServer extends AsyncDisposable {
  /**
   * Resolves when the connection is over, whichever side ended it, and everything that the server made is given back.
   */
  readonly closed: Promise<void>;
  /**
   * Serves one client, of either generation: its opening exchange decides. Resolves when the transport has started.
   * When the client goes away, the server closes.
   *
   * Needs no permission in docs mode. In read and write mode `--allow-net` for the endpoint and the address of events,
   * and for events `--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE`; in write mode also `--allow-read` and
   * `--allow-write` for the folders of downloads and tasks, and `--allow-read` for the upload root. All but the folders
   * is needed only with the first call.
   *
   * @throws {TypeError} when the server has been connected or closed before.
   * @throws {UsageError} in write mode, for a folder that is set and cannot be used.
   * @throws what the transport's `start` rejects with.
   */
  connect(transport: Transport): Promise<void>;
  /**
   * Ends gracefully, in less than 2 s: what comes in is dropped, subscriptions end, and calls under way get 1 s to
   * answer. Then they are aborted, and calls that wait for their turn are not sent: the log has the outcome of each
   * (`unknown` for a write whose request may have left), and unfinished tasks are recorded. A second time it gives the
   * same promise.
   */
  close(): Promise<void>;
}

/**
 * Makes a server that is not connected yet. It works on the configuration and these ports alone: it reads no arguments
 * and no environment, touches no standard stream and no signal, and never ends the process. Servers share nothing but
 * what they are given together.
 *
 * @param config From {@link resolveConfig}.
 * @throws {UsageError} for an address `simulator`, which only the command line stands a simulator in for, and for ports
 * that the configuration has no setting for.
 *
 * @example Serve the documentation to a client in the same program
 * ```ts
 * import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
 * import { createServer, resolveConfig } from "@snowluma-deno/mcp";
 *
 * const [here, there] = InMemoryTransport.createLinkedPair();
 * await using server = createServer(resolveConfig({ flags: {}, environment: {} }));
 * await server.connect(there);
 * const client = new Client({ name: "my-agent", version: "1.0.0" });
 * await client.connect(here);
 * console.log(await client.callTool({ name: "search_actions", arguments: { query: "mute", match: "keywords" } }));
 * ```
 */
export function createServer(config: Config, ports: EmbedderPorts = {}): EmbeddedServer {
  const { endpoint, eventsUrl, taskDir } = config;
  if (endpoint === SIMULATOR || eventsUrl === SIMULATOR) {
    throw new UsageError(`Cannot serve "${SIMULATOR}": start a simulator and give its addresses instead`);
  }
  if (ports.events !== undefined && eventsUrl === undefined) {
    throw new UsageError("Cannot use the given events: the configuration has no events_url");
  }
  if (ports.tasks !== undefined && taskDir === undefined) {
    throw new UsageError("Cannot use the given tasks: the configuration has no task_dir");
  }
  return new Embedded(config, ports);
}

class Embedded implements EmbeddedServer {
  readonly #config: Config;
  readonly #ports: EmbedderPorts;
  readonly #closed = Promise.withResolvers<void>();
  #connecting: Promise<void> | undefined;
  #end: (() => Promise<void>) | undefined;
  #closing: Promise<void> | undefined;

  constructor(config: Config, ports: EmbedderPorts) {
    this.#config = config;
    this.#ports = ports;
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  async connect(transport: Transport): Promise<void> {
    if (this.#connecting !== undefined || this.#closing !== undefined) {
      throw new TypeError("Cannot connect: this server was connected or closed before, make another one");
    }
    this.#connecting = this.#connect(transport);
    try {
      await this.#connecting;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #connect(transport: Transport): Promise<void> {
    const { executor, events, tasks, log = () => {} } = this.#ports;
    // not needed by those who import the library for something else
    const [{ Services }, { MessageWire }, hubs] = await Promise.all([
      import("./host/services.ts"),
      import("./host/wire.ts"),
      events && import("./host/hub_view.ts"),
    ]);
    const config = await prepared(this.#config);
    if (this.#closing !== undefined) throw new TypeError("Cannot connect: the server was closed meanwhile");
    const redactor = new Redactor([config.token, config.eventsToken].filter((secret) => secret !== undefined));
    const wire = new MessageWire(transport);
    const given = {
      executor,
      events: events && hubs && new hubs.HubView(events),
      tasks: tasks && runnerOf(tasks),
    };
    const clean = masked(log, redactor);
    const services = new Services(config, redactor, clean, () => wire.congested, given);
    const end = services.serve(wire);
    this.#end = () => end(true);
    wire.over.then(() => this.close()).catch(({ message }: Error) => clean("error", message)); // or nobody would hear
    await wire.started;
  }

  async #close(): Promise<void> {
    await Promise.resolve(); // so that `close` knows of itself before anything calls it again
    try {
      await this.#end?.();
    } finally {
      this.#closed.resolve();
    }
  }
}

/** Makes sure that the folders can be used, where they are. @throws {UsageError} */
async function prepared(config: Config): Promise<Config> {
  if (config.mode !== "write") return config;
  const { prepareFolders } = await import("./host/folders.ts");
  return { ...config, notices: [...config.notices, ...await prepareFolders(config)] };
}

/** A log that gets no secrets. */
function masked(log: Log, redactor: Redactor): Log {
  return (level, message, fields) => log(level, redactor.text(message), fields && redactor.value(fields) as Fields);
}
