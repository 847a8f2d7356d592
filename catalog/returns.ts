/** Shorthand for the JSON Schemas of answers. Objects stay open: a newer bot may send more fields. */
import type { Schema } from "./action.ts";

export const INT: Schema = { type: "integer" };
export const STRING: Schema = { type: "string" };
export const BOOL: Schema = { type: "boolean" };
export const NUMBER: Schema = { type: "number" };
export const NULL: Schema = { type: "null" };
/** Any JSON object. */
export const OBJECT: Schema = { type: "object" };
/** The action cannot succeed. */
export const NEVER: Schema = { not: {} };
/** A count, size or time: a whole number from 0. */
export const COUNT: Schema = { type: "integer", minimum: 0 };
/** A message id: signed 32-bit, often negative. */
export const MESSAGE_ID: Schema = { type: "integer", minimum: -2147483648 };

type Fields = Readonly<Record<string, Schema>>;

/** An object with these fields: the first ones always, the others sometimes. */
export function object(always: Fields, sometimes: Fields = {}): Schema {
  const required = Object.keys(always);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: { ...always, ...sometimes },
  };
}

/** A list of these. */
export function list(items: Schema): Schema {
  return { type: "array", items };
}

/** The same, or `null`. */
export function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema.type, "null"].flat() };
}

/** One of these words. */
export function oneOfStrings(...values: string[]): Schema {
  return { type: "string", enum: values };
}

/** Segments of a received message. */
export const SEGMENTS: Schema = list(object({ type: STRING, data: OBJECT }));
