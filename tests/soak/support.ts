/** What soak tests share: a server process that answers thousands of requests, many at a time. */
import { TextLineStream, toText } from "@std/streams";
import { type Message, serverCommand, type ServerOptions } from "../support/server_process.ts";

/** A server over its raw pipes. Disposing it kills it if it still runs. */
export class SoakServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #waiting = new Map<number, PromiseWithResolvers<Message>>();
  readonly #reading: Promise<void>;
  readonly #watchdog: ReturnType<typeof setTimeout>;
  /** Everything on standard error, once the process has ended. */
  readonly stderr: Promise<string>;
  #lastId = 0;

  /** @param limitMs Longest life, in milliseconds; then it is killed, and what still waits rejects. */
  constructor(options: ServerOptions, limitMs: number) {
    const { command, args, env } = serverCommand(options);
    const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    this.#child = new Deno.Command(command, { args, env, clearEnv: true, ...pipes }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.stderr = toText(this.#child.stderr);
    this.#reading = this.#read();
    this.#watchdog = setTimeout(() => this.#child.kill("SIGKILL"), limitMs);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Sends a request and gives its JSON-RPC answer. */
  async request(method: string, params: Message): Promise<Message> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Message>();
    answer.promise.catch(() => {}); // the server may end while the line is being written
    this.#waiting.set(id, answer);
    await this.#input.write(this.#encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`));
    return await answer.promise;
  }

  /** Ends its input, and waits for its end. @throws if it does not end well. */
  async end(): Promise<void> {
    await this.#input.close();
    const { code } = await this.#child.status;
    await this.#reading;
    clearTimeout(this.#watchdog);
    if (code !== 0) throw new Error(`the server ended with ${code}: ${(await this.stderr).slice(-2_000)}`);
  }

  async #read(): Promise<void> {
    for await (
      const line of this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())
    ) {
      const message = JSON.parse(line) as Message;
      this.#waiting.get(message.id)?.resolve(message);
      this.#waiting.delete(message.id);
    }
    const why = this.#waiting.size > 0 ? (await this.stderr).slice(-2_000) : "";
    for (const { reject } of this.#waiting.values()) reject(new Error(`the server has ended: ${why}`));
    this.#waiting.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#watchdog);
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // it has ended already
    }
    await this.#input.close().catch(() => {});
    await this.#child.status;
    await this.#reading;
    await this.stderr;
  }
}
