/** From the body of a stream answer to its checked frames. */
import { type Envelope, isEnvelope, outcomeOf } from "../onebot/envelope.ts";
import { ExchangeError, type HttpStream } from "../onebot/exchange.ts";
import { checkFrame, type Frame } from "../onebot/frame.ts";
import { FrameSplitter } from "../onebot/frame_splitter.ts";
import { StreamFault } from "../onebot/stream_fault.ts";

/** Most objects and lists in one frame: millions of them would take gigabytes, nested ones minutes. */
export const MAX_VALUES = 65_536;

/** The bot said no: by a failed frame, by an ordinary answer, or by an HTTP status without either. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  /**
   * @param httpStatus 401 or 403 where there is no envelope.
   * @param envelope Failed, in the bot's own words.
   */
  constructor(readonly httpStatus: number, readonly envelope?: Envelope) {
    super("refused");
  }

  /**
   * Whether it comes from where the call was judged: a failure of the host itself (5xx), or of something before it,
   * does not tell how far the call has come.
   */
  get isFromBot(): boolean {
    return this.httpStatus === 200 || (this.httpStatus >= 400 && this.httpStatus < 500);
  }
}

/** How to read a stream. */
export interface FrameRules {
  /** Parses a frame's text; `JSON.parse` rounds long numbers, which does not matter in files. */
  readonly parse: (text: string) => unknown;
  /** Whether a frame ends the stream; failed ones always do. */
  readonly isLast: (frame: Frame) => boolean;
}

/**
 * Gives the frames one after the other. The last one is given when the body has ended after it, so that who gets it has
 * got everything.
 *
 * @throws {Refusal} when the bot says no.
 * @throws {StreamFault} when a frame is malformed or follows the last one.
 * @throws {ExchangeError} when the body breaks off, also between two frames.
 */
export async function* readFrames({ status, body }: HttpStream, rules: FrameRules): AsyncGenerator<Frame> {
  const splitter = new FrameSplitter();
  let last: Frame | undefined;
  let any = false;
  for await (const bytes of body) {
    for (const text of splitter.push(bytes)) {
      if (status !== 200) throw ordinary(status, text, rules); // streams come with 200; blank lines may be a page's
      if (last !== undefined) throw new StreamFault("invalid_answer", "a frame follows the last one");
      const frame = checkFrame(parse(text, rules));
      if (frame.role === "failed") throw new Refusal(status, frame.envelope);
      any = true;
      if (rules.isLast(frame)) last = frame;
      else yield frame;
    }
  }
  const rest = splitter.rest();
  if (!any) throw ordinary(status, rest, rules);
  if (last === undefined) throw new ExchangeError("cut", true, "the stream has no last frame");
  if (rest !== "") throw new StreamFault("invalid_answer", "something follows the last frame");
  yield last;
}

function parse(text: string, rules: FrameRules): unknown {
  if (text.length > MAX_VALUES && isCrowded(text)) {
    throw new StreamFault("too_large", `a frame holds more than ${MAX_VALUES} objects and lists`);
  }
  try {
    return rules.parse(text);
  } catch {
    throw new StreamFault("invalid_answer", "a frame is not JSON");
  }
}

/** Whether a text has more braces and brackets than fit; those in strings count too, but who would send as many. */
function isCrowded(text: string): boolean {
  let count = 0;
  for (const opening of ["{", "["]) {
    for (let at = -1; (at = text.indexOf(opening, at + 1)) !== -1;) if (++count > MAX_VALUES) return true;
  }
  return false;
}

/** What an answer without any frame means. An old bot does not know the action, a proxy wants a password. */
function ordinary(status: number, text: string, rules: FrameRules): Error {
  let value: unknown;
  try {
    value = parse(text, rules);
  } catch (error) {
    if (error instanceof StreamFault && error.kind === "too_large") return error;
  }
  if (isEnvelope(value) && outcomeOf(value) === "failed") return new Refusal(status, value);
  if (status === 401 || status === 403) return new Refusal(status);
  return text === "" && status === 200 ? new ExchangeError("cut", true, "the stream is empty") : notStream(status);
}

function notStream(status: number): StreamFault {
  return new StreamFault("invalid_answer", `the answer (HTTP ${status}) is no stream of frames`);
}
