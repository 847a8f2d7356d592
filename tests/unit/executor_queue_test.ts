import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { MAX_RUNNING_CALLS, MAX_WAITING_CALLS } from "../../lib/executor.ts";
import { ExchangeError, type HttpAnswer } from "../../lib/onebot/exchange.ts";
import { verifies } from "../requirements.ts";
import { answer, makeExecutor, NEVER, type RecordedExecutor } from "./executor_support.ts";
import { failureOf } from "./support.ts";

/** An executor whose posts stay open until the test ends them, oldest first, and obey their signal. */
async function openEnded(): Promise<RecordedExecutor & { finishOldest: () => void; finishAll: () => void }> {
  const open: Array<() => void> = [];
  const finishOldest = (): void => open.shift()?.();
  let finished = false;
  const recorded = await makeExecutor({
    post: (signal) => {
      if (finished) return answer({ status: "ok", retcode: 0 });
      if (signal.aborted) return Promise.reject(new ExchangeError("cancelled", false));
      return new Promise<HttpAnswer>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new ExchangeError("cancelled", true)), { once: true });
        open.push(() => answer({ status: "ok", retcode: 0 }).then(resolve));
      });
    },
  });
  const finishAll = (): void => {
    finished = true;
    while (open.length > 0) finishOldest();
  };
  return { ...recorded, finishOldest, finishAll };
}

/** Lets everything run that waits for nothing from outside. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

Deno.test("Executor.call() runs 32 calls at once, lets 2048 wait, and refuses the next one as busy", async () => {
  verifies("bounded", "refusals-send-nothing");
  strictEqual(MAX_RUNNING_CALLS, 32);
  strictEqual(MAX_WAITING_CALLS, 2048);
  const { executor, posted, finishAll } = await openEnded();
  const call = (n: number): Promise<unknown> => executor.call("invoke", "send_group_msg", { n }, { signal: NEVER });
  const calls = Array.from({ length: MAX_RUNNING_CALLS + MAX_WAITING_CALLS }, (_, n) => call(n));
  await settled();
  strictEqual(posted.length, MAX_RUNNING_CALLS);
  const refused = await failureOf(() => call(-1));
  strictEqual(refused.kind, "busy");
  strictEqual(refused.outcome, "failed");
  finishAll();
  await Promise.all(calls);
  strictEqual(posted.length, calls.length, "every call that was let in was sent once");
  deepStrictEqual(posted.map((text) => JSON.parse(text).params.n), calls.map((_, n) => n), "in order");
  await call(0);
});

Deno.test("Executor.call() lets the next one in when one ends, and one more may wait", async () => {
  const { executor, posted, finishOldest, finishAll } = await openEnded();
  const call = (): Promise<unknown> => executor.call("query", "get_status", {}, { signal: NEVER });
  const calls = Array.from({ length: MAX_RUNNING_CALLS + MAX_WAITING_CALLS }, call);
  await settled();
  finishOldest();
  await calls[0];
  await settled();
  strictEqual(posted.length, MAX_RUNNING_CALLS + 1);
  calls.push(call());
  await settled();
  strictEqual((await failureOf(call)).kind, "busy");
  finishAll();
  await Promise.all(calls);
});

Deno.test("Executor.call() cancelled while it waits for its turn sends nothing", async () => {
  verifies("cancel", "refusals-send-nothing");
  const { executor, posted, finishAll } = await openEnded();
  const running = Array.from(
    { length: MAX_RUNNING_CALLS },
    () => executor.call("query", "get_status", {}, { signal: NEVER }),
  );
  const controller = new AbortController();
  const waiting = failureOf(() => executor.call("invoke", "send_group_msg", {}, { signal: controller.signal }));
  await settled();
  controller.abort();
  const failure = await waiting;
  strictEqual(failure.kind, "cancelled");
  strictEqual(failure.outcome, "failed");
  finishAll();
  await Promise.all(running);
  await settled();
  strictEqual(posted.length, MAX_RUNNING_CALLS);
  strictEqual(posted.some((text) => text.includes("send_group_msg")), false);
});

Deno.test("Executor.call() with an aborted signal sends nothing", async () => {
  verifies("cancel");
  const { executor, posted } = await makeExecutor();
  const failure = await failureOf(() => executor.call("invoke", "send_group_msg", {}, { signal: AbortSignal.abort() }));
  strictEqual(failure.kind, "cancelled");
  strictEqual(failure.outcome, "failed");
  deepStrictEqual(posted, []);
});

Deno.test("Executor.call() cancelled while it runs is in doubt for a write, failed for a read", async () => {
  verifies("cancel", "outcome-write", "outcome-read");
  for (const [name, outcome] of [["send_group_msg", "unknown"], ["get_status", "failed"]] as const) {
    const { executor, posted } = await openEnded();
    const controller = new AbortController();
    const call = failureOf(() => executor.call("invoke", name, {}, { signal: controller.signal }));
    await settled();
    strictEqual(posted.length, 1);
    controller.abort();
    const failure = await call;
    strictEqual(failure.kind, "cancelled");
    strictEqual(failure.outcome, outcome);
  }
});

Deno.test("Executor.call() gives its place back however a call ends", async () => {
  const { executor, posted } = await makeExecutor({ post: () => Promise.reject(new ExchangeError("cut", true)) });
  for (let i = 0; i < 3 * MAX_RUNNING_CALLS; i++) {
    await failureOf(() => executor.call("query", "get_status", {}, { signal: NEVER }));
  }
  strictEqual(posted.length, 3 * MAX_RUNNING_CALLS);
});
