/**
 * How the bot reads a parameter: it bends a value towards the declared type and only then checks bounds.
 * Everything here follows from the type and the schema in the catalog; no action is known by name.
 */
import type { ParamSpec } from "../catalog/types.ts";
import { invalid } from "./failure.ts";
import { isRecord, numberFrom } from "./json_values.ts";

const TRUE_WORDS = ["true", "1", "yes", "on"];
const FALSE_WORDS = ["false", "0", "no", "off"];

/**
 * Params as the action sees them: declared ones coerced or defaulted, unknown ones passed through untouched,
 * since some actions read params they do not declare.
 *
 * @throws ActionFailure with retcode 1400, naming the first bad field in the order of the declaration.
 */
export function coerceParams(
  given: Readonly<Record<string, unknown>>,
  specs: Readonly<Record<string, ParamSpec>>,
): Record<string, unknown> {
  const coerced: Record<string, unknown> = { ...given };
  for (const [name, spec] of Object.entries(specs)) {
    if (Object.hasOwn(given, name)) coerced[name] = coerceValue(name, given[name], spec);
    else if (spec.required) throw invalid(name, "is required");
    else if (spec.default !== undefined) coerced[name] = spec.default;
  }
  return coerced;
}

function coerceValue(name: string, value: unknown, spec: ParamSpec): unknown {
  if (spec.type === "raw") return value;
  // An explicit null counts as present, and no typed field takes it.
  if (value === null) throw invalid(name, "must not be null");
  switch (spec.type) {
    case "int":
    case "messageId":
      return integer(name, value, spec.schema);
    case "uint":
      return integer(name, value, { minimum: 1, ...spec.schema });
    case "number":
      return number(name, value);
    case "bool":
      return boolean(name, value);
    case "string":
      return text(name, value, spec.schema);
    case "enum":
      return choice(name, value, spec.schema);
    case "string[]":
    case "uint[]":
      return list(name, value, spec);
    case "message":
      return value;
  }
}

function number(name: string, value: unknown): number {
  const read = numberFrom(value);
  if (read === undefined) throw invalid(name, "must be a number");
  return read;
}

function integer(name: string, value: unknown, schema: ParamSpec["schema"]): number {
  // Adding 0 turns the -0 that truncation leaves behind into 0.
  const read = Math.trunc(number(name, value)) + 0;
  if (!Number.isSafeInteger(read)) throw invalid(name, "is out of range");
  const { minimum, maximum, not } = schema;
  if (typeof minimum === "number" && read < minimum) throw invalid(name, `must be at least ${minimum}`);
  if (typeof maximum === "number" && read > maximum) throw invalid(name, `must be at most ${maximum}`);
  if (isRecord(not) && not.const === read) throw invalid(name, `must not be ${read}`);
  return read;
}

function boolean(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return value !== 0;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (TRUE_WORDS.includes(word)) return true;
  if (FALSE_WORDS.includes(word)) return false;
  throw invalid(name, "must be a boolean");
}

function text(name: string, value: unknown, schema: ParamSpec["schema"]): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw invalid(name, "must be a string");
  }
  const read = String(value);
  if (typeof schema.minLength === "number" && read.length < schema.minLength) {
    throw invalid(name, "must not be empty");
  }
  return read;
}

function choice(name: string, value: unknown, schema: ParamSpec["schema"]): string {
  const values = Array.isArray(schema.enum) ? schema.enum : [];
  if (typeof value !== "string" || !values.includes(value)) throw invalid(name, `must be one of ${values.join(", ")}`);
  return value;
}

function list(name: string, value: unknown, spec: ParamSpec): unknown[] {
  if (!Array.isArray(value)) throw invalid(name, "must be an array");
  const { items, minItems } = spec.schema;
  if (typeof minItems === "number" && value.length < minItems) throw invalid(name, `needs at least ${minItems} entry`);
  const itemSchema = isRecord(items) ? items : {};
  return value.map((item) => {
    if (item === null) throw invalid(name, "must not hold null");
    return spec.type === "uint[]" ? integer(name, item, { minimum: 1, ...itemSchema }) : text(name, item, itemSchema);
  });
}
