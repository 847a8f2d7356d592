/** The catalog snapshot by action name. The simulator takes names, aliases, params and streams from it. */
import snapshot from "../../catalog/catalog.json" with { type: "json" };
import type { Catalog, CatalogAction } from "../catalog/types.ts";

// The inferred type of the file is thousands of literal shapes; the build guarantees this one.
const catalog = snapshot as unknown as Catalog;

const byName: ReadonlyMap<string, CatalogAction> = new Map(
  catalog.actions.flatMap((action) => [action.name, ...action.aliases].map((name) => [name, action] as const)),
);

/** The action with this name or alias. */
export function findAction(name: string): CatalogAction | undefined {
  return byName.get(name);
}

/** The name of the action an alias stands for; other text comes back unchanged. */
export function canonicalName(name: string): string {
  return byName.get(name)?.name ?? name;
}
