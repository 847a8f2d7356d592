import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../../requirements.ts";
import { event, EventBot, hubFor, NEVER, SELF, tidyTest, until } from "./support.ts";

const ALL = { selfId: SELF, filter: {} };

/** Longer than two intervals. */
function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 250));
}

tidyTest("EventHub.onUpdated is called for the resources that changed, the last change included", async () => {
  verifies("events-updated-pace");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const { uri } = await hub.subscribe(ALL, NEVER);
  const other = await hub.subscribe({ selfId: SELF, filter: { types: new Set(["notice"]) } }, NEVER);
  const told: Array<{ uri: string; at: number; newest: string }> = [];
  hub.onUpdated = (changed) => {
    told.push({ uri: changed, at: performance.now(), newest: hub.read(changed).next_cursor });
    return Promise.resolve();
  };
  for (let i = 0; i < 30; i++) {
    await bot.send(event());
    await new Promise((resolve) => setTimeout(resolve, 7));
  }
  await until(() => told.at(-1)?.newest === "30");
  await rest();
  for (let i = 1; i < told.length; i++) ok((told[i]?.at ?? 0) - (told[i - 1]?.at ?? 0) >= 99);
  deepStrictEqual(new Set(told.map((one) => one.uri)), new Set([uri]));
  ok(!told.some((one) => one.uri === other.uri));
  strictEqual(told.filter(({ newest }) => newest === "30").length, 1, "once for the last one");
});

tidyTest("EventHub.onUpdated is called when the connection ends, and never for a released resource", async () => {
  verifies("events-updated-pace", "events-disconnect", "events-release");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const told: string[] = [];
  hub.onUpdated = (uri) => (told.push(uri), Promise.resolve());
  const [kept, gone] = [await hub.subscribe(ALL, NEVER), await hub.subscribe(ALL, NEVER)];
  await bot.send(event());
  await until(() => told.length === 2);
  await bot.send(event()); // waits for the interval to end
  await until(() => hub.read(gone.uri).events.length === 2);
  hub.release(gone.uri);
  await until(() => told.length === 3);
  await rest();
  deepStrictEqual(told.slice(2), [kept.uri]);
  bot.peer.terminate();
  await until(() => told.length === 4);
  strictEqual(hub.read(kept.uri).status, "failed");
});

tidyTest(
  "EventHub.onUpdated tells of an event that came before the address was given out, but afterwards",
  async () => {
    verifies("events-updated-pace");
    await using bot = await EventBot.start((peer) => peer.send(event()));
    using hub = hubFor(bot);
    const told: string[] = [];
    hub.onUpdated = (uri) => (told.push(uri), ok(hub.has(uri)), Promise.resolve());
    const { uri } = await hub.subscribe(ALL, NEVER);
    await until(() => told.length === 1);
    deepStrictEqual(told, [uri]);
    strictEqual(hub.read(uri).notification_failed, false);
  },
);

tidyTest("EventHub.read() shows that an update was not delivered until it is, in that resource alone", async () => {
  verifies("events-notify-failed");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const { uri } = await hub.subscribe({ selfId: SELF, filter: { types: new Set(["message"]) } }, NEVER);
  const other = await hub.subscribe({ selfId: SELF, filter: { types: new Set(["notice"]) } }, NEVER);
  let reads = false;
  const told: string[] = [];
  hub.onUpdated = (changed) => {
    if (!reads) return Promise.reject(new Error("nobody reads"));
    return (told.push(changed), Promise.resolve());
  };
  await bot.send(event());
  await until(() => hub.read(uri).notification_failed);
  await rest();
  deepStrictEqual([uri, other.uri].map((one) => hub.read(one).notification_failed), [true, false]);
  reads = true; // and nothing comes any more
  await until(() => told.length > 0 && !hub.read(uri).notification_failed);
  await rest();
  deepStrictEqual(told, [uri]);
});

tidyTest("EventHub.close() leaves no update behind", async () => {
  verifies("events-release");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  let told = 0;
  hub.onUpdated = () => (told++, Promise.resolve());
  const { uri } = await hub.subscribe(ALL, NEVER);
  await bot.send(event());
  await until(() => told === 1);
  await bot.send(event());
  await until(() => hub.read(uri).events.length === 2);
  hub.close();
  await rest();
  strictEqual(told, 1);
});
