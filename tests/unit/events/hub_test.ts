import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { EventHub, UNTRUSTED } from "../../../lib/events/hub.ts";
import { MAX_EVENT_RESOURCES } from "../../../lib/policy/gate.ts";
import { FIRST_FRAME_MS } from "../../../lib/events/link.ts";
import { openEventSocket } from "../../../lib/events/socket.ts";
import { createLog } from "../../../lib/log.ts";
import { Redactor } from "../../../lib/redact.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import {
  acceptance,
  ByteBot,
  drain,
  event,
  EventBot,
  frames,
  hubFor,
  lifecycle,
  NEVER,
  SELF,
  tidyTest,
  until,
  writeAll,
} from "./support.ts";

const ALL = { selfId: SELF, filter: {} };

/** Lets everything run that waits for nothing. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** What a resource holds, by a field. */
function field(hub: EventHub, uri: string, name = "message_id"): unknown[] {
  return hub.read(uri).events.map(({ event }) => (event as Record<string, unknown>)[name]);
}

tidyTest("EventHub.subscribe() opens the connection, and reads give what came since", async () => {
  verifies("events-lazy", "events-resource", "events-cursor", "events-untrusted");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  strictEqual(bot.peers.length, 0);
  const { uri, confirmed } = await hub.subscribe(ALL, NEVER);
  strictEqual(confirmed, true);
  ok(hub.has(uri));
  deepStrictEqual(hub.uris(), [uri]);
  await bot.send(event({ message_id: -5 }));
  await until(() => field(hub, uri).length === 1);
  const page = hub.read(uri);
  deepStrictEqual(page, {
    uri,
    status: "connected",
    events: [{ cursor: "1", event: JSON.parse(event({ message_id: -5 })) }],
    next_cursor: "1",
    oldest_cursor: "1",
    dropped_events: 0,
    gap: false,
    notification_failed: false,
    untrusted: UNTRUSTED,
  });
  deepStrictEqual(hub.read(uri), page, "nothing is consumed");
  deepStrictEqual(hub.read(uri, { after: 1 }).events, []);
  deepStrictEqual(bot.received, []);
});

tidyTest("EventHub keeps what matches each filter, and no meta event", async () => {
  verifies("events-filters", "events-meta");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const all = await hub.subscribe(ALL, NEVER);
  const notices = await hub.subscribe({ selfId: SELF, filter: { types: new Set(["notice"]) } }, NEVER);
  const one = await hub.subscribe({
    selfId: SELF,
    filter: { groupIds: new Set([20001]), userIds: new Set([30002]) },
  }, NEVER);
  strictEqual(bot.peers.length, 1, "one connection for all");
  for (let beat = 0; beat < 10; beat++) await bot.send(lifecycle());
  await bot.send(event({ post_type: "guild", message_id: 1 }));
  await bot.send(event({ message_id: 2, user_id: 30002 }));
  await bot.send(event({ message_id: 3, post_type: "message_sent" }));
  await bot.send(event({ message_id: 4, post_type: "notice", group_id: undefined, user_id: 30002 }));
  await until(() => field(hub, all.uri).length === 3);
  deepStrictEqual(field(hub, all.uri), [2, 3, 4]);
  deepStrictEqual(field(hub, notices.uri), [4]);
  deepStrictEqual(field(hub, one.uri), [2]);
});

tidyTest("EventHub gives a later resource nothing of what came before it", async () => {
  verifies("events-resource");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const first = await hub.subscribe(ALL, NEVER);
  await bot.send(event({ message_id: 1 }));
  await until(() => field(hub, first.uri).length === 1);
  const second = await hub.subscribe(ALL, NEVER);
  await bot.send(event({ message_id: 2 }));
  await until(() => field(hub, first.uri).length === 2);
  deepStrictEqual(field(hub, second.uri), [2]);
  strictEqual(hub.read(second.uri).next_cursor, "1");
});

tidyTest("EventHub keeps the event that proves the connection", async () => {
  verifies("events-resource");
  await using bot = await EventBot.start((peer) => peer.send(event({ message_id: 7 })));
  using hub = hubFor(bot);
  const startedAt = performance.now();
  const { uri } = await hub.subscribe(ALL, NEVER);
  ok(performance.now() - startedAt < FIRST_FRAME_MS, "it waits for no other");
  deepStrictEqual(field(hub, uri), [7]);
});

