/** Reads that wait: how they end, early, empty, cancelled, released or with the process; and bots that say nothing. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { event, EventBot, until } from "../unit/events/support.ts";
import { EVENT_URI, eventOptions, readEvents, readResource, release, resultOf, subscribe } from "./event_support.ts";
import { failureOf } from "./exec_support.ts";
import { envelope } from "./support.ts";

/** Longest wait there is, in milliseconds. */
const LONGEST = 25_000;
/** What is promised for the end of a session, in milliseconds. */
const PROMISED_MS = 2_000;

/** A server over raw pipes in one generation, with a subscription. */
async function rawServer(bot: EventBot, isModern: boolean): Promise<{
  server: ServerProcess;
  uri: string;
  start: (id: string, name: string, args: Message) => Promise<void>;
  callTool: (name: string, args?: Message) => Promise<Message>;
}> {
  const server = new ServerProcess(eventOptions(bot.url));
  if (!isModern) await server.initialize();
  const params = (name: string, args: Message): Message => ({
    name,
    arguments: args,
    ...(isModern && { _meta: envelope() }),
  });
  const callTool = async (name: string, args: Message = {}): Promise<Message> =>
    (await server.request(crypto.randomUUID(), "tools/call", params(name, args))).result;
  const start = (id: string, name: string, args: Message) =>
    server.send({ jsonrpc: "2.0", id, method: "tools/call", params: params(name, args) });
  return { server, uri: await subscribe({ callTool }), start, callTool };
}

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: a read that waits answers with what comes, and empty when nothing does`, async () => {
    verifies("events-read", "events-filters");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const [uri, other] = [await subscribe(client), await subscribe(client, { types: ["notice"] })];
    let start = performance.now();
    const waiting = readEvents(client, uri, { wait_ms: LONGEST });
    const vain = readEvents(client, other, { wait_ms: 400 });
    await readEvents(client, uri); // asked later, so the others wait
    await bot.send(event());
    strictEqual((await waiting).events.length, 1);
    ok(performance.now() - start < LONGEST / 2, "it did not answer early");
    const empty = await vain;
    deepStrictEqual([empty.events, empty.status, empty.gap, empty.next_cursor], [[], "connected", false, "0"]);

    start = performance.now();
    const page = await readEvents(client, uri, { after: "1", wait_ms: 400 });
    ok(performance.now() - start > 390, "it did not wait");
    deepStrictEqual([page.events, page.next_cursor, page.oldest_cursor], [[], "1", "1"]);
    start = performance.now();
    await readEvents(client, uri, { wait_ms: LONGEST }); // there is something
    await readResource(client, uri, "?after=1"); // resources never wait
    ok(performance.now() - start < LONGEST / 2);
  });

  Deno.test(`${connect.name}: a read that waits ends when its resource is released or the connection ends`, async () => {
    verifies("events-read", "events-release", "events-disconnect");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const [uri, other] = [await subscribe(client), await subscribe(client)];
    const waiting = client.callTool("read_events", { uri, wait_ms: LONGEST });
    const second = readEvents(client, other, { wait_ms: LONGEST });
    const start = performance.now();
    await release(client, uri);
    const { kind, message } = failureOf(await waiting);
    strictEqual(kind, "cancelled");
    match(message, /released meanwhile/);
    bot.peer.close(1001);
    deepStrictEqual([(await second).status, (await second).events], ["closed", []]);
    ok(performance.now() - start < LONGEST / 2);
  });

  Deno.test(`${connect.name}: a bot that says nothing keeps its connection, with a word on what is not proved`, async () => {
    verifies("events-quiet", "events-auth");
    await using silent = await EventBot.start(() => {});
    await using api = await startSimulator({ wsPort: 0, wsRole: "api" });
    await Promise.all([silent.url, api.wsUrl].map(async (url) => {
      await using client = await connect(eventOptions(url));
      const start = performance.now();
      const { result, diagnostics } = resultOf(await client.callTool("subscribe_events", { self_id: 10001 }));
      const ms = performance.now() - start;
      ok(ms > 2_950 && ms < 15_000, `it took ${ms} ms`);
      match(result.uri, EVENT_URI);
      const { uri: _, note, ...rest } = result;
      deepStrictEqual(rest, { self_id: 10001, next_cursor: "0", confirmed: false });
      match(note, /said nothing yet.*role Api.*\.$/s);
      deepStrictEqual(diagnostics, { outcome: "success" });
      strictEqual((await readEvents(client, result.uri, { wait_ms: 200 })).status, "connected");
      if (url !== silent.url) return strictEqual(api.requests.filter(({ method }) => method === "WS").length, 0);
      await silent.send(event());
      strictEqual((await readEvents(client, result.uri, { wait_ms: LONGEST })).events.length, 1);
      await subscribe(client); // proved by now
    }));
  });
}

for (const isModern of [true, false]) {
  const generation = isModern ? "modern" : "legacy";

  Deno.test(`a ${generation} client that cancels a read that waits ends it, and nothing else`, async () => {
    verifies("events-read");
    await using bot = await EventBot.start();
    const { server, uri, start, callTool } = await rawServer(bot, isModern);
    await using _ = server;
    await start("w", "read_events", { uri, wait_ms: LONGEST });
    await readEvents({ callTool }, uri); // it is being waited by now
    await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "w" } });
    strictEqual((await readEvents({ callTool }, uri, { wait_ms: 200 })).status, "connected");
    await bot.send(event());
    strictEqual((await readEvents({ callTool }, uri, { wait_ms: LONGEST })).events.length, 1);
    ok(server.lines.every((line) => JSON.parse(line).id !== "w"), "it was answered");
    await server.closeInput();
    strictEqual((await server.exit()).code, 0);
    match(await server.stderr, /tool=read_events .*kind=cancelled/);
  });

  for (const way of ["end of input", "SIGTERM"] as const) {
    Deno.test(`${way} ends a ${generation} session within 2 s though reads wait, and takes leave of the bot`, async () => {
      verifies("events-release", "events-read", "shutdown");
      await using bot = await EventBot.start();
      let pings = 0;
      const { server, uri, start, callTool } = await rawServer(bot, isModern);
      await using _ = server;
      bot.peer.on("ping", () => pings++);
      const left = bot.left();
      for (let id = 0; id < 20; id++) await start(`w${id}`, "read_events", { uri, wait_ms: LONGEST });
      await readEvents({ callTool }, uri);
      if (way === "SIGTERM") server.kill(way);
      else await server.closeInput();
      const { code, ms } = await server.exit();
      strictEqual(code, 0, await server.stderr);
      ok(ms < PROMISED_MS, `it took ${ms} ms`);
      strictEqual(await left, 1000);
      deepStrictEqual([bot.received, bot.peers.length, pings], [[], 1, 0]);
    });
  }

  Deno.test(`the end of a ${generation} session while it connects leaves no connection`, async () => {
    verifies("events-release", "shutdown");
    await using bot = await EventBot.start(() => {});
    await using server = new ServerProcess(eventOptions(bot.url));
    if (!isModern) await server.initialize();
    const params = { name: "subscribe_events", arguments: { self_id: 10001 }, ...(isModern && { _meta: envelope() }) };
    await server.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await until(() => bot.peers.length === 1);
    await server.closeInput();
    const { code, ms } = await server.exit();
    strictEqual(code, 0, await server.stderr);
    ok(ms < PROMISED_MS, `it took ${ms} ms`);
    await until(() => bot.peer.readyState === 3);
  });
}

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: closing MCP closes the connection to the bot`, async () => {
    verifies("events-release");
    await using bot = await EventBot.start();
    const client = await connect(eventOptions(bot.url));
    await subscribe(client);
    await subscribe(client);
    const left = bot.left();
    await client[Symbol.asyncDispose]();
    strictEqual(await left, 1000);
    strictEqual(bot.peers.length, 1);
  });
}
