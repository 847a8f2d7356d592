/**
 * The one way an action says no. Anything else a handler throws is a defect of the simulator; it is answered
 * like a refusal too, as a real bot does with errors of its own.
 */

/** Retcode of an action that ran and failed. */
export const REFUSED = 100;

/** Retcode of params or message segments that did not validate. */
const INVALID = 1400;

/** A refusal: becomes a failed envelope, or a failure frame of a stream action. */
export class ActionFailure extends Error {
  override readonly name = "ActionFailure";
  readonly retcode: number;

  constructor(wording: string, retcode: number = REFUSED) {
    super(wording);
    this.retcode = retcode;
  }
}

/** A refusal of what the caller sent, in the form "field: reason". */
export function invalid(field: string, reason: string): ActionFailure {
  return new ActionFailure(`${field}: ${reason}`, INVALID);
}
