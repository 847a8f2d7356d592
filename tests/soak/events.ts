/**
 * Thousands of events a second into 16 resources: memory stays, every event is kept in order or counted as dropped, and
 * calls are answered meanwhile.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { TextLineStream } from "@std/streams";
import { fromFileUrl } from "@std/path";
import { V8_FLAGS } from "../../lib/cli/server_command.ts";
import { memoryOf } from "../bench/memory.ts";
import { EVENT_GRANTS, eventOptions, type Page, resultOf } from "../e2e/event_support.ts";
import { envelope } from "../e2e/support.ts";
import { MAIN, type Message } from "../support/server_process.ts";
import { SELF } from "../unit/events/support.ts";
import type { SentFigures } from "./event_bot.ts";
import { SoakServer } from "./support.ts";

/** What a run came to. */
export interface EventSoakFigures extends SentFigures {
  /** Events that the resources dropped, of all of them together. */
  readonly dropped: number;
  /** Pages read and compared while events came. */
  readonly pages: number;
  /** Calls answered while events came, and how long that took, in milliseconds. */
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Resident memory of the server before the first event, and the most while they came, in MiB. */
  readonly beforeMiB: number;
  readonly peakMiB: number;
}

/** How to run it. */
export interface EventSoakOptions {
  /** Events a second. @default 5_000 */
  readonly rate?: number;
  /** @default 10 */
  readonly seconds?: number;
}

/** Bounds of the server, written out: they are promised. */
const RESOURCES = 16;
const KEPT = 256;
/** Longest run, in milliseconds. */
const LIMIT_MS = 40_000;
/** Between two pairs of calls, and two pages, in milliseconds. */
const CALL_MS = 20;
const PAGE_MS = 200;
/** Calls before anything is measured. */
const WARM_UP = 50;

