import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { type EventHub, MAX_WAITING_READS } from "../../../lib/events/hub.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { event, EventBot, hubFor, NEVER, SELF, tidyTest, until } from "./support.ts";

const ALL = { selfId: SELF, filter: {} };
const LONG = { waitMs: 25_000 };

async function subscribed(hub: EventHub): Promise<string> {
  return (await hub.subscribe(ALL, NEVER)).uri;
}

tidyTest("EventHub.wait() answers at once when there is something, or with no time to wait", async () => {
  verifies("events-read");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const uri = await subscribed(hub);
  deepStrictEqual((await hub.wait(uri, { waitMs: 0 }, NEVER)).events, []);
  await bot.send(event());
  await until(() => hub.read(uri).events.length === 1);
  strictEqual((await hub.wait(uri, LONG, NEVER)).events.length, 1);
});

tidyTest("EventHub.wait() answers with the first event after the cursor", async () => {
  verifies("events-read");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const uri = await subscribed(hub);
  await bot.send(event({ message_id: 1 }));
  await until(() => hub.read(uri).events.length === 1);
  const waiting = hub.wait(uri, { after: 1, limit: 5, ...LONG }, NEVER);
  await bot.send(event({ message_id: 2 }));
  const page = await waiting;
  deepStrictEqual([page.events[0]?.cursor, page.next_cursor], ["2", "2"]);
});

tidyTest("EventHub.wait() gives an empty page when nothing comes in time", async () => {
  verifies("events-read");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const uri = await subscribed(hub);
  const startedAt = performance.now();
  const page = await hub.wait(uri, { waitMs: 60 }, NEVER);
  ok(performance.now() - startedAt >= 59);
  deepStrictEqual([page.events, page.status, page.next_cursor], [[], "connected", "0"]);
});

tidyTest("EventHub.wait() answers when the connection ends, and does not wait on one that has", async () => {
  verifies("events-read", "events-disconnect");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const uri = await subscribed(hub);
  const waiting = hub.wait(uri, LONG, NEVER);
  bot.peer.close(1000);
  strictEqual((await waiting).status, "closed");
  const startedAt = performance.now();
  strictEqual((await hub.wait(uri, LONG, NEVER)).status, "closed");
  ok(performance.now() - startedAt < LONG.waitMs / 2, "at once");
});

tidyTest(
  "EventHub.wait() rejects when the signal aborts, and when the resource is released or the hub closed",
  async () => {
    verifies("events-read", "events-release");
    await using bot = await EventBot.start();
    using hub = hubFor(bot);
    const uri = await subscribed(hub);
    const controller = new AbortController();
    const aborted = failureOf(() => hub.wait(uri, LONG, controller.signal));
    controller.abort();
    strictEqual((await aborted).kind, "cancelled");
    await rejects(hub.wait(uri, LONG, controller.signal), { kind: "cancelled" });
    const released = failureOf(() => hub.wait(uri, LONG, NEVER));
    hub.release(uri);
    strictEqual((await released).kind, "cancelled");
    const other = await subscribed(hub);
    const closed = failureOf(() => hub.wait(other, LONG, NEVER));
    hub.close();
    strictEqual((await closed).kind, "cancelled");
    await rejects(hub.wait(other, LONG, NEVER), { kind: "invalid_arguments" });
  },
);

tidyTest("EventHub.wait() lets 64 wait and no 65th, and gives places back", async () => {
  verifies("events-read");
  strictEqual(MAX_WAITING_READS, 64);
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const uri = await subscribed(hub);
  const controller = new AbortController();
  const given = failureOf(() => hub.wait(uri, LONG, controller.signal));
  const waiting = Array.from({ length: 63 }, () => hub.wait(uri, LONG, NEVER));
  await rejects(hub.wait(uri, LONG, NEVER), { kind: "busy" });
  controller.abort();
  await given;
  waiting.push(hub.wait(uri, LONG, NEVER));
  await bot.send(event());
  for (const page of await Promise.all(waiting)) strictEqual(page.events.length, 1);
  deepStrictEqual((await hub.wait(uri, { after: 1, waitMs: 1 }, NEVER)).events, []);
});
