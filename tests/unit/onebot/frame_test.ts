import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { checkFrame, count, text } from "../../../lib/onebot/frame.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { verifies } from "../../requirements.ts";

/** A good frame; `data` that is an object is laid over its own. */
function frame(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { stream: "stream-action", status: "ok", retcode: 0, data: { type: "stream" }, wording: "", ...fields };
}

Deno.test("checkFrame() tells the role of a frame and keeps all of it", async (t) => {
  verifies("frames-checked");
  const failed = { status: "failed", retcode: 100 };
  const cases: Record<string, { value: Record<string, unknown>; role: string; data?: unknown }> = {
    "one of several": { value: frame(), role: "more" },
    "the last one": { value: frame({ data: { type: "response", data_type: "file_complete" } }), role: "last" },
    "unknown fields": { value: frame({ echo: 1, data: { type: "stream", later: [1] }, later: {} }), role: "more" },
    "a failed one": { value: frame({ ...failed, data: { type: "error" } }), role: "failed" },
    "a failed one without data": { value: frame({ ...failed, data: null }), role: "failed", data: {} },
    "a failed one with a list as data": { value: frame({ ...failed, data: [1] }), role: "failed", data: {} },
    "a failed one with a negative retcode": { value: frame({ ...failed, retcode: -1 }), role: "failed" },
  };
  for (const [name, { value, role, data = value.data }] of Object.entries(cases)) {
    await t.step(name, () => deepStrictEqual(checkFrame(value), { envelope: value, data, role }));
  }
});

Deno.test("checkFrame() refuses what is no frame or says two things", async (t) => {
  verifies("frames-checked");
  const cases: ReadonlyArray<readonly [why: string, ...values: unknown[]]> = [
    ["it is no OneBot envelope", null, 5, "ok", [frame()], {}, { stream: "stream-action", data: { type: "stream" } }],
    [
      "it lacks the mark of a stream frame",
      { status: "ok", retcode: 0, data: null },
      ...["", "stream", "Stream-Action", null, true, ["stream-action"]].map((stream) => frame({ stream })),
    ],
    [
      "its retcode is no whole number",
      ...["0", 1.5, null, true, undefined, NaN, parseJson("9007199254740993")].map((retcode) => frame({ retcode })),
      frame({ status: "failed", retcode: "100" }),
    ],
    ["it is failed with retcode 0", frame({ status: "failed", data: { type: "error" } })],
    ["its status is neither ok nor failed", ...["OK", "async", "", null, 1].map((status) => frame({ status }))],
    ["it is ok with a retcode other than 0", frame({ retcode: 1 }), frame({ retcode: 100 })],
    ["its data is no object", ...[null, undefined, "stream", 5, [{ type: "stream" }]].map((data) => frame({ data }))],
    [
      "its type is neither stream nor response",
      ...[undefined, "error", "reset", "Stream", null, ["stream"]].map((type) => frame({ data: { type } })),
    ],
  ];
  for (const [why, ...values] of cases) {
    await t.step(why, () => {
      const fault = { name: "StreamFault", kind: "invalid_answer", message: `a frame is malformed: ${why}` };
      for (const value of values) throws(() => checkFrame(value), fault, JSON.stringify(value));
    });
  }
});

Deno.test("count() gives whole numbers from 0 and refuses everything else", () => {
  verifies("frames-checked");
  for (const value of [0, 1, 4_294_967_296, Number.MAX_SAFE_INTEGER]) strictEqual(count({ n: value }, "n"), value);
  const message = "a frame is malformed: its n is no whole number from 0";
  for (const value of ["0", -1, 1.5, 2 ** 53, NaN, Infinity, null, undefined, true, [0], parseJson(`${2n ** 64n}`)]) {
    throws(() => count({ n: value }, "n"), { kind: "invalid_answer", message }, JSON.stringify(value));
  }
});

Deno.test("text() gives texts, also the empty one, and refuses everything else", () => {
  verifies("frames-checked");
  for (const value of ["", "群"]) strictEqual(text({ s: value }, "s"), value);
  const message = "a frame is malformed: its s is no text";
  for (const value of [5, null, undefined, ["a"], { length: 1 }, true]) {
    throws(() => text({ s: value }, "s"), { kind: "invalid_answer", message }, JSON.stringify(value));
  }
});