tidyTest("EventHub.subscribe() tells a refused token by what comes after the upgrade", async () => {
  verifies("events-auth", "events-path");
  const refusals: Array<[greet: (peer: EventBot["peer"]) => void, kind: string]> = [
    [(peer) => peer.close(1008, "invalid access token"), "auth"],
    [(peer) => peer.send(JSON.stringify({ status: "failed", retcode: 1403, data: null, echo: null })), "auth"],
    [(peer) => peer.close(1008, "invalid path"), "connect"],
    [(peer) => peer.send(lifecycle(10002)), "account"],
    [(peer) => peer.send("{"), "invalid_event"],
    [(peer) => peer.send(new Uint8Array(1)), "invalid_event"],
    [(peer) => peer.send("x".repeat(262_145)), "too_large"],
    [(peer) => peer.close(1000), "cut"],
    [(peer) => peer.terminate(), "cut"],
  ];
  for (const [greet, kind] of refusals) {
    await using bot = await EventBot.start(greet);
    using hub = hubFor(bot);
    const failures = await Promise.all([1, 2].map(() => failureOf(() => hub.subscribe(ALL, NEVER))));
    deepStrictEqual(failures.map((failure) => failure.kind), [kind, kind]);
    deepStrictEqual([hub.uris(), bot.peers.length], [[], 1], "nothing remains, and nobody tries again");
    await until(() => bot.peer.readyState === 3);
    strictEqual((await failureOf(() => hub.subscribe(ALL, NEVER))).kind, kind, "a new attempt is a new connection");
    strictEqual(bot.peers.length, 2);
  }
});

tidyTest("EventHub.subscribe() closes a connection that fails before it is handed over", async () => {
  verifies("events-account");
  let closed = 0;
  const hub = new EventHub({
    connect: async ({ onText }) => {
      await turn();
      onText(lifecycle(10002));
      return { close: () => closed++ };
    },
    redactor: new Redactor([]),
  });
  await rejects(hub.subscribe(ALL, NEVER), { kind: "account" });
  await until(() => closed === 1);
});

tidyTest("EventHub.subscribe() makes no resource of a hub that is closed just then", async () => {
  verifies("events-release");
  const hub: EventHub = new EventHub({
    connect: async ({ onText }) => {
      await turn();
      onText(lifecycle());
      hub.close();
      return { close() {} };
    },
    redactor: new Redactor([]),
  });
  await rejects(hub.subscribe(ALL, NEVER), { kind: "cancelled" });
  deepStrictEqual(hub.uris(), []);
});

tidyTest("EventHub takes nothing that comes after a fault in the same packet, and is told of it", async () => {
  verifies("events-account", "events-disconnect");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const { uri } = await hub.subscribe(ALL, NEVER);
  const packet = [event({ message_id: 1 }), lifecycle(10002), event({ message_id: 2 })];
  for (const text of packet) bot.peer.send(text);
  await until(() => hub.read(uri).status === "failed");
  strictEqual(hub.read(uri).reason?.kind, "account");
  deepStrictEqual(field(hub, uri), [1]);
});

tidyTest("EventHub.subscribe() throws the end of a connection that has ended as soon as it was proved", async () => {
  verifies("events-account", "events-malformed", "events-disconnect");
  for (const [wrong, kind] of [[lifecycle(10002), "account"], ["{", "invalid_event"]] as const) {
    let closed = 0;
    const hub = new EventHub({
      connect: async ({ onText }) => {
        await turn();
        for (const text of [lifecycle(), event({ message_id: 1 }), wrong, event({ message_id: 2 })]) onText(text);
        return { close: () => closed++ };
      },
      redactor: new Redactor([]),
    });
    for (let attempt = 1; attempt <= 2; attempt++) { // the first one leaves nothing to release
      const { message, nextStep, ...failure } = await failureOf(() => hub.subscribe(ALL, NEVER));
      strictEqual(failure.kind, kind);
      ok(message.startsWith("Cannot receive events: the bot sent ") && nextStep.endsWith("."), message);
      deepStrictEqual(hub.uris(), []);
      await until(() => closed === attempt);
    }
  }
});

tidyTest("EventHub.subscribe() throws the end that a real bot sends in the packet that proves it", async () => {
  verifies("events-account", "events-disconnect");
  await using bot = new ByteBot(async (conn, head) => {
    await conn.write(new TextEncoder().encode(await acceptance(head)));
    await writeAll(conn, frames(lifecycle(), lifecycle(10002)));
    await drain(conn);
  });
  using hub = hubFor(bot);
  for (let attempt = 1; attempt <= 10; attempt++) {
    await rejects(hub.subscribe(ALL, NEVER), { kind: "account" });
    deepStrictEqual(hub.uris(), []);
  }
});

