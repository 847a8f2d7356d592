import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type BufferPage, EventBuffer, MAX_BUFFER_BYTES, MAX_EVENTS } from "../../../lib/events/buffer.ts";
import { verifies } from "../../requirements.ts";
import { between, failureOf, seeded } from "../support.ts";

/** Appends the numbers from `first` to `last`, as events. */
function fill(buffer: EventBuffer, first: number, last: number, bytes = 10): void {
  for (let number = first; number <= last; number++) buffer.append(String(number), bytes);
}

function cursors({ events }: BufferPage): string[] {
  return events.map(({ cursor }) => cursor);
}

Deno.test("EventBuffer.page() of an empty buffer begins at 0 and has no oldest event", () => {
  verifies("events-cursor", "events-resource");
  deepStrictEqual(new EventBuffer().page(0, MAX_EVENTS), {
    events: [],
    next_cursor: "0",
    oldest_cursor: null,
    dropped_events: 0,
    gap: false,
  });
});

Deno.test("EventBuffer.page() counts from 1, goes on after a cursor and consumes nothing", () => {
  verifies("events-cursor");
  const buffer = new EventBuffer();
  fill(buffer, 1, 3);
  const whole = buffer.page(0, MAX_EVENTS);
  deepStrictEqual(whole.events, [1, 2, 3].map((number) => ({ cursor: String(number), event: number })));
  deepStrictEqual([whole.next_cursor, whole.oldest_cursor], ["3", "1"]);
  deepStrictEqual(buffer.page(0, MAX_EVENTS), whole);
  deepStrictEqual(cursors(buffer.page(2, MAX_EVENTS)), ["3"]);
  const end = buffer.page(3, MAX_EVENTS);
  deepStrictEqual([end.events, end.next_cursor, end.oldest_cursor], [[], "3", "1"]);
});

Deno.test("EventBuffer.page() gives at most the limit, and where to go on", () => {
  verifies("events-cursor");
  const buffer = new EventBuffer();
  fill(buffer, 1, 5);
  const page = buffer.page(1, 2);
  deepStrictEqual([cursors(page), page.next_cursor], [["2", "3"], "3"]);
});

Deno.test("EventBuffer.page() refuses a cursor that was never handed out", async () => {
  verifies("events-cursor");
  const buffer = new EventBuffer();
  fill(buffer, 1, 2);
  for (const after of [3, -1, 1.5, NaN, 2 ** 53]) {
    strictEqual((await failureOf(() => buffer.page(after, 1))).kind, "invalid_arguments", String(after));
  }
});

Deno.test("EventBuffer.append() keeps 256 events, and drops the oldest for the 257th", () => {
  verifies("events-buffer");
  const buffer = new EventBuffer();
  fill(buffer, 1, 256);
  const full = buffer.page(0, MAX_EVENTS);
  deepStrictEqual([full.events.length, full.dropped_events, full.gap, full.oldest_cursor], [256, 0, false, "1"]);
  fill(buffer, 257, 257);
  const page = buffer.page(0, MAX_EVENTS);
  deepStrictEqual([page.events.length, page.dropped_events, page.gap, page.oldest_cursor], [256, 1, true, "2"]);
  deepStrictEqual([page.events[0], page.events.at(-1)], [{ cursor: "2", event: 2 }, { cursor: "257", event: 257 }]);
  strictEqual(buffer.page(1, MAX_EVENTS).gap, false, "whoever had read the first misses nothing");
});

Deno.test("EventBuffer.append() keeps 1 MiB exactly, and drops for one byte more", () => {
  verifies("events-buffer");
  const buffer = new EventBuffer();
  strictEqual(MAX_BUFFER_BYTES, 1_048_576);
  fill(buffer, 1, 4, 262_144);
  strictEqual(buffer.page(0, MAX_EVENTS).dropped_events, 0);
  fill(buffer, 5, 5, 1);
  deepStrictEqual(cursors(buffer.page(0, MAX_EVENTS)), ["2", "3", "4", "5"]);
  fill(buffer, 6, 6, 786_432);
  deepStrictEqual(cursors(buffer.page(0, MAX_EVENTS)), ["5", "6"], "as many as it takes");
});

