/** Updates of event resources, in both generations: who gets them, how often, and what ending them releases. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { event, EventBot, until } from "../unit/events/support.ts";
import { collect, eventOptions, readEvents, readResource, subscribe, unreadable } from "./event_support.ts";
import { modernRequest } from "./support.ts";

/** Least time between two updates of one resource, in milliseconds, less what a timer may be early. */
const INTERVAL_MS = 99;
const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The updates among the lines of a server. */
function updatesIn({ lines }: ServerProcess): Message[] {
  return lines.map((line): Message => JSON.parse(line)).filter(({ method }) => method?.startsWith("notifications/"));
}

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: updates name the watched resource, the last change included, 100 ms apart at least`, async () => {
    verifies("events-updated-modern", "events-updated-legacy", "events-updated-pace");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const [uri, unwatched] = [await subscribe(client), await subscribe(client)];
    const updates: string[] = [];
    let newest = "0"; // as seen by somebody who reads when told to, and never else
    let lastAt = 0;
    const reading: Promise<void>[] = [];
    await client.watch(uri, (told) => {
      updates.push(told);
      lastAt = performance.now();
      reading.push(readResource(client, uri).then(({ next_cursor }) => void (newest = next_cursor)));
    });
    const start = performance.now();
    let sent = 0;
    while (performance.now() - start < 1_000) {
      for (let n = 0; n < 5; n++) await bot.send(event({ seq: ++sent }));
      await rest(5);
    }
    await until(() => newest === String(sent));
    await Promise.all(reading);
    const most = 1 + Math.floor((lastAt - start) / INTERVAL_MS);
    ok(updates.length <= most, `${updates.length} updates in ${lastAt - start} ms`);
    ok(updates.length >= 3, `only ${updates.length} updates`);
    deepStrictEqual([...new Set(updates)], [uri]);
    const count = updates.length;
    await rest(300);
    strictEqual(updates.length, count, "updates of nothing");
    deepStrictEqual((await readResource(client, uri)).notification_failed, false);
    strictEqual((await readEvents(client, unwatched)).next_cursor, String(sent));
    strictEqual((await readEvents(client, unwatched)).notification_failed, false);
  });

  Deno.test(`${connect.name}: an update tells that the connection has ended`, async () => {
    verifies("events-updated-modern", "events-updated-legacy", "events-disconnect");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const uri = await subscribe(client);
    const updates: string[] = [];
    await client.watch(uri, (told) => updates.push(told));
    bot.peer.close(1012);
    await until(() => updates.length > 0);
    strictEqual((await readResource(client, uri)).status, "closed");
  });
}

Deno.test("greetings and heartbeats are neither kept nor told of", async () => {
  verifies("events-meta", "events-updated-pace");
  await using bot = await startSimulator({ wsPort: 0, heartbeatMs: 10 });
  await using client = await CLIENTS[0](eventOptions(bot.wsUrl));
  const uri = await subscribe(client);
  const updates: string[] = [];
  await client.watch(uri, (told) => updates.push(told));
  const page = await readEvents(client, uri, { wait_ms: 500 });
  deepStrictEqual([page.events, page.next_cursor, page.status, updates], [[], "0", "connected", []]);
  bot.receive({ group_id: 20001, user_id: 12001, message: "at last" });
  await until(() => updates.length === 1);
});

Deno.test("closing a modern client's stream ends its updates and releases nothing", async () => {
  verifies("events-updated-modern", "events-release");
  await using bot = await EventBot.start();
  await using client = await CLIENTS[0](eventOptions(bot.url));
  const uri = await subscribe(client);
  const updates: string[] = [];
  const stop = await client.watch(uri, (told) => updates.push(told));
  await bot.send(event({ seq: 1 }));
  await until(() => updates.length === 1);
  await stop();
  await readEvents(client, uri); // by now the server has read it
  const count = updates.length;
  for (let seq = 2; seq <= 4; seq++) {
    await bot.send(event({ seq }));
    await rest(120);
  }
  deepStrictEqual((await collect(client, uri, 4)).map(({ event }) => event.seq), [1, 2, 3, 4]);
  strictEqual(updates.length, count);
  strictEqual((await readEvents(client, uri)).notification_failed, false);

  await client.watch(uri, (told) => updates.push(told));
  await bot.send(event({ seq: 5 }));
  await until(() => updates.length === count + 1);
});

Deno.test("the end of a legacy client's subscription releases the resource, the last one the connection", async () => {
  verifies("events-updated-legacy", "events-release");
  await using bot = await EventBot.start();
  await using client = await CLIENTS[1](eventOptions(bot.url));
  const [uri, other] = [await subscribe(client), await subscribe(client)];
  const updates: string[] = [];
  const stops = [await client.watch(uri, () => {}), await client.watch(other, (told) => updates.push(told))];
  await stops[0]?.();
  await unreadable(client, uri);
  await bot.send(event());
  await until(() => updates.length === 1);
  deepStrictEqual(updates, [other]);
  const left = bot.left();
  await stops[1]?.();
  strictEqual(await left, 1000);
  await unreadable(client, other);
});

Deno.test("an older client gets no update before it subscribes, and only with the canonical address", async () => {
  verifies("events-updated-legacy");
  await using bot = await EventBot.start();
  await using server = new ServerProcess(eventOptions(bot.url));
  strictEqual((await server.initialize()).result.capabilities.resources.subscribe, true);
  const client = {
    callTool: async (name: string, args = {}) => (await server.call(crypto.randomUUID(), name, args)).result,
  };
  const uri = await subscribe(client);
  await bot.send(event());
  await collect(client, uri, 1);
  await rest(150);
  await readEvents(client, uri);
  deepStrictEqual(updatesIn(server), []);

  for (const bad of [`${uri}?after=0`, uri.slice(0, -1), "snowluma://onebot/actions", "file:///etc/passwd", ""]) {
    for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
      const { error } = await server.request(crypto.randomUUID(), method, { uri: bad });
      strictEqual(error?.code, -32602, `${method} ${bad}`);
    }
  }
  await bot.send(event());
  await collect(client, uri, 2);
  deepStrictEqual(updatesIn(server), []);
  deepStrictEqual((await server.request("s", "resources/subscribe", { uri })).result, {});
  await bot.send(event());
  const update = await server.receive(({ method }) => method === "notifications/resources/updated");
  deepStrictEqual(update, { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });
  deepStrictEqual((await server.request("u", "resources/unsubscribe", { uri })).result, {});
  strictEqual((await server.request("u2", "resources/unsubscribe", { uri })).error.code, -32602);
  strictEqual((await server.request("r", "resources/read", { uri })).error.code, -32602);
});

Deno.test("the modern generation has no resources/subscribe, and gets no update without listening", async () => {
  verifies("events-updated-modern");
  await using bot = await EventBot.start();
  await using server = new ServerProcess(eventOptions(bot.url));
  const client = {
    callTool: async (name: string, args = {}) =>
      (await modernRequest(server, crypto.randomUUID(), "tools/call", { name, arguments: args })).result,
  };
  const uri = await subscribe(client);
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
    strictEqual((await modernRequest(server, method, method, { uri })).error.code, -32601, method);
  }
  await bot.send(event());
  await collect(client, uri, 1);
  await rest(150);
  strictEqual((await readEvents(client, uri)).notification_failed, false);
  deepStrictEqual(updatesIn(server), []);
});