tidyTest("EventHub.subscribe() stands unconfirmed when the bot says nothing for 3 s", async () => {
  verifies("events-quiet", "events-auth");
  strictEqual(FIRST_FRAME_MS, 3_000);
  let [connected, bot] = [0, (_text: string): void => {}];
  const hub = new EventHub({
    connect: ({ onText }) => {
      connected = performance.now();
      bot = onText;
      return Promise.resolve({ close() {} });
    },
    redactor: new Redactor([]),
  });
  const timers: Array<{ work: () => void; ms: number }> = [];
  const real = globalThis.setTimeout;
  Object.assign(globalThis, { setTimeout: (work: () => void, ms: number) => timers.push({ work, ms }) });
  try {
    const subscribing = hub.subscribe(ALL, NEVER);
    while (timers.length === 0) await Promise.resolve();
    strictEqual(timers[0]?.ms, 3_000);
    timers[0].work();
    strictEqual((await subscribing).confirmed, false);
  } finally {
    globalThis.setTimeout = real;
  }
  ok(connected > 0);
  strictEqual((await hub.subscribe(ALL, NEVER)).confirmed, false, "still nothing");
  bot(lifecycle());
  strictEqual((await hub.subscribe(ALL, NEVER)).confirmed, true);
  hub.close();
});

tidyTest(
  "EventHub ends the connection with an event that is malformed or of another account, and says so",
  async () => {
    verifies("events-account", "events-malformed", "events-no-reconnect");
    for (const [text, kind] of [[lifecycle(10002), "account"], [event({ time: "now" }), "invalid_event"]] as const) {
      await using bot = await EventBot.start();
      using hub = hubFor(bot);
      const [one, other] = await Promise.all([1, 2].map(() => hub.subscribe(ALL, NEVER)));
      ok(one && other);
      await bot.send(event({ message_id: 1 }));
      const left = bot.left();
      bot.peer.send(text);
      bot.peer.send(event({ message_id: 2 }));
      strictEqual(await left, 1000);
      for (const { uri } of [one, other]) {
        const { status, reason } = hub.read(uri);
        deepStrictEqual([status, reason?.kind], ["failed", kind]);
        ok(reason?.message.startsWith("Cannot receive events: ") && reason.next_step.includes("unsubscribe_events"));
        deepStrictEqual(field(hub, uri), [1], "what was buffered is still there, and nothing after it");
      }
      strictEqual(bot.peers.length, 1);
    }
  },
);

tidyTest("EventHub shows the end of a connection, and opens none until everything is released", async () => {
  verifies("events-disconnect", "events-no-reconnect", "events-resources");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const one = await hub.subscribe(ALL, NEVER);
  const other = await hub.subscribe(ALL, NEVER);
  bot.peer.close(1012, "restart");
  await until(() => hub.read(one.uri).status === "closed");
  strictEqual(hub.read(other.uri).reason?.kind, "cut");
  for (const release of [one, other]) {
    const failure = await failureOf(() => hub.subscribe(ALL, NEVER));
    strictEqual(failure.kind, "cut");
    ok(failure.nextStep.includes("unsubscribe_events"), failure.nextStep);
    ok(failure.nextStep.endsWith(` They are: ${hub.uris().join(", ")}.`), failure.nextStep);
    hub.release(release.uri);
  }
  strictEqual(bot.peers.length, 1);
  const again = await hub.subscribe(ALL, NEVER);
  strictEqual(hub.read(again.uri).status, "connected");
  strictEqual(bot.peers.length, 2);
});

tidyTest("EventHub.subscribe() refuses a filter of more than 100 ids, and connects to nobody for it", async () => {
  verifies("events-filter-ids");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const groupIds = new Set(Array.from({ length: 101 }, (_, at) => at + 1));
  await rejects(hub.subscribe({ selfId: SELF, filter: { groupIds } }, NEVER), { kind: "invalid_arguments" });
  strictEqual(bot.requests.length, 0);
});

