/** What a bot's answer says about the call. OneBot v11 "API result"; judged by `status` and `retcode` alone. */
import type { Outcome } from "../outcome.ts";

/** The envelope around every answer of a bot; it may hold more fields. */
export interface Envelope {
  /** `ok` or `failed`; `async` is neither. */
  readonly status?: unknown;
  /** 0 for `ok`. */
  readonly retcode?: unknown;
  /** The reason, in the words of newer hosts. */
  readonly wording?: unknown;
  /** The reason, in the words of older hosts. */
  readonly message?: unknown;
  /** Such as `data`, which is the answer itself. */
  readonly [field: string]: unknown;
}

/** Whether a parsed answer is an envelope at all: an object that has a return code, or a status in words. */
export function isEnvelope(value: unknown): value is Envelope {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    (Object.hasOwn(value, "retcode") ||
      (Object.hasOwn(value, "status") && typeof (value as Envelope).status === "string"));
}

/** Reads the outcome off an envelope. What neither confirms nor denies, or says both, is `unknown`. */
export function outcomeOf({ status, retcode }: Envelope): Outcome {
  if (status === "ok" && retcode === 0) return "success";
  if (status === "failed" && typeof retcode === "number" && retcode !== 0) return "failed";
  return "unknown";
}

/** Whether the bot refused the token: 1401 in practice, 1403 by OneBot convention. */
export function isAuthRefusal({ retcode }: Envelope): boolean {
  return retcode === 1401 || retcode === 1403;
}

/** The bot's reason in its own words, cut to 500 characters; absent when it gives none. */
export function reasonOf({ wording, message }: Envelope): string | undefined {
  for (const text of [wording, message]) {
    if (typeof text === "string" && text !== "") return text.length > 500 ? `${text.slice(0, 500)}…` : text;
  }
}
