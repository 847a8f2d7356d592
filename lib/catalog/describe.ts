/** What clients read about an action, in one language: the line of a list, and the full page. */
import type { CatalogAction, CategorySlug, Example, ParamSpec, Risk, Schema, Text } from "./types.ts";

/** Language of the catalog's texts. */
export type Lang = "en" | "zh";

/** An action in a list. */
export interface ActionLine {
  /** Canonical name. */
  readonly name: string;
  /** Family of the upstream API. */
  readonly category: CategorySlug;
  /** What changes for whom, verb first. */
  readonly summary: string;
  /** Other names that the bot answers to. */
  readonly aliases: readonly string[];
  /** Whether the action leaves everything as it was. */
  readonly readOnly: boolean;
  /** Whether the bot answers with a sequence of frames. */
  readonly stream: boolean;
  /** What a call can do at worst. */
  readonly risk: Risk;
}

/** Everything the catalog knows of an action. */
export interface ActionPage extends ActionLine {
  /** What the answer is not, when it is made up for compatibility. */
  readonly placeholder?: string;
  /** JSON Schema of `params`; open, since the bot ignores what it does not know. */
  readonly inputSchema: Schema;
  /** Parameters that the bot reads without declaring them, as schemas by name. */
  readonly undeclaredParams?: Readonly<Record<string, Schema>>;
  /** What must hold between parameters. */
  readonly invariants: readonly string[];
  /** Facts about answer and behavior, a sentence each. */
  readonly notes: readonly string[];
  /** JSON Schema of a successful `data`; for streams of each successful frame's `data`. */
  readonly returnsSchema: Schema;
  /** Illustrative calls; identifiers in them are made up. */
  readonly examples: ReadonlyArray<{
    /** What the call does. */
    readonly summary: string;
    /** The call's parameters. */
    readonly params: Example["params"];
    /** Preconditions, and where the identifiers come from. */
    readonly notes?: string;
  }>;
}

/** The line of a list. */
export function describeLine(action: CatalogAction, lang: Lang): ActionLine {
  const { name, category, summary, aliases, readOnly, stream, risk } = action;
  return { name, category, summary: summary[lang], aliases, readOnly, stream, risk };
}

/** The full page. */
export function describeAction(action: CatalogAction, lang: Lang): ActionPage {
  const say = (text: Text): string => text[lang];
  const { placeholder, undeclared } = action;
  return {
    ...describeLine(action, lang),
    ...(placeholder && { placeholder: say(placeholder) }),
    inputSchema: inputSchema(action, lang),
    ...(Object.keys(undeclared).length > 0 && { undeclaredParams: properties(undeclared, lang) }),
    invariants: action.rules.map((rule) => say(rule.text)),
    notes: action.notes.map(say),
    returnsSchema: placeholder ? { description: say(placeholder), ...action.returns } : action.returns,
    examples: action.examples.map(({ summary, params, notes }) => ({
      summary: say(summary),
      params,
      ...(notes && { notes: say(notes) }),
    })),
  };
}

/** The JSON Schema (2020-12) of an action's `params`, without the undeclared ones. */
export function inputSchema({ params }: CatalogAction, lang: Lang): Schema {
  const required = Object.keys(params).filter((name) => params[name]?.required);
  return { type: "object", properties: properties(params, lang), ...(required.length > 0 && { required }) };
}

function properties(params: Readonly<Record<string, ParamSpec>>, lang: Lang): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, { schema, text, unit, ...rest }]) => [name, {
      ...schema,
      ...("default" in rest && { default: rest.default }),
      description: unit === undefined ? text[lang] : `${text[lang]} [${unit}]`,
    }]),
  );
}
