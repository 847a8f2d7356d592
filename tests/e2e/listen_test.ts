/** `subscriptions/listen` byte by byte: how much one connection may watch, its ids, and what open streams hold up. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { type Message, serverCommand, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import { eventOptions } from "./event_support.ts";
import { envelope, modernRequest, SilentBot } from "./support.ts";

/** Nobody is there: listening opens no connection. */
const EVENTS_URL = "ws://127.0.0.1:1/";
/** A server that settles takes this long when somebody is still to be answered; in milliseconds. */
const SETTLE_MS = 1000;
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const TASKS = "io.modelcontextprotocol/tasks";
const ONE = { resourceSubscriptions: ["snowluma://onebot/events/x"] };

function listen(server: ServerProcess, id: string | number, notifications: unknown, capabilities = {}): Promise<void> {
  const _meta = envelope({ clientCapabilities: capabilities });
  return server.send({ jsonrpc: "2.0", id, method: "subscriptions/listen", params: { notifications, _meta } });
}

function cancel(server: ServerProcess, requestId: string | number): Promise<void> {
  return server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
}

/** What a server has said to this id so far, in order: the streams it acknowledged, and answers. */
function said({ lines }: ServerProcess, id: string | number): Message[] {
  return lines.map((line): Message => JSON.parse(line)).filter((message) =>
    message.id === id || (message.method === ACKNOWLEDGED && message.params._meta[SUBSCRIPTION] === id)
  );
}

/** Waits for one more thing that is said to this id, and gives it. */
async function next(server: ServerProcess, id: string | number, seen = 0): Promise<Message> {
  await server.receive(() => said(server, id).length > seen);
  return said(server, id)[seen] ?? {};
}

Deno.test("64 streams of 64 resources of 1,024 characters each are open at once, and no more", async () => {
  verifies("bounded", "events-updated-modern");
  await using server = new ServerProcess(eventOptions(EVENTS_URL));
  const resourceSubscriptions = Array.from({ length: 64 }, (_, n) => `x:${n}`.padEnd(1024, "x"));
  for (let id = 0; id < 64; id++) {
    await listen(server, id, id === 0 ? { resourceSubscriptions } : ONE);
    strictEqual((await next(server, id)).method, ACKNOWLEDGED);
  }
  deepStrictEqual(said(server, 0)[0]?.params.notifications, { resourceSubscriptions });
  await listen(server, "one more", ONE);
  const refused = await next(server, "one more");
  strictEqual(refused.error.code, -32603);
  match(refused.error.message, /limit/);
  await cancel(server, 5);
  await listen(server, "another", ONE);
  strictEqual((await next(server, "another")).method, ACKNOWLEDGED);
  await listen(server, "one more", ONE); // whose id is free again, since it was answered
  strictEqual((await next(server, "one more", 1)).error.code, -32603);
});

Deno.test("a stream of more, of longer ones or of none is refused by name, and the others go on", async () => {
  verifies("bounded", "bad-lines", "events-updated-modern");
  await using server = new ServerProcess(eventOptions(EVENTS_URL));
  await listen(server, "open", ONE);
  const most = /at most 64 resources of 1024 characters/;
  const cases: ReadonlyArray<[notifications: unknown, why: RegExp]> = [
    [{ resourceSubscriptions: Array(65).fill("x") }, most],
    [{ resourceSubscriptions: Array(100_000).fill("x") }, most],
    [{ resourceSubscriptions: ["x", "x".repeat(1025)] }, most],
    [{ resourceSubscriptions: [{ toString: 1, valueOf: 1 }] }, /notifications/],
    [{ resourceSubscriptions: [{ length: 2000 }] }, /notifications/],
    [{ resourceSubscriptions: [[["x"]]] }, /notifications/],
    [{ resourceSubscriptions: "x" }, /notifications/],
    [null, /notifications/],
    [5, /notifications/],
  ];
  for (const [n, [notifications, why]] of cases.entries()) {
    await listen(server, n, notifications);
    const { error } = await next(server, n);
    strictEqual(error.code, -32602);
    match(error.message, why);
  }
  const line = JSON.stringify({ resourceSubscriptions: ["DEEP"] });
  const _meta = envelope();
  const request = { jsonrpc: "2.0", id: "deeper", method: "subscriptions/listen", params: { notifications: 5, _meta } };
  const deep = line.replace('"DEEP"', "[".repeat(20_000) + "]".repeat(20_000));
  await server.send(`${JSON.stringify(request).replace('"notifications":5', `"notifications":${deep}`)}\n`);
  strictEqual((await next(server, "deeper")).error.code, -32602);
  ok((await modernRequest(server, "after", "tools/list")).result.tools.length > 0);
  deepStrictEqual(said(server, "open").map(({ method }) => method), [ACKNOWLEDGED]);
});

