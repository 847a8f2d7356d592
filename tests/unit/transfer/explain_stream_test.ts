import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Failure } from "../../../lib/errors.ts";
import { ExchangeError } from "../../../lib/onebot/exchange.ts";
import { Redactor } from "../../../lib/redact.ts";
import { explainStream, type FailedCall } from "../../../lib/transfer/explain_stream.ts";
import { Refusal } from "../../../lib/transfer/frames.ts";
import { verifies } from "../../requirements.ts";
import { deeplyNested, makeAction } from "../support.ts";
import { failedFrame, fault } from "./support.ts";

const TOKEN = "tok_SECRET+/=1";
const CALL: FailedCall = {
  action: makeAction({ name: "download_file_stream", stream: true, readOnly: false }),
  params: {},
  redactor: new Redactor([TOKEN]),
  inDoubt: false,
};

Deno.test("explainStream() tells every fault by kind and reason; only what changes something is in doubt", async (t) => {
  verifies("stream-refused", "stream-ends", "upload-unknown");
  const cases: Record<string, { error: unknown; kind: string; says: RegExp; refused?: boolean }> = {
    "a broken rule": {
      error: fault("invalid_answer", "a chunk is late"),
      kind: "invalid_answer",
      says: /: a chunk is late$/,
    },
    "a limit": { error: fault("too_large", "too much"), kind: "too_large", says: /: too much$/ },
    "a pause": {
      error: new ExchangeError("timeout", true, "nothing came for 5 ms"),
      kind: "timeout",
      says: /\(nothing came for 5 ms\)$/,
    },
    "an end": {
      error: new ExchangeError("cut", true, "the stream is empty"),
      kind: "cut",
      says: /\(the stream is empty\)$/,
    },
    "a defect": { error: new TypeError("x"), kind: "internal", says: /: an internal error broke the stream off$/ },
    "a refused connection": {
      error: new ExchangeError("connect", false),
      kind: "connect",
      says: /no connection/,
      refused: true,
    },
    "a failed frame": {
      error: new Refusal(200, failedFrame("not there", 100)),
      kind: "action_failed",
      says: /^download_file_stream failed: retcode 100, "not there"$/,
      refused: true,
    },
    "a refused token": {
      error: new Refusal(200, failedFrame("no", 1401)),
      kind: "auth",
      says: /retcode 1401, "no"$/,
      refused: true,
    },
    "a refused token without words": { error: new Refusal(401), kind: "auth", says: /HTTP 401$/, refused: true },
  };
  for (const [name, { error, kind, says, refused }] of Object.entries(cases)) {
    for (const inDoubt of [false, true]) {
      await t.step(`${name}${inDoubt ? ", in doubt" : ""}`, () => {
        const failure = explainStream(error, { ...CALL, inDoubt });
        const unknown = inDoubt && !refused;
        deepStrictEqual([failure.kind, failure.outcome], [kind, unknown ? "unknown" : "failed"]);
        match(failure.message, says);
        ok(failure.nextStep.endsWith("."));
        strictEqual(failure.message.includes("may have taken effect"), unknown);
      });
    }
  }
});

Deno.test("explainStream() takes a refusal with HTTP 5xx for one only where nothing can have changed", () => {
  verifies("stream-refused", "upload-unknown");
  for (
    const [status, inDoubt, kind, outcome] of [
      [499, true, "action_failed", "failed"],
      [500, false, "action_failed", "failed"],
      [500, true, "not_confirmed", "unknown"],
      [504, true, "not_confirmed", "unknown"],
    ] as const
  ) {
    const failure = explainStream(new Refusal(status, failedFrame("why")), { ...CALL, inDoubt });
    deepStrictEqual([failure.kind, failure.outcome], [kind, outcome], `HTTP ${status}`);
    match(failure.message, /failed: retcode 100, "why"$/);
    strictEqual(failure.message.includes(`: HTTP ${status}, `), outcome === "unknown");
  }
});

Deno.test("explainStream() leaves a failure as it is, and else says which of several calls it was", () => {
  const failure = new Failure("quota", "Cannot", "Do.");
  strictEqual(explainStream(failure, { ...CALL, where: "chunk 1 of 2" }), failure);
  const { message, outcome, kind } = explainStream(fault("too_large", "x"), {
    ...CALL,
    inDoubt: true,
    where: "last call",
  });
  deepStrictEqual([message, outcome, kind], [
    "download_file_stream may have taken effect: x, in last call",
    "unknown",
    "too_large",
  ]);
});

Deno.test("explainStream() masks the token before it cuts the wording to 500 characters", () => {
  verifies("no-token", "stream-refused");
  for (const before of [0, 480, 490, 495, 499]) {
    const { message } = explainStream(
      new Refusal(200, failedFrame("x".repeat(before) + TOKEN + "y".repeat(1e6))),
      CALL,
    );
    ok(message.length < 600, `${message.length} characters`);
    ok(!message.includes("tok_"), message);
  }
});

Deno.test("explainStream() tells a refusal with whatever else is in it", async (t) => {
  verifies("stream-refused");
  const deep = deeplyNested();
  for (const fields of [{ data: deep }, { wording: deep }, { message: deep, wording: null }, { wording: 5 }]) {
    await t.step(Object.keys(fields).join(), () => {
      const { kind, message } = explainStream(new Refusal(200, { ...failedFrame("why"), ...fields }), CALL);
      strictEqual(kind, "action_failed");
      match(message, "message" in fields ? /retcode 100$/ : /retcode 100, "why"$/);
    });
  }
});
