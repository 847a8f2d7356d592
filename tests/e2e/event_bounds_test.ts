/** The bounds of resources, buffers and frames, each at its edge. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { acceptance, ByteBot, drain, event, EventBot, lifecycle } from "../unit/events/support.ts";
import {
  collect,
  ended,
  eventOptions,
  readEvents,
  readResource,
  refusal,
  release,
  resultOf,
  subscribe,
} from "./event_support.ts";
import { failureOf } from "./exec_support.ts";

const MAX_FRAME = 262_144;

/** An event of exactly so many bytes, with a running number. */
function sized(bytes: number, seq: number): string {
  const bare = event({ seq, raw_message: "" });
  return event({ seq, raw_message: "x".repeat(bytes - bare.length) });
}

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: 16 resources made at once share one connection, and the 17th is refused as busy`, async () => {
    verifies("events-resources");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const answers = await Promise.all(
      Array.from({ length: 17 }, () => client.callTool("subscribe_events", { self_id: 10001 })),
    );
    const refused = answers.filter(({ isError }) => isError);
    deepStrictEqual(refused.map((answer) => failureOf(answer).kind), ["busy"]);
    const uris = answers.filter(({ isError }) => !isError).map((answer): string => resultOf(answer).result.uri);
    strictEqual(new Set(uris).size, 16);
    strictEqual(bot.peers.length, 1);
    match((await refusal(client)).next_step, /unsubscribe_events/);

    await bot.send(event());
    for (const uri of uris) await collect(client, uri, 1);
    await release(client, uris[0] ?? "");
    await subscribe(client);
    strictEqual((await refusal(client)).kind, "busy");
    strictEqual(bot.peers.length, 1);
  });

  Deno.test(`${connect.name}: the 257th event drops the first, which is counted and shows as a gap`, async () => {
    verifies("events-buffer", "events-cursor");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const uri = await subscribe(client, { types: ["message"] });
    const marks = await subscribe(client, { types: ["notice"] });
    for (let seq = 1; seq <= 256; seq++) await bot.send(event({ seq }));
    await bot.send(event({ post_type: "notice" }));
    await collect(client, marks, 1);
    const full = await readResource(client, uri);
    deepStrictEqual([full.events.length, full.oldest_cursor, full.dropped_events, full.gap], [256, "1", 0, false]);

    await bot.send(event({ seq: 257 }));
    await bot.send(event({ post_type: "notice" }));
    await collect(client, marks, 2);
    const page = await readResource(client, uri);
    const { oldest_cursor, dropped_events, gap, next_cursor } = page;
    deepStrictEqual([oldest_cursor, dropped_events, gap, next_cursor], ["2", 1, true, "257"]);
    deepStrictEqual(page.events.map(({ event }) => event.seq), Array.from({ length: 256 }, (_, at) => at + 2));
    strictEqual((await readResource(client, uri, "?after=1")).gap, false);
    strictEqual((await readEvents(client, uri, { after: "1", limit: 1 })).events[0]?.cursor, "2");
    deepStrictEqual((await readResource(client, uri, "?after=257")).events, []);
  });

  Deno.test(`${connect.name}: 1 MiB is kept, in frames of the largest size, and one byte more drops the oldest`, async () => {
    verifies("events-buffer", "events-frames");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const uri = await subscribe(client);
    for (let seq = 1; seq <= 4; seq++) await bot.send(sized(MAX_FRAME, seq));
    const kept = await collect(client, uri, 4);
    deepStrictEqual(kept.map(({ event }) => event.seq), [1, 2, 3, 4]);
    strictEqual((await readEvents(client, uri)).dropped_events, 0);
    strictEqual(JSON.stringify(kept[3]?.event).length, MAX_FRAME);

    const short = event({ seq: 5 });
    await bot.send(`  ${short.replaceAll(",", " ,\n")}  `); // kept without its spaces
    const page = await readEvents(client, uri, { after: "4", wait_ms: 10_000 });
    deepStrictEqual([page.dropped_events, page.oldest_cursor, page.events[0]?.event], [1, "2", JSON.parse(short)]);
    await bot.send(sized(MAX_FRAME - short.length, 6)); // 1 MiB to the byte again
    const exact = await readEvents(client, uri, { after: "5", wait_ms: 10_000, limit: 1 });
    deepStrictEqual([exact.dropped_events, exact.oldest_cursor], [1, "2"]);
  });

  Deno.test(`${connect.name}: one byte above 256 KiB ends the connection, and what was kept stays`, async () => {
    verifies("events-frames", "events-malformed");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const uri = await subscribe(client);
    await bot.send(sized(MAX_FRAME, 1));
    const left = bot.left();
    await bot.send(sized(MAX_FRAME + 1, 2));
    const page = await ended(client, uri);
    deepStrictEqual([page.status, page.reason?.kind], ["failed", "too_large"]);
    match(page.reason?.message ?? "", /262144 bytes/);
    deepStrictEqual(page.events.map(({ event }) => event.seq), [1]);
    strictEqual(await left, 1009);
  });
}

Deno.test("a length that is only announced ends the connection before anything of it has come", async () => {
  verifies("events-frames");
  const text = lifecycle();
  const greeting = [0x81, text.length, ...new TextEncoder().encode(text)];
  ok(text.length < 126);
  const heads: Record<string, number[]> = {
    "2^40 bytes": [0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0],
    "262,145 bytes": [0x81, 127, 0, 0, 0, 0, 0, 4, 0, 1],
    "more than there can be": [0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    "2^31 bytes, as a first piece": [0x01, 127, 0, 0, 0, 0, 0x80, 0, 0, 0],
  };
  let head: number[] = [];
  await using bot = new ByteBot(async (conn, request) => {
    await conn.write(new TextEncoder().encode(await acceptance(request)));
    await conn.write(Uint8Array.from(greeting));
    await conn.write(Uint8Array.from(head));
    await drain(conn);
  });
  await using client = await CLIENTS[0](eventOptions(bot.url));
  for (const [name, bytes] of Object.entries(heads)) {
    head = bytes;
    const answer: Message = await client.callTool("subscribe_events", { self_id: 10001 });
    // whether the end is seen before or after the greeting has been handed on is a matter of packets
    if (answer.isError) strictEqual(failureOf(answer).kind, "too_large", name);
    else {
      const { uri } = resultOf(answer).result as { uri: string };
      strictEqual((await ended(client, uri)).reason?.kind, "too_large", name);
      await release(client, uri);
    }
  }
});