/** Runs it. Needs Linux, for the memory. @throws {AssertionError} when an event is lost, doubled or out of order. */
export async function soakEvents({ rate = 5_000, seconds = 10 }: EventSoakOptions = {}): Promise<EventSoakFigures> {
  const [bot, simulator] = [startBot(rate, seconds), startSimulatorProcess()];
  await using _bot = bot;
  await using _simulator = simulator;
  const wsUrl: string = JSON.parse(await bot.line()).url;
  const endpoint = /http:\S+/.exec(await simulator.line())?.[0] ?? "";
  const { env = {} } = eventOptions(wsUrl, { endpoint });
  await using server = new SoakServer({ env, grants: [...EVENT_GRANTS, V8_FLAGS] }, LIMIT_MS);
  const run = new Run(server);
  await run.subscribe();
  for (let n = 0; n < WARM_UP; n++) await run.callPair();
  await run.readPage(0);
  run.latencies.length = 0;
  const { pid } = server;
  const { resident: beforeMiB } = await memoryOf(pid);
  await output("sh", ["-c", `echo 5 > /proc/${pid}/clear_refs`]); // the peak counts from here

  await bot.say("go");
  const figures = bot.line().then((line): SentFigures => JSON.parse(line));
  await run.during(figures);
  const sent = await figures;
  const { peak: peakMiB } = await memoryOf(pid);
  const dropped = await run.settle(sent.sent);
  await server.end();
  const times = run.latencies.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  const calls = { calls: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  return { ...sent, dropped, pages: run.pages, ...calls, beforeMiB, peakMiB };
}

class Run {
  readonly #server: SoakServer;
  readonly #uris: string[] = [];
  /** Newest cursor of each resource that has been read. */
  readonly #read: number[] = [];
  /** Of every call, in milliseconds. */
  readonly latencies: number[] = [];
  pages = 0;

  constructor(server: SoakServer) {
    this.#server = server;
  }

  /** Makes the resources, with filters that let everything through in different ways, and listens to all of them. */
  async subscribe(): Promise<void> {
    for (let n = 0; n < RESOURCES; n++) {
      const filter = [{}, { types: ["message"] }, { group_ids: [20001, 20002] }, { user_ids: [30001] }][n % 4];
      const { result } = resultOf(await this.#call("subscribe_events", { self_id: SELF, ...filter }));
      this.#uris.push(result.uri);
      this.#read.push(0);
    }
    const listen = { notifications: { resourceSubscriptions: this.#uris }, _meta: envelope() };
    this.#server.request("subscriptions/listen", listen).catch(() => {}); // goes on until the server ends
  }

  /** One call to the bot and one to the catalog, at once. */
  async callPair(): Promise<void> {
    await Promise.all([
      this.#timed("query_action", { action: "get_status" }),
      this.#timed("get_action", { name: "send_group_msg" }),
    ]);
  }

  /** Reads on in one resource, and compares: what was not dropped comes in order, and what was is counted. */
  async readPage(index: number): Promise<Page> {
    const after = this.#read[index] ?? 0;
    const { result } = resultOf(await this.#call("read_events", { uri: this.#uris[index], after: String(after) }));
    const page = result as Page;
    const first = Math.max(after, page.dropped_events) + 1;
    for (const [at, { cursor, event }] of page.events.entries()) {
      deepStrictEqual([cursor, event.seq], [String(first + at), first + at]); // every event matches every filter
    }
    strictEqual(page.gap, after < page.dropped_events);
    strictEqual(page.next_cursor, String(page.events.length === 0 ? after : first + page.events.length - 1));
    if (page.events.length > 0) strictEqual(page.oldest_cursor, String(page.dropped_events + 1));
    deepStrictEqual([page.status, page.notification_failed], ["connected", false]);
    this.#read[index] = Number(page.next_cursor);
    this.pages++;
    return page;
  }

  /** Calls and reads at a steady pace until something is over. */
  async during(work: Promise<unknown>): Promise<void> {
    let over = false;
    const ended = work.finally(() => over = true);
    const every = async (ms: number, deed: (turn: number) => Promise<unknown>): Promise<void> => {
      const deeds: Promise<unknown>[] = [];
      for (let turn = 0; !over; turn++) {
        deeds.push(deed(turn));
        await rest(ms);
      }
      await Promise.all(deeds);
    };
    await Promise.all([
      ended,
      every(CALL_MS, () => this.callPair()),
      every(PAGE_MS, (turn) => this.readPage(turn % RESOURCES)),
    ]);
  }

  /** Waits until the last event is there, and compares all resources; gives how many events they dropped. */
  async settle(sent: number): Promise<number> {
    const deadline = performance.now() + 10_000;
    const { pages } = this;
    let dropped = 0;
    for (let index = 0; index < RESOURCES; index++) {
      let page = await this.readPage(index);
      while (page.next_cursor !== String(sent)) {
        ok(performance.now() < deadline, `${page.next_cursor} of ${sent} events came`);
        await rest(20);
        page = await this.readPage(index);
      }
      this.#read[index] = 0;
      const whole = await this.readPage(index);
      deepStrictEqual([whole.events.length, whole.dropped_events], [Math.min(KEPT, sent), Math.max(0, sent - KEPT)]);
      dropped += whole.dropped_events;
    }
    this.pages = pages;
    return dropped;
  }

  async #timed(name: string, args: Message): Promise<void> {
    const start = performance.now();
    const answer = await this.#call(name, args);
    this.latencies.push(performance.now() - start);
    strictEqual(answer.structuredContent.diagnostics.outcome, "success", name);
  }

  async #call(name: string, args: Message): Promise<Message> {
    const answer = await this.#server.request("tools/call", { name, arguments: args, _meta: envelope() });
    return answer.result;
  }
}

/** A process that is told and tells, line by line. Disposing it ends its input and waits for it. */
class Helper implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;

  constructor(args: readonly string[], readonly endsWithInput: boolean) {
    const pipes = { stdin: "piped", stdout: "piped", stderr: "inherit" } as const;
    this.#child = new Deno.Command(Deno.execPath(), { args: [...args], ...pipes }).spawn();
    this.#input = this.#child.stdin.getWriter();
    const lines = new TextLineStream();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(lines).getReader();
  }

  async say(line: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
  }

  async line(): Promise<string> {
    return (await this.#output.read()).value ?? "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    if (!this.endsWithInput) this.#child.kill();
    await this.#output.cancel();
    await this.#child.status;
  }
}

function startBot(rate: number, seconds: number): Helper {
  const program = fromFileUrl(new URL("./event_bot.ts", import.meta.url));
  return new Helper(["run", "--no-prompt", ...EVENT_GRANTS, program, String(rate), String(seconds)], true);
}

function startSimulatorProcess(): Helper {
  return new Helper(["run", "--no-prompt", ...EVENT_GRANTS, MAIN, "simulator"], false);
}

async function output(command: string, args: string[]): Promise<string> {
  const { stdout, success, stderr } = await new Deno.Command(command, { args }).output();
  ok(success, `${command} has failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) {
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(await soakEvents())}\n`));
}
