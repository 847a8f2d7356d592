/** Loads the catalog on first use: neither it nor the code that reads it is needed to start. */
import type { ActionIndex } from "./action_index.ts";
import type { Catalog } from "./types.ts";

let loading: Promise<ActionIndex> | undefined;

/** The bundled snapshot, the same object every time. Needs no permission. */
export function loadActions(): Promise<ActionIndex> {
  return loading ??= load();
}

async function load(): Promise<ActionIndex> {
  const [{ ActionIndex }, { default: catalog }] = await Promise.all([
    import("./action_index.ts"),
    import("../../catalog/catalog.json", { with: { type: "json" } }),
  ]);
  return new ActionIndex(catalog as unknown as Catalog);
}
