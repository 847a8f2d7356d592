import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { describeAction, describeLine, inputSchema } from "../../../lib/catalog/describe.ts";
import type { ParamSpec } from "../../../lib/catalog/types.ts";
import { verifies } from "../../requirements.ts";
import { makeAction, realCatalog } from "../support.ts";

const text = (word: string): { en: string; zh: string } => ({ en: `${word}.`, zh: `${word}。` });

const WAIT: ParamSpec = {
  type: "int",
  schema: { type: "integer", minimum: 0 },
  required: false,
  default: 0,
  unit: "s",
  text: text("Wait"),
};
const TARGET: ParamSpec = { type: "uint", schema: { type: "integer", minimum: 1 }, required: true, text: text("Who") };

const FULL = makeAction({
  name: "feed_cat",
  aliases: ["cat.feed"],
  summary: text("Feeds"),
  params: { target: TARGET, wait: WAIT },
  undeclared: { hidden: { ...TARGET, required: false } },
  rules: [{ check: "live", text: text("Rule") }],
  notes: [text("Note")],
  returns: { type: "null" },
  examples: [{ summary: text("Example"), params: { target: 1 }, notes: text("From") }, {
    summary: text("Bare"),
    params: {},
  }],
});

Deno.test("describeLine() gives exactly the seven fields of a list", () => {
  verifies("list-shape");
  deepStrictEqual(describeLine(FULL, "en"), {
    name: "feed_cat",
    category: "message",
    summary: "Feeds.",
    aliases: ["cat.feed"],
    readOnly: true,
    stream: false,
    risk: "read",
  });
});

Deno.test("describeAction() gives the whole page in the asked language", async (t) => {
  verifies("get-action", "language");
  for (const lang of ["en", "zh"] as const) {
    await t.step(lang, () => {
      const say = (word: string): string => text(word)[lang];
      deepStrictEqual(describeAction(FULL, lang), {
        ...describeLine(FULL, lang),
        inputSchema: {
          type: "object",
          properties: {
            target: { type: "integer", minimum: 1, description: say("Who") },
            wait: { type: "integer", minimum: 0, default: 0, description: `${say("Wait")} [s]` },
          },
          required: ["target"],
        },
        undeclaredParams: { hidden: { type: "integer", minimum: 1, description: say("Who") } },
        invariants: [say("Rule")],
        notes: [say("Note")],
        returnsSchema: { type: "null" },
        examples: [
          { summary: say("Example"), params: { target: 1 }, notes: say("From") },
          { summary: say("Bare"), params: {} },
        ],
      });
    });
  }
});

Deno.test("describeAction() leaves out what an action does not have", () => {
  const page = describeAction(makeAction({ name: "plain" }), "en");
  ok(!("placeholder" in page));
  ok(!("undeclaredParams" in page));
  deepStrictEqual(page.inputSchema, { type: "object", properties: {} });
});

Deno.test("describeAction() says that an answer is made up, beside it and in its schema", () => {
  const action = makeAction({ name: "plain", placeholder: text("Made up"), returns: { type: "object" } });
  const page = describeAction(action, "zh");
  strictEqual(page.placeholder, "Made up。");
  deepStrictEqual(page.returnsSchema, { description: "Made up。", type: "object" });
});

Deno.test("inputSchema() stays open, so that what the bot ignores passes", async () => {
  for (const action of (await realCatalog()).actions) {
    ok(!("additionalProperties" in inputSchema(action, "en")), action.name);
  }
});

Deno.test("inputSchema() writes falsy defaults and leaves absent ones out", () => {
  for (const value of [0, false, "", null]) {
    const schema = inputSchema(makeAction({ name: "a", params: { p: { ...WAIT, default: value } } }), "en");
    strictEqual((schema.properties as { p: { default: unknown } }).p.default, value);
  }
  const { properties } = inputSchema(makeAction({ name: "a", params: { p: TARGET } }), "en");
  ok(!("default" in (properties as { p: object }).p));
});

Deno.test("describeAction() in Chinese has no English summary, for all actions", async () => {
  verifies("language");
  for (const action of (await realCatalog()).actions) {
    const page = describeAction(action, "zh");
    strictEqual(page.summary, action.summary.zh);
    for (const sentence of [page.summary, ...page.invariants, ...page.notes]) {
      ok(/\p{Script=Han}/u.test(sentence), `${action.name}: ${sentence}`);
    }
  }
});