tidyTest("EventHub.subscribe() refuses another account while there is a resource", async () => {
  verifies("events-resources", "events-no-reconnect");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const { uri } = await hub.subscribe(ALL, NEVER);
  const { kind, message, nextStep } = await failureOf(() => hub.subscribe({ selfId: 10002, filter: {} }, NEVER));
  strictEqual(kind, "account");
  ok(message.includes("10002") && message.includes("10001") && nextStep.includes("unsubscribe_events"));
  ok(nextStep.endsWith(` They are: ${uri}.`), nextStep);
  strictEqual(hub.read(uri).status, "connected");

  await using mute = await EventBot.start(() => {});
  using other = hubFor(mute);
  const attempt = failureOf(() => other.subscribe(ALL, NEVER));
  const meanwhile = await failureOf(() => other.subscribe({ selfId: 10002, filter: {} }, NEVER));
  strictEqual(meanwhile.kind, "account", "also of one being made");
  ok(meanwhile.nextStep.endsWith(" They are being made just now."), meanwhile.nextStep);
  other.close();
  strictEqual((await attempt).kind, "cancelled");
});

tidyTest("EventHub.subscribe() makes 16 resources over one connection and no 17th, also at once", async () => {
  verifies("events-resources");
  strictEqual(MAX_EVENT_RESOURCES, 16);
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const attempts = Array.from({ length: 17 }, () => hub.subscribe(ALL, NEVER));
  const early = await failureOf(() => attempts[16]);
  strictEqual(early.kind, "busy");
  ok(early.nextStep.endsWith(" They are being made just now."), early.nextStep);
  const made = await Promise.all(attempts.slice(0, 16));
  strictEqual(new Set(hub.uris()).size, 16);
  strictEqual(bot.peers.length, 1);
  const { kind, nextStep } = await failureOf(() => hub.subscribe(ALL, NEVER));
  strictEqual(kind, "busy");
  ok(nextStep.endsWith(` They are: ${made.map(({ uri }) => uri).join(", ")}.`), nextStep);
  hub.release(made[3]?.uri ?? "");
  await hub.subscribe(ALL, NEVER);
});

tidyTest("EventHub.subscribe() ends the attempt with its last subscriber, and no earlier", async () => {
  verifies("events-release");
  await using bot = await EventBot.start(() => {});
  using hub = hubFor(bot);
  const [first, second] = [new AbortController(), new AbortController()];
  const attempts = [first, second].map(({ signal }) => failureOf(() => hub.subscribe(ALL, signal)));
  await until(() => bot.peers.length === 1);
  deepStrictEqual(hub.uris(), [], "nobody knows of it yet");
  const left = bot.left();
  first.abort();
  strictEqual((await attempts[0])?.kind, "cancelled");
  strictEqual(bot.peer.readyState, 1, "somebody waits still");
  second.abort();
  strictEqual((await attempts[1])?.kind, "cancelled");
  ok([1000, 1006].includes(await left));
  deepStrictEqual(hub.uris(), []);
  await rejects(hub.subscribe(ALL, AbortSignal.abort()), { kind: "cancelled" });
  strictEqual(bot.peers.length, 1, "who has left already begins nothing");
});

