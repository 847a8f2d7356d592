import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Executor, MAX_HELD_BYTES, MAX_RUNNING_CALLS } from "../../lib/executor.ts";
import { encodeCall } from "../../lib/onebot/call_body.ts";
import { type HttpAnswer, MAX_REQUEST_BYTES } from "../../lib/onebot/exchange.ts";
import { Redactor } from "../../lib/redact.ts";
import { verifies } from "../requirements.ts";
import { answer, NEVER } from "./executor_support.ts";
import { failureOf, realCatalog } from "./support.ts";

/** An executor whose posts stay open until the test lets go of them; of the bodies it keeps the lengths alone. */
async function held(timeoutMs: number): Promise<{ executor: Executor; lengths: number[]; letGo: () => void }> {
  const lengths: number[] = [];
  const free = Promise.withResolvers<void>();
  const executor = new Executor({
    actions: await realCatalog(),
    permissions: { mode: "write", allow: new Set() },
    redactor: new Redactor([]),
    timeoutMs,
    post: async (json): Promise<HttpAnswer> => {
      lengths.push(json.length);
      await free.promise;
      return await answer({ status: "ok", retcode: 0 });
    },
  });
  return { executor, lengths, letGo: free.resolve };
}

Deno.test("Executor.call() that waited for its turn as long as the timeout has failed, a write too", async () => {
  verifies("bounded", "outcome-write", "refusals-send-nothing");
  const { executor, lengths, letGo } = await held(50);
  const call = (name: string): Promise<unknown> => executor.call("invoke", name, {}, { signal: NEVER });
  const running = Array.from({ length: MAX_RUNNING_CALLS }, () => call("get_status"));
  for (const name of ["send_group_msg", "get_status"]) {
    const { kind, outcome, message, nextStep } = await failureOf(() => call(name));
    deepStrictEqual([kind, outcome], ["timeout", "failed"]);
    strictEqual(message, `Cannot call ${name}: it waited 50 ms behind other calls and was not sent`);
    strictEqual(nextStep, "Call again when fewer run; the operator can raise SNOWLUMA_MCP_TIMEOUT_MS.");
  }
  letGo();
  await Promise.all(running);
  strictEqual(lengths.length, MAX_RUNNING_CALLS, "what had waited was not sent afterwards");
  await call("send_group_msg");
});

Deno.test("Executor.call() holds two of the largest bodies, and refuses another byte as busy", async () => {
  verifies("bounded", "refusals-send-nothing");
  strictEqual(MAX_HELD_BYTES, 2 * MAX_REQUEST_BYTES);
  const { executor, lengths, letGo } = await held(60_000);
  const call = (message: string): Promise<unknown> =>
    executor.call("invoke", "send_group_msg", { message }, { signal: NEVER });
  const largest = "x".repeat(MAX_REQUEST_BYTES - encodeCall("send_group_msg", { message: "" }).length);
  const running = [call(largest), call(largest)];
  const { kind, outcome, message } = await failureOf(() => call(""));
  deepStrictEqual([kind, outcome], ["busy", "failed"]);
  const bytes = `${MAX_HELD_BYTES} of ${MAX_HELD_BYTES} bytes`;
  strictEqual(message, `Cannot call send_group_msg: the calls that run or wait hold ${bytes}`);
  letGo();
  await Promise.all(running);
  deepStrictEqual(lengths, [MAX_REQUEST_BYTES, MAX_REQUEST_BYTES]);
  await call(largest);
});
