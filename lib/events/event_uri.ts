/** Addresses of event resources. */
import { Failure } from "../errors.ts";

/** What every address begins with; the id comes next. */
export const EVENTS_URI = "snowluma://onebot/events/";

/** An address taken apart. */
export interface EventUri {
  /** Without a query: what names the resource. */
  readonly uri: string;
  /** The cursor after which to read. */
  readonly after?: number;
}

/** A new address that nobody can guess. */
export function newEventUri(): string {
  return EVENTS_URI + crypto.randomUUID();
}

/**
 * Takes apart `snowluma://onebot/events/<id>`, with or without `?after=<cursor>`.
 *
 * @throws {Failure} `invalid_arguments` for any other text
 */
export function parseEventUri(text: string): EventUri {
  const [uri = "", query, ...more] = text.split("?");
  if (!uri.startsWith(EVENTS_URI) || !/^[\w-]+$/.test(uri.slice(EVENTS_URI.length))) {
    throw refusal(text, "it is no address of an event resource", "Use the uri that subscribe_events gave.");
  }
  if (query === undefined) return { uri };
  const after = /^after=(\d{1,16})$/.exec(query)?.[1];
  if (after === undefined || more.length > 0 || !Number.isSafeInteger(Number(after))) {
    throw refusal(text, "its query is not after=<cursor>", "Add ?after= and the next_cursor of the last answer.");
  }
  return { uri, after: Number(after) };
}

function refusal(text: string, reason: string, nextStep: string): Failure {
  return new Failure("invalid_arguments", `Cannot read ${JSON.stringify(text.slice(0, 128))}: ${reason}`, nextStep);
}
