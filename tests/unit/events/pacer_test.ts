import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { UPDATE_INTERVAL_MS, UpdatePacer } from "../../../lib/events/pacer.ts";
import { verifies } from "../../requirements.ts";
import { tidyTest, until } from "./support.ts";

/** Notes when it is told, in milliseconds. */
function noting(): { readonly at: number[]; readonly tell: () => Promise<void> } {
  const at: number[] = [];
  return { at, tell: () => (at.push(performance.now()), Promise.resolve()) };
}

/** Longer than an interval, so that whatever was due has come. */
function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2.5 * UPDATE_INTERVAL_MS));
}

tidyTest("UpdatePacer.changed() tells the first change at once, and the last of many after the interval", async () => {
  verifies("events-updated-pace");
  strictEqual(UPDATE_INTERVAL_MS, 100);
  const { at, tell } = noting();
  const pacer = new UpdatePacer(tell);
  for (let change = 0; change < 50; change++) pacer.changed();
  strictEqual(at.length, 1, "in the same turn");
  await until(() => at.length > 1);
  await rest();
  strictEqual(at.length, 2, "one for all that came in between");
  pacer.stop();
});

tidyTest("UpdatePacer.changed() never tells twice within an interval, however long changes go on", async () => {
  verifies("events-updated-pace");
  const { at, tell } = noting();
  const pacer = new UpdatePacer(tell);
  const ticking = setInterval(() => pacer.changed(), 7);
  await until(() => at.length >= 4);
  clearInterval(ticking);
  pacer.stop();
  for (let i = 1; i < at.length; i++) ok((at[i] ?? 0) - (at[i - 1] ?? 0) >= UPDATE_INTERVAL_MS - 1, at.join(" "));
});

tidyTest("UpdatePacer.changed() tells nothing after an interval in which nothing changed", async () => {
  verifies("events-updated-pace");
  const { at, tell } = noting();
  const pacer = new UpdatePacer(tell);
  pacer.changed();
  await rest();
  strictEqual(at.length, 1);
  pacer.changed();
  strictEqual(at.length, 2, "at once again");
  pacer.stop();
});

tidyTest("UpdatePacer.changed() waits for a slow delivery, and then tells what changed meanwhile", async () => {
  verifies("events-updated-pace");
  const first = Promise.withResolvers<void>();
  let told = 0;
  const pacer = new UpdatePacer(() => ++told === 1 ? first.promise : Promise.resolve());
  pacer.changed();
  pacer.changed();
  await rest();
  strictEqual(told, 1);
  first.resolve();
  await until(() => told === 2);
  pacer.stop();
});

tidyTest(
  "UpdatePacer.failed stays until a later interval delivers what a rejection, or a throw, has left untold",
  async () => {
    verifies("events-notify-failed");
    const failures = [() => Promise.reject(new Error("gone")), () => {
      throw new Error("gone");
    }];
    for (const failure of failures) {
      const { at, tell } = noting();
      const failed: boolean[] = []; // at each attempt
      const pacer: UpdatePacer = new UpdatePacer(() => {
        failed.push(pacer.failed);
        return (tell(), at.length <= 3 ? failure() : Promise.resolve());
      });
      strictEqual(pacer.failed, false);
      pacer.changed(); // and never again
      await until(() => pacer.failed);
      await until(() => at.length === 4 && !pacer.failed);
      deepStrictEqual(failed, [false, true, true, true]);
      for (let i = 1; i < at.length; i++) ok((at[i] ?? 0) - (at[i - 1] ?? 0) >= UPDATE_INTERVAL_MS - 1, at.join(" "));
      await rest();
      strictEqual(at.length, 4, "it is told once");
      pacer.stop();
    }
  },
);

tidyTest("UpdatePacer.stop() ends the attempts to deliver what could not be", async () => {
  verifies("events-notify-failed", "events-release");
  let told = 0;
  const pacer = new UpdatePacer(() => (told++, Promise.reject(new Error("gone"))));
  pacer.changed();
  await until(() => told === 2);
  pacer.stop();
  await rest();
  strictEqual(told, 2);
});

tidyTest("UpdatePacer.stop() drops what is due, leaves no timer, and lets nothing more through", async () => {
  verifies("events-updated-pace", "events-release");
  const { at, tell } = noting();
  const pacer = new UpdatePacer(tell);
  pacer.changed();
  pacer.changed();
  pacer.stop();
  pacer.changed();
  await rest();
  strictEqual(at.length, 1);
  const last = new UpdatePacer(tell);
  last.changed();
  last.stop(); // a timer that remained would fail the test
});
