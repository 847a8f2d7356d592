/**
 * The vocabulary in which the actions of the bot are written down.
 *
 * A spec is plain data: what it says about shapes is JSON Schema (2020-12) to the letter, so that what
 * is read here is what a client gets. `build.ts` turns all specs into `catalog.json`.
 */

/** A sentence for people, in both languages of the catalog. */
export interface Text {
  /** English. */
  readonly en: string;
  /** Chinese, simplified. */
  readonly zh: string;
}

/** A JSON Schema (2020-12) as plain data. */
export type Schema = { readonly [keyword: string]: unknown };

/** The families the upstream API sorts its actions into; `categories.ts` holds their labels. */
export type CategorySlug =
  | "extended"
  | "friend"
  | "group-admin"
  | "group-album"
  | "group-file"
  | "group-info"
  | "info"
  | "message"
  | "qzone"
  | "request"
  | "stream";

/**
 * How the bot reads a parameter (it coerces, see OneBot v11 §params): `uint` starts at 1, `messageId` is a
 * signed 32-bit number that is never 0, `message` is text or segments, `raw` is taken as it comes.
 */
export type ParamType =
  | "bool"
  | "enum"
  | "int"
  | "message"
  | "messageId"
  | "number"
  | "raw"
  | "string"
  | "string[]"
  | "uint"
  | "uint[]";

/** One parameter of an action. */
export interface ParamSpec {
  /** How the bot reads it. */
  readonly type: ParamType;
  /** What a client may give. */
  readonly schema: Schema;
  /** Whether the bot refuses a call without it. */
  readonly required: boolean;
  /** What the bot takes when the parameter is absent. */
  readonly default?: unknown;
  /** Unit of a quantity: `s`, `ms`, `bytes`, … */
  readonly unit?: string;
  /** What it is. */
  readonly text: Text;
}

/**
 * What must hold between parameters. All kinds but `live` can be checked without the bot; a parameter
 * counts as given when it is present and neither `null`, `""` nor `[]`.
 */
export type Rule =
  /** At least one of them is given. */
  | { readonly check: "any_of"; readonly params: readonly string[]; readonly text: Text }
  /** When `param` is given (with one of the values `equals`, if listed), all of `needs` are given. */
  | {
    readonly check: "requires";
    readonly param: string;
    readonly equals?: readonly unknown[];
    readonly needs: readonly string[];
    readonly text: Text;
  }
  /** When given, `param` is one of these values. */
  | { readonly check: "values"; readonly param: string; readonly in: readonly unknown[]; readonly text: Text }
  /** When given, `param` is a string that matches this regular expression. */
  | { readonly check: "pattern"; readonly param: string; readonly pattern: string; readonly text: Text }
  /** When both are given, `param` is smaller than `than`. */
  | { readonly check: "less_than"; readonly param: string; readonly than: string; readonly text: Text }
  /** Depends on the state of the bot or of QQ: told, not checked. */
  | { readonly check: "live"; readonly text: Text };

/** An illustrative call; identifiers in it are made up. */
export interface Example {
  /** What the call does. */
  readonly summary: Text;
  /** The call's parameters; they pass the action's own schema and rules. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Preconditions, and where the identifiers come from. */
  readonly notes?: Text;
}

/**
 * What a call can do at worst. `secret` hands out credentials of the account; `dangerous` sends raw
 * packets, controls the process or destroys what cannot be brought back. Both are off unless allowed by name.
 */
export type Risk = "read" | "write" | "secret" | "dangerous";

/** One action of the bot's API. */
export interface ActionSpec {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly category: CategorySlug;
  /** Verb first; what changes for whom. English at most 72 characters, Chinese at most 28. */
  readonly summary: Text;
  /** Whether the action leaves everything as it was. Absent means it writes. */
  readonly readOnly?: true;
  /** Only for `secret` and `dangerous`; otherwise it follows from `readOnly`. */
  readonly risk?: "secret" | "dangerous";
  /** Whether the bot answers with a sequence of frames. */
  readonly stream?: true;
  readonly params: Readonly<Record<string, ParamSpec>>;
  /** Parameters the bot reads although it does not declare them. */
  readonly undeclared?: Readonly<Record<string, ParamSpec>>;
  readonly rules?: readonly Rule[];
  /** Facts about the answer and the behaviour, one sentence each. */
  readonly notes?: readonly Text[];
  /** Shape of a successful `data` (for streams: of each successful frame's `data`). */
  readonly returns: Schema;
  /** Set when the answer is made up for compatibility; says what it is not. */
  readonly placeholder?: Text;
  readonly examples: readonly [Example, ...Example[]];
}
