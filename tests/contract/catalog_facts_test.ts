/** The authored catalog against the recorded facts (`facts.json`), action by action. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { ActionSpec, ParamSpec } from "../../catalog/action.ts";
import { ACTIONS } from "../../catalog/actions/mod.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import facts from "./facts.json" with { type: "json" };
import { verifies } from "../requirements.ts";

interface FactParam {
  name: string;
  type: string;
  required: boolean;
  default?: unknown;
  schema?: unknown;
}

const SECRET = [
  "get_cookies",
  "get_credentials",
  "get_csrf_token",
  "get_clientkey",
  "get_rkey",
  "get_rkey_server",
  "request_decrypt_key",
];
const DANGEROUS = ["send_packet", "bot_exit", "set_restart", "clean_stream_temp_file", "delete_friend"];
const byName: ReadonlyMap<string, ActionSpec> = new Map(ACTIONS.map((action) => [action.name, action]));
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  strictTypes: false,
  strictRequired: true,
});

Deno.test("the catalog has exactly the 179 actions of the facts", () => {
  strictEqual(ACTIONS.length, 179);
  deepStrictEqual([...byName.keys()].sort(), facts.actions.map((fact) => fact.name).sort());
});

for (const fact of facts.actions) {
  Deno.test(`catalog: ${fact.name} equals the facts`, () => {
    verifies("catalog-facts", "catalog-risk");
    const action = byName.get(fact.name);
    ok(action !== undefined, "the action is missing");
    deepStrictEqual(action.aliases ?? [], fact.aliases);
    strictEqual(action.category, fact.category);
    strictEqual(action.readOnly ?? false, fact.read_only);
    strictEqual(action.stream ?? false, fact.stream);
    const risk = SECRET.includes(fact.name) ? "secret" : DANGEROUS.includes(fact.name) ? "dangerous" : undefined;
    strictEqual(action.risk, risk);
    const params = fact.params as FactParam[];
    deepStrictEqual(Object.keys(action.params), params.map((param) => param.name), "parameter names in order");
    for (const param of params) {
      const spec: ParamSpec | undefined = action.params[param.name];
      ok(spec !== undefined);
      strictEqual(spec.type, param.type, `${param.name}: type`);
      strictEqual(spec.required, param.required, `${param.name}: required`);
      deepStrictEqual(spec.default, param.default, `${param.name}: default`);
      strictEqual("default" in spec, "default" in param, `${param.name}: has a default`);
      if (param.schema !== undefined) deepStrictEqual(spec.schema, param.schema, `${param.name}: schema`);
    }
    const shape = JSON.parse(
      JSON.stringify(action.returns),
      (key, value) => key === "description" && typeof value === "string" ? undefined : value,
    );
    deepStrictEqual(sortedRequired(shape), sortedRequired(fact.returns), "returns");
  });
}

for (const action of ACTIONS) {
  Deno.test(`catalog: ${action.name} is told in full`, () => {
    verifies("catalog-told");
    const { en, zh } = action.summary;
    ok(/^[A-Z]/.test(en) && en.endsWith("."), `the English summary is a sentence: ${en}`);
    ok(en.length <= 72, `the English summary has at most 72 characters: ${en.length}`);
    ok(zh.length > 0 && zh.length <= 28, `the Chinese summary has at most 28 characters: ${zh.length}`);
    for (const text of texts(action)) {
      ok(text.en.trim().length > 0 && /[a-zA-Z]/.test(text.en), `an English text is missing beside: ${text.zh}`);
      ok(/\p{Script=Han}/u.test(text.zh), `a Chinese text is missing beside: ${text.en}`);
      ok(!/\p{Script=Han}/u.test(text.en), `Chinese in an English text: ${text.en}`);
    }
    if (action.placeholder === undefined && action.returns.not !== undefined) {
      ok((action.notes ?? []).length > 0, "an action that cannot succeed says why");
    }
  });

  Deno.test(`catalog: ${action.name} has rules that name its parameters, and schemas that compile`, () => {
    const known = new Set([...Object.keys(action.params), ...Object.keys(action.undeclared ?? {})]);
    for (const rule of action.rules ?? []) {
      const names = rule.check === "live"
        ? []
        : "params" in rule
        ? rule.params
        : rule.check === "requires"
        ? [rule.param, ...rule.needs]
        : rule.check === "less_than"
        ? [rule.param, rule.than]
        : [rule.param];
      for (const name of names) ok(known.has(name), `rule names ${name}`);
    }
    ajv.compile(action.returns);
    const properties = Object.fromEntries(
      Object.entries({ ...action.params, ...action.undeclared }).map(([name, param]) => [name, param.schema]),
    );
    const required = Object.entries(action.params).filter(([, param]) => param.required).map(([name]) => name);
    const validate = ajv.compile({ type: "object", properties, required });
    for (const example of action.examples) {
      ok(validate(example.params), `${example.summary.en}: ${ajv.errorsText(validate.errors)}`);
      for (const name of Object.keys(example.params)) ok(known.has(name), `an example passes unknown ${name}`);
    }
  });
}

function* texts(action: ActionSpec): Generator<{ en: string; zh: string }> {
  yield action.summary;
  for (const param of Object.values({ ...action.params, ...action.undeclared })) yield param.text;
  for (const rule of action.rules ?? []) yield rule.text;
  yield* action.notes ?? [];
  if (action.placeholder) yield action.placeholder;
  for (const example of action.examples) {
    yield example.summary;
    if (example.notes) yield example.notes;
  }
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The order in `required` carries no meaning, and an empty one none at all. */
function sortedRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(sortedRequired);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).filter(([key, value]) => !(key === "required" && isEmpty(value))).map(([key, value]) => [
      key,
      key === "required" && Array.isArray(value) ? value.toSorted() : sortedRequired(value),
    ]),
  );
}
