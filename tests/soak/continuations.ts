/**
 * Thousands of random answers, replays and concurrent resumptions of continuations, against a model of what may be
 * executed: never a request too many, and every prompt whose first answer is good leads to exactly one.
 */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { MAX_RECORDED_REQUESTS, type Simulator, startSimulator } from "../../lib/simulator/mod.ts";
import { envelope } from "../e2e/support.ts";
import type { Message } from "../support/server_process.ts";
import { between, seeded } from "../unit/support.ts";
import { SoakServer } from "./support.ts";

/** What a run came to. */
export interface SoakFigures {
  /** Second rounds, good or bad, replayed or not. */
  readonly steps: number;
  /** Requests at the bot. */
  readonly executions: number;
  /** Rounds that were refused, first rounds beyond the bound included. */
  readonly refused: number;
  readonly seconds: number;
}

/** How to run it. */
export interface SoakOptions {
  /** Second rounds to make, at most 10,000: so many requests the simulator remembers. @default 10_000 */
  readonly steps?: number;
  /** Makes a run repeatable, as far as the order in which the server gets to things allows. */
  readonly seed?: number;
}

/** The bound of the server, written out: it is promised. */
const MAX_PENDING = 256;
/** Longest run, in milliseconds. */
const LIMIT_MS = 60_000;

/** Calls to complete, and the field that each lacks. Prompts of the same call have the same binding. */
const CALLS = [
  ...[20001, 20002, 20003].map((group_id) => ({
    ...{ tool: "invoke_action_with_input", action: "send_group_msg", field: "message", params: { group_id } },
  })),
  { tool: "invoke_action_with_input", action: "send_private_msg", field: "message", params: { user_id: 11001 } },
  { tool: "invoke_action_with_input", action: "get_stranger_info", field: "user_id", params: {} },
  { tool: "query_action_with_input", action: "get_stranger_info", field: "user_id", params: {} },
  { tool: "query_action_with_input", action: "get_stranger_info", field: "user_id", params: { no_cache: true } },
] as const;

type Call = typeof CALLS[number];

/** A prompt of the server, as the model sees it. */
interface Prompt {
  readonly call: Call;
  readonly state: string;
  open: boolean;
}

/** One second round: what it brings, and whether it can use its prompt up and have it executed. */
interface Attempt {
  readonly prompt: Prompt;
  readonly call: Call;
  readonly state: string;
  readonly responses: Message | undefined;
  /** The value that shows up in the request if it is executed; no two attempts have the same. */
  readonly value: string | number;
  /** `takes`: the prompt is used up by it. `good`: and it is executed. `strays`: neither. */
  readonly fate: "good" | "takes" | "strays";
}

/** Runs it, and prints the seed. @throws {AssertionError} when server and model differ. */
export async function soakContinuations(
  { steps = MAX_RECORDED_REQUESTS, seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0 }: SoakOptions = {},
): Promise<SoakFigures> {
  await print(`continuations: seed ${seed}, ${steps} steps\n`);
  const start = performance.now();
  await using simulator = await startSimulator();
  const env = { SNOWLUMA_MCP_ENDPOINT: simulator.url, SNOWLUMA_MCP_MODE: "write" };
  await using server = new SoakServer({ env }, LIMIT_MS);
  const run = new Run(server, simulator, seeded(seed));
  while (run.steps < steps) await run.batch(steps - run.steps);
  await server.end();
  run.compare(); // nothing comes late
  const { executions, refused } = run;
  return { steps: run.steps, executions, refused, seconds: (performance.now() - start) / 1000 };
}

class Run {
  readonly #server: SoakServer;
  readonly #simulator: Simulator;
  readonly #random: () => number;
  readonly #prompts: Prompt[] = [];
  /** Values of all that had to be executed. */
  readonly #expected = new Map<string | number, Call>();
  #values = 0;
  steps = 0;
  refused = 0;

  constructor(server: SoakServer, simulator: Simulator, random: () => number) {
    this.#server = server;
    this.#simulator = simulator;
    this.#random = random;
  }

  get executions(): number {
    return this.#expected.size;
  }

