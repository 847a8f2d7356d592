/** What one HTTP exchange with the bot can give: a whole answer, or the reason why there is none. */

/** The largest answer that is read, in bytes; OneBot answers are far below. */
export const MAX_ANSWER_BYTES: number = 16 * 1024 * 1024;

/** The largest request body that is sent, in bytes: the cap of the newest bots. */
export const MAX_REQUEST_BYTES: number = 64 * 1024 * 1024;

/** A whole answer, decoded as UTF-8. */
export interface HttpAnswer {
  /** HTTP status. */
  readonly status: number;
  /** The body. */
  readonly text: string;
}

/** An answer whose body comes in as it is read; reading throws {@link ExchangeError}, leaving early ends it. */
export interface HttpStream {
  /** HTTP status. */
  readonly status: number;
  /** The body, in pieces of any size; to be read once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Why there is no whole answer; `garbled` is what is not HTTP or not UTF-8. */
export type ExchangeFault = "connect" | "timeout" | "cut" | "cancelled" | "too_large" | "garbled";

/** An exchange without a whole answer. */
export class ExchangeError extends Error {
  /** Tells it from other errors. */
  override readonly name = "ExchangeError";

  /**
   * Makes one.
   *
   * @param fault What ended it.
   * @param sent Whether a connection stood, so that the request may have left.
   * @param detail The system's word for it, such as `ECONNREFUSED`, or the limit that was hit.
   */
  constructor(readonly fault: ExchangeFault, readonly sent: boolean, readonly detail?: string) {
    super(detail === undefined ? fault : `${fault} (${detail})`);
  }
}
