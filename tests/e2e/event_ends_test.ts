/** What ends a connection, how every resource shows it, and that nothing but a person's wish opens another one. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS, type TestClient } from "../support/clients.ts";
import { event, EventBot, lifecycle, SELF, until } from "../unit/events/support.ts";
import {
  collect,
  ended,
  eventOptions,
  readEvents,
  readResource,
  refusal,
  release,
  subscribe,
} from "./event_support.ts";

/** Something a bot does to its newest connection. */
type Deed = (bot: EventBot) => unknown;

/** How a connection ends: what the bot does, and what is told. */
type End = readonly [deed: Deed, status: "closed" | "failed", kind: string, message: RegExp];

const closes = (code?: number, reason?: string): Deed => (bot) => bot.peer.close(code, reason);

const CODES: Readonly<Record<string, End>> = {
  "code 1000": [closes(1000), "closed", "cut", /code 1000$/],
  "code 1001": [closes(1001, "bye"), "closed", "cut", /code 1001, "bye"$/],
  "no code": [closes(), "closed", "cut", /code 1005$/],
  "code 1012": [closes(1012), "closed", "cut", /code 1012$/],
  ...Object.fromEntries(
    [1002, 1003, 1007, 1009, 1010, 1011, 1013, 1014, 3000, 4000, 4999].map((code) =>
      [`code ${code}`, [closes(code), "failed", "cut", new RegExp(`code ${code}$`)]] as const
    ),
  ),
  "code 1008": [closes(1008, "access token changed"), "failed", "auth", /code 1008, "access token changed"$/],
  "code 1008 for the path": [closes(1008, "invalid path"), "failed", "connect", /code 1008, "invalid path"$/],
  "no close frame": [(bot) => bot.peer.terminate(), "failed", "cut", /without a close frame$/],
};

const SECRET_TEXT = "what the friend wrote";
const sends = (payload: string | Uint8Array): Deed => (bot) => bot.send(payload);
const without = (field: string): Deed => sends(event({ [field]: undefined, raw_message: SECRET_TEXT }));
const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

const MALFORMED: Readonly<Record<string, End>> = {
  "no JSON": [sends(SECRET_TEXT), "failed", "invalid_event", /no JSON$/],
  "half a JSON text": [sends(event().slice(0, -1)), "failed", "invalid_event", /no JSON$/],
  "an empty text": [sends(""), "failed", "invalid_event", /no JSON$/],
  "a list": [sends(`[${event()}]`), "failed", "invalid_event", /no object$/],
  "a number": [sends("1"), "failed", "invalid_event", /no object$/],
  "null": [sends("null"), "failed", "invalid_event", /no object$/],
  "no post_type": [without("post_type"), "failed", "invalid_event", /without a post_type$/],
  "no self_id": [without("self_id"), "failed", "invalid_event", /self_id/],
  "no time": [without("time"), "failed", "invalid_event", /time/],
  "a self_id in quotes": [sends(event({ self_id: String(SELF) })), "failed", "invalid_event", /self_id/],
  "too many levels": [sends(event().replace("{", `{"deep":${nested(64)},`)), "failed", "invalid_event", /levels$/],
  "a binary message": [sends(new TextEncoder().encode(event())), "failed", "invalid_event", /binary/],
  "bytes that are no UTF-8": [
    (bot) => bot.peer.send(Uint8Array.of(0x22, 0xff, 0xfe, 0x22), { binary: false }),
    "failed",
    "invalid_event",
    /WebSocket protocol/,
  ],
  "an answer": [sends('{"status":"ok","retcode":0,"data":null,"echo":1}'), "failed", "invalid_event", /retcode 0/],
  "a refusal": [sends('{"status":"failed","retcode":1403,"data":null,"echo":null}'), "failed", "auth", /1403$/],
  "an event of another account": [sends(event({ self_id: 10002 })), "failed", "account", /10002 instead of 10001$/],
  "a meta event of another account": [sends(lifecycle(10002)), "failed", "account", /10002 instead of 10001$/],
};