  /** Opens some prompts, then brings some answers, all at once, and compares. */
  async batch(most: number): Promise<void> {
    await this.#open(this.#chance(0.03) ? MAX_PENDING : this.#between(0, 24));
    const prompts = this.#pickPrompts();
    const count = Math.min(most, this.#between(1, 60));
    const attempts = prompts.length === 0 ? [] : Array.from({ length: count }, () => this.#attempt(this.#of(prompts)));
    await this.#resume(attempts);
    this.compare();
  }

  /** Compares the bot's requests with what had to be executed. */
  compare(): void {
    const seen = new Map<string | number, number>();
    for (const { action, params } of this.#simulator.requests) {
      const field = action === "get_stranger_info" ? "user_id" : "message";
      const value = params[field] as string | number;
      seen.set(value, (seen.get(value) ?? 0) + 1);
      const call = this.#expected.get(value);
      ok(call, `${action} ${JSON.stringify(params)} was executed and must not have been`);
      deepStrictEqual([action, { ...params }], [call.action, { ...call.params, [field]: value }]);
    }
    for (const [value, times] of seen) strictEqual(times, 1, `${value} was executed ${times} times`);
    for (const value of this.#expected.keys()) ok(seen.has(value), `${value} was not executed`);
  }

  async #open(count: number): Promise<void> {
    const pending = this.#prompts.filter(({ open }) => open).length;
    const answers = await Promise.all(Array.from({ length: count }, async () => {
      const call = this.#of(CALLS);
      return { call, answer: await this.#send(call) };
    }));
    let opened = 0;
    for (const { call, answer: { result } } of answers) {
      if (result?.resultType === "input_required") {
        opened++;
        this.#prompts.push({ call, state: result.requestState, open: true });
      } else {
        this.refused++;
        strictEqual(result?.structuredContent.diagnostics.kind, "busy", JSON.stringify(result));
      }
    }
    strictEqual(opened, Math.min(count, MAX_PENDING - pending), `prompts opened beside ${pending} others`);
  }

  async #resume(attempts: readonly Attempt[]): Promise<void> {
    this.steps += attempts.length;
    const answers = await Promise.all(attempts.map(async (attempt) => ({
      attempt,
      answer: await this.#send(attempt.call, { requestState: attempt.state, inputResponses: attempt.responses }),
    })));
    const taken = new Map<Prompt, Attempt[]>();
    for (const { attempt, answer: { result, error } } of answers) {
      if (!error && !result.isError) {
        match(result.structuredContent.result.status, /^(ok|failed)$/); // most of the accounts asked for do not exist
        strictEqual(attempt.fate, "good", `${attempt.fate}: ${JSON.stringify(result)}`);
      } else this.refused++;
      if (attempt.fate === "strays") {
        if (error) strictEqual(error.code, -32602);
        else match(result.content[0].text, /another tool or other arguments|answered before/);
      } else if (!error && !/answered before/.test(result.content[0].text)) {
        taken.set(attempt.prompt, [...taken.get(attempt.prompt) ?? [], attempt]);
        if (attempt.fate === "good") this.#expected.set(attempt.value, attempt.call);
      } else strictEqual(error, undefined);
    }
    for (const prompt of new Set(attempts.filter(({ fate }) => fate !== "strays").map(({ prompt }) => prompt))) {
      strictEqual(taken.get(prompt)?.length ?? 0, prompt.open ? 1 : 0, "answers that one prompt took");
      prompt.open = false;
    }
  }

  #send({ tool, action, params }: Call, more: Message = {}): Promise<Message> {
    const _meta = envelope({ clientCapabilities: { elicitation: { form: {} } } });
    return this.#server.request("tools/call", { name: tool, arguments: { action, params }, _meta, ...more });
  }

  /** Few, so that they get several answers each, mostly open ones. */
  #pickPrompts(): Prompt[] {
    const [open, closed] = [true, false].map((is) => this.#prompts.filter((prompt) => prompt.open === is));
    const from = (pool: readonly Prompt[] = [], count: number): Prompt[] =>
      pool.length === 0 ? [] : Array.from({ length: count }, () => this.#of(pool));
    return [...from(open, this.#between(1, 30)), ...from(closed, this.#between(0, 8))];
  }

  #attempt(prompt: Prompt): Attempt {
    const { call, state } = prompt;
    const n = ++this.#values;
    const value = call.field === "message" ? `attempt ${n}` : 1_000_000 + n;
    const json = JSON.stringify({ [call.field]: value });
    const good = { params: { action: "accept", content: { params_json: json } } };
    const plain: Attempt = { prompt, call, state, responses: good, value, fate: "good" };
    const luck = this.#random();
    if (luck < 0.5) return plain;
    if (luck < 0.75) return { ...plain, responses: this.#unfit(call, json), fate: "takes" };
    if (luck < 0.88) return { ...plain, state: this.#mutated(state), fate: "strays" };
    return { ...plain, call: this.#of(CALLS.filter((other) => other !== call)), fate: "strays" };
  }

  /** Answers that come with the right state and call, and execute nothing. */
  #unfit({ field }: Call, json: string): Message | undefined {
    const accept = (content: unknown): Message => ({ params: { action: "accept", content } });
    const form = (params_json: unknown): Message => accept({ params_json });
    return this.#of([
      { params: { action: "decline" } },
      { params: { action: "cancel", content: { params_json: json } } },
      { params: { action: "other", content: { params_json: json } } },
      { params: { method: "elicitation/create", result: accept({ params_json: json }).params } },
      { other: accept({ params_json: json }).params },
      undefined,
      accept(undefined),
      accept({ params_json: json, [field]: 1 }),
      form(`${json}x`),
      form(`[${json}]`),
      form("{}"),
      form(JSON.parse(json)),
      form(json.replace("{", '{"group_id":20001,')),
      form(json.replace("{", '{"__proto__":{},')),
      form(`{"${field}":null}`),
      form(`{"${field}":[7]}`),
    ]);
  }

  /** Another text than the state, with other bytes behind it. */
  #mutated(state: string): string {
    const at = this.#between(0, state.length - 1);
    return this.#of([
      state.slice(0, at),
      state.slice(0, at) + (state[at] === "A" ? "g" : "A") + state.slice(at + 1),
      state.slice(0, at) + state.slice(at + 1),
      `${state}${state}`,
      "",
    ].filter((text) => text !== state));
  }

  #chance(likely: number): boolean {
    return this.#random() < likely;
  }

  #between(least: number, most: number): number {
    return between(this.#random, least, most);
  }

  /** One of a list that is not empty. */
  #of<T>(list: readonly T[]): T {
    return list[this.#between(0, list.length - 1)] as T;
  }
}

async function print(text: string): Promise<void> {
  await Deno.stdout.write(new TextEncoder().encode(text));
}

if (import.meta.main) await print(`${JSON.stringify(await soakContinuations())}\n`);
