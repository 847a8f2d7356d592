import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ExchangeError } from "../../lib/onebot/exchange.ts";
import type { Envelope } from "../../lib/onebot/envelope.ts";
import { explain, judge } from "../../lib/verdict.ts";
import type { Diagnostics } from "../../lib/outcome.ts";
import { verifies } from "../requirements.ts";
import { makeAction } from "./support.ts";

const READ = makeAction({ name: "read_it", readOnly: true });
const WRITE = makeAction({ name: "write_it", readOnly: false, risk: "write" });
const TWO_MIB = 2 * 1024 * 1024;

function diagnose(envelope: Envelope, params: Record<string, unknown> = {}, action = WRITE): Diagnostics {
  return judge(action, params, 200, envelope).diagnostics;
}

Deno.test("explain() tells of a write that nothing left, or that it may have taken effect and what to check", () => {
  verifies("outcome-write", "outcome-refused");
  const refused = explain(WRITE, new ExchangeError("connect", false, "ECONNREFUSED"), 10);
  strictEqual(refused.message, "Cannot call write_it: no connection to the bot (ECONNREFUSED)");
  ok(refused.nextStep.includes("SNOWLUMA_MCP_ENDPOINT"));
  const cut = explain(WRITE, new ExchangeError("cut", true, "ECONNRESET"), 10);
  ok(cut.message.startsWith("write_it may have taken effect: "));
  ok(cut.message.includes("ECONNRESET"));
  ok(cut.nextStep.includes("before calling it again"));
});

Deno.test("explain() never advises to check for effects of a read", () => {
  verifies("outcome-read");
  for (const fault of ["timeout", "cancelled", "cut", "too_large", "garbled"] as const) {
    const { message, nextStep } = explain(READ, new ExchangeError(fault, true), 10);
    ok(message.startsWith("Cannot call read_it: "), message);
    ok(!nextStep.includes("took effect"), nextStep);
  }
});

Deno.test("explain() names the setting that a timeout depends on", () => {
  ok(explain(READ, new ExchangeError("timeout", true), 10).nextStep.includes("SNOWLUMA_MCP_TIMEOUT_MS"));
});

Deno.test("explain() takes a cut during a body above 2 MiB for an old bot's limit, from the first byte above", () => {
  const hint = (bytes: number): boolean =>
    explain(WRITE, new ExchangeError("cut", true), bytes).nextStep.includes("2 MiB");
  strictEqual(hint(TWO_MIB), false);
  strictEqual(hint(TWO_MIB + 1), true);
});

Deno.test("judge() says nothing more about a success", () => {
  deepStrictEqual(diagnose({ status: "ok", retcode: 0, wording: "fine" }), { outcome: "success" });
});

Deno.test("judge() passes the bot's wording on as it is and guesses no cause", () => {
  verifies("business-failure");
  const muted = diagnose({ status: "failed", retcode: 100, wording: "muted" });
  const limited = diagnose({ status: "failed", retcode: 100, wording: "account restricted" });
  strictEqual(muted.message, 'write_it failed: retcode 100, "muted"');
  strictEqual(limited.message, 'write_it failed: retcode 100, "account restricted"');
  strictEqual(muted.next_step, limited.next_step);
  ok(!/again|retry/i.test(muted.next_step ?? ""), "no advice to repeat");
});

Deno.test("judge() quotes a wording so that it cannot forge lines, and cuts it", () => {
  const { message } = diagnose({ status: "failed", retcode: 100, wording: `a\n"b"${"c".repeat(10_000)}` });
  ok(message?.includes('"a\\n\\"b\\"ccc'));
  ok((message?.length ?? 0) < 600);
});

Deno.test("judge() advises by return code", async (t) => {
  const cases = [
    { retcode: 1404, params: {}, says: "older than the catalog" },
    { retcode: 1400, params: {}, says: "check_action" },
    { retcode: 1400, params: { message_id: 5 }, says: "check_action" },
    { retcode: 1400, params: { message_id: -5 }, says: "Negative message ids are valid" },
    { retcode: 1400, params: { message_id: "-5" }, says: "check_action" },
    { retcode: 100, params: { message_id: -5 }, says: "wording" },
  ];
  for (const { retcode, params, says } of cases) {
    await t.step(`${retcode} ${JSON.stringify(params)}`, () => {
      const { next_step, kind } = diagnose({ status: "failed", retcode, wording: "no" }, params);
      ok(next_step?.includes(says), next_step);
      strictEqual(kind, "action_failed");
    });
  }
});

Deno.test("judge() tells of doubt what the bot said, and for writes to check first", () => {
  verifies("outcome-async");
  const write = diagnose({ status: "async", retcode: 1 });
  strictEqual(write.outcome, "unknown");
  strictEqual(write.message, 'The bot did not confirm write_it: status "async", retcode 1');
  ok(write.next_step?.includes("before calling it again"));
  const read = diagnose({ retcode: 0 }, {}, READ);
  strictEqual(read.message, "The bot did not confirm read_it: status none, retcode 0");
  ok(!read.next_step?.includes("again"));
});

Deno.test("judge() gives the envelope itself, not a copy", () => {
  verifies("passed-through");
  const envelope = { retcode: 0, status: "ok" };
  strictEqual(judge(READ, {}, 200, envelope).result, envelope);
});