Deno.test("EventBuffer.append() drops an event larger than the buffer, and counts it", () => {
  verifies("events-buffer");
  const buffer = new EventBuffer();
  fill(buffer, 1, 1, MAX_BUFFER_BYTES + 1);
  const page = buffer.page(0, MAX_EVENTS);
  deepStrictEqual(page, { events: [], next_cursor: "1", oldest_cursor: null, dropped_events: 1, gap: true });
  fill(buffer, 2, 2);
  deepStrictEqual(cursors(buffer.page(0, MAX_EVENTS)), ["2"]);
});

Deno.test("EventBuffer.page() goes on beyond what was dropped when there is nothing else, so that a gap shows once", () => {
  verifies("events-buffer", "events-cursor");
  const buffer = new EventBuffer();
  fill(buffer, 1, 3);
  fill(buffer, 4, 4, MAX_BUFFER_BYTES + 1);
  const page = buffer.page(1, MAX_EVENTS);
  deepStrictEqual(page, { events: [], next_cursor: "4", oldest_cursor: null, dropped_events: 4, gap: true });
  const next = buffer.page(Number(page.next_cursor), MAX_EVENTS);
  deepStrictEqual([next.events, next.next_cursor, next.gap], [[], "4", false]);
  fill(buffer, 5, 5);
  const { gap, ...more } = buffer.page(4, MAX_EVENTS);
  deepStrictEqual([cursors({ gap, ...more }), gap], [["5"], false]);
});

Deno.test("EventBuffer.page() gives every reader values of its own, with all digits", () => {
  verifies("events-cursor", "events-digits");
  const buffer = new EventBuffer();
  buffer.append('{"id":9007199254740993}', 23);
  const [one] = buffer.page(0, 1).events;
  strictEqual(JSON.stringify(one?.event), '{"id":9007199254740993}');
  (one?.event as Record<string, unknown>).id = 0;
  strictEqual(JSON.stringify(buffer.page(0, 1).events[0]?.event), '{"id":9007199254740993}');
});

/** The same by keeping everything. */
class Model {
  readonly all: Array<{ value: number; bytes: number }> = [];
  first = 1;

  append(value: number, bytes: number): void {
    this.all.push({ value, bytes });
    const total = (): number => this.all.slice(this.first - 1).reduce((sum, one) => sum + one.bytes, 0);
    while (this.all.length - this.first + 1 > 256 || total() > 1_048_576) this.first++;
  }

  page(after: number, limit: number): BufferPage {
    const kept = this.all.map(({ value }, at) => ({ cursor: at + 1, event: value })).slice(this.first - 1);
    const events = kept.filter(({ cursor }) => cursor > after).slice(0, limit);
    return {
      events: events.map(({ cursor, event }) => ({ cursor: String(cursor), event })),
      next_cursor: String(events.at(-1)?.cursor ?? Math.max(after, this.first - 1)),
      oldest_cursor: kept[0] === undefined ? null : String(kept[0].cursor),
      dropped_events: this.first - 1,
      gap: this.first > after + 1,
    };
  }
}

Deno.test("EventBuffer does what a naive model does, whatever is appended and read", () => {
  verifies("events-buffer", "events-cursor");
  for (let seed = 1; seed <= 20; seed++) {
    const random = seeded(seed);
    const [buffer, model] = [new EventBuffer(), new Model()];
    const most = [100, 8_000, 262_144, 1_100_000][seed % 4] ?? 0;
    for (let step = 0; step < 400; step++) {
      const bytes = between(random, 2, most);
      buffer.append(String(step), bytes);
      model.append(step, bytes);
      if (random() > 0.2) continue;
      const [after, limit] = [between(random, 0, step + 1), between(random, 1, 256)];
      deepStrictEqual(buffer.page(after, limit), model.page(after, limit), `seed ${seed}, step ${step}`);
    }
    ok(model.first > 1, "something was dropped");
  }
});
