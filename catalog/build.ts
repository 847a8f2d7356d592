/**
 * Writes `catalog.json` from the authored specs: `deno task catalog`.
 *
 * The output depends on the specs alone (families in their order, actions by name), so that a test can
 * compare it byte for byte and a review sees each change.
 */
import type { Catalog, CatalogAction } from "./snapshot.ts";
import type { ActionSpec } from "./action.ts";
import { ACTIONS } from "./actions/mod.ts";
import { CATEGORIES } from "./categories.ts";

/** Day of the upstream snapshot the facts were taken from. */
const FACTS_DAY = "2026-07-24";

/** Where the snapshot lives. */
export const CATALOG_URL: URL = new URL("./catalog.json", import.meta.url);

/** The snapshot as text: one action a line, so that a diff shows which action changed. */
export function renderCatalog(): string {
  const order = Object.keys(CATEGORIES);
  const actions = ACTIONS.map(complete).sort((a, b) =>
    order.indexOf(a.category) - order.indexOf(b.category) || (a.name < b.name ? -1 : 1)
  );
  const catalog: Catalog = { version: FACTS_DAY, categories: CATEGORIES, actions };
  const lines = actions.map((action) => JSON.stringify(action)).join(",\n");
  return `${JSON.stringify({ ...catalog, actions: [] }).slice(0, -2)}\n${lines}\n]}\n`;
}

function complete(spec: ActionSpec): CatalogAction {
  return {
    name: spec.name,
    aliases: spec.aliases ?? [],
    category: spec.category,
    summary: spec.summary,
    readOnly: spec.readOnly ?? false,
    stream: spec.stream ?? false,
    risk: spec.risk ?? (spec.readOnly ? "read" : "write"),
    params: spec.params,
    undeclared: spec.undeclared ?? {},
    rules: spec.rules ?? [],
    notes: spec.notes ?? [],
    returns: spec.returns,
    placeholder: spec.placeholder ?? null,
    examples: spec.examples,
  };
}

if (import.meta.main) await Deno.writeTextFile(CATALOG_URL, renderCatalog());
