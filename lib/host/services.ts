/**
 * What one connection is served with, how it is served, and how that ends. What calls work with is made when it is
 * first needed, so that starting waits for none of it.
 */
import { serveStdio, type StdioServerHandle } from "@modelcontextprotocol/server/stdio";
import type { Config } from "../config/resolve.ts";
import { Failure } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import type { Executor } from "../executor.ts";
import type { Log } from "../log.ts";
import type { Asking } from "../mcp/ask.ts";
import { MAX_LISTENS } from "../mcp/listen.ts";
import type { EventsPort, ServerPorts } from "../mcp/ports.ts";
import { createMcpServer } from "../mcp/server.ts";
import type { Redactor } from "../redact.ts";
import type { TaskRunner } from "../tasks/runner.ts";
import type { Wire } from "./wire.ts";

/**
 * When serving ends, calls under way get this long to finish before they are aborted, in milliseconds; shutdown is
 * promised within 2 s.
 */
const SETTLE_MS = 1000;
/** Aborted calls this long to end: streams take their files away and reset their uploads. In milliseconds. */
const ABORTED_MS = 500;
/** And last words this long to be written, to the client and to the log, in milliseconds. */
export const LAST_MS = 200;

/** What is there already, instead of being made of the configuration. */
export interface Given {
  /** Whose calls are not ours alone. */
  readonly executor?: Executor | undefined;
  /** Of this connection alone. */
  readonly events?: EventHub | undefined;
  /** Closed by whoever made it. */
  readonly tasks?: TaskRunner | undefined;
}

/** The executor, the event hub and the tasks of one connection, and the connection. */
export class Services {
  readonly #config: Config;
  readonly #redactor: Redactor;
  readonly #log: Log;
  readonly #congested: () => boolean;
  readonly #given: Given;
  #executor: Promise<Executor> | undefined;
  #asking: Promise<Asking> | undefined;
  #making: Promise<EventHub> | undefined;
  #hub: EventHub | undefined;
  #announce: ((uri: string) => Promise<void>) | undefined;
  #tasks: Promise<TaskRunner> | undefined;
  readonly #ended = new AbortController();

  /** @param congested Whether the client reads so little that output waits. */
  constructor(config: Config, redactor: Redactor, log: Log, congested: () => boolean, given: Given = {}) {
    this.#config = config;
    this.#redactor = redactor;
    this.#log = log;
    this.#congested = congested;
    this.#given = given;
  }

  /** What an MCP server gets. */
  get ports(): Pick<ServerPorts, "executor" | "asking" | "events" | "tasks"> {
    const { mode, eventsUrl, taskDir } = this.#config;
    const events: EventsPort = {
      hub: () => this.#making ??= this.#makeHub(),
      current: () => this.#hub,
      announceWith: (announce) => {
        this.#announce = announce;
      },
      congested: this.#congested,
    };
    return {
      executor: () => this.#executor ??= this.#makeExecutor(),
      asking: () => this.#asking ??= this.#makeAsking(),
      ...(mode !== "docs" && eventsUrl !== undefined && { events }),
      ...(mode === "write" && taskDir !== undefined && { tasks: () => this.#openTasks() }),
    };
  }

  /** Begins what should not wait for a call: tasks that the last process left unfinished are told as what they are. */
  start(): void {
    this.ports.tasks?.().catch(({ message }: Error) => this.#log("warn", message));
  }

  /**
   * Serves on a connection, in the generation that its opening exchange decides. To be called once.
   *
   * @returns Ends it gracefully: new input is dropped, event resources are released, and calls under way get a second;
   * the rest is aborted, and takes its files away. Never takes 2 s. Its argument tells whether calls that still wait
   * for their turn are given up at once instead.
   */
  serve(wire: Wire): (dismiss: boolean) => Promise<void> {
    const [config, log] = [this.#config, this.#log];
    const handle = serveStdio(
      ({ era }) => createMcpServer({ config, log, ...this.ports }, era === "modern"),
      { transport: wire, onerror: ({ message }) => log("warn", message), maxSubscriptions: MAX_LISTENS },
    );
    for (const notice of config.notices) log("warn", notice);
    this.start();
    return (dismiss) => this.#end(wire, handle, dismiss);
  }

  async #end(wire: Wire, handle: StdioServerHandle, dismiss: boolean): Promise<void> {
    wire.ignoreInput();
    const closed = this.close(ABORTED_MS);
    if (dismiss && this.#given.executor === undefined) (await this.#executor)?.dismissWaiting();
    await within(SETTLE_MS, wire.whenIdle());
    const ending = handle.close(); // tells who listens, then aborts what is still running
    await within(LAST_MS, ending);
    await within(LAST_MS, wire.close()); // for a client that does not read, so that the rest of it goes on
    await within(ABORTED_MS, Promise.all([ending, this.#executor?.then((running) => running.settled()), closed]));
    await new Promise((resolve) => setTimeout(resolve)); // one turn, in which aborted calls are logged
  }

  /**
   * Releases event resources and ends open forms at once, and ends running tasks, unless they were given.
   *
   * @param ms How long tasks get to end, in milliseconds.
   */
  async close(ms: number): Promise<void> {
    this.#ended.abort();
    this.#hub?.close();
    this.#given.events?.close();
    const tasks = await this.#tasks?.catch(() => undefined);
    await tasks?.shutdown(ms);
  }

  async #makeExecutor(): Promise<Executor> {
    if (this.#given.executor !== undefined) return this.#given.executor;
    const { makeExecutor } = await import("./make_executor.ts");
    return await makeExecutor(this.#config, this.#redactor);
  }

  async #makeAsking(): Promise<Asking> {
    const { makeAsking } = await import("./make_asking.ts");
    return makeAsking(this.#ended.signal);
  }

  async #makeHub(): Promise<EventHub> {
    this.#hub = this.#given.events ?? await this.#hubOfConfig();
    this.#hub.onUpdated = async (uri) => await this.#announce?.(uri);
    if (this.#ended.signal.aborted) this.#hub.close();
    return this.#hub;
  }

  async #hubOfConfig(): Promise<EventHub> {
    const { makeHub } = await import("./make_hub.ts");
    return makeHub(this.#config, this.#redactor, this.#log);
  }

  /** A folder that another process holds may be free at the next call. */
  async #openTasks(): Promise<TaskRunner> {
    if (this.#ended.signal.aborted) {
      const message = "Cannot use tasks: the server is shutting down";
      throw new Failure("cancelled", message, "Nothing was sent. Call again when the server runs again.");
    }
    return this.#given.tasks ?? await (this.#tasks ??= this.#makeTasks().catch((error) => {
      this.#tasks = undefined;
      throw error;
    }));
  }

  async #makeTasks(): Promise<TaskRunner> {
    const { openTasks } = await import("./open_tasks.ts");
    return await openTasks(this.#config, this.#log);
  }
}

/** Waits for work, but no longer than so many milliseconds. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => timer = setTimeout(resolve, ms))]);
  clearTimeout(timer);
}
