/** The answer to a name that the catalog does not have, the same in every tool. */
import { Failure } from "../errors.ts";
import type { ActionIndex } from "./action_index.ts";

/** A failure that names the nearest known names. */
export function unknownAction(name: string, actions: ActionIndex): Failure {
  const near = actions.nearest(name);
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  return new Failure(
    "unknown_action",
    `Unknown action ${shown}`,
    near.length > 0 ? `Did you mean ${near.join(", ")}?` : "Find the name with search_actions or list_actions.",
  );
}
