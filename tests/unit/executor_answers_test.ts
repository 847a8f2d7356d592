import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { ExchangeFault } from "../../lib/onebot/exchange.ts";
import { verifies } from "../requirements.ts";
import { answer, fault, makeExecutor, NEVER } from "./executor_support.ts";
import { failureOf } from "./support.ts";

/** A reading and a writing action, with the door for each. */
const READ = ["query", "get_status"] as const;
const WRITE = ["invoke", "send_group_msg"] as const;

Deno.test("Executor.call() draws outcome and kind from the fault and from whether the action writes", async (t) => {
  verifies("outcome-read", "outcome-write", "outcome-refused");
  const cases: Array<{ fault: ExchangeFault; sent: boolean; kind: string; write: "failed" | "unknown" }> = [
    { fault: "connect", sent: false, kind: "connect", write: "failed" },
    { fault: "timeout", sent: false, kind: "timeout", write: "failed" },
    { fault: "cancelled", sent: false, kind: "cancelled", write: "failed" },
    { fault: "timeout", sent: true, kind: "timeout", write: "unknown" },
    { fault: "cancelled", sent: true, kind: "cancelled", write: "unknown" },
    { fault: "cut", sent: true, kind: "cut", write: "unknown" },
    { fault: "too_large", sent: true, kind: "too_large", write: "unknown" },
    { fault: "garbled", sent: true, kind: "invalid_answer", write: "unknown" },
  ];
  for (const { fault: what, sent, kind, write } of cases) {
    for (const [door, name] of [READ, WRITE]) {
      await t.step(`${what}, ${sent ? "sent" : "not sent"}, ${name}`, async () => {
        const { executor, posted } = await makeExecutor({ post: () => fault(what, sent, "EDETAIL") });
        const failure = await failureOf(() => executor.call(door, name, {}, { signal: NEVER }));
        strictEqual(failure.kind, kind);
        strictEqual(failure.outcome, name === WRITE[1] ? write : "failed");
        ok(failure.message.includes(name));
        strictEqual(failure.message.includes("may have taken effect"), failure.outcome === "unknown");
        strictEqual(posted.length, 1);
      });
    }
  }
});

Deno.test("Executor.call() judges an envelope by status and retcode, whatever the HTTP status", async (t) => {
  verifies("envelope-judged", "business-failure", "outcome-async", "auth");
  const cases = [
    { envelope: { status: "ok", retcode: 0, data: 1 }, outcome: "success", kind: undefined },
    {
      envelope: { status: "failed", retcode: 100, data: null, wording: "muted" },
      outcome: "failed",
      kind: "action_failed",
    },
    { envelope: { status: "failed", retcode: 1200, data: null }, outcome: "failed", kind: "action_failed" },
    { envelope: { status: "failed", retcode: 1400, data: null }, outcome: "failed", kind: "action_failed" },
    { envelope: { status: "failed", retcode: 1404, data: null }, outcome: "failed", kind: "action_failed" },
    { envelope: { status: "failed", retcode: 1401, data: null }, outcome: "failed", kind: "auth" },
    { envelope: { status: "failed", retcode: 1403, data: null, echo: null }, outcome: "failed", kind: "auth" },
    { envelope: { status: "async", retcode: 1, data: null }, outcome: "unknown", kind: "not_confirmed" },
    { envelope: { status: "ok", retcode: 100, data: null }, outcome: "unknown", kind: "not_confirmed" },
    { envelope: { status: "failed", retcode: 0, data: null }, outcome: "unknown", kind: "not_confirmed" },
    { envelope: { status: "ok" }, outcome: "unknown", kind: "not_confirmed" },
    { envelope: { retcode: 0 }, outcome: "unknown", kind: "not_confirmed" },
  ];
  for (const { envelope, outcome, kind } of cases) {
    for (const status of [200, 400, 404, 500]) {
      for (const [door, name] of [READ, WRITE]) {
        await t.step(`HTTP ${status} ${JSON.stringify(envelope)} ${name}`, async () => {
          const { executor } = await makeExecutor({ post: () => answer(envelope, status) });
          const result = await executor.call(door, name, {}, { signal: NEVER });
          deepStrictEqual(result.result, envelope);
          strictEqual(result.diagnostics.outcome, outcome);
          strictEqual(result.diagnostics.kind, kind);
          strictEqual("next_step" in result.diagnostics, outcome !== "success");
        });
      }
    }
  }
});

