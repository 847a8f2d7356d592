/**
 * A server as a child process, driven over its raw pipes. An official client would cost more than the servers
 * that are compared, and would hide what lies between them.
 */
import { toText } from "@std/streams";

/** How to start a server, and what it is called in the report. */
export interface ServerSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** A tool call: name and arguments. */
export type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** A JSON-RPC message, loosely. */
// deno-lint-ignore no-explicit-any
type Message = Record<string, any>;

const NEWLINE = 10;
/** Longest wait for output, in milliseconds: a server that is silent for so long has failed, not been slow. */
const SILENCE_MS = 60_000;
/** What a server logs in passing: a line a call, and in a burst that there were more than anybody could read. */
const IN_PASSING = /^(info: |warn: Lines were dropped)/;

/** A running server. Disposing it ends its input and waits until it has gone. */
export class Driver implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<Uint8Array>;
  readonly #log: Promise<string>;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  /** Looks now and then instead of arming a timer for each read, which would be measured too. */
  readonly #watchdog: ReturnType<typeof setInterval>;
  #waitingSince = Infinity;
  #nextId = 1;

  constructor(readonly spec: ServerSpec) {
    const inherited = ["PATH", "HOME", "DENO_DIR", "TMPDIR"].flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    this.#child = new Deno.Command(spec.command, {
      args: [...spec.args],
      env: { ...Object.fromEntries(inherited), NO_COLOR: "1" },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#log = toText(this.#child.stderr); // looked at in the end: sorting lines would be measured too
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.getReader();
    this.#watchdog = setInterval(() => {
      if (performance.now() - this.#waitingSince > SILENCE_MS) this.#child.kill("SIGKILL");
    }, 1000);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** The handshake of the older generation, which all compared servers speak. */
  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    this.#write(this.#encoder.encode('{"jsonrpc":"2.0","method":"notifications/initialized"}\n'));
  }

  /** Sends one request and gives its answer as it came, one line. @throws if the answer is an error. */
  async request(method: string, params: Message = {}): Promise<string> {
    const [line = ""] = await this.exchange([{ method, params }]);
    return line;
  }

  /** Calls a tool and gives its result. @throws if the call failed. */
  async call([name, args]: Call): Promise<Message> {
    const { result } = JSON.parse(await this.request("tools/call", { name, arguments: args }));
    return result;
  }

  /**
   * Milliseconds of each call, one after the other, from before it is written until its answer is here. Answers are
   * checked afterwards, so that a server is never left to fall asleep between calls. @throws if a call failed.
   */
  async timeEach(calls: readonly Call[]): Promise<number[]> {
    const ids = calls.map(() => this.#nextId++);
    const lines = calls.map(([name, args], i) => this.#encode(ids[i] ?? 0, "tools/call", { name, arguments: args }));
    const answers: Uint8Array[] = [];
    const times: number[] = [];
    for (const bytes of lines) {
      const start = performance.now();
      this.#write(bytes);
      const chunks = await this.#readLines(1);
      times.push(performance.now() - start);
      answers.push(...chunks);
    }
    check(this.#decode(answers), ids);
    return times;
  }

  /** Milliseconds from before the first of many calls is written until the last answer is here. */
  async timeAll(calls: readonly Call[]): Promise<number> {
    const ids = calls.map(() => this.#nextId++);
    const lines = calls.map(([name, args], i) => this.#encode(ids[i] ?? 0, "tools/call", { name, arguments: args }));
    const bytes = concat(lines);
    const start = performance.now();
    this.#write(bytes);
    const answers = await this.#readLines(calls.length);
    const ms = performance.now() - start;
    check(this.#decode(answers), ids);
    return ms;
  }

  /** Sends requests at once and gives the answers' lines in the order they came. */
  async exchange(requests: ReadonlyArray<{ method: string; params: Message }>): Promise<string[]> {
    const ids = requests.map(() => this.#nextId++);
    const bytes = concat(requests.map(({ method, params }, i) => this.#encode(ids[i] ?? 0, method, params)));
    this.#write(bytes);
    const lines = this.#decode(await this.#readLines(requests.length));
    check(lines, ids);
    return lines;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#watchdog);
    await this.#input.close().catch(() => {}); // it may have gone already
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), SILENCE_MS);
    await this.#child.status;
    clearTimeout(timer);
    await this.#output.cancel();
    const complaints = (await this.#log).split(/^/m).filter((line) => !IN_PASSING.test(line));
    await Deno.stderr.write(this.#encoder.encode(complaints.join(""))); // they must not go unnoticed
  }

  /** Not awaited: the answers tell when it is read, and reading tells more of a server that has gone. */
  #write(bytes: Uint8Array): void {
    this.#input.write(bytes).catch(() => {});
  }

  #encode(id: number, method: string, params: Message): Uint8Array {
    return this.#encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  #decode(chunks: readonly Uint8Array[]): string[] {
    return this.#decoder.decode(concat(chunks)).split("\n").slice(0, -1);
  }

  /** Chunks of output up to and with the wanted number of line ends; nothing may follow them. */
  async #readLines(wanted: number): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    for (let seen = 0; seen < wanted;) {
      this.#waitingSince = performance.now();
      const { value, done } = await this.#output.read();
      this.#waitingSince = Infinity;
      if (done) throw new Error(`${this.spec.name} ended after ${seen} of ${wanted} answers`);
      chunks.push(value);
      for (let at = -1; (at = value.indexOf(NEWLINE, at + 1)) !== -1;) seen++;
      if (seen > wanted || (seen === wanted && value.at(-1) !== NEWLINE)) {
        throw new Error(`${this.spec.name} sent more than ${wanted} answers`);
      }
    }
    return chunks;
  }
}

/** Every request answered once, none with an error: a server that fails fast must not look quick. */
function check(lines: readonly string[], ids: readonly number[]): void {
  const open = new Set(ids);
  for (const line of lines) {
    const { id, result } = JSON.parse(line) as Message;
    if (!open.delete(id)) throw new Error(`unexpected answer: ${line.slice(0, 300)}`);
    if (result === undefined || result.isError === true) throw new Error(`failed call: ${line.slice(0, 300)}`);
  }
  if (open.size > 0) throw new Error(`${open.size} of ${ids.length} requests were not answered`);
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
