import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { verifies } from "../../requirements.ts";
import { between, seeded } from "../support.ts";

const roundTrip = (text: string): string => JSON.stringify(parseJson(text));

Deno.test("parseJson() keeps every digit of whole numbers on both sides of the safe range", async (t) => {
  verifies("digits");
  const cases = [
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740991",
    "-9007199254740992",
    "-9007199254740993",
    "18446744073709551615",
    "-9223372036854775808",
    "1" + "0".repeat(400),
    "1234567890".repeat(30),
    "[9007199254740992,9007199254740993]",
    '{"a":{"b":[{"id":9007199254740993}]}}',
  ];
  for (const text of cases) await t.step(text.slice(0, 60), () => strictEqual(roundTrip(text), text));
});

Deno.test("parseJson() leaves digits in strings and field names alone", () => {
  verifies("digits");
  const text = '{"9007199254740993":"9007199254740993 apples","q":"\\"9007199254740993\\"","n":9007199254740993}';
  strictEqual(roundTrip(text), text);
  const value = parseJson(text) as Record<string, unknown>;
  strictEqual(value["9007199254740993"], "9007199254740993 apples");
});

Deno.test("parseJson() gives safe numbers and everything else as plain values", () => {
  verifies("passed-through");
  const text = '{"long":9007199254740993,"a":1,"b":-2000000001,"c":1.5,"d":null,"e":true,"f":"x","g":[],"h":{}}';
  const { long: _, ...rest } = parseJson(text) as Record<string, unknown>;
  deepStrictEqual(rest, JSON.parse('{"a":1,"b":-2000000001,"c":1.5,"d":null,"e":true,"f":"x","g":[],"h":{}}'));
  strictEqual((parseJson("9007199254740991") as number) - 1, 9007199254740990);
});

Deno.test("parseJson() keeps fractions and exponents as numbers", () => {
  for (const text of ["0.1234567890123456", "1e300", "1234567890123456.5", "-1e-7"]) {
    strictEqual(parseJson(text), Number(text));
  }
});

Deno.test("parseJson() keeps key order, odd keys and the last of equal keys, as JSON.parse does", () => {
  verifies("passed-through");
  for (const long of ["1", "9007199254740993"]) {
    strictEqual(
      roundTrip(`{"b":${long},"a":{"__proto__":${long},"constructor":1}}`),
      `{"b":${long},"a":{"__proto__":${long},"constructor":1}}`,
    );
    strictEqual(roundTrip(`{"a":1,"a":${long}}`), `{"a":${long}}`);
  }
});

Deno.test("parseJson() refuses what is not JSON, long numbers or not", async (t) => {
  const cases = [
    "",
    " ",
    "{",
    "[1,]",
    "01",
    "+1",
    "NaN",
    "'a'",
    "{}{}",
    "9007199254740993x",
    "[9007199254740993,]",
    "-",
  ];
  for (const text of cases) await t.step(text, () => throws(() => parseJson(text), SyntaxError));
});

/** Compact JSON text with long numbers, digits in strings and escapes anywhere. */
function randomJson(random: () => number, depth: number): string {
  const digits = (): string => {
    const first = String(between(random, 1, 9));
    return first + Array.from({ length: between(random, 0, 40) }, () => between(random, 0, 9)).join("");
  };
  const string = (): string => {
    const pieces = ["a", digits(), '"', "\\", "群", "\n", "😀", "-", ":", digits(), "{", "]"];
    const length = between(random, 0, 6);
    return JSON.stringify(Array.from({ length }, () => pieces[between(random, 0, pieces.length - 1)]).join(""));
  };
  const list = (item: () => string): string => Array.from({ length: between(random, 0, 5) }, item).join(",");
  switch (between(random, 0, depth > 0 ? 5 : 3)) {
    case 0:
      return (random() < 0.5 ? "-" : "") + digits();
    case 1:
    case 2:
      return string();
    case 3:
      return ["null", "true", "false", "0"][between(random, 0, 3)] ?? "null";
    case 4:
      return `[${list(() => randomJson(random, depth - 1))}]`;
    default: {
      let serial = 0; // keys differ, and none is an array index, which would change places
      return `{${list(() => `${JSON.stringify(`k${serial++}_${digits()}`)}:${randomJson(random, depth - 1)}`)}}`;
    }
  }
}

Deno.test("parseJson() then JSON.stringify() is the identity on 2,000 random documents", () => {
  verifies("digits", "passed-through");
  const random = seeded(20260728);
  let long = 0;
  for (let i = 0; i < 2_000; i++) {
    const text = randomJson(random, 4);
    strictEqual(roundTrip(text), text);
    if (/(?<!["\w])-?\d{17,}/.test(text)) long++;
  }
  strictEqual(long > 300, true, `only ${long} documents held a long number`);
});

Deno.test("parseJson() keeps numbers beyond all range, where JSON.parse would give infinity", () => {
  verifies("digits");
  for (const text of ['{"a":1e400}', "[-1E+999]", "1e309", '{"__proto__":9007199254740993}']) {
    strictEqual(JSON.stringify(parseJson(text)), text);
  }
  strictEqual(JSON.stringify(parseJson("[1e308,1e-400]")), "[1e+308,0]");
});

Deno.test("parseJson() takes no more than seconds for the worst line there can be, and any depth", () => {
  verifies("bounded");
  const start = performance.now();
  const items = parseJson(`[${"{},".repeat(5_000_000)}9007199254740993]`) as unknown[];
  strictEqual(items.length, 5_000_001);
  parseJson(`${"[".repeat(1_000_000)}9007199254740993${"]".repeat(1_000_000)}`);
  ok(performance.now() - start < 20_000);
});
