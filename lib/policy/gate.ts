/**
 * Which calls are let through. The gate is asked on every call, whatever a client was shown.
 *
 * Order: mode, then the tool's own reach, then the risk class.
 */
import type { CatalogAction } from "../catalog/types.ts";
import { Failure } from "../errors.ts";

/** How far the server may go: only documentation, reading calls, or all calls. */
export type Mode = "docs" | "read" | "write";

/** The modes, weakest first. */
export const MODES: readonly Mode[] = ["docs", "read", "write"];

/** The two ways to call an action; `query` never changes anything. */
export type Door = "query" | "invoke";

/** Stream actions that run at once; the next one is refused as `busy`. */
export const MAX_ACTIVE_STREAMS = 4;

/** Event resources of one process; one more is refused as `busy`. */
export const MAX_EVENT_RESOURCES = 16;

/** Background tasks that run at once; the next one is refused as `busy`. */
export const MAX_RUNNING_TASKS = 4;

/** What the operator permitted. */
export interface Permissions {
  /** How far calls may go. */
  readonly mode: Mode;
  /** Canonical names of `secret` and `dangerous` actions that may be called all the same. */
  readonly allow: ReadonlySet<string>;
}

/** Refuses a door that the mode keeps shut, before anything is looked up. @throws {Failure} `mode` */
export function checkDoor(door: Door, { mode }: Pick<Permissions, "mode">): void {
  if (mode === "docs") {
    throw new Failure(
      "mode",
      `Cannot use ${door}_action: the server runs in docs mode and is connected to no bot`,
      "Ask the operator to set SNOWLUMA_MCP_ENDPOINT; list_actions, get_action and check_action work without it.",
    );
  }
  if (door === "invoke" && mode !== "write") {
    throw new Failure(
      "mode",
      `Cannot use invoke_action: the server runs in ${mode} mode`,
      "Use query_action for read-only actions; ask the operator to set SNOWLUMA_MCP_MODE=write for others.",
    );
  }
}

/** Refuses an action that this door or the operator does not let through. @throws {Failure} `mode` or `risk` */
export function checkAction(action: CatalogAction, door: Door, { mode, allow }: Permissions): void {
  if (door === "query" && !action.readOnly) {
    const next = mode === "write"
      ? "Call it with invoke_action if the change is wanted."
      : "It needs invoke_action, which the operator enables with SNOWLUMA_MCP_MODE=write.";
    throw new Failure("mode", `Cannot query ${action.name}: it changes something`, next);
  }
  if ((action.risk === "secret" || action.risk === "dangerous") && !allow.has(action.name)) {
    const why = action.risk === "secret"
      ? "it hands out credentials of the account"
      : "it is dangerous (raw packets, process control, or loss that cannot be undone)";
    throw new Failure(
      "risk",
      `Cannot call ${action.name}: ${why}`,
      `Only the operator can permit it, by adding ${action.name} to SNOWLUMA_MCP_ALLOW.`,
    );
  }
}
