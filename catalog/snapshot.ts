/** The shape of `catalog.json`: what `build.ts` writes. Fields mean what they mean in `action.ts`. */
import type { CategorySlug, Example, ParamSpec, Risk, Rule, Schema, Text } from "./action.ts";

/** One action: nothing optional, everything derived written out. */
export interface CatalogAction {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly category: CategorySlug;
  readonly summary: Text;
  readonly readOnly: boolean;
  readonly stream: boolean;
  readonly risk: Risk;
  readonly params: Readonly<Record<string, ParamSpec>>;
  readonly undeclared: Readonly<Record<string, ParamSpec>>;
  readonly rules: readonly Rule[];
  readonly notes: readonly Text[];
  readonly returns: Schema;
  readonly placeholder: Text | null;
  readonly examples: readonly Example[];
}

/** The whole catalog. */
export interface Catalog {
  /** Day of the upstream facts it was authored from; says nothing about the connected bot. */
  readonly version: string;
  readonly categories: Readonly<Record<CategorySlug, Text>>;
  readonly actions: readonly CatalogAction[];
}
