/** Reading a resource: by tool and as a resource the same, by cursor or whole, digit for digit, until it is released. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { ServerProcess } from "../support/server_process.ts";
import { event, EventBot } from "../unit/events/support.ts";
import {
  collect,
  eventOptions,
  readEvents,
  readResource,
  release,
  resultOf,
  subscribe,
  unreadable,
} from "./event_support.ts";
import { failureOf } from "./exec_support.ts";

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: tool and resource give the same page, from every cursor, and consume nothing`, async () => {
    verifies("events-resource", "events-cursor", "events-read", "events-untrusted", "events-meta");
    await using bot = await startSimulator({ wsPort: 0 });
    await using client = await connect(eventOptions(bot.wsUrl, { endpoint: bot.url }));
    const uri = await subscribe(client);
    deepStrictEqual((await readResource(client, uri)).events, [], "the greeting is no event");
    bot.receive({ group_id: 20001, user_id: 12001, message: "one" });
    bot.emit({ post_type: "notice", notice_type: "friend_add", user_id: 11001 });
    bot.receive({ user_id: 11001, message: "three" });
    await collect(client, uri, 3);

    const whole = await readResource(client, uri);
    deepStrictEqual(whole.events.map(({ cursor }) => cursor), ["1", "2", "3"]);
    deepStrictEqual(whole.events.map(({ event }) => event.post_type), ["message", "notice", "message"]);
    deepStrictEqual(whole.events.map(({ event }) => event.raw_message), ["one", undefined, "three"]);
    const { status, next_cursor, oldest_cursor, dropped_events, gap } = whole;
    deepStrictEqual([status, next_cursor, oldest_cursor, dropped_events, gap], ["connected", "3", "1", 0, false]);
    deepStrictEqual(await readEvents(client, uri), whole);
    for (const after of ["0", "1", "2", "3"]) {
      const rest = { ...whole, events: whole.events.slice(Number(after)) };
      deepStrictEqual(await readEvents(client, uri, { after }), rest);
      deepStrictEqual(await readResource(client, uri, `?after=${after}`), rest);
    }
    deepStrictEqual(await readEvents(client, uri, { after: 1, limit: 1 }), {
      ...whole,
      events: whole.events.slice(1, 2),
      next_cursor: "2",
    });
    deepStrictEqual(await readResource(client, uri), whole);
  });

  Deno.test(`${connect.name}: bad queries, foreign and released addresses are refused, each with advice`, async () => {
    verifies("events-resource", "events-cursor", "events-release");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const [uri, other] = [await subscribe(client), await subscribe(client)];
    ok(uri !== other);
    await bot.send(event());
    await collect(client, uri, 1);
    await collect(client, other, 1);
    const foreign = uri.replace(/[^/]+$/, crypto.randomUUID());
    for (
      const query of [
        "?after=2",
        "?after=x",
        "?after=-1",
        "?after=",
        "?before=1",
        "?after=1&after=1",
        "?",
        "?after=1e0",
      ]
    ) {
      match(await unreadable(client, uri + query), /next_cursor/, query);
    }
    for (
      const address of [
        foreign,
        `${foreign}?after=0`,
        uri.slice(0, -1),
        `${uri}#top`,
        `${uri}/x`,
        uri.replace(/[^/]+$/, ""),
      ]
    ) {
      await unreadable(client, address);
    }
    for (const after of ["2", "x", "-1", "1.5", "", 2, -1, 1.5]) {
      strictEqual(
        failureOf(await client.callTool("read_events", { uri, after })).kind,
        "invalid_arguments",
        `${after}`,
      );
    }
    for (
      const args of [{ uri: foreign }, { uri: `${uri}?after=0` }, {}, { uri, limit: 0 }, { uri, limit: 257 }, {
        uri,
        wait_ms: 25_001,
      }]
    ) {
      strictEqual(
        failureOf(await client.callTool("read_events", args)).kind,
        "invalid_arguments",
        JSON.stringify(args),
      );
    }
    strictEqual(failureOf(await client.callTool("unsubscribe_events", { uri: foreign })).kind, "invalid_arguments");

    await release(client, uri);
    match(await unreadable(client, uri), /released resources are gone/);
    await unreadable(client, `${uri}?after=0`);
    strictEqual(failureOf(await client.callTool("read_events", { uri })).kind, "invalid_arguments");
    strictEqual(failureOf(await client.callTool("unsubscribe_events", { uri })).kind, "invalid_arguments");
    strictEqual((await readResource(client, other)).events.length, 1);
    deepStrictEqual(bot.received, []);
  });

  Deno.test(`${connect.name}: a later resource has cursors of its own and nothing of what came before it`, async () => {
    verifies("events-cursor", "events-resource");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const first = await subscribe(client);
    await bot.send(event({ raw_message: "early" }));
    await collect(client, first, 1);
    const second = await subscribe(client);
    await bot.send(event({ raw_message: "late" }));
    deepStrictEqual((await collect(client, first, 2)).map(({ cursor }) => cursor), ["1", "2"]);
    const [late] = await collect(client, second, 1);
    deepStrictEqual([late?.cursor, late?.event.raw_message], ["1", "late"]);
    match(await unreadable(client, `${second}?after=2`), /no such cursor/);
  });
}

Deno.test("ids beyond 2^53-1 arrive digit for digit, in text, data and resource", async () => {
  verifies("events-digits", "events-read");
  await using bot = await EventBot.start();
  await using server = new ServerProcess(eventOptions(bot.url));
  await server.initialize();
  const client = {
    callTool: async (name: string, args = {}) => (await server.call(crypto.randomUUID(), name, args)).result,
  };
  const uri = await subscribe(client);
  const [user, message, busid] = ["9007199254740993", "-9007199254740995", "18446744073709551615"] as const;
  const fields = `{"message_id":${message},"file":{"busid":[${busid}]},`;
  await bot.send(event().replace("{", fields).replace("30001", user));
  await collect(client, uri, 1);
  await server.call("tool", "read_events", { uri });
  await server.request("resource", "resources/read", { uri });
  const times = (id: string, number: string) => {
    const line = server.lines.find((line) => line.includes(`"id":"${id}"`)) ?? "";
    return line.split(number).length - 1;
  };
  for (const number of [user, message, busid]) {
    deepStrictEqual([times("tool", number), times("resource", number)], [2, 1], number); // text and data; text
  }
  const exact = { jsonrpc: "2.0", id: "big", method: "tools/call" };
  const args = `{"name":"subscribe_events","arguments":{"self_id":10001,"user_ids":[9007199254740993]}}`;
  await server.send(`${JSON.stringify(exact).slice(0, -1)},"params":${args}}\n`);
  strictEqual(failureOf(await server.receive(({ id }) => id === "big")).kind, "invalid_arguments");
});

Deno.test("what the account sends comes back as message_sent, and the answer to it as message", async () => {
  verifies("events-filters", "events-read");
  await using bot = await startSimulator({ wsPort: 0, reportSelf: true });
  await using client = await CLIENTS[0](eventOptions(bot.wsUrl, { endpoint: bot.url, mode: "write" }));
  const uri = await subscribe(client, { types: ["message"], group_ids: [20001] });
  const params = { group_id: 20001, message: "anybody here?" };
  const { result } = resultOf(await client.callTool("invoke_action", { action: "send_group_msg", params }));
  const events = await collect(client, uri, 2);
  deepStrictEqual(events.map(({ event }) => event.post_type), ["message_sent", "message"]);
  strictEqual(events[0]?.event.message_id, result.data.message_id);
});

Deno.test("no event operation asks the bot for anything, by socket or by HTTP", async () => {
  verifies("events-no-business");
  await using bot = await startSimulator({ wsPort: 0 });
  await using client = await CLIENTS[0](eventOptions(bot.wsUrl, { endpoint: bot.url, mode: "write" }));
  for (let round = 0; round < 2; round++) {
    const uri = await subscribe(client, { group_ids: [20001] });
    bot.receive({ group_id: 20001, user_id: 12001, message: "hello" });
    await collect(client, uri, 1);
    await readResource(client, uri);
    await client.listResources();
    const answer = await client.callTool("read_events", { uri, after: "1", wait_ms: 50 });
    deepStrictEqual(resultOf(answer).result.events, []);
    await release(client, uri);
  }
  deepStrictEqual(bot.requests.map(({ method }) => method), ["UPGRADE", "UPGRADE"]);
});
