/** What each resource keeps of the same events: every rule of filters, and which filters are refused. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { event, EventBot, lifecycle, SELF } from "../unit/events/support.ts";
import { collect, eventOptions, readEvents, refusal, release, subscribe } from "./event_support.ts";

const PRIVATE = { message_type: "private", group_id: undefined };

/** One of each kind that matters, by the letters that the expectations use. */
const EVENTS: Readonly<Record<string, Message>> = {
  a: {}, // message in group 20001 by 30001
  b: { user_id: 30002 },
  c: { group_id: 20002 },
  d: PRIVATE,
  e: { post_type: "message_sent", user_id: SELF },
  f: { post_type: "message_sent", ...PRIVATE, user_id: SELF },
  g: { post_type: "notice", notice_type: "group_ban" },
  h: { post_type: "notice", notice_type: "friend_recall", group_id: undefined },
  i: { post_type: "notice", notice_type: "notify", user_id: undefined },
  j: { post_type: "request", request_type: "friend", group_id: undefined, flag: "f" },
  k: { post_type: "request", request_type: "group", group_id: 20002, user_id: 30002 },
  l: { group_id: "20001", user_id: "30001" }, // not numbers, so no ids to go by
};

/** What is checked, and never kept. */
const NEVER: readonly string[] = [
  lifecycle(),
  event({ post_type: "meta_event", meta_event_type: "heartbeat", interval: 30_000 }),
  event({ post_type: "a_type_of_tomorrow" }),
];

const HUNDRED = Array.from({ length: 100 }, (_, index) => 20001 + index);

/** Filters, and the letters of what they let through. */
const FILTERS: ReadonlyArray<[filter: Message, letters: string]> = [
  [{}, "abcdefghijkl"],
  [{ types: ["message", "notice", "request"] }, "abcdefghijkl"],
  [{ types: ["message"] }, "abcdefl"],
  [{ types: ["notice"] }, "ghi"],
  [{ types: ["request"] }, "jk"],
  [{ types: ["request", "notice"] }, "ghijk"],
  [{ group_ids: [20001] }, "abegi"],
  [{ group_ids: [20002] }, "ck"],
  [{ group_ids: HUNDRED }, "abcegik"],
  [{ user_ids: [30001] }, "acdghj"],
  [{ user_ids: [30002, SELF] }, "befk"],
  [{ group_ids: [20001], user_ids: [30001] }, "ag"],
  [{ types: ["message"], group_ids: [20001, 20002] }, "abce"],
  [{ types: ["notice"], group_ids: [20001], user_ids: [30001] }, "g"],
  [{ types: ["request"], group_ids: [20001] }, ""],
  [{ user_ids: [999] }, ""],
];

const REFUSED: readonly Message[] = [
  { types: [] },
  { types: ["meta_event"] },
  { types: ["message_sent"] },
  { types: "message" },
  ...["group_ids", "user_ids"].flatMap((ids) =>
    [[], [...HUNDRED, 1], [0], [-1], [1.5], ["20001"], [2 ** 53], [null], 20001, null].map((list) => ({ [ids]: list }))
  ),
  ...[undefined, 0, -1, 1.5, "10001", 2 ** 53, null].map((self_id) => ({ self_id })),
  { group_id: [20001] },
];

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: each of 16 resources keeps exactly what its filter lets through`, async () => {
    verifies("events-filters", "events-meta", "events-filter-ids", "events-resources");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    const uris: string[] = [];
    for (const [filter] of FILTERS) uris.push(await subscribe(client, filter));
    for (const [letter, fields] of Object.entries(EVENTS)) {
      await bot.send(event({ ...fields, raw_message: letter }));
      for (const text of NEVER) await bot.send(text);
    }
    await collect(client, uris[0] ?? "", Object.keys(EVENTS).length);
    for (const [index, [filter, letters]] of FILTERS.entries()) {
      const { events } = await readEvents(client, uris[index] ?? "");
      strictEqual(events.map(({ event }) => event.raw_message).join(""), letters, JSON.stringify(filter));
      deepStrictEqual(events.map(({ cursor }) => cursor), [...letters].map((_, at) => String(at + 1)));
    }
    strictEqual(bot.peers.length, 1);
  });

  Deno.test(`${connect.name}: a filter that could match nothing is refused, and opens no connection`, async () => {
    verifies("events-filter-ids", "events-lazy");
    await using bot = await EventBot.start();
    await using client = await connect(eventOptions(bot.url));
    for (const args of REFUSED) {
      strictEqual((await refusal(client, args)).kind, "invalid_arguments", JSON.stringify(args));
    }
    strictEqual(bot.peers.length, 0);
    await release(client, await subscribe(client, { user_ids: HUNDRED, group_ids: HUNDRED }));
  });
}
