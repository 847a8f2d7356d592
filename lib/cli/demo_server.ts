/** A server of the demo that can be killed, and a bare connection to it. */
import { TASKS_EXTENSION } from "../mcp/peer.ts";
import { StdioTransport } from "../mcp/stdio_transport.ts";
import { demoServer, type Folders, type Transcript } from "./demo_transcript.ts";

/** A task, as far as the demo looks at it. */
export interface Task {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly structuredContent: { readonly result: { readonly tasks: ReadonlyArray<{ readonly taskId: string }> } };
}

/** The official client takes no task for an answer by itself, and gives nobody the process that it starts. */
export class DemoServer implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #transport: StdioTransport;
  readonly #session: Transcript;
  readonly #answers = new Map<unknown, PromiseWithResolvers<Task>>();
  #id = 0;

  private constructor(session: Transcript, child: Deno.ChildProcess) {
    this.#session = session;
    this.#child = child;
    const reader = child.stdout.getReader({ mode: "byob" });
    const writer = child.stdin.getWriter();
    this.#transport = new StdioTransport({
      async read(buffer) {
        const { value } = await reader.read(new Uint8Array(buffer.length));
        if (value === undefined || value.length === 0) return null;
        buffer.set(value);
        return value.length;
      },
      async write(bytes) {
        await writer.write(bytes);
        return bytes.length;
      },
    });
    this.#transport.onmessage = (message) => {
      if ("result" in message) this.#answers.get(message.id)?.resolve(message.result as unknown as Task);
      else if ("error" in message) this.#answers.get(message.id)?.reject(new Error(message.error.message));
    };
    this.#transport.start();
  }

  static async start(session: Transcript, folders: Folders): Promise<DemoServer> {
    const { command, args, env } = await demoServer(session.simulator, "write", folders);
    const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    return new DemoServer(session, new Deno.Command(command, { args, env, ...pipes }).spawn());
  }

  /** Calls a tool, and prints the talk. */
  async call(name: string, args: Record<string, unknown>): Promise<Task> {
    this.#session.print(`> ${name} ${JSON.stringify(args)}`);
    const answer = await this.#ask("tools/call", { name, arguments: args });
    this.#session.print(`< ${JSON.stringify(answer.structuredContent?.result ?? answer).slice(0, 400)}`);
    return answer;
  }

  get(taskId: string): Promise<Task> {
    return this.#ask("tasks/get", { taskId });
  }

  async untilEnded(taskId: string): Promise<Task> {
    for (;;) {
      const task = await this.get(taskId);
      if (task.status !== "working") return task;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits until the bot has a part of the upload. */
  async untilSent({ simulator }: Transcript): Promise<void> {
    while (simulator.requests.at(-1)?.action !== "upload_file_stream") {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGTERM");
    } catch { /* it has ended */ }
    await this.#child.status;
  }

  async #ask(method: string, params: Record<string, unknown>): Promise<Task> {
    const id = ++this.#id;
    const answer = Promise.withResolvers<Task>();
    this.#answers.set(id, answer);
    await this.#transport.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: META } });
    return await answer.promise;
  }
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "demo", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { [TASKS_EXTENSION]: {} } },
};
