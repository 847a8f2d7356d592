import { strictEqual } from "node:assert/strict";
import { isAuthRefusal, isEnvelope, outcomeOf, reasonOf } from "../../../lib/onebot/envelope.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { verifies } from "../../requirements.ts";

Deno.test("outcomeOf() follows status and retcode together", async (t) => {
  verifies("envelope-judged", "outcome-async");
  const cases = [
    { envelope: '{"status":"ok","retcode":0,"data":{}}', expected: "success" },
    { envelope: '{"retcode":0,"x":1,"status":"ok"}', expected: "success" },
    { envelope: '{"status":"failed","retcode":100,"data":null}', expected: "failed" },
    { envelope: '{"status":"failed","retcode":1400}', expected: "failed" },
    { envelope: '{"status":"failed","retcode":-1}', expected: "failed" },
    { envelope: '{"status":"async","retcode":1}', expected: "unknown" },
    { envelope: '{"status":"async","retcode":0}', expected: "unknown" },
    { envelope: '{"status":"ok","retcode":1}', expected: "unknown" },
    { envelope: '{"status":"ok","retcode":100}', expected: "unknown" },
    { envelope: '{"status":"failed","retcode":0}', expected: "unknown" },
    { envelope: '{"status":"ok"}', expected: "unknown" },
    { envelope: '{"status":"failed"}', expected: "unknown" },
    { envelope: '{"retcode":0}', expected: "unknown" },
    { envelope: '{"retcode":100}', expected: "unknown" },
    { envelope: '{"status":"ok","retcode":"0"}', expected: "unknown" },
    { envelope: '{"status":"ok","retcode":null}', expected: "unknown" },
    { envelope: '{"status":"ok","retcode":false}', expected: "unknown" },
    { envelope: '{"status":"ok","retcode":9007199254740993}', expected: "unknown" },
    { envelope: '{"status":"OK","retcode":0}', expected: "unknown" },
    { envelope: '{"status":true,"retcode":0}', expected: "unknown" },
    { envelope: '{"status":null,"retcode":0}', expected: "unknown" },
    { envelope: '{"status":"failed","retcode":"100"}', expected: "unknown" },
  ];
  for (const { envelope, expected } of cases) {
    await t.step(envelope, () => {
      const value = parseJson(envelope);
      strictEqual(isEnvelope(value) && outcomeOf(value), expected);
    });
  }
});

Deno.test("isEnvelope() wants an object with a status or a retcode of its own", async (t) => {
  verifies("bad-answers");
  for (
    const text of [
      "null",
      "[]",
      '[{"status":"ok","retcode":0}]',
      "1",
      '"ok"',
      "true",
      "{}",
      '{"data":{}}',
      '{"status":200,"error":"x"}',
    ]
  ) {
    await t.step(text, () => strictEqual(isEnvelope(JSON.parse(text)), false));
  }
  strictEqual(isEnvelope(Object.create({ status: "ok", retcode: 0 })), false);
  strictEqual(isEnvelope(undefined), false);
  for (const text of ['{"status":"ok"}', '{"retcode":0}', '{"status":"ok","retcode":0}']) {
    await t.step(text, () => strictEqual(isEnvelope(JSON.parse(text)), true));
  }
});

Deno.test("isAuthRefusal() knows 1401 and 1403", () => {
  verifies("auth");
  for (const retcode of [1401, 1403]) strictEqual(isAuthRefusal({ retcode }), true);
  for (const retcode of [0, 100, 401, 403, 1400, 1404, "1401", null]) strictEqual(isAuthRefusal({ retcode }), false);
});

Deno.test("reasonOf() gives wording before message, cut to 500 characters, and nothing for no text", async (t) => {
  const cases = [
    { envelope: { wording: "muted" }, expected: "muted" },
    { envelope: { message: "muted" }, expected: "muted" },
    { envelope: { wording: "first", message: "second" }, expected: "first" },
    { envelope: { wording: "", message: "second" }, expected: "second" },
    { envelope: { wording: 5, message: "second" }, expected: "second" },
    { envelope: { wording: "", message: "" }, expected: undefined },
    { envelope: { wording: null }, expected: undefined },
    { envelope: {}, expected: undefined },
    { envelope: { wording: "w".repeat(500) }, expected: "w".repeat(500) },
    { envelope: { wording: "w".repeat(501) }, expected: `${"w".repeat(500)}…` },
  ];
  for (const { envelope, expected } of cases) {
    await t.step(JSON.stringify(envelope).slice(0, 60), () => strictEqual(reasonOf(envelope), expected));
  }
});
