import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { EVENTS_URI, newEventUri, parseEventUri } from "../../../lib/events/event_uri.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";

Deno.test("newEventUri() never gives the same twice, and nothing to guess", () => {
  verifies("events-resource");
  const [one, other] = [newEventUri(), newEventUri()];
  notStrictEqual(one, other);
  ok(
    /^snowluma:\/\/onebot\/events\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(one),
    one,
  );
});

Deno.test("parseEventUri() gives the address without its query, and the cursor", () => {
  verifies("events-resource", "events-cursor");
  const uri = newEventUri();
  deepStrictEqual(parseEventUri(uri), { uri });
  deepStrictEqual(parseEventUri(`${uri}?after=0`), { uri, after: 0 });
  deepStrictEqual(parseEventUri(`${uri}?after=${Number.MAX_SAFE_INTEGER}`), { uri, after: Number.MAX_SAFE_INTEGER });
});

Deno.test("parseEventUri() refuses other addresses, other queries and what is no cursor", async () => {
  verifies("events-resource");
  const uri = newEventUri();
  const queries = ["", "after=", "after=-1", "after=1.5", "after=1e3", "after=x", "after=9007199254740992", "before=1"];
  const more = ["after=1&limit=2", "after=1?after=2", "after=1#x", " after=1", "AFTER=1"];
  for (const query of [...queries, ...more]) {
    const { kind, nextStep } = await failureOf(() => parseEventUri(`${uri}?${query}`));
    strictEqual(kind, "invalid_arguments", query);
    ok(nextStep.includes("after"), nextStep);
  }
  for (const text of ["", "?after=1", EVENTS_URI, `${EVENTS_URI}a/b`, `${uri}#x`, ` ${uri}`, "snowluma://onebot/x"]) {
    const { kind, message } = await failureOf(() => parseEventUri(text));
    strictEqual(kind, "invalid_arguments", text);
    ok(message.includes(JSON.stringify(text)), message);
  }
});

Deno.test("parseEventUri() repeats no more than 128 characters of what it refuses", async () => {
  verifies("events-resource");
  const long = "x".repeat(100_000);
  for (const text of [long, `${newEventUri()}?${long}`, EVENTS_URI + "\u202e".repeat(100_000)]) {
    const { message } = await failureOf(() => parseEventUri(text));
    ok(message.includes(JSON.stringify(text.slice(0, 128))), message.slice(0, 300));
    ok(message.length < 300, `${message.length} characters`);
  }
});
