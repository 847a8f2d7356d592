/** Checks a call against the catalog without the bot: schema first, then the rules between parameters. */
import type { Ajv } from "@modelcontextprotocol/server/validators/ajv";
import { isRawNumber } from "../onebot/lossless_json.ts";
import { inputSchema, type Lang } from "./describe.ts";
import type { CatalogAction, Risk, Rule } from "./types.ts";
import { OWNED_PARAMS, UPLOAD_ACTION } from "./upload_params.ts";

/** One thing that is wrong with a call. */
export interface Problem {
  /** JSON Pointer (RFC 6901) into `params`; empty for the whole. */
  readonly path: string;
  /** What is wrong, as the end of a sentence that begins with the parameter. */
  readonly message: string;
}

/** What a check found. */
export interface CheckReport {
  /** Canonical name. */
  readonly action: string;
  /** Whether the catalog knows nothing against the call; the bot may still refuse it. */
  readonly valid: boolean;
  /** All of them at once, 100 at most. */
  readonly problems: readonly Problem[];
  /** Required parameters that are absent. */
  readonly missing: readonly string[];
  /** Parameters the action does not know: the bot ignores them without a word. */
  readonly unknown_params: readonly string[];
  /** What a call can do at worst; `secret` and `dangerous` ones are refused unless allowed by name. */
  readonly risk: Risk;
  /** The tool that calls it. */
  readonly tool: "query_action" | "invoke_action";
}

/** Most problems in one report, and most unknown parameters. */
export const MAX_PROBLEMS = 100;
/** Items of a list that are looked at: the validator finds every problem, and a line holds millions of items. */
export const MAX_CHECKED_ITEMS = 200;
/** Levels of parameters that are looked at; the catalog's schemas have fewer. */
const MAX_DEPTH = 6;

type Params = Readonly<Record<string, unknown>>;
type ValidateFunction = ReturnType<InstanceType<typeof Ajv>["compile"]>;
type ErrorObject = NonNullable<ValidateFunction["errors"]>[number];

/**
 * Finds everything that is wrong with `params`, at once. Rules that depend on the bot's state are not checked, and of
 * long or deep values only the first 200 items and 6 levels. Needs no permission.
 *
 * @param params What a call would send.
 * @param lang Of messages that come from the catalog's rules; others are English.
 * @param withFile Whether the call comes with a file to upload, whose transfer sets some parameters by itself.
 */
export async function checkCall(
  action: CatalogAction,
  params: Readonly<Record<string, unknown>>,
  lang: Lang,
  withFile: boolean = false,
): Promise<CheckReport> {
  const plain = forChecking(params, MAX_DEPTH) as Params;
  const validate = await validatorOf(action);
  validate(plain);
  const owned = withFile && action.name === UPLOAD_ACTION ? OWNED_PARAMS : [];
  const missing = Object.keys(action.params).filter((name) =>
    action.params[name]?.required && !Object.hasOwn(plain, name) && !owned.includes(name)
  );
  const problems = [
    ...withFile && action.name !== UPLOAD_ACTION
      ? [{ path: "", message: `execution.input_file goes with ${UPLOAD_ACTION} alone` }]
      : [],
    ...owned.filter((name) => Object.hasOwn(plain, name)).map((name) => ({
      path: pointer(name),
      message: "is set by the transfer of execution.input_file",
    })),
    ...missing.map((name) => ({ path: pointer(name), message: "is required" })),
    ...(validate.errors ?? []).slice(0, MAX_PROBLEMS).map((error) => explain(error, quote)),
    ...action.rules.filter((rule) => breaks(rule, plain)).map((rule) => ({
      path: "param" in rule ? pointer(rule.param) : "",
      message: rule.text[lang],
    })),
  ].slice(0, MAX_PROBLEMS);
  return {
    action: action.name,
    valid: problems.length === 0,
    problems,
    missing,
    unknown_params: Object.keys(plain).filter((name) =>
      !Object.hasOwn(action.params, name) && !Object.hasOwn(action.undeclared, name)
    ).slice(0, MAX_PROBLEMS),
    risk: action.risk,
    tool: action.readOnly ? "query_action" : "invoke_action",
  };
}

