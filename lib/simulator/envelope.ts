/** The answers of the bot as values: ordinary envelopes and the frames of stream actions. */

/** What wraps every answer. */
export interface Envelope {
  readonly status: "ok" | "failed";
  readonly retcode: number;
  readonly data: unknown;
  readonly wording?: string;
  readonly message?: string;
  readonly echo?: unknown;
  readonly stream?: "stream-action";
}

/** The request's `echo`, or nothing: an envelope carries the key only if the request had it. */
export type Echo = { readonly echo?: unknown };

/** A successful answer. */
export function okEnvelope(data: unknown, echo: Echo = {}): Envelope {
  return { status: "ok", retcode: 0, data, ...echo };
}

/** A failed answer. */
export function failedEnvelope(retcode: number, wording: string, echo: Echo = {}): Envelope {
  return { status: "failed", retcode, data: null, wording, ...echo };
}

/** One good frame; both text fields are there and empty, unlike in an ordinary ok envelope. */
export function okFrame(data: unknown, echo: Echo): Envelope {
  return { status: "ok", retcode: 0, data, message: "", wording: "", ...echo, stream: "stream-action" };
}

/** The frame that ends a failed stream; the only failure whose `data` is not null. */
export function failedFrame(retcode: number, wording: string, echo: Echo): Envelope {
  const data = { type: "error", data_type: "error" };
  return { status: "failed", retcode, data, message: wording, wording, ...echo, stream: "stream-action" };
}

/** A frame as it travels over HTTP: the blank line follows each one, the last included. */
export function frameText(frame: Envelope): string {
  return `${JSON.stringify(frame)}\r\n\r\n`;
}
