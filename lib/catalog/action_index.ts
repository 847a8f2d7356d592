/** The catalog in memory: look-up by name or alias, and the nearest names when there is none. */
import { levenshteinDistance } from "@std/text";
import { type Match, SearchIndex } from "./search.ts";
import type { Catalog, CatalogAction } from "./types.ts";

/** Look-up over a snapshot. */
export class ActionIndex {
  /** All actions, in catalog order. */
  readonly actions: readonly CatalogAction[];
  #searchIndex: SearchIndex | undefined;
  readonly #byName = new Map<string, CatalogAction>();

  /**
   * Indexes a snapshot; {@link loadActions} has done it for the bundled one.
   *
   * @param catalog Is used for as long as the index is.
   */
  constructor(readonly catalog: Catalog) {
    this.actions = catalog.actions;
    for (const action of catalog.actions) {
      for (const name of [action.name, ...action.aliases]) this.#byName.set(name, action);
    }
  }

  /** Finds an action by its exact name or one of its aliases. */
  find(name: string): CatalogAction | undefined {
    return this.#byName.get(name);
  }

  /**
   * The actions that fit a query, in the order that `match` promises.
   *
   * @param query Words in English or Chinese, or a part of a name.
   */
  search(query: string, match: Match): CatalogAction[] {
    this.#searchIndex ??= new SearchIndex(this.actions, this.catalog.categories);
    return this.#searchIndex.search(query, match);
  }

  /** Up to three names that a misspelt one may have meant, nearest first. */
  nearest(name: string): string[] {
    const wanted = name.slice(0, 64).toLowerCase(); // the longest real name has 32 characters
    const scored: Array<{ known: string; distance: number }> = [];
    for (const known of this.#byName.keys()) {
      const contained = wanted.length >= 4 && (known.includes(wanted) || wanted.includes(known));
      const distance = levenshteinDistance(wanted, known);
      if (contained || distance <= Math.max(2, known.length / 3)) scored.push({ known, distance });
    }
    return scored.sort((a, b) => a.distance - b.distance).slice(0, 3).map(({ known }) => known);
  }
}
