/** The shape of `catalog.json`: what `build.ts` writes. Fields mean what they mean in `action.ts`. */
import type { CategorySlug, Example, ParamSpec, Risk, Rule, Schema, Text } from "./action.ts";

/** One action: nothing optional, everything derived written out. */
export interface CatalogAction {
  /** Canonical name, as OneBot or the host has it. */
  readonly name: string;
  /** Other names that the host answers to. */
  readonly aliases: readonly string[];
  /** Family of the upstream API. */
  readonly category: CategorySlug;
  /** What changes for whom, verb first. */
  readonly summary: Text;
  /** Whether the action leaves everything as it was. */
  readonly readOnly: boolean;
  /** Whether the bot answers with a sequence of frames. */
  readonly stream: boolean;
  /** What a call can do at worst. */
  readonly risk: Risk;
  /** Declared parameters, by name. */
  readonly params: Readonly<Record<string, ParamSpec>>;
  /** Parameters that the bot reads without declaring them, by name. */
  readonly undeclared: Readonly<Record<string, ParamSpec>>;
  /** What must hold between parameters. */
  readonly rules: readonly Rule[];
  /** Facts about answer and behavior, a sentence each. */
  readonly notes: readonly Text[];
  /** Shape of a successful `data`; for streams of each successful frame's `data`. */
  readonly returns: Schema;
  /** What the answer is not, where it is made up for compatibility; otherwise `null`. */
  readonly placeholder: Text | null;
  /** At least one illustrative call. */
  readonly examples: readonly Example[];
}

/** The whole catalog. */
export interface Catalog {
  /** Day of the upstream facts it was authored from; says nothing about the connected bot. */
  readonly version: string;
  /** Labels of the families. */
  readonly categories: Readonly<Record<CategorySlug, Text>>;
  /** In the order of lists. */
  readonly actions: readonly CatalogAction[];
}
