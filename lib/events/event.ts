/** One event of a OneBot v11 bot, as one text frame; judged by its common fields alone. */
import { isEnvelope } from "../onebot/envelope.ts";
import { isWithin } from "../onebot/frame.ts";
import { parseJson } from "../onebot/lossless_json.ts";

/** Most levels of objects and lists in an event: whoever masks, writes or reads it goes down them. */
export const MAX_EVENT_LEVELS = 64;

/** `message` includes `message_sent`; `other` is a `post_type` that OneBot v11 does not have. */
export type EventType = "message" | "notice" | "request" | "meta" | "other";

/** A checked event. */
export interface BotEvent {
  readonly type: EventType;
  /** The group it happened in; absent where the event has none, or none that a number can hold. */
  readonly groupId?: number;
  /** Whom it is about or of: the sender of a message. */
  readonly userId?: number;
  /** The whole event, with digits kept as `parseJson` does. */
  readonly value: unknown;
  /** As it came. */
  readonly text: string;
}

/** A frame that is no event of the expected account. It never holds anything of a message. */
export class EventFault extends Error {
  override readonly name = "EventFault";

  /**
   * @param kind `account`: an event of another account. `auth`: the bot refuses the token. Otherwise `invalid_event`.
   * @param message What is wrong, as the end of a sentence.
   */
  constructor(readonly kind: "invalid_event" | "account" | "auth", message: string) {
    super(message);
  }
}

const TYPES = new Map<string, EventType>([
  ["message", "message"],
  ["message_sent", "message"],
  ["notice", "notice"],
  ["request", "request"],
  ["meta_event", "meta"],
]);

/** Return codes of a refused token: the bot's own, and what other hosts make of the HTTP ones. */
const AUTH_RETCODES = new Set<unknown>([1401, 1403, 401, 403]);

/**
 * Reads one frame.
 *
 * @param text A whole text frame.
 * @param selfId The account whose events are expected.
 * @throws {EventFault}
 */
export function readEvent(text: string, selfId: number): BotEvent {
  const value = parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new EventFault("invalid_event", "the bot sent JSON that is no object");
  }
  const { post_type, self_id, time, group_id, user_id } = value as Record<string, unknown>;
  if (post_type === undefined && isEnvelope(value)) throw answerFault(value.retcode);
  if (typeof post_type !== "string" || post_type === "") {
    throw new EventFault("invalid_event", "the bot sent an event without a post_type");
  }
  if (!Number.isSafeInteger(self_id) || (self_id as number) <= 0) {
    throw new EventFault("invalid_event", "the bot sent an event whose self_id is no positive whole number");
  }
  if (self_id !== selfId) {
    throw new EventFault("account", `the bot sent an event of account ${self_id} instead of ${selfId}`);
  }
  if (typeof time !== "number" || !(time >= 0)) { // `parseJson` gives finite numbers alone
    throw new EventFault("invalid_event", "the bot sent an event whose time is no number from 0 on");
  }
  if (!isWithin(value, MAX_EVENT_LEVELS)) {
    throw new EventFault("invalid_event", `the bot sent an event with more than ${MAX_EVENT_LEVELS} levels`);
  }
  return {
    type: TYPES.get(post_type) ?? "other",
    ...(typeof group_id === "number" && { groupId: group_id }),
    ...(typeof user_id === "number" && { userId: user_id }),
    value,
    text,
  };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new EventFault("invalid_event", "the bot sent a text that is no JSON"); // the parser's message quotes it
  }
}

/** Where nothing was asked, an answer is how some bots refuse a token. */
function answerFault(retcode: unknown): EventFault {
  if (AUTH_RETCODES.has(retcode)) return new EventFault("auth", `the bot refused the token with retcode ${retcode}`);
  const said = typeof retcode === "number" ? `retcode ${retcode}` : "no numeric retcode";
  return new EventFault("invalid_event", `the bot sent an answer with ${said} instead of an event`);
}
