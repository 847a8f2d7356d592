/**
 * What is known of an action call. `success`: the bot confirmed it. `failed`: a gate or the bot said no, or
 * a read did not come through; nothing can have changed. `unknown`: a write may have taken effect, or the bot's
 * answer confirms nothing.
 */
export type Outcome = "success" | "failed" | "unknown";

/** What a tool tells about its result, beside the result. */
export interface Diagnostics {
  readonly outcome: Outcome;
  /** Present unless the outcome is `success`. */
  readonly kind?: string;
  readonly message?: string;
  readonly next_step?: string;
}