/** Two resources with an event each, then the end. */
async function endsLater(client: TestClient, bot: EventBot, name: string, end: End): Promise<void> {
  const [deed, status, kind, message] = end;
  const uris = [await subscribe(client), await subscribe(client, { types: ["message"] })];
  await bot.send(event({ raw_message: name }));
  for (const uri of uris) await collect(client, uri, 1);
  const { peer } = bot;
  await deed(bot);
  if (peer.readyState === 1) peer.send(event({ raw_message: "too late" }));
  for (const uri of uris) {
    const page = await ended(client, uri);
    deepStrictEqual([page.status, page.reason?.kind], [status, kind], name);
    match(page.reason?.message ?? "", /^Cannot receive events: /);
    match(page.reason?.message ?? "", message, name);
    match(page.reason?.next_step ?? "", /\.$/);
    ok(!JSON.stringify(page.reason).includes(SECRET_TEXT), name);
    deepStrictEqual(page.events.map(({ event }) => event.raw_message), [name]);
    deepStrictEqual(await readResource(client, uri), page);
  }
  const connections = bot.peers.length;
  const again = await refusal(client);
  strictEqual(again.kind, kind, name);
  match(again.next_step, /Release all event resources/);
  const [first = "", second = ""] = uris;
  await release(client, first);
  strictEqual((await refusal(client)).kind, kind, name);
  await release(client, second);
  await until(() => peer.readyState === 3); // the connection does not outlive its resources
  strictEqual(bot.peers.length, connections, name);
}

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: every way to close shows in all resources, and a new subscription connects anew`, async () => {
    verifies("events-disconnect", "events-no-reconnect", "events-auth");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    for (const [name, end] of Object.entries(CODES)) await endsLater(client, bot, name, end);
    strictEqual(bot.peers.length, Object.keys(CODES).length);
    deepStrictEqual(bot.received, []);
  });

  Deno.test(`${connect.name}: a malformed event, or one of another account, stops the connection and is told`, async () => {
    verifies("events-malformed", "events-account", "events-no-reconnect", "events-disconnect");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    for (const [name, end] of Object.entries(MALFORMED)) await endsLater(client, bot, name, end);
    strictEqual(bot.peers.length, Object.keys(MALFORMED).length);
    deepStrictEqual(bot.received, []);
  });

  Deno.test(`${connect.name}: what ends a connection before it has proved itself is told by subscribe_events`, async () => {
    verifies("events-malformed", "events-account", "events-auth");
    let greet: (bot: EventBot) => unknown = () => {};
    const bot: EventBot = await EventBot.start(() => void greet(bot));
    await using _ = bot;
    await using client = await connect(eventOptions(bot.url));
    const ends = Object.entries({ ...CODES, ...MALFORMED });
    for (const [name, [deed, , kind, message]] of ends) {
      greet = deed;
      const failure = await refusal(client);
      strictEqual(failure.kind, kind, name);
      match(failure.message, message, name);
      match(failure.next_step, /\.$/);
      ok(!JSON.stringify(failure).includes(SECRET_TEXT), name);
      const { resources } = await client.listResources();
      ok(!JSON.stringify(resources).includes("/events/"), name);
    }
    strictEqual(bot.peers.length, ends.length);
    greet = sends(lifecycle());
    await subscribe(client); // without anything to release
  });

  Deno.test(`${connect.name}: another account is refused until everything is released`, async () => {
    verifies("events-account", "events-no-reconnect");
    await using bot = await EventBot.start((peer) => peer.send(lifecycle(bot?.peers.length === 1 ? SELF : 10002)));
    await using client = await connect(eventOptions(bot.url));
    const uris = [await subscribe(client), await subscribe(client)];
    for (const uri of uris) {
      const { kind, message, next_step } = await refusal(client, { self_id: 10002 });
      strictEqual(kind, "account");
      match(message, /10002.*10001/);
      match(next_step, /unsubscribe_events/);
      strictEqual((await readEvents(client, uri)).status, "connected");
      await release(client, uri);
    }
    await subscribe(client, { self_id: 10002 });
    strictEqual(bot.peers.length, 2);
  });
}

Deno.test("nothing connects again by itself after an end, whoever reads or waits", async () => {
  verifies("events-no-reconnect", "events-disconnect", "events-read");
  await using bot = await EventBot.start();
  await using client = await CLIENTS[0](eventOptions(bot.url));
  const uri = await subscribe(client);
  bot.peer.terminate();
  await ended(client, uri);
  const start = performance.now();
  while (performance.now() - start < 1_500) {
    strictEqual((await readEvents(client, uri, { wait_ms: 20_000 })).status, "failed"); // at once
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  ok(performance.now() - start < 15_000, "a read has waited for what cannot come");
  strictEqual(bot.peers.length, 1);
});

Deno.test("a bot that is gone while the server starts to leave changes nothing", async () => {
  verifies("events-release");
  await using bot = await EventBot.start();
  await using client = await CLIENTS[1](eventOptions(bot.url));
  const uri = await subscribe(client);
  bot.peer.terminate();
  await release(client, uri);
  await release(client, await subscribe(client));
  strictEqual(bot.peers.length, 2);
});
