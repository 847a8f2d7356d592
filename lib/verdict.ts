/**
 * What the caller is told about a call that left: success, failure or doubt, why, and what to do next.
 * A call without a whole answer is in doubt if it writes; a read has then merely failed.
 */
import type { CatalogAction } from "./catalog/types.ts";
import { Failure, type FailureKind } from "./errors.ts";
import { type Envelope, isAuthRefusal, outcomeOf, reasonOf } from "./onebot/envelope.ts";
import { type ExchangeError, type ExchangeFault, MAX_ANSWER_BYTES } from "./onebot/exchange.ts";
import type { Diagnostics } from "./outcome.ts";

/** Bodies above this many bytes make SnowLuma 1.11 reset the connection without an answer. */
const OLD_BODY_CAP_BYTES = 2 * 1024 * 1024;

/** What a call gave, and what it means. */
export interface CallResult {
  /** The bot's envelope as it came; of a stream what became of its frames, such as the file that was saved. */
  readonly result: unknown;
  /** What is known of the call; `unknown` for an answer that confirms nothing. */
  readonly diagnostics: Diagnostics;
}

/** What is in question: a call that cannot have changed anything has failed where another one is in doubt. */
export type Questioned = Pick<CatalogAction, "name" | "readOnly">;

/** The next step after any refusal of the token. */
const AUTH_ADVICE = "Ask the operator to set SNOWLUMA_MCP_TOKEN to the access token of the bot's HTTP server.";
const CHECK_FIRST = "Find out with a reading action whether it took effect before calling it again.";

/** A fault after the request may have left: a write is then in doubt, a read has merely not come through. */
export function doubtful(
  action: Questioned,
  kind: FailureKind,
  what: string,
  advice: string,
  cause?: unknown,
): Failure {
  if (action.readOnly) return new Failure(kind, `Cannot call ${action.name}: ${what}`, advice, { cause });
  const message = `${action.name} may have taken effect: ${what}`;
  return new Failure(kind, message, `${CHECK_FIRST} ${advice}`, { outcome: "unknown", cause });
}

/** Turns a broken exchange into what the caller has to know. */
export function explain(action: Questioned, error: ExchangeError, bodyBytes: number): Failure {
  const { fault, sent } = error;
  const detail = error.detail === undefined ? "" : ` (${error.detail})`;
  if (!sent) return explainUnsent(action.name, fault, detail);
  switch (fault) {
    case "timeout":
      return doubtful(
        action,
        "timeout",
        `the bot did not answer in full within the timeout${detail}`,
        "The operator can raise SNOWLUMA_MCP_TIMEOUT_MS.",
      );
    case "cancelled":
      return doubtful(
        action,
        "cancelled",
        "the call was cancelled while it ran",
        action.readOnly ? "Call it again if it is still wanted." : "Cancelling undoes nothing.",
      );
    case "too_large":
      return doubtful(
        action,
        "too_large",
        `the answer exceeds ${MAX_ANSWER_BYTES} bytes`,
        "Ask for less at once, where the action has a count.",
      );
    case "garbled":
      return doubtful(
        action,
        "invalid_answer",
        `the answer is not UTF-8 text over HTTP${detail}`,
        "Check what listens at SNOWLUMA_MCP_ENDPOINT.",
      );
    default: {
      const large = bodyBytes > OLD_BODY_CAP_BYTES
        ? " The body has more than 2 MiB, for which SnowLuma 1.11 resets the connection: send files by URL instead."
        : "";
      return doubtful(
        action,
        "cut",
        `the connection ended before the whole answer had come${detail}`,
        `Look at the bot's log.${large}`,
      );
    }
  }
}

/** Nothing has left, so that writes have failed like reads. */
function explainUnsent(name: string, fault: ExchangeFault, detail: string): Failure {
  const start = "Start the bot, or ask the operator to check SNOWLUMA_MCP_ENDPOINT with the doctor command.";
  switch (fault) {
    case "cancelled": {
      const what = `Cannot call ${name}: the call was cancelled before it was sent`;
      return new Failure("cancelled", what, "Call it again if it is still wanted.");
    }
    case "timeout":
      return new Failure("timeout", `Cannot call ${name}: no connection to the bot within the timeout${detail}`, start);
    default:
      return new Failure("connect", `Cannot call ${name}: no connection to the bot${detail}`, start);
  }
}

/** The token was refused by an HTTP status, without an envelope. */
export function refusedByStatus({ name }: Questioned, status: number): Failure {
  return new Failure("auth", `Cannot call ${name}: the bot answered HTTP ${status}`, AUTH_ADVICE);
}

/** Reads the outcome off the bot's own words. */
export function judge(
  action: CatalogAction,
  params: Record<string, unknown>,
  httpStatus: number,
  envelope: Envelope,
): CallResult {
  const outcome = outcomeOf(envelope);
  if (outcome === "success") return { result: envelope, diagnostics: { outcome } };
  const reason = reasonOf(envelope);
  const retcode = JSON.stringify(envelope.retcode) ?? "none";
  const said = `retcode ${retcode}${reason === undefined ? "" : `, ${JSON.stringify(reason)}`}`;
  if (isAuthRefusal(envelope) || httpStatus === 401 || httpStatus === 403) {
    return {
      result: envelope,
      diagnostics: {
        outcome,
        kind: "auth",
        message: `The bot refused ${action.name}: ${said}`,
        next_step: outcome === "unknown" && !action.readOnly ? `${AUTH_ADVICE} ${CHECK_FIRST}` : AUTH_ADVICE,
      },
    };
  }
  if (outcome === "unknown") {
    return {
      result: envelope,
      diagnostics: {
        outcome,
        kind: "not_confirmed",
        message: `The bot did not confirm ${action.name}: status ${JSON.stringify(envelope.status) ?? "none"}, ${said}`,
        next_step: action.readOnly ? "Look at the result before using it." : CHECK_FIRST,
      },
    };
  }
  return {
    result: envelope,
    diagnostics: {
      outcome,
      kind: "action_failed",
      message: `${action.name} failed: ${said}`,
      next_step: advise(action, params, envelope),
    },
  };
}

/** What a return code of this family of bots lets the caller do; no cause is guessed beyond it. */
function advise(action: CatalogAction, params: Record<string, unknown>, { retcode }: Envelope): string {
  if (retcode === 1404) return "The connected bot does not know this action; it may be older than the catalog.";
  if (retcode === 1400) {
    const { message_id } = params;
    return typeof message_id === "number" && message_id < 0
      ? "Negative message ids are valid, but this bot may be a version that refuses them."
      : `Compare the parameters with check_action or get_action for ${action.name}.`;
  }
  return "Read the bot's wording; it is passed on as it came.";
}