/**
 * What the action's schemas have against these parameters, and nothing about others: at most {@link MAX_PROBLEMS}.
 * Values are not quoted.
 */
export async function findProblems(action: CatalogAction, params: Params): Promise<Problem[]> {
  const validate = await validatorOf(action);
  validate(forChecking(params, MAX_DEPTH, Infinity));
  return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map((error) => explain(error, (data) => `a ${typeof data}`));
}

/** The part of a value that schemas look at, with every number a JavaScript number. */
function forChecking(value: unknown, depth: number, items: number = MAX_CHECKED_ITEMS): unknown {
  if (isRawNumber(value)) return Number(value.rawJSON);
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.slice(0, items).map((item) => forChecking(item, depth - 1, items));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, forChecking(item, depth - 1, items)]));
}

const validators = new WeakMap<CatalogAction, ValidateFunction>();

/** The SDK carries ajv; our schemas use nothing in which its draft-07 class differs from 2020-12. */
async function validatorOf(action: CatalogAction): Promise<ValidateFunction> {
  const known = validators.get(action);
  if (known) return known;
  const { Ajv } = await import("@modelcontextprotocol/server/validators/ajv");
  const { properties } = inputSchema(action, "en");
  const undeclared = Object.fromEntries(Object.entries(action.undeclared).map(([name, { schema }]) => [name, schema]));
  const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false, verbose: true });
  const validate = ajv.compile({ type: "object", properties: { ...properties as object, ...undeclared } });
  validators.set(action, validate);
  return validate;
}

function pointer(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function quote(data: unknown): string {
  return JSON.stringify(data).slice(0, 60);
}

/** A schema error in words that name what was given. @param show Tells a text, a number or a boolean. */
function explain(
  { instancePath, keyword, params, schema, message, data }: ErrorObject,
  show: (data: unknown) => string,
): Problem {
  if (keyword === "required") return { path: instancePath + pointer(params.missingProperty), message: "is required" };
  const given = data === null
    ? "null"
    : Array.isArray(data)
    ? "an array"
    : typeof data === "object"
    ? "an object"
    : show(data);
  const must = keyword === "not" && (schema as { const?: unknown }).const === 0
    ? "must not be 0"
    : keyword === "enum"
    ? `must be one of ${(params.allowedValues as unknown[]).join(", ")}`
    : keyword === "type"
    ? `must be ${[params.type].flat().join(" or ")}`
    : message ?? `breaks ${keyword}`;
  const advice = data === null ? "; leave it out instead, the bot refuses null" : "";
  return { path: instancePath, message: `${must}, not ${given}${advice}` };
}

/** Whether a parameter counts as given, for rules. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function breaks(rule: Rule, params: Params): boolean {
  const value = (name: string): unknown => Object.hasOwn(params, name) ? params[name] : undefined;
  switch (rule.check) {
    case "any_of":
      return !rule.params.some((name) => isGiven(value(name)));
    case "requires": {
      const given = value(rule.param);
      const applies = rule.equals === undefined ? isGiven(given) : rule.equals.includes(given);
      return applies && !rule.needs.every((name) => isGiven(value(name)));
    }
    case "values":
      return isGiven(value(rule.param)) && !rule.in.includes(value(rule.param));
    case "pattern": {
      const given = value(rule.param);
      return isGiven(given) && !(typeof given === "string" && new RegExp(rule.pattern).test(given));
    }
    case "less_than": {
      const [small, large] = [value(rule.param), value(rule.than)];
      return typeof small === "number" && typeof large === "number" && small >= large;
    }
    case "live":
      return false;
  }
}
