/** How params are read, by declared type. */
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import type { ParamSpec } from "../../../lib/catalog/types.ts";
import { findAction } from "../../../lib/simulator/catalog.ts";
import { coerceParams } from "../../../lib/simulator/coerce.ts";
import { ActionFailure } from "../../../lib/simulator/failure.ts";
import { verifies } from "../../requirements.ts";

const TEXT = { en: "", zh: "" };
const spec = (type: ParamSpec["type"], schema: ParamSpec["schema"] = {}, more: Partial<ParamSpec> = {}): ParamSpec => ({
  type,
  schema,
  required: false,
  text: TEXT,
  ...more,
});

const INT = spec("int", { type: "integer", minimum: -5, maximum: 10 });
const UINT = spec("uint", { type: "integer" });
const ID = spec("messageId", { type: "integer", not: { const: 0 } });
const STRING = spec("string", { type: "string" });
const FILLED = spec("string", { type: "string", minLength: 1 });
const BOOL = spec("bool", { type: "boolean" });
const UINTS = spec("uint[]", { type: "array", items: { type: "integer", minimum: 1 }, minItems: 1 });
const STRINGS = spec("string[]", { type: "array", items: { type: "string", minLength: 1 } });
const ENUM = spec("enum", { enum: ["mp3", "wav"] });
const MESSAGE = spec("message", {});

const ACCEPTED: [spec: ParamSpec, given: unknown, expected: unknown][] = [
  [INT, 7, 7],
  [INT, "7", 7],
  [INT, " 7 ", 7],
  [INT, 7.9, 7],
  [INT, "-1.9", -1],
  [INT, -0.5, 0],
  [INT, 10.9, 10],
  [UINT, 1, 1],
  [UINT, "10001", 10001],
  [ID, -2147483648, -2147483648],
  [ID, "-5", -5],
  [STRING, "", ""],
  [STRING, "a", "a"],
  [STRING, 5, "5"],
  [STRING, true, "true"],
  [FILLED, 0, "0"],
  [BOOL, true, true],
  [BOOL, false, false],
  [BOOL, 2, true],
  [BOOL, 0, false],
  [BOOL, "TRUE", true],
  [BOOL, "1", true],
  [BOOL, "Yes", true],
  [BOOL, "on", true],
  [BOOL, "false", false],
  [BOOL, "0", false],
  [BOOL, "NO", false],
  [BOOL, "off", false],
  [UINTS, [1, "2", 3.5], [1, 2, 3]],
  [STRINGS, ["a", 5, true], ["a", "5", "true"]],
  [STRINGS, [], []],
  [ENUM, "mp3", "mp3"],
  [spec("number"), "1.5", 1.5],
  [MESSAGE, 123, 123],
  [MESSAGE, [], []],
  [spec("raw"), null, null],
  [spec("raw"), { a: 1 }, { a: 1 }],
];

const REJECTED: [spec: ParamSpec, given: unknown][] = [
  [INT, null],
  [INT, "x"],
  [INT, ""],
  [INT, true],
  [INT, [1]],
  [INT, {}],
  [INT, -6],
  [INT, 11],
  [INT, "1e400"],
  [UINT, 0],
  [UINT, 0.9],
  [UINT, -1],
  [ID, 0],
  [ID, "0"],
  [ID, 0.5],
  [ID, null],
  [STRING, null],
  [STRING, []],
  [STRING, {}],
  [FILLED, ""],
  [BOOL, null],
  [BOOL, "maybe"],
  [BOOL, ""],
  [BOOL, []],
  [UINTS, 1],
  [UINTS, "[1]"],
  [UINTS, []],
  [UINTS, [0]],
  [UINTS, [null]],
  [UINTS, null],
  [STRINGS, "a"],
  [STRINGS, [""]],
  [STRINGS, [{}]],
  [ENUM, "ogg"],
  [ENUM, null],
  [MESSAGE, null],
  [spec("number"), "x"],
  [spec("number"), null],
];

Deno.test("coerceParams() bends values towards the declared type", () => {
  verifies("simulator-wire");
  for (const [param, given, expected] of ACCEPTED) {
    deepStrictEqual(
      coerceParams({ p: given }, { p: param }),
      { p: expected },
      `${param.type} ${JSON.stringify(given)}`,
    );
  }
});

Deno.test("coerceParams() rejects what cannot be bent, with 1400 and the field", () => {
  verifies("simulator-wire");
  for (const [param, given] of REJECTED) {
    throws(
      () => coerceParams({ p: given }, { p: param }),
      (error) => error instanceof ActionFailure && error.retcode === 1400 && /^p: ./.test(error.message),
      `${param.type} ${JSON.stringify(given)}`,
    );
  }
});

Deno.test("coerceParams() takes the default of an absent key only", () => {
  verifies("simulator-wire");
  const withDefault = { p: spec("int", { type: "integer" }, { default: 20 }) };
  deepStrictEqual(coerceParams({}, withDefault), { p: 20 });
  throws(() => coerceParams({ p: null }, withDefault), ActionFailure);
  deepStrictEqual(coerceParams({}, { p: INT }), {});
});

Deno.test("coerceParams() names the first bad field in declared order", () => {
  verifies("simulator-wire");
  const specs = { a: spec("int", {}, { required: true }), b: spec("int", {}, { required: true }) };
  throws(() => coerceParams({ b: "x" }, specs), { message: "a: is required" });
  throws(() => coerceParams({ b: "x", a: 1 }, specs), { message: "b: must be a number" });
});

Deno.test("coerceParams() passes unknown params on untouched", () => {
  verifies("simulator-wire");
  deepStrictEqual(coerceParams({ odd: null, p: "1" }, { p: INT }), { odd: null, p: 1 });
  const hostile = JSON.parse('{"__proto__": {"p": 1}}');
  strictEqual(Object.getPrototypeOf(coerceParams(hostile, { p: INT })), Object.prototype);
});

Deno.test("coerceParams() reads the params of catalog actions", () => {
  verifies("simulator-wire");
  const action = findAction("set_group_kick_members");
  const given = { group_id: "20001", user_id: ["1", 2], reject_add_request: "yes" };
  deepStrictEqual(coerceParams(given, action?.params ?? {}), {
    group_id: 20001,
    user_id: [1, 2],
    reject_add_request: true,
  });
});
