import { ok, strictEqual } from "node:assert/strict";
import type { BotEvent } from "../../../lib/events/event.ts";
import { checkFilter, type EventFilter, FILTER_TYPES, matches, MAX_FILTER_IDS } from "../../../lib/events/filter.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";

const EVENT: BotEvent = { type: "message", groupId: 20001, userId: 30001, value: {}, text: "{}" };

Deno.test("matches() lets everything but meta events and unknown ones through when nothing is given", () => {
  verifies("events-filters", "events-meta");
  for (const type of FILTER_TYPES) ok(matches({}, { ...EVENT, type }), type);
  for (const type of ["meta", "other"] as const) ok(!matches({}, { ...EVENT, type }), type);
});

Deno.test("matches() wants all that is given at once", () => {
  verifies("events-filters");
  const fits: Required<EventFilter> = {
    types: new Set(["message", "notice"]),
    groupIds: new Set([20001, 20002]),
    userIds: new Set([30001]),
  };
  ok(matches(fits, EVENT));
  ok(matches(fits, { ...EVENT, type: "notice", groupId: 20002 }));
  ok(!matches({ ...fits, types: new Set(["request"]) }, EVENT));
  ok(!matches({ ...fits, groupIds: new Set([20003]) }, EVENT));
  ok(!matches({ ...fits, userIds: new Set([30002]) }, EVENT));
});

Deno.test("matches() excludes events without an id where the filter names ids", () => {
  verifies("events-filters");
  const { groupId: _group, ...privately } = EVENT;
  const { userId: _user, ...nobody } = EVENT;
  ok(!matches({ groupIds: new Set([20001]) }, privately));
  ok(!matches({ userIds: new Set([30001]) }, nobody));
  ok(matches({ userIds: new Set([30001]) }, privately));
});

Deno.test("checkFilter() takes 100 ids and no 101st, in each list", async () => {
  verifies("events-filter-ids");
  const ids = (count: number): Set<number> => new Set(Array.from({ length: count }, (_, at) => at + 1));
  strictEqual(MAX_FILTER_IDS, 100);
  checkFilter({ groupIds: ids(100), userIds: ids(100) });
  checkFilter({ groupIds: new Set([Number.MAX_SAFE_INTEGER]) });
  const wrong: Array<[filter: EventFilter, said: string]> = [
    [{ groupIds: ids(101) }, "group_ids has 101 ids"],
    [{ userIds: ids(101) }, "user_ids has 101 ids"],
    [{ types: new Set() }, "types is empty"],
    [{ groupIds: new Set() }, "group_ids is empty"],
    ...[0, -1, 1.5, 2 ** 53, NaN].map((id): [EventFilter, string] => [{ userIds: new Set([id]) }, "in user_ids"]),
  ];
  for (const [filter, said] of wrong) {
    const { kind, message } = await failureOf(() => checkFilter(filter));
    strictEqual(kind, "invalid_arguments");
    ok(message.includes(said), message);
  }
});
