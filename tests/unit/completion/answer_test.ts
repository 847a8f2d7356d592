import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { loadActions } from "../../../lib/catalog/load.ts";
import type { CatalogAction } from "../../../lib/catalog/types.ts";
import { MAX_ANSWER_LENGTH, readAnswer } from "../../../lib/completion/answer.ts";
import { verifies } from "../../requirements.ts";

const actions = await loadActions();

function action(name: string): CatalogAction {
  const found = actions.find(name);
  ok(found, name);
  return found;
}

const SEND = action("send_group_msg");
const BAN = action("set_group_ban");

Deno.test("readAnswer() gives exactly the missing parameters", async () => {
  verifies("input-answer");
  deepStrictEqual(await readAnswer(SEND, ["message"], '{"message":"Hello"}'), { message: "Hello" });
  const text = '{"message":[{"type":"text","data":{"text":"[CQ:at,qq=all]"}}]}';
  strictEqual(JSON.stringify(await readAnswer(SEND, ["message"], text)), text);
  deepStrictEqual(await readAnswer(BAN, ["group_id", "user_id"], ' {"user_id": 30001,\n"group_id": 20001} '), {
    group_id: 20001,
    user_id: 30001,
  });
});

Deno.test("readAnswer() keeps the digits of long numbers", async () => {
  verifies("input-answer", "digits");
  const text = '{"user_id":9007199254740993}';
  strictEqual(JSON.stringify(await readAnswer(BAN, ["user_id"], text)), text);
});

const REFUSED: Array<[what: string, text: string, why: RegExp]> = [
  ["what is not JSON", "Hello", /not JSON/],
  ["nothing", "", /not JSON/],
  ["JSON with something behind it", '{"message":"x"} x', /not JSON/],
  ["a list", '["x"]', /not a JSON object/],
  ["null", "null", /not a JSON object/],
  ["a text", '"Hello"', /not a JSON object/],
  ["an empty object", "{}", /lacks message/],
  ["another field beside it", '{"message":"x","auto_escape":true}', /"auto_escape"/],
  ["a field that was given already", '{"message":"x","group_id":1}', /"group_id"/],
  ["a field named __proto__", '{"message":"x","__proto__":{"group_id":9}}', /"__proto__"/],
  ["a number instead", '{"message":5}', /\/message/],
  ["null instead", '{"message":null}', /\/message/],
  ["a segment without a type", '{"message":[{"data":{}}]}', /\/message/],
];

for (const [what, text, why] of REFUSED) {
  Deno.test(`readAnswer() refuses ${what}`, async () => {
    verifies("input-answer");
    await rejects(readAnswer(SEND, ["message"], text), { kind: "input", message: why, outcome: "failed" });
  });
}

Deno.test("readAnswer() refuses by type and never quotes a value", async () => {
  verifies("input-answer", "untrusted-text");
  const cases: ReadonlyArray<[of: CatalogAction, missing: string, value: unknown, why: string]> = [
    [BAN, "user_id", "HUSH", "/user_id must be integer, not a string"],
    [BAN, "user_id", 77.5, "/user_id must be integer, not a number"],
    [BAN, "user_id", true, "/user_id must be integer, not a boolean"],
    [BAN, "user_id", ["HUSH"], "/user_id must be integer, not an array"],
    [BAN, "user_id", { HUSH: "HUSH" }, "/user_id must be integer, not an object"],
    [BAN, "user_id", null, "/user_id must be integer, not null; leave it out instead, the bot refuses null"],
    [BAN, "user_id", -77, "/user_id must be >= 1, not a number"],
    [SEND, "message", 77, "/message must be string or array or object, not a number"],
    [SEND, "message", [{ type: 77 }], "/message/0/type must be string, not a number"],
  ];
  for (const [of, missing, value, why] of cases) {
    await rejects(readAnswer(of, [missing], JSON.stringify({ [missing]: value })), (error: Error) => {
      strictEqual(error.message, `Cannot call ${of.name} with this answer: ${why}`);
      ok(!/HUSH|77/.test(JSON.stringify({ ...error, message: error.message })));
      return true;
    });
  }
});

Deno.test("readAnswer() looks at every item of a list", async () => {
  verifies("input-answer");
  const segments = Array.from({ length: 300 }, () => ({ type: "text", data: { text: "x" } }));
  const text = JSON.stringify({ message: [...segments, 5] });
  await rejects(readAnswer(SEND, ["message"], text), { kind: "input", message: /\/message/ });
});

Deno.test("readAnswer() takes an answer of the longest length and none beyond", async () => {
  verifies("input-answer");
  const text = (length: number): string => `{"message":"${"x".repeat(length - 14)}"}`;
  strictEqual(text(MAX_ANSWER_LENGTH).length, 65_536);
  deepStrictEqual(Object.keys(await readAnswer(SEND, ["message"], text(MAX_ANSWER_LENGTH))), ["message"]);
  await rejects(readAnswer(SEND, ["message"], text(MAX_ANSWER_LENGTH + 1)), {
    kind: "input",
    message: /exceeds 65536/,
  });
});