tidyTest("EventHub.subscribe() gives up a handshake that nobody waits for any more", async () => {
  verifies("events-release");
  const [asked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using bot = new ByteBot(async (conn) => {
    asked.resolve();
    await drain(conn).catch(() => {});
    over.resolve();
  });
  using hub = hubFor(bot);
  const controller = new AbortController();
  const attempt = failureOf(() => hub.subscribe(ALL, controller.signal));
  await asked.promise;
  controller.abort();
  strictEqual((await attempt).kind, "cancelled");
  const startedAt = performance.now();
  await over.promise;
  ok(performance.now() - startedAt < 4_000, "before the time to connect was over");
});

tidyTest("EventHub.release() closes the connection with the last resource, and forgets its address", async () => {
  verifies("events-release");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const [one, other] = [await hub.subscribe(ALL, NEVER), await hub.subscribe(ALL, NEVER)];
  const left = bot.left();
  hub.release(one.uri);
  await bot.send(event({ message_id: 1 }));
  await until(() => field(hub, other.uri).length === 1);
  hub.release(other.uri);
  strictEqual(await left, 1000);
  for (const work of [() => hub.read(one.uri), () => hub.release(one.uri), () => hub.read(`${other.uri}?after=0`)]) {
    strictEqual((await failureOf(work)).kind, "invalid_arguments");
  }
  strictEqual(hub.has(one.uri), false);
});

tidyTest("EventHub.close() ends the connection, the resources and every attempt for good", async () => {
  verifies("events-release");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  await hub.subscribe(ALL, NEVER);
  const left = bot.left();
  hub.close();
  strictEqual(await left, 1000);
  deepStrictEqual(hub.uris(), []);
  await rejects(hub.subscribe(ALL, NEVER), { kind: "cancelled" });

  await using mute = await EventBot.start(() => {});
  using other = hubFor(mute);
  const attempt = failureOf(() => other.subscribe(ALL, NEVER));
  await until(() => mute.peers.length === 1);
  other.close();
  strictEqual((await attempt).kind, "cancelled");
});

tidyTest("EventHub keeps no secret, however the bot spells it, and every digit", async () => {
  verifies("events-digits", "events-token");
  await using bot = await EventBot.start();
  using hub = hubFor(bot, ["secret-token"]);
  const { uri } = await hub.subscribe(ALL, NEVER);
  await bot.send(event({ raw_message: "a secret-token here" }).replace("20001", "9007199254740993"));
  await bot.send(event({ raw_message: "x" }).replace('"x"', '"secret\\u002dtoken"'));
  await until(() => hub.read(uri).events.length === 2);
  const text = JSON.stringify(hub.read(uri));
  ok(!text.includes("secret-token") && text.includes("a [redacted] here"), text);
  ok(text.includes('"group_id":9007199254740993'), text);
});

tidyTest("EventHub keeps an event as it came when its numbers would grow, and masks it all the same", async () => {
  verifies("events-digits", "events-buffer", "events-token");
  await using bot = await EventBot.start();
  using hub = hubFor(bot, ["secret-token"]);
  const { uri } = await hub.subscribe(ALL, NEVER);
  const growing = (fields: Record<string, unknown>, count: number): string =>
    event({ ...fields, sizes: 0 }).replace('"sizes":0', `"sizes":[${Array(count).fill("1e20").join()}]`);
  const sizes = (at: number): number[] => field(hub, uri, "sizes")[at] as number[];
  const most = 52_000; // 1.1 MB once it is written anew
  for (let message_id = 1; message_id <= 4; message_id++) await bot.send(growing({ message_id }, most));
  await until(() => hub.read(uri).next_cursor === "4");
  deepStrictEqual([hub.read(uri).dropped_events, field(hub, uri)], [0, [1, 2, 3, 4]], "four times 260 KB are kept");
  deepStrictEqual([sizes(3).length, new Set(sizes(3))], [most, new Set([1e20])]);

  const secret = { message_id: 5, raw_message: "a secret-token here", nested: ["secret-token"] };
  await bot.send(growing(secret, 10_000).replace('["secret-token"]', '["secret\\u002dtoken"]'));
  await until(() => field(hub, uri).at(-1) === 5);
  const text = JSON.stringify(hub.read(uri));
  ok(!text.includes("secret"), "a secret is shown");
  deepStrictEqual(field(hub, uri, "raw_message").at(-1), "a [redacted] here");
  deepStrictEqual(field(hub, uri, "nested").at(-1), ["[redacted]"]);
  strictEqual(sizes(-1 + field(hub, uri).length).length, 10_000);
});

tidyTest("EventHub shows no secret that hides in a field which a later one of the same name replaces", async () => {
  verifies("events-token");
  await using bot = await EventBot.start();
  using hub = hubFor(bot, ["secret-token"]);
  const { uri } = await hub.subscribe(ALL, NEVER);
  const sizes = `"sizes":[${Array(1_000).fill("1e20").join()}]`; // so that the text that came is the shorter one
  await bot.send(event({ card: 0 }).replace('"card":0', `${sizes},"card":"secret-token","card":1`));
  const page = await hub.wait(uri, { waitMs: 5_000 }, NEVER);
  deepStrictEqual(field(hub, uri, "card"), [1]);
  ok(!JSON.stringify(page).includes("secret"));
});

tidyTest("EventHub logs that a connection is up and how it ended, and nothing of events", async () => {
  verifies("events-untrusted");
  const lines: string[] = [];
  await using bot = await EventBot.start();
  const hub = new EventHub({
    connect: (handlers, signal) => openEventSocket({ url: bot.url, connectTimeoutMs: 5_000 }, handlers, signal),
    redactor: new Redactor([]),
    log: createLog("text", new Redactor([]), (line) => lines.push(line)),
  });
  const { uri } = await hub.subscribe(ALL, NEVER);
  await bot.send(event());
  bot.peer.close(1008, "invalid access token");
  await until(() => hub.read(uri).status === "failed");
  hub.close();
  deepStrictEqual(lines, [
    "info: Event connection is up confirmed=true\n",
    "warn: Event connection has ended kind=auth code=1008\n",
  ]);
});