Deno.test("listening to tasks needs the tasks extension, as every request declares", async () => {
  verifies("tasks-clients", "tasks-methods");
  await using server = new ServerProcess(eventOptions(EVENTS_URL));
  for (const [n, taskIds] of [["x"], []].entries()) {
    await listen(server, n, { ...ONE, taskIds });
    const { error } = await next(server, n);
    deepStrictEqual([error.code, error.data], [-32021, { requiredCapabilities: { extensions: { [TASKS]: {} } } }]);
    await listen(server, `${n}`, { ...ONE, taskIds }, { extensions: { [TASKS]: {} } });
    strictEqual((await next(server, `${n}`)).method, ACKNOWLEDGED);
  }
});

Deno.test("the id of an open stream is in use until the client cancels it", async () => {
  verifies("bad-lines", "events-updated-modern");
  await using server = new ServerProcess(eventOptions(EVENTS_URL));
  await listen(server, 1, ONE);
  strictEqual((await next(server, 1)).method, ACKNOWLEDGED);
  await listen(server, 1, ONE);
  await server.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope() } });
  for (const seen of [1, 2]) {
    const { error } = await next(server, 1, seen);
    strictEqual(error.code, -32600);
    match(error.message, /still in use/);
  }
  await cancel(server, 1);
  await listen(server, 1, ONE);
  strictEqual((await next(server, 1, 3)).method, ACKNOWLEDGED);
  await cancel(server, 1);
  ok((await modernRequest(server, "2", "tools/list")).result.tools.length > 0);
  await server.send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: envelope() } });
  ok((await next(server, 1, 4)).result.tools.length > 0);
});

for (const end of ["end of input", "SIGTERM"] as const) {
  Deno.test(`${end} ends open streams with a result each, and waits for nothing`, async () => {
    verifies("shutdown", "events-updated-modern");
    await using server = new ServerProcess(eventOptions(EVENTS_URL));
    for (const id of [1, "1", 2]) {
      await listen(server, id, ONE);
      await next(server, id);
    }
    await cancel(server, 2);
    await modernRequest(server, 3, "tools/list");
    if (end === "SIGTERM") server.kill(end);
    else await server.closeInput();
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    ok(ms < SETTLE_MS * 0.8, `${ms} ms`);
    for (const id of [1, "1"]) {
      const [, result, ...more] = said(server, id);
      deepStrictEqual([result?.result.resultType, result?.result._meta[SUBSCRIPTION], more], ["complete", id, []]);
    }
    strictEqual(said(server, 2).length, 1);
  });
}

/** A server whose answers nobody reads. */
class UnreadServer implements AsyncDisposable {
  readonly child: Deno.ChildProcess;
  readonly input: WritableStreamDefaultWriter<Uint8Array>;

  constructor(options: ServerOptions) {
    const { command, args, env } = serverCommand(options);
    const pipes = { stdin: "piped", stdout: "piped", stderr: "piped" } as const;
    this.child = new Deno.Command(command, { args, env, clearEnv: true, ...pipes }).spawn();
    this.input = this.child.stdin.getWriter();
  }

  async send(message: Message): Promise<void> {
    const params = "id" in message ? { ...message.params, _meta: envelope() } : message.params;
    await this.input.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message, params })}\n`));
  }

  /** Asks for more than a pipe holds. */
  async fill(): Promise<void> {
    for (let id = 0; id < 40; id++) await this.send({ id, method: "tools/list" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.child.kill("SIGKILL");
    } catch { /* it has ended */ }
    await this.child.status;
    await Promise.allSettled([this.child.stdout.cancel(), this.child.stderr.cancel(), this.input.abort()]);
  }
}

for (const end of ["end of input", "SIGTERM"] as const) {
  Deno.test(`${end} ends the process within 2 s, though a client listens and reads nothing`, async () => {
    verifies("shutdown");
    await using server = new UnreadServer(eventOptions(EVENTS_URL));
    await server.send({ id: "l", method: "subscriptions/listen", params: { notifications: ONE } });
    await server.fill();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const start = performance.now();
    if (end === "SIGTERM") server.child.kill(end);
    else await server.input.close();
    const timer = setTimeout(() => server.child.kill("SIGKILL"), 8000);
    const { code } = await server.child.status;
    clearTimeout(timer);
    strictEqual(code, 0);
    ok(performance.now() - start < 2000, `${performance.now() - start} ms`);
  });
}

Deno.test("a listen that waits to be acknowledged holds up no cancellation", async () => {
  verifies("cancel", "events-updated-modern");
  await using bot = new SilentBot();
  await using server = new UnreadServer(eventOptions(EVENTS_URL, { endpoint: bot.url, mode: "write" }));
  const send = { action: "send_group_msg", params: { group_id: 20001, message: "x" } };
  await server.send({ id: "c", method: "tools/call", params: { name: "invoke_action", arguments: send } });
  await bot.asked(1);
  await server.fill();
  await server.send({ id: "l", method: "subscriptions/listen", params: { notifications: ONE } });
  await server.send({ method: "notifications/cancelled", params: { requestId: "c" } });
  const timer = setTimeout(() => server.child.kill("SIGKILL"), 5000);
  let said = "";
  for await (const text of server.child.stderr.pipeThrough(new TextDecoderStream())) {
    if (/tool=invoke_action .*kind=cancelled/.test(said += text)) break;
  }
  clearTimeout(timer);
  match(said, /tool=invoke_action .*kind=cancelled/);
});
