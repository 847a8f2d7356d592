import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { McpServer } from "@modelcontextprotocol/server";
import { serveEvents } from "../../../lib/mcp/event_resources.ts";
import { verifies } from "../../requirements.ts";
import { EventBot, hubFor, NEVER, SELF, tidyTest } from "./support.ts";

type Handler = (request: { params: { uri: string } }) => unknown;

tidyTest("serveEvents() forgets what an older client watched once the tool has released it", async () => {
  verifies("events-updated-legacy", "events-release");
  await using bot = await EventBot.start();
  using hub = hubFor(bot);
  const handlers = new Map<string, Handler>();
  const told: string[] = [];
  const server = {
    setRequestHandler: (method: string, handler: Handler) => handlers.set(method, handler),
    sendResourceUpdated: ({ uri }: { uri: string }) => (told.push(uri), Promise.resolve()),
  };
  let announce = (_uri: string): Promise<void> => Promise.resolve();
  const events = {
    hub: () => Promise.resolve(hub),
    current: () => hub,
    announceWith: (given: typeof announce) => announce = given,
    congested: () => false,
  };
  const sets: Set<unknown>[] = [];
  const RealSet = globalThis.Set;
  class NotedSet<T> extends RealSet<T> {
    constructor(items?: Iterable<T>) {
      super(items);
      sets.push(this);
    }
  }
  Object.assign(globalThis, { Set: NotedSet });
  try {
    serveEvents({ server, registerResource() {} } as unknown as McpServer, events, false);
  } finally {
    globalThis.Set = RealSet;
  }
  strictEqual(sets.length, 1, "what is watched");
  const kept = await hub.subscribe({ selfId: SELF, filter: {} }, NEVER);
  const watch = async (uri: string): Promise<unknown> =>
    await handlers.get("resources/subscribe")?.({ params: { uri } });
  await watch(kept.uri);
  for (let round = 0; round < 100; round++) {
    const { uri } = await hub.subscribe({ selfId: SELF, filter: {} }, NEVER);
    await watch(uri);
    hub.release(uri);
    await rejects(watch(uri), { code: -32602 });
    ok((sets[0]?.size ?? 0) <= 2, `${sets[0]?.size} after ${round + 1}`);
  }
  await announce(kept.uri);
  deepStrictEqual(told, [kept.uri]);
});
