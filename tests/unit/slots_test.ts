import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { NoPlace, Slots } from "../../lib/slots.ts";
import { verifies } from "../requirements.ts";

const NEVER = new AbortController().signal;
const LONG_MS = 60_000;

function why(expected: NoPlace["why"]): (error: unknown) => boolean {
  return (error) => error instanceof NoPlace && error.why === expected;
}

Deno.test("Slots.take() gives places up to the size, then a queue, then turns away", async () => {
  verifies("bounded");
  const slots = new Slots(2, 1);
  const [first, second] = [await slots.take(NEVER, LONG_MS), await slots.take(NEVER, LONG_MS)];
  const third = slots.take(NEVER, LONG_MS);
  await rejects(slots.take(NEVER, LONG_MS), why("full"));
  first[Symbol.dispose]();
  const held = await third;
  const fourth = slots.take(NEVER, LONG_MS);
  await rejects(slots.take(NEVER, LONG_MS), why("full"), "a place that was passed on is not free");
  held[Symbol.dispose]();
  (await fourth)[Symbol.dispose]();
  second[Symbol.dispose]();
  (await slots.take(NEVER, LONG_MS))[Symbol.dispose]();
});

Deno.test("Slots.take() serves first come first", async () => {
  const slots = new Slots(1, 10);
  const held = await slots.take(NEVER, LONG_MS);
  const order: number[] = [];
  const waiting = [1, 2, 3].map(async (n) => {
    using _place = await slots.take(NEVER, LONG_MS);
    order.push(n);
  });
  held[Symbol.dispose]();
  await Promise.all(waiting);
  deepStrictEqual(order, [1, 2, 3]);
});

Deno.test("Slots.take() leaves the queue when its signal aborts or its time is up, and gives the turn to the next", async () => {
  verifies("bounded");
  const slots = new Slots(1, 3);
  const held = await slots.take(NEVER, LONG_MS);
  const controller = new AbortController();
  const aborted = slots.take(controller.signal, LONG_MS);
  const late = slots.take(NEVER, 1);
  const next = slots.take(NEVER, LONG_MS);
  controller.abort();
  await rejects(aborted, why("aborted"));
  await rejects(late, why("late"));
  held[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  await rejects(slots.take(controller.signal, LONG_MS), why("aborted"));
  (await slots.take(NEVER, LONG_MS))[Symbol.dispose]();
});

Deno.test("Slots.close() turns away who waits and who comes, and leaves places alone", async () => {
  const slots = new Slots(1, 2);
  const held = await slots.take(NEVER, LONG_MS);
  const waiting = slots.take(NEVER, LONG_MS);
  slots.close();
  await rejects(waiting, why("closed"));
  await rejects(slots.take(NEVER, LONG_MS), why("closed"));
  held[Symbol.dispose]();
  strictEqual(await slots.take(NEVER, LONG_MS).catch((error) => error.why), "closed");
});
