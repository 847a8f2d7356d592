/**
 * What is known of an action call. `success`: the bot confirmed it. `failed`: a gate or the bot said no, or
 * a read did not come through; nothing can have changed. `unknown`: a write may have taken effect, or the bot's
 * answer confirms nothing.
 */
export type Outcome = "success" | "failed" | "unknown";

/** What a tool tells about its result, beside the result. */
export interface Diagnostics {
  /** What is known of the call. */
  readonly outcome: Outcome;
  /** The condition, one of {@link FailureKind}. Present unless the outcome is `success`. */
  readonly kind?: string;
  /** What did not succeed, and why. */
  readonly message?: string;
  /** What the caller can do about it. */
  readonly next_step?: string;
}
