/** What calls work with, each made when it is first needed, so that starting waits for none of it. */
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import type { Config } from "../config/resolve.ts";
import { Failure } from "../errors.ts";
import type { EventHub } from "../events/hub.ts";
import type { Executor } from "../executor.ts";
import type { Log } from "../log.ts";
import type { Asking, PromptState } from "../mcp/ask.ts";
import type { EventsPort, ServerPorts } from "../mcp/ports.ts";
import type { Redactor } from "../redact.ts";
import type { TaskRunner } from "../tasks/runner.ts";

/** The executor, the event hub and the tasks of one process. */
export class Services {
  readonly #config: Config;
  readonly #redactor: Redactor;
  readonly #log: Log;
  readonly #congested: () => boolean;
  #executor: Promise<Executor> | undefined;
  #asking: Promise<Asking> | undefined;
  #making: Promise<EventHub> | undefined;
  #hub: EventHub | undefined;
  #announce: ((uri: string) => Promise<void>) | undefined;
  #tasks: Promise<TaskRunner> | undefined;
  readonly #ended = new AbortController();

  /** @param congested Whether the client reads so little that output waits. */
  constructor(config: Config, redactor: Redactor, log: Log, congested: () => boolean) {
    this.#config = config;
    this.#redactor = redactor;
    this.#log = log;
    this.#congested = congested;
  }

  /** The executor, if a call has asked for it. */
  get executor(): Promise<Executor> | undefined {
    return this.#executor;
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
      asking: () => this.#asking ??= makeAsking(this.#ended.signal),
      ...(mode !== "docs" && eventsUrl !== undefined && { events }),
      ...(mode === "write" && taskDir !== undefined && { tasks: () => this.#openTasks() }),
    };
  }

  /** Begins what should not wait for a call: tasks that the last process left unfinished are told as what they are. */
  start(): void {
    this.ports.tasks?.().catch(({ message }: Error) => this.#log("warn", message));
  }

  /**
   * Releases event resources and ends open forms at once, and ends running tasks.
   *
   * @param ms How long tasks get to end, in milliseconds.
   */
  async close(ms: number): Promise<void> {
    this.#ended.abort();
    this.#hub?.close();
    const tasks = await this.#tasks?.catch(() => undefined);
    await tasks?.shutdown(ms);
  }

  async #makeExecutor(): Promise<Executor> {
    const { makeExecutor } = await import("./make_executor.ts");
    return await makeExecutor(this.#config, this.#redactor);
  }

  async #makeHub(): Promise<EventHub> {
    const { makeHub } = await import("./make_hub.ts");
    this.#hub = makeHub(this.#config, this.#redactor, this.#log);
    this.#hub.onUpdated = async (uri) => await this.#announce?.(uri);
    if (this.#ended.signal.aborted) this.#hub.close();
    return this.#hub;
  }

  /** A folder that another process holds may be free at the next call. */
  #openTasks(): Promise<TaskRunner> {
    if (this.#ended.signal.aborted) {
      const message = "Cannot use tasks: the server is shutting down";
      return Promise.reject(
        new Failure("cancelled", message, "Nothing was sent. Call again when the server runs again."),
      );
    }
    return this.#tasks ??= this.#makeTasks().catch((error) => {
      this.#tasks = undefined;
      throw error;
    });
  }

  async #makeTasks(): Promise<TaskRunner> {
    const { openTasks } = await import("./open_tasks.ts");
    return await openTasks(this.#config, this.#log);
  }
}

/** With a key of this process alone: what clients keep of a prompt is void after a restart. */
async function makeAsking(ended: AbortSignal): Promise<Asking> {
  const { Prompts, PROMPT_TTL_MS } = await import("../completion/prompts.ts");
  const key = crypto.getRandomValues(new Uint8Array(32));
  const codec = createRequestStateCodec<PromptState>({ key, ttlSeconds: PROMPT_TTL_MS / 1000 });
  return { prompts: new Prompts(), codec, ended };
}
