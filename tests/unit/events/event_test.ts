import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { type BotEvent, EventFault, MAX_EVENT_LEVELS, readEvent } from "../../../lib/events/event.ts";
import { verifies } from "../../requirements.ts";
import { event, lifecycle, SELF } from "./support.ts";

function faultOf(text: string): EventFault {
  try {
    readEvent(text, SELF);
  } catch (error) {
    if (error instanceof EventFault) return error;
    throw error;
  }
  throw new Error(`no fault: ${text}`);
}

Deno.test("readEvent() gives each post_type its type, message_sent the one of messages", () => {
  verifies("events-filters", "events-meta");
  const types: Record<string, BotEvent["type"]> = {
    message: "message",
    message_sent: "message",
    notice: "notice",
    request: "request",
    meta_event: "meta",
    guild: "other",
  };
  for (const [post_type, type] of Object.entries(types)) {
    strictEqual(readEvent(event({ post_type }), SELF).type, type, post_type);
  }
  strictEqual(readEvent(lifecycle(), SELF).type, "meta");
});

Deno.test("readEvent() gives ids that are numbers, and none where there are none", () => {
  verifies("events-filters");
  const { groupId, userId } = readEvent(event(), SELF);
  deepStrictEqual([groupId, userId], [20001, 30001]);
  const bare = readEvent(event({ group_id: undefined, user_id: "30001" }), SELF);
  ok(!("groupId" in bare) && !("userId" in bare));
  strictEqual(readEvent(event({ group_id: 0 }), SELF).groupId, 0);
});

Deno.test("readEvent() keeps the digits of ids that a number cannot hold", () => {
  verifies("events-digits");
  const text = event({ post_type: "notice", raw_message: "9007199254740993 apples" })
    .replace('"group_id":20001', '"group_id":9007199254740993');
  const { value, groupId } = readEvent(text, SELF);
  strictEqual(JSON.stringify(value), text);
  strictEqual(groupId, undefined, "no number is it");
});

Deno.test("readEvent() gives the text as it came, its spaces and spellings included", () => {
  verifies("events-digits");
  const text = ` ${event({ size: 0 }).replace('"size":0', '"size" : 1e20, "\\u0061":1.0')}\n`;
  strictEqual(readEvent(text, SELF).text, text);
});

Deno.test("readEvent() takes any finite time from 0 on", () => {
  for (const time of [0, 1.5, 1_700_000_000]) readEvent(event({ time }), SELF);
});

Deno.test("readEvent() refuses what is no event, without repeating any of it", () => {
  verifies("events-malformed", "events-untrusted");
  const texts = {
    "no JSON": ["", "hello", '{"a":1', `${event()}x`, `\uFEFF${event()}`],
    "no object": ["1", "null", '"hello"', "[]", `[${event()}]`],
    "without a post_type": [
      "{}",
      event({ post_type: undefined }),
      event({ post_type: "" }),
      event({ post_type: 1 }),
      event({ post_type: null, retcode: 1401 }),
    ],
    "self_id": [undefined, null, 0, -1, 1.5, String(SELF), 2 ** 53, [SELF]].map((self_id) => event({ self_id }))
      .concat(event().replace(`${SELF}`, "9007199254740993")),
    "time": [undefined, null, -1, "1", [1]].map((time) => event({ time })).concat(
      event().replace("1700000000", "1e999"),
    ),
  };
  for (const [part, wrong] of Object.entries(texts)) {
    for (const text of wrong) {
      const { kind, message } = faultOf(text);
      strictEqual(kind, "invalid_event", text);
      ok(message.includes(part), `${text}: ${message}`);
      ok(!message.includes("hello"), message);
    }
  }
});

Deno.test("readEvent() refuses events of another account, meta events included, and names both", () => {
  verifies("events-account");
  for (const text of [event({ self_id: 10002 }), lifecycle(10002), event({ self_id: 10002, post_type: "guild" })]) {
    const { kind, message } = faultOf(text);
    strictEqual(kind, "account");
    ok(message.includes("10002") && message.includes("10001"), message);
  }
});

Deno.test("readEvent() takes a refusal of the token for what it is, and other answers for no event", () => {
  verifies("events-auth", "events-malformed");
  for (const retcode of [1401, 1403, 401, 403]) {
    const { kind, message } = faultOf(JSON.stringify({ status: "failed", retcode, data: null, echo: null }));
    strictEqual(kind, "auth", message);
    ok(message.includes(String(retcode)));
  }
  for (
    const [answer, said] of [[{ status: "failed", retcode: 1400 }, "1400"], [{ status: "ok" }, "no numeric"]] as const
  ) {
    const { kind, message } = faultOf(JSON.stringify(answer));
    strictEqual(kind, "invalid_event");
    ok(message.includes(said), message);
  }
  strictEqual(faultOf(JSON.stringify({ retcode: "1401" })).kind, "invalid_event");
});

Deno.test("readEvent() takes 64 levels and no 65th", () => {
  verifies("events-malformed");
  const nested = (levels: number): string => {
    const lists = levels - 1; // the event is one itself
    return event({ message: 0 }).replace('"message":0', `"message":${"[".repeat(lists)}${"]".repeat(lists)}`);
  };
  readEvent(nested(MAX_EVENT_LEVELS), SELF);
  throws(() => readEvent(nested(MAX_EVENT_LEVELS + 1), SELF), EventFault);
  strictEqual(faultOf(nested(100_000)).kind, "invalid_event", "without going down");
});
