import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Notify, Progress, PROGRESS_INTERVAL_MS } from "../../lib/progress.ts";
import { verifies } from "../requirements.ts";

/** A receiver that notes what it is sent, a clock that stands still, and a signal. */
class Bench {
  readonly sent: number[][] = [];
  readonly controller = new AbortController();
  now = 1_000;
  readonly progress: Progress;

  /** @param answer How one delivery ends; at once and well unless given. */
  constructor(answer: () => Promise<void> = () => Promise.resolve()) {
    const notify: Notify = (...notification) => {
      this.sent.push(notification as number[]);
      return answer();
    };
    this.progress = new Progress(notify, this.controller.signal, () => this.now);
  }

  /** Reports a value so many milliseconds after the last step, and lets deliveries end. */
  async report(value: number, afterMs = PROGRESS_INTERVAL_MS): Promise<void> {
    this.now += afterMs;
    this.progress.report(value);
    await turn();
  }
}

/** Lets everything run that waits for nothing. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("Progress.report() sends the first value at once, the next after 250 ms and not after 249", async () => {
  verifies("progress-pace");
  strictEqual(PROGRESS_INTERVAL_MS, 250);
  const bench = new Bench();
  bench.progress.report(1);
  deepStrictEqual(bench.sent, [[1]], "in the same turn");
  await turn();
  await bench.report(2, 0);
  await bench.report(3, 249);
  deepStrictEqual(bench.sent, [[1]]);
  await bench.report(4, 1);
  deepStrictEqual(bench.sent, [[1], [4]], "the newest one");
  await bench.report(5, 249);
  deepStrictEqual(bench.sent, [[1], [4]], "the interval starts anew");
  await bench.report(6, 1);
  deepStrictEqual(bench.sent, [[1], [4], [6]]);
});

Deno.test("Progress sets no timer, and sends what is pending with the next report that counts", async () => {
  verifies("progress-pace");
  const bench = new Bench();
  await bench.report(1);
  const { setTimeout, setInterval } = globalThis;
  let timers = 0;
  const count = (): number => ++timers;
  Object.assign(globalThis, { setTimeout: count, setInterval: count });
  try {
    bench.progress.report(2);
  } finally {
    Object.assign(globalThis, { setTimeout, setInterval });
  }
  strictEqual(timers, 0);
  bench.now += 10_000;
  await turn();
  await bench.report(2, 0);
  deepStrictEqual(bench.sent, [[1]], "an equal value does not count, so it moves nothing either");
  await bench.report(3, 0);
  deepStrictEqual(bench.sent, [[1], [3]]);
});

Deno.test("Progress.report() drops values that do not grow, also against one that is pending", async () => {
  verifies("progress-pace");
  const bench = new Bench();
  for (const value of [0, -1, -0, NaN, Infinity, -Infinity]) await bench.report(value);
  deepStrictEqual(bench.sent, []);
  await bench.report(0.5);
  for (const value of [0.5, 0.4, 0, NaN, Infinity]) await bench.report(value);
  deepStrictEqual(bench.sent, [[0.5]]);
  const pending = new Bench();
  await pending.report(1);
  await pending.report(9, 10);
  await pending.report(5, 10);
  await pending.report(11, 10);
  await pending.report(10);
  deepStrictEqual(pending.sent, [[1]], "10 is less than the pending 11");
  await pending.progress.finish();
  deepStrictEqual(pending.sent, [[1], [11]]);
});

Deno.test("Progress.report() passes on a total only when positive, and the one that came with the value", async () => {
  verifies("progress");
  const bench = new Bench();
  const totals = [undefined, 0, -1, NaN, Infinity, 10, 0.5];
  for (const [at, total] of totals.entries()) {
    bench.now += 250;
    bench.progress.report(at + 1, total);
    await turn();
  }
  deepStrictEqual(bench.sent, [[1], [2], [3], [4], [5], [6, 10], [7, 0.5]]);
  bench.progress.report(8, 20);
  bench.progress.report(9);
  await bench.progress.finish();
  deepStrictEqual(bench.sent.at(-1), [9]);
});

Deno.test("Progress.report can be handed on as a callback", async () => {
  const bench = new Bench();
  const { report } = bench.progress;
  [1].forEach(report);
  await turn();
  deepStrictEqual(bench.sent, [[1]], "an index of 0 is no total");
});

Deno.test("Progress.finish() sends the last pending value whatever the interval, and nothing afterwards", async () => {
  verifies("progress-pace");
  const bench = new Bench();
  await bench.report(1);
  bench.progress.report(2, 5);
  bench.progress.report(3, 5);
  await bench.progress.finish();
  deepStrictEqual(bench.sent, [[1], [3, 5]]);
  await bench.report(4);
  await bench.progress.finish();
  deepStrictEqual(bench.sent, [[1], [3, 5]]);
  strictEqual(bench.progress.failed, false);
});

Deno.test("Progress.finish() sends nothing when nothing is pending", async () => {
  const silent = new Bench();
  await silent.progress.finish();
  deepStrictEqual(silent.sent, []);
  const bench = new Bench();
  await bench.report(1);
  await bench.progress.finish();
  deepStrictEqual(bench.sent, [[1]]);
});

Deno.test("Progress.stop() drops what is pending and all that comes", async () => {
  verifies("progress-pace");
  const bench = new Bench();
  await bench.report(1);
  bench.progress.report(2);
  bench.progress.stop();
  await bench.report(3);
  await bench.progress.finish();
  deepStrictEqual(bench.sent, [[1]]);
  strictEqual(bench.progress.failed, false);
});

Deno.test("Progress sends nothing after its signal aborted", async () => {
  verifies("progress-pace");
  const bench = new Bench();
  await bench.report(1);
  bench.progress.report(2);
  bench.controller.abort();
  await bench.report(3);
  await bench.progress.finish();
  deepStrictEqual(bench.sent, [[1]]);
  const late = new Bench();
  late.controller.abort();
  await late.report(1);
  await late.progress.finish();
  deepStrictEqual(late.sent, []);
});

Deno.test("Progress has one delivery under way, and keeps only the newest value meanwhile", async () => {
  verifies("progress-pace");
  const deliveries: PromiseWithResolvers<void>[] = [];
  const bench = new Bench(() => {
    const delivery = Promise.withResolvers<void>();
    deliveries.push(delivery);
    return delivery.promise;
  });
  await bench.report(1);
  for (let value = 2; value <= 1_000; value++) {
    bench.now += 250;
    bench.progress.report(value);
  }
  await turn();
  deepStrictEqual(bench.sent, [[1]]);
  deliveries[0]?.resolve();
  await turn();
  deepStrictEqual(bench.sent, [[1]], "what is pending waits for a report");
  await bench.report(1_001, 0);
  deepStrictEqual(bench.sent, [[1], [1_001]], "long after the last one");
  await bench.report(1_002);
  let finished = false;
  const end = bench.progress.finish().then(() => finished = true);
  await bench.report(1_003);
  deepStrictEqual(bench.sent, [[1], [1_001]], "finish() waits for the one under way");
  deliveries[1]?.resolve();
  await turn();
  deepStrictEqual(bench.sent, [[1], [1_001], [1_002]], "and takes no more reports");
  strictEqual(finished, false, "finish() waits for its own");
  deliveries[2]?.resolve();
  await end;
  strictEqual(deliveries.length, 3);
});

Deno.test("Progress.finish() called twice sends once, and both wait", async () => {
  const own = Promise.withResolvers<void>();
  let count = 0;
  const bench = new Bench(() => ++count === 1 ? Promise.resolve() : own.promise);
  await bench.report(1);
  bench.progress.report(2);
  let finished = 0;
  const ends = [1, 2].map(() => bench.progress.finish().then(() => finished++));
  await turn();
  deepStrictEqual(bench.sent, [[1], [2]]);
  strictEqual(finished, 0);
  own.resolve();
  await Promise.all(ends);
  deepStrictEqual(bench.sent, [[1], [2]]);
});

Deno.test("Progress.finish() does not wait for a client that reads nothing once the signal aborts", async () => {
  verifies("progress-pace");
  for (const pendingFirst of [false, true]) {
    const never = Promise.withResolvers<void>().promise;
    let count = 0;
    const bench = new Bench(() => pendingFirst && ++count === 1 ? Promise.resolve() : never);
    await bench.report(1);
    bench.progress.report(2);
    let finished = false;
    const end = bench.progress.finish().then(() => finished = true);
    await turn();
    strictEqual(finished, false, "it does wait before that");
    bench.controller.abort();
    await end;
    deepStrictEqual(bench.sent, pendingFirst ? [[1], [2]] : [[1]]);
  }
});

Deno.test("Progress sends nothing more when it is stopped while finish() waits", async () => {
  const delivery = Promise.withResolvers<void>();
  const bench = new Bench(() => delivery.promise);
  await bench.report(1);
  bench.progress.report(2);
  const end = bench.progress.finish();
  bench.progress.stop();
  delivery.resolve();
  await end;
  deepStrictEqual(bench.sent, [[1]]);
});

Deno.test("Progress survives a failed delivery: told by failed, never thrown, and the last one", async () => {
  verifies("progress-failed");
  const unhandled: PromiseRejectionEvent[] = [];
  const note = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    unhandled.push(event);
  };
  addEventListener("unhandledrejection", note);
  try {
    const failures: (() => Promise<void>)[] = [
      () => Promise.reject(new Error("closed")),
      () => {
        throw new Error("closed");
      },
    ];
    for (const fail of failures) {
      const bench = new Bench(fail);
      strictEqual(bench.progress.failed, false);
      await bench.report(1);
      strictEqual(bench.progress.failed, true);
      await bench.report(2);
      await bench.progress.finish();
      deepStrictEqual(bench.sent, [[1]]);
      // the one of finish() itself
      let count = 0;
      const last = new Bench(() => ++count === 1 ? Promise.resolve() : fail());
      await last.report(1);
      last.progress.report(2);
      await last.progress.finish();
      deepStrictEqual(last.sent, [[1], [2]]);
      strictEqual(last.progress.failed, true);
    }
    await turn();
    deepStrictEqual(unhandled, []);
  } finally {
    removeEventListener("unhandledrejection", note);
  }
});

Deno.test("Progress drops what is pending when the delivery before it fails", async () => {
  verifies("progress-failed");
  const delivery = Promise.withResolvers<void>();
  const bench = new Bench(() => delivery.promise);
  await bench.report(1);
  await bench.report(2);
  const end = bench.progress.finish();
  delivery.reject(new Error("closed"));
  await end;
  deepStrictEqual(bench.sent, [[1]]);
  strictEqual(bench.progress.failed, true);
});

Deno.test("Progress.finish() leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
  signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
  const progress = new Progress(turn, signal);
  progress.report(1);
  await progress.finish();
  strictEqual(listeners, 0);
});

Deno.test("Progress takes the time of the platform unless given another clock", async () => {
  const sent: number[] = [];
  const notify: Notify = (value) => Promise.resolve(void sent.push(value));
  const progress = new Progress(notify, new AbortController().signal);
  const before = performance.now();
  progress.report(1);
  await turn();
  progress.report(2);
  ok(sent.length === 1 || performance.now() - before >= PROGRESS_INTERVAL_MS);
  await progress.finish();
  deepStrictEqual(sent, [1, 2]);
});
