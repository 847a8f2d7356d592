/** Who is shown the event tools, and what opens the connection: subscribe_events, and nothing else. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createServer } from "node:http";
import { verifies } from "../requirements.ts";
import { CLIENTS, type TestClient } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { EventBot, until } from "../unit/events/support.ts";
import { eventOptions, readEvents, refusal, release, subscribe } from "./event_support.ts";
import { failureOf } from "./exec_support.ts";

const TOOLS = ["subscribe_events", "read_events", "unsubscribe_events"];
const TEMPLATE = "snowluma://onebot/events/{id}";

/** A bot, and how many TCP connections to it there have been. */
async function watchedBot(): Promise<{ bot: EventBot; connections: () => number }> {
  const http = createServer();
  let count = 0;
  http.on("connection", () => count++);
  return { bot: await EventBot.start(undefined, http), connections: () => count };
}

/** What is listed, and what can be read and called beside events. */
async function lookAround(client: TestClient): Promise<{ tools: string[]; templates: string[] }> {
  const { tools } = await client.listTools();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { resources } = await client.listResources();
  deepStrictEqual(resources.filter(({ uri }: Message) => uri.includes("events")), []);
  await client.readResource("snowluma://onebot/actions/get_msg");
  await client.callTool("get_runtime_info");
  return {
    tools: tools.map(({ name }: Message) => name).filter((name: string) => TOOLS.includes(name)),
    templates: resourceTemplates.map(({ uriTemplate }: Message) => uriTemplate),
  };
}

for (const connect of CLIENTS) {
  for (const mode of ["read", "write"] as const) {
    Deno.test(`${connect.name}: in ${mode} mode the event tools are listed, and only subscribing connects`, async () => {
      verifies("events-lazy", "events-modes");
      const { bot, connections } = await watchedBot();
      await using _ = bot;
      await using client = await connect(eventOptions(bot.url, { mode }));
      const { tools, templates } = await lookAround(client);
      deepStrictEqual(tools.sort(), [...TOOLS].sort());
      ok(templates.includes(TEMPLATE), templates.join());
      strictEqual((await refusal(client, { types: ["meta"] })).kind, "invalid_arguments");
      strictEqual((await refusal(client, { self_id: 0 })).kind, "invalid_arguments");
      await client.callTool("read_events", { uri: `${TEMPLATE.replace("{id}", crypto.randomUUID())}` });
      strictEqual(connections(), 0);

      const uri = await subscribe(client);
      const second = await subscribe(client, { types: ["notice"] });
      await readEvents(client, uri);
      const { resources } = await client.listResources();
      const listed = resources.map(({ uri }: Message) => uri).filter((uri: string) => uri.includes("/events/"));
      deepStrictEqual(listed.sort(), [uri, second].sort());
      strictEqual(connections(), 1);

      const left = bot.left();
      await release(client, uri);
      strictEqual((await readEvents(client, second)).status, "connected");
      await release(client, second);
      strictEqual(await left, 1000);
      await lookAround(client);
      strictEqual(connections(), 1);
    });
  }

  Deno.test(`${connect.name}: docs mode with an event address stays offline and says why`, async () => {
    verifies("events-lazy", "events-modes");
    const { bot, connections } = await watchedBot();
    await using _ = bot;
    await using client = await connect(eventOptions(bot.url, { mode: "docs" }));
    const { tools, templates } = await lookAround(client);
    deepStrictEqual([tools, templates.includes(TEMPLATE)], [[], false]);
    for (const answer of await callAll(client)) strictEqual(failureOf(answer).kind, "not_configured");
    strictEqual(connections(), 0);
  });

  Deno.test(`${connect.name}: without an event address the tools are not listed and name the setting`, async () => {
    verifies("events-modes", "events-url");
    const { bot, connections } = await watchedBot();
    await using _ = bot;
    const endpoint = bot.url.replace("ws:", "http:"); // from which no event address is guessed
    await using client = await connect(eventOptions(undefined, { mode: "write", endpoint }));
    const { tools, templates } = await lookAround(client);
    deepStrictEqual([tools, templates.includes(TEMPLATE)], [[], false]);
    for (const answer of await callAll(client)) {
      const { kind, next_step } = failureOf(answer);
      strictEqual(kind, "not_configured");
      match(next_step, /SNOWLUMA_MCP_EVENTS_URL/);
    }
    strictEqual(connections(), 0);
  });
}

Deno.test("a connection that subscribing could not open is not opened by anything later", async () => {
  verifies("events-lazy", "events-no-reconnect");
  const { bot, connections } = await watchedBot();
  await using _ = bot;
  await using client = await CLIENTS[0](eventOptions(bot.url));
  strictEqual((await refusal(client, { self_id: 10002 })).kind, "account");
  await until(() => bot.peer.readyState === 3);
  await lookAround(client);
  strictEqual(connections(), 1);
});

/** Calls each event tool with fitting arguments. */
function callAll(client: TestClient): Promise<Message[]> {
  const uri = TEMPLATE.replace("{id}", crypto.randomUUID());
  return Promise.all(
    TOOLS.map((name) => client.callTool(name, name === "subscribe_events" ? { self_id: 1 } : { uri })),
  );
}
