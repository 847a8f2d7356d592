/** The words of the catalog, for code that reads the snapshot. They are explained where they are authored. */
export type { CategorySlug, Example, ParamSpec, ParamType, Risk, Rule, Schema, Text } from "../../catalog/action.ts";
export type { Catalog, CatalogAction } from "../../catalog/snapshot.ts";
