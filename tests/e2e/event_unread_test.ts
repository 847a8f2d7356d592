/** A client that does not read its updates: they are not piled up, the resource says so, and the last one comes later. */
import { ok, strictEqual } from "node:assert/strict";
import { TextLineStream } from "@std/streams";
import { verifies } from "../requirements.ts";
import { type Message, serverCommand } from "../support/server_process.ts";
import { event, EventBot } from "../unit/events/support.ts";
import { eventOptions } from "./event_support.ts";
import { envelope } from "./support.ts";

/** Some 300 KB each; together far beyond the 8 Mi characters from which on a client counts as not reading. */
const HEAVY_READS = 60;

/** A server over pipes that are read when a test asks for the next message, and not before. */
class SlowReader implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  readonly #watchdog: ReturnType<typeof setTimeout>;

  constructor(wsUrl: string) {
    const { command, args, env } = serverCommand(eventOptions(wsUrl));
    const pipes = { stdin: "piped", stdout: "piped", stderr: "null" } as const;
    this.#child = new Deno.Command(command, { args, env, clearEnv: true, ...pipes }).spawn();
    this.#watchdog = setTimeout(() => this.#child.kill("SIGKILL"), 60_000);
    this.#input = this.#child.stdin.getWriter();
    const lines = new TextLineStream();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(lines).getReader();
  }

  async send(...messages: Message[]): Promise<void> {
    const text = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
    await this.#input.write(new TextEncoder().encode(text));
  }

  /** Updates that have been read. */
  updates = 0;

  /** The next message that fits; what comes before it is dropped. */
  async next(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const { value } = await this.#output.read();
      if (value === undefined) throw new Error("the server has ended");
      const message = JSON.parse(value) as Message;
      if (isUpdate(message)) this.updates++;
      if (fits(message)) return message;
    }
  }

  /** Sends a request and reads up to its answer. */
  async request(id: string, method: string, params: Message): Promise<Message> {
    await this.send({ id, method, params });
    return (await this.next((message) => message.id === id)).result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#watchdog);
    this.#child.kill("SIGKILL");
    await this.#input.close().catch(() => {});
    await this.#output.cancel().catch(() => {});
    await this.#child.status;
  }
}

function isUpdate({ method }: Message): boolean {
  return method === "notifications/resources/updated";
}

for (const isModern of [true, false]) {
  Deno.test(`a ${isModern ? "modern" : "legacy"} client that reads nothing gets its update once it reads again, and not before`, async () => {
    verifies("events-notify-failed");
    await using bot = await EventBot.start();
    await using server = new SlowReader(bot.url);
    const meta = isModern ? { _meta: envelope() } : {};
    const tool = (id: string, name: string, args: Message): Promise<Message> =>
      server.request(id, "tools/call", { name, arguments: args, ...meta });
    if (!isModern) {
      const clientInfo = { name: "slow", version: "1" };
      await server.request("init", "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
      await server.send({ method: "notifications/initialized" });
    }
    const { uri } = (await tool("sub", "subscribe_events", { self_id: 10001 })).structuredContent.result;
    if (isModern) {
      const notifications = { resourceSubscriptions: [uri] };
      await server.send({ id: "listen", method: "subscriptions/listen", params: { notifications, ...meta } });
    } else await server.request("listen", "resources/subscribe", { uri });
    await tool("settled", "read_events", { uri });
    await bot.send(event({ seq: 1 }));
    strictEqual((await server.next(isUpdate)).params.uri, uri);
    const before = (await tool("before", "read_events", { uri })).structuredContent.result;
    strictEqual(before.notification_failed, false);

    const heavy = { uri: "snowluma://onebot/actions", ...meta };
    await server.send(
      ...Array.from({ length: HEAVY_READS }, (_, n) => ({ id: `h${n}`, method: "resources/read", params: heavy })),
    );
    for (let seq = 2; seq <= 11; seq++) { // while nobody reads
      await new Promise((resolve) => setTimeout(resolve, 300));
      await bot.send(event({ seq }));
    }
    const after = (await tool("after", "read_events", { uri, wait_ms: 10_000, after: "10" })).structuredContent.result;
    ok(server.updates < 10, `${server.updates} updates were piled up`);
    // its next chance may have come between the first read byte and this answer
    ok(after.notification_failed || server.updates > 1, "an update is lost, and nothing tells");
    if (after.notification_failed) ok(await server.next(isUpdate), "nothing comes any more that would bring it");
    const whole = (await tool("whole", "read_events", { uri })).structuredContent.result;
    strictEqual(whole.events.length, 11); // events themselves are not lost by that
    await new Promise((resolve) => setTimeout(resolve, 100));
    strictEqual((await tool("told", "read_events", { uri })).structuredContent.result.notification_failed, false);
    await bot.send(event({ seq: 12 }));
    ok(await server.next(isUpdate), "updates go on");
  });
}
