/** Asks the bot who and how it is, by the ordinary gate. */
import { Failure } from "./errors.ts";
import type { CallOptions, Executor } from "./executor.ts";
import type { Diagnostics } from "./outcome.ts";

/** Read-only actions that together show whether the bot is there and logged in. */
export const CHECKS = ["get_login_info", "get_status", "get_version_info"] as const;

/** One answer. */
export interface Check {
  /** The bot's envelope as it came, or `null` when none did. */
  readonly response: unknown;
  readonly diagnostics: Diagnostics;
}

/** Runs all checks at once; one that fails does not hide the others. */
export async function checkConnection(
  executor: Executor,
  options: CallOptions,
): Promise<Record<(typeof CHECKS)[number], Check>> {
  const checks = await Promise.all(CHECKS.map(async (action): Promise<[string, Check]> => {
    try {
      const { result, diagnostics } = await executor.call("query", action, {}, options);
      return [action, { response: result, diagnostics }];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { kind, message, nextStep, outcome } = error;
      return [action, { response: null, diagnostics: { outcome, kind, message, next_step: nextStep } }];
    }
  }));
  return Object.fromEntries(checks) as Record<(typeof CHECKS)[number], Check>;
}
