/** How long answers may be kept once events are enabled, in both generations. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { event, EventBot } from "../unit/events/support.ts";
import { eventOptions, subscribe } from "./event_support.ts";
import { modernRequest } from "./support.ts";

const FIVE_MINUTES_MS = 300_000;

/** Requests, and for how long and for whom their answers may be kept. */
function table(uri: string): Array<[method: string, params: Message, ttlMs: number, cacheScope: "public" | "private"]> {
  return [
    ["tools/list", {}, FIVE_MINUTES_MS, "private"],
    ["resources/list", {}, 0, "private"],
    ["resources/templates/list", {}, FIVE_MINUTES_MS, "public"],
    ["resources/read", { uri: "snowluma://onebot/actions" }, FIVE_MINUTES_MS, "public"],
    ["resources/read", { uri: "snowluma://onebot/actions/get_msg" }, FIVE_MINUTES_MS, "public"],
    ["resources/read", { uri }, 0, "private"],
    ["resources/read", { uri: `${uri}?after=0` }, 0, "private"],
  ];
}

for (const mode of ["read", "write"] as const) {
  Deno.test(`cache hints with events in ${mode} mode are exactly those of the table`, async () => {
    verifies("events-cache", "cache-hints");
    await using bot = await EventBot.start();
    await using server = new ServerProcess(eventOptions(bot.url, { mode }));
    const before = await modernRequest(server, "before", "resources/list");
    deepStrictEqual([before.result.ttlMs, before.result.cacheScope], [0, "private"]); // without a resource, too
    let id = 0;
    const callTool = async (name: string, args: Message = {}): Promise<Message> => {
      const { result } = await modernRequest(server, ++id, "tools/call", { name, arguments: args });
      for (const field of ["ttlMs", "cacheScope"]) ok(!(field in result), `${name} has ${field}`);
      return result;
    };
    const uri = await subscribe({ callTool });
    await bot.send(event());
    await callTool("read_events", { uri, wait_ms: 10_000 });
    for (const [method, params, ttlMs, cacheScope] of table(uri)) {
      const { result } = await modernRequest(server, ++id, method, params);
      deepStrictEqual([result.ttlMs, result.cacheScope], [ttlMs, cacheScope], `${method} ${JSON.stringify(params)}`);
    }
    await callTool("unsubscribe_events", { uri });
    const gone = await modernRequest(server, "gone", "resources/read", { uri });
    ok(!JSON.stringify(gone).includes("ttlMs"), "an error may be kept");
    const after = await modernRequest(server, "after", "resources/list");
    deepStrictEqual([after.result.ttlMs, after.result.cacheScope], [0, "private"]);
  });
}

Deno.test("older clients get no cache hints with events", async () => {
  verifies("events-cache", "cache-hints");
  await using bot = await EventBot.start();
  await using server = new ServerProcess(eventOptions(bot.url));
  await server.initialize();
  const uri = await subscribe({ callTool: async (name, args) => (await server.call(name, name, args)).result });
  for (const [index, [method, params]] of table(uri).entries()) {
    const { result } = await server.request(index, method, params);
    for (const field of ["ttlMs", "cacheScope", "resultType"]) ok(!(field in result), `${method} has ${field}`);
  }
});

Deno.test("in docs mode an event address changes no hint", async () => {
  verifies("events-cache");
  await using bot = await EventBot.start();
  await using server = new ServerProcess(eventOptions(bot.url, { mode: "docs" }));
  const { result } = await modernRequest(server, 1, "resources/list");
  deepStrictEqual([result.ttlMs, result.cacheScope], [FIVE_MINUTES_MS, "private"]);
  strictEqual(bot.peers.length, 0);
});
