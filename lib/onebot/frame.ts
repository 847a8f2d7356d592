/** One frame of a stream answer, checked before anything in it is used (wire protocol, "Streaming responses"). */
import { type Envelope, isEnvelope } from "./envelope.ts";
import { StreamFault } from "./stream_fault.ts";

/** Longest part of a frame that is handed to a caller as it came, in characters as JSON. */
export const MAX_TOLD_LENGTH: number = 64 * 1024;
/** Most levels of objects and lists in it: whoever masks or writes it goes down them. */
export const MAX_TOLD_LEVELS = 32;

/** A frame. */
export interface Frame {
  /** As it came. */
  readonly envelope: Envelope;
  /** Its `data`; empty where a failed frame has none. */
  readonly data: Readonly<Record<string, unknown>>;
  /** `more`: others follow; `last`: the stream is complete; `failed`: the bot gave up, `envelope` says why. */
  readonly role: "more" | "last" | "failed";
}

/**
 * Checks a parsed frame.
 *
 * @throws {StreamFault} when it is no frame, or says two things at once.
 */
export function checkFrame(value: unknown): Frame {
  if (!isEnvelope(value)) throw malformed("it is no OneBot envelope");
  const { stream, status, retcode, data } = value;
  if (stream !== "stream-action") throw malformed("it lacks the mark of a stream frame");
  if (!Number.isSafeInteger(retcode)) throw malformed("its retcode is no whole number");
  if (status === "failed") {
    if (retcode === 0) throw malformed("it is failed with retcode 0");
    return { envelope: value, data: isObject(data) ? data : {}, role: "failed" };
  }
  if (status !== "ok") throw malformed("its status is neither ok nor failed");
  if (retcode !== 0) throw malformed("it is ok with a retcode other than 0");
  if (!isObject(data)) throw malformed("its data is no object");
  if (data.type !== "stream" && data.type !== "response") throw malformed("its type is neither stream nor response");
  return { envelope: value, data, role: data.type === "stream" ? "more" : "last" };
}

/** A whole number of 0 or more in a frame. @throws {StreamFault} */
export function count(data: Frame["data"], field: string): number {
  const value = data[field];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw malformed(`its ${field} is no whole number from 0`);
}

/** A text in a frame. @throws {StreamFault} */
export function text(data: Frame["data"], field: string): string {
  const value = data[field];
  if (typeof value === "string") return value;
  throw malformed(`its ${field} is no text`);
}

/** Refuses what is too much to be handed to a caller. @throws {StreamFault} */
export function checkTold(told: Readonly<Record<string, unknown>>): void {
  if (!isWithin(told, MAX_TOLD_LEVELS)) {
    throw new StreamFault("too_large", `the last frame has more than ${MAX_TOLD_LEVELS} levels`);
  }
  if (JSON.stringify(told).length > MAX_TOLD_LENGTH) {
    throw new StreamFault("too_large", `the last frame has more than ${MAX_TOLD_LENGTH} characters`);
  }
}

/** Whether a value has at most so many levels of objects and lists. */
export function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => isWithin(item, levels - 1));
}

function malformed(why: string): StreamFault {
  return new StreamFault("invalid_answer", `a frame is malformed: ${why}`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
