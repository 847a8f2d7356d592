/** One look at the event address, for `doctor`. */
import type { Config } from "../config/resolve.ts";
import { SETTINGS } from "../config/settings.ts";
import { Failure } from "../errors.ts";
import { EventFault, readEvent } from "../events/event.ts";
import { openEventSocket } from "../events/socket.ts";
import { failedEnd } from "../events/socket_end.ts";
import { parseJson } from "../onebot/lossless_json.ts";

/** What came of it. */
export interface EventCheck {
  /** The account whose events come; absent if none has come. */
  readonly account?: number;
  /** What is wrong, and what to do about it. */
  readonly problem?: string;
}

/** Bots greet at once with a meta event: whoever has said nothing for so long, in milliseconds, is not asked further. */
export const FIRST_TEXT_MS = 3_000;

const SAME_BOT =
  `Check that ${SETTINGS.eventsUrl.env} is the OneBot v11 WebSocket server of the bot that answers calls.`;

/**
 * Connects, waits for the first text, and leaves again.
 *
 * @param config With an event address.
 * @param expected The account that answers calls, where it is known: events of another are a problem.
 *
 * Needs `--allow-net` for the address and `--allow-env` for what the WebSocket library reads.
 */
export async function checkEvents(config: Config, expected: number | undefined): Promise<EventCheck> {
  const { eventsUrl: url = "", eventsToken: token, timeoutMs: connectTimeoutMs } = config;
  const first = Promise.withResolvers<EventCheck>();
  const address = { url, connectTimeoutMs, ...(token !== undefined && { token }) };
  const handlers = {
    onText: (text: string) => first.resolve(judge(text, expected)),
    onEnd: (end: Problem) => first.resolve(wrong(end)),
  };
  try {
    const socket = await openEventSocket(address, handlers, new AbortController().signal);
    const timer = setTimeout(() => first.resolve({}), FIRST_TEXT_MS);
    const check = await first.promise;
    clearTimeout(timer);
    socket.close();
    return check;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return wrong(error);
  }
}

function judge(text: string, expected: number | undefined): EventCheck {
  const account = expected ?? selfId(text);
  try {
    readEvent(text, account);
    return { account };
  } catch (error) {
    if (!(error instanceof EventFault)) throw error;
    return wrong(failedEnd(error.kind, error.message));
  }
}

/** The account that a text names; 0, which is none, if it is no event. */
function selfId(text: string): number {
  try {
    const { self_id } = parseJson(text) as { self_id?: unknown };
    return typeof self_id === "number" ? self_id : 0;
  } catch {
    return 0;
  }
}

type Problem = Pick<Failure, "kind" | "message" | "nextStep">;

/** Other advice than on token and path is meant for subscribers. */
function wrong({ kind, message, nextStep }: Problem): EventCheck {
  const advice = nextStep.replace(/, then subscribe again.*$/, ".");
  return { problem: `${message}. ${kind === "auth" || kind === "connect" ? advice : SAME_BOT}` };
}