Deno.test("Executor.call() takes HTTP 401 and 403 for a refusal of the token", async (t) => {
  verifies("auth");
  const bodies = [
    "",
    "Unauthorized",
    "null",
    '{"error":"Unauthorized"}',
    '{"status":401,"error":"Unauthorized"}',
    '{"status":"failed","retcode":100,"data":null,"wording":"no"}',
    '{"status":"failed","retcode":1401,"data":null}',
  ];
  for (const status of [401, 403]) {
    for (const body of bodies) {
      for (const [door, name] of [READ, WRITE]) {
        await t.step(`HTTP ${status} ${body} ${name}`, async () => {
          const { executor } = await makeExecutor({ post: () => answer(body, status) });
          const said = await executor.call(door, name, {}, { signal: NEVER }).then(({ diagnostics }) => ({
            outcome: diagnostics.outcome,
            kind: diagnostics.kind,
            nextStep: diagnostics.next_step ?? "",
          }), (failure) => failure);
          strictEqual(said.kind, "auth");
          // an object that merely has a status field is read as an envelope, and one that says neither yes nor no
          strictEqual(said.outcome, "failed");
          ok(said.nextStep.includes("SNOWLUMA_MCP_TOKEN"));
        });
      }
    }
  }
});

Deno.test("Executor.call() believes a confirmed success even under HTTP 401", async () => {
  verifies("envelope-judged");
  const { executor } = await makeExecutor({ post: () => answer({ status: "ok", retcode: 0 }, 401) });
  strictEqual((await executor.call(...WRITE, {}, { signal: NEVER })).diagnostics.outcome, "success");
});

Deno.test("Executor.call() says of what is no envelope that it is none", async (t) => {
  verifies("bad-answers", "outcome-write", "outcome-read");
  const deep = `${'{"status":"ok","retcode":0,"data":'}${"[".repeat(100_000)}9007199254740993${"]".repeat(100_000)}}`;
  const texts = [
    "",
    " ",
    "null",
    "[]",
    "1",
    '"ok"',
    "<!DOCTYPE html><h1>It works!</h1>",
    '{"data":1}',
    '{"status":"ok"',
    deep,
  ];
  for (const text of texts) {
    for (const [door, name] of [READ, WRITE]) {
      await t.step(`${JSON.stringify(text).slice(0, 50)} ${name}`, async () => {
        const { executor, posted } = await makeExecutor({ post: () => answer(text), secrets: ["a-long-secret"] });
        const failure = await failureOf(() => executor.call(door, name, {}, { signal: NEVER }));
        strictEqual(failure.kind, "invalid_answer");
        strictEqual(failure.outcome, name === WRITE[1] ? "unknown" : "failed");
        ok(failure.message.length < 300, "the text itself is not repeated");
        strictEqual(posted.length, 1);
      });
    }
  }
});

Deno.test("Executor.call() does not repeat what a host that is no bot says", async () => {
  verifies("bad-answers");
  const { executor } = await makeExecutor({ post: () => answer("<h1>private text</h1>", 502) });
  const { message, nextStep } = await failureOf(() => executor.call(...READ, {}, { signal: NEVER }));
  ok(message.includes("HTTP 502"));
  ok(!`${message} ${nextStep}`.includes("private"));
});

Deno.test("Executor.call() leaves a write in doubt that a defect broke off, and a read failed", async () => {
  verifies("outcome-write", "outcome-read");
  const defect = new TypeError("defect");
  const { executor } = await makeExecutor({ post: () => Promise.reject(defect) });
  const read = await failureOf(() => executor.call(...READ, {}, { signal: NEVER }));
  deepStrictEqual([read.kind, read.outcome, read.cause], ["internal", "failed", defect]);
  const write = await failureOf(() => executor.call(...WRITE, {}, { signal: NEVER }));
  deepStrictEqual([write.kind, write.outcome, write.cause], ["internal", "unknown", defect]);
});

Deno.test("Executor.call() leaves a write in doubt that was cancelled while it ran, whatever ended it", async () => {
  verifies("outcome-write");
  const controller = new AbortController();
  const { executor } = await makeExecutor({
    post: () => {
      controller.abort();
      return Promise.reject(new DOMException("aborted", "AbortError"));
    },
  });
  const { kind, outcome } = await failureOf(() => executor.call(...WRITE, {}, { signal: controller.signal }));
  deepStrictEqual([kind, outcome], ["cancelled", "unknown"]);
});
