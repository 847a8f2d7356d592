/**
 * Everything that can go wrong in a call, in one table. A kind names a condition that the caller can act
 * on; the README's table of kinds is generated from here.
 */
import type { Outcome } from "./outcome.ts";

/** What each kind means, for people. */
export const FAILURE_KINDS = {
  invalid_arguments: "A tool argument is missing, unknown or of the wrong type; nothing was sent.",
  invalid_params:
    "`params` is not a JSON object, too large or too deep to send, or sets what a transfer sets; nothing was sent.",
  unknown_action: "The catalog has no action of that name; the nearest names are given. Nothing was sent.",
  mode: "The server's mode, or the tool that was used, does not permit this call; nothing was sent.",
  risk: "The action hands out credentials or is dangerous and was not allowed by name; nothing was sent.",
  input_file:
    "The file may not be uploaded, or changed meanwhile: no upload root is set, or the message names the reason.",
  not_configured: "The operator has not set up what the tool needs: the event address or the task folder.",
  input:
    "The missing parameters were not given: the form was declined, answered wrongly, too late or twice, or the client " +
    "has no forms. Nothing was sent.",
  busy:
    "A limit is reached: calls waiting for the bot, stream actions, tasks, open forms or event resources; or the task " +
    "folder belongs to another process or configuration. Nothing was sent.",
  connect: "No connection to the bot could be made; nothing was sent.",
  timeout:
    "There was no turn, no connection or no whole answer within the timeout; the outcome tells whether it was sent.",
  cut: "The connection ended before the whole answer had come.",
  cancelled: "The client cancelled the call, or the server was shutting down.",
  too_large: "The answer, a file or a part of a stream exceeds the limit that the message names, and was dropped.",
  invalid_answer: "What came back is not an answer of a OneBot host, or a stream that contradicts itself.",
  storage: "The download or task folder cannot be used, or the disk refused the file.",
  quota: "The download folder has no room left for the file.",
  account: "The events are those of another account than `self_id`; the event connection was ended.",
  invalid_event: "The bot sent something that is no OneBot event; the event connection was ended.",
  auth: "The bot refused the access token, or wants one.",
  action_failed: "The bot answered that the action failed; return code and wording are its own.",
  not_confirmed: "The bot's answer does not say that the action succeeded, or contradicts itself.",
  internal: "A defect of this server; details are on its standard error.",
} as const;

/** One row of {@link FAILURE_KINDS}. */
export type FailureKind = keyof typeof FAILURE_KINDS;

/** Why a call did not do what it was asked to. Neither text ever holds a secret or the text of a message. */
export class Failure extends Error {
  /** Tells it from other errors. */
  override readonly name = "Failure";
  /** `unknown` when a write may have taken effect all the same. */
  readonly outcome: Exclude<Outcome, "success">;

  /**
   * Makes one; `message` and `nextStep` must be fit to be shown to whoever called.
   *
   * @param kind The condition, from {@link FAILURE_KINDS}.
   * @param message What could not be done, and the value it failed on.
   * @param nextStep What the caller can do about it.
   * @param options.outcome `failed` unless given.
   */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly nextStep: string,
    options: ErrorOptions & { outcome?: "failed" | "unknown" } = {},
  ) {
    super(message, options);
    this.outcome = options.outcome ?? "failed";
  }
}

/** A setting or a command line that the program cannot start with; the command line exits with 2. */
export class UsageError extends Error {
  /** Tells it from other errors. */
  override readonly name = "UsageError";
}
