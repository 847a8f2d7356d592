/** What the caller of a stream action is told when it did not come through: always an MCP error. */
import type { CatalogAction } from "../catalog/types.ts";
import { Failure, type FailureKind } from "../errors.ts";
import { ExchangeError } from "../onebot/exchange.ts";
import { StreamFault } from "../onebot/stream_fault.ts";
import type { Redactor } from "../redact.ts";
import { doubtful, explain, judge, refusedByStatus } from "../verdict.ts";
import { Refusal } from "./frames.ts";

/** The call that went wrong. */
export interface FailedCall {
  readonly action: CatalogAction;
  readonly params: Record<string, unknown>;
  readonly redactor: Redactor;
  /** Whether something may have changed at the bot. */
  readonly inDoubt: boolean;
  /** Which of the calls of an upload it was. */
  readonly where?: string;
}

const UPLOAD_AGAIN =
  "The bot may hold the file until its retention ends, under a path that is not known here. If it is " +
  "still needed, upload it again: that makes a second temporary copy and reaches nobody.";

/** Turns whatever was thrown into a failure; a failure stays as it is. */
export function explainStream(error: unknown, call: FailedCall): Failure {
  if (error instanceof Failure) return error;
  const failure = translate(error, call);
  if (call.where === undefined) return failure;
  const { kind, message, outcome, cause } = failure;
  const nextStep = outcome === "unknown" ? UPLOAD_AGAIN : failure.nextStep;
  return new Failure(kind, `${message}, in ${call.where}`, nextStep, { outcome, cause });
}

function translate(error: unknown, { action, params, redactor, inDoubt }: FailedCall): Failure {
  const subject = { name: action.name, readOnly: !inDoubt };
  if (error instanceof ExchangeError) return explain(subject, error, 0);
  if (error instanceof StreamFault) {
    const advice = error.kind === "too_large"
      ? "Ask for less, or ask the operator to raise the limit where a setting is named."
      : "Tell the operator: the bot or something before it does not keep to the stream protocol.";
    return doubtful(subject, error.kind, error.message, advice);
  }
  if (!(error instanceof Refusal)) {
    return doubtful(subject, "internal", "an internal error broke the stream off", "Tell the operator.", error);
  }
  const { httpStatus, envelope } = error;
  if (envelope === undefined) return refusedByStatus(action, httpStatus);
  // only what is judged: the rest may be nested too deeply to be walked through
  const { status, retcode, wording, message: said } = envelope;
  const clean = Object.fromEntries(
    Object.entries({ status, retcode, wording, message: said })
      .map(([field, value]) => [field, typeof value === "object" ? undefined : redactor.value(value)]),
  );
  const { kind, message = "", next_step = "" } = judge(action, params, httpStatus, clean).diagnostics;
  if (inDoubt && !error.isFromBot) {
    return doubtful(subject, "not_confirmed", `HTTP ${httpStatus}, ${message}`, "Look at the bot's log.");
  }
  return new Failure(kind as FailureKind, message, next_step);
}
