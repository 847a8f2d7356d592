import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Failure, FAILURE_KINDS, type FailureKind } from "../../../lib/errors.ts";
import { OUTPUT_SCHEMA, toCallResult, toErrorResult } from "../../../lib/mcp/result.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { verifies } from "../../requirements.ts";

const fits = new Ajv2020({ strict: false }).compile(OUTPUT_SCHEMA);

Deno.test("toCallResult() gives the result as compact JSON, and again in structured content", () => {
  verifies("result-shape");
  for (const result of [{ a: [1, "群"], b: null }, [], null, "text", 0, false, {}]) {
    const answer = toCallResult({ result });
    deepStrictEqual(answer, {
      content: [{ type: "text", text: JSON.stringify(result) }],
      structuredContent: { result, diagnostics: { outcome: "success" } },
    });
  }
});

Deno.test("toCallResult() keeps digits and key order in text and in structured content", () => {
  verifies("digits", "passed-through");
  const text = '{"z":9007199254740993,"a":"9007199254740993","1":1}';
  const answer = toCallResult({ result: parseJson(text) });
  const [content] = answer.content;
  strictEqual(content?.type === "text" && content.text, JSON.stringify(parseJson(text)));
  ok(JSON.stringify(answer.structuredContent).includes('"z":9007199254740993,"a":"9007199254740993"'));
});

Deno.test("toCallResult() never sets isError, whatever the bot said", () => {
  verifies("business-failure");
  const diagnostics = { outcome: "failed", kind: "action_failed", message: "m", next_step: "n" } as const;
  const answer = toCallResult({ result: { status: "failed", retcode: 100 }, diagnostics });
  ok(!("isError" in answer));
  deepStrictEqual(answer.structuredContent, { result: { status: "failed", retcode: 100 }, diagnostics });
});

Deno.test("toErrorResult() gives message, then next step, and a null result", () => {
  verifies("result-shape");
  const failure = new Failure("cut", "It may have", "Check first.", { outcome: "unknown" });
  deepStrictEqual(toErrorResult(failure), {
    content: [{ type: "text", text: "It may have. Check first." }],
    structuredContent: {
      result: null,
      diagnostics: { outcome: "unknown", kind: "cut", message: "It may have", next_step: "Check first." },
    },
    isError: true,
  });
});

Deno.test("toCallResult() and toErrorResult() fit the schema that every tool announces, for every kind", () => {
  verifies("output-schema");
  for (const kind of Object.keys(FAILURE_KINDS) as FailureKind[]) {
    for (const outcome of ["failed", "unknown"] as const) {
      const answer = toErrorResult(new Failure(kind, "m", "n", { outcome }));
      ok(fits(JSON.parse(JSON.stringify(answer.structuredContent))), kind);
    }
  }
  for (const result of [null, [], {}, "x", 1, true]) ok(fits(toCallResult({ result }).structuredContent));
  ok(!fits({ result: 1 }));
  ok(!fits({ result: 1, diagnostics: { outcome: "maybe" } }));
});
