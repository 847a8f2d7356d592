/** W3C Trace Context, level 1 (https://www.w3.org/TR/trace-context/): what joins a tool call to its caller's trace. */

/** The trace context of one tool call. Correlates, and gives no permission. */
export interface Trace {
  /** `00-<trace id>-<span id of this call>-<flags>`: 32, 16 and 2 lower-case hex digits; the one flag is "sampled". */
  readonly traceparent: string;
  /** The caller's: `key=value` members joined by `,`, at most 512 characters of printable ASCII. Not to be logged. */
  readonly tracestate?: string;
}

/** What a call starts with. */
export interface TraceStart {
  /** The call's own span, in the caller's trace if there is a valid one. */
  readonly trace: Trace;
  /** Whether something that the caller gave had to be ignored. */
  readonly invalid: boolean;
}

/** The parts of a caller's `traceparent` that live on. */
interface Parent {
  readonly traceId: string;
  readonly sampled: boolean;
}

const MAX_MEMBERS = 32;

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?=$|-)/;

/** Length of a `traceparent` of version 00, in characters; what later versions add comes after it. */
const TRACEPARENT_LENGTH = 55;

/** What may occur in a `tracestate`, and its greatest length. Of control characters only the tab, around members. */
const TRACESTATE = /^[\t\x20-\x7e]{0,512}$/;

/** A simple key, or `tenant@system`. */
const KEY = /^(?:[a-z][a-z0-9_*\/-]{0,255}|[a-z0-9][a-z0-9_*\/-]{0,240}@[a-z][a-z0-9_*\/-]{0,13})$/;

/** Members are trimmed before, so that none ends in a space. Not empty: the grammar has at least one character. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;

/**
 * Gives a call its trace: the caller's trace id under a new span id, or an independent, sampled trace.
 *
 * @param meta The request's `_meta`, whatever it is. Its own data fields `traceparent` and `tracestate` are read,
 * nothing else: no `baggage`. A `tracestate` without a valid `traceparent` is ignored; an invalid one leaves the
 * `traceparent` as it is. White space around members and empty members are not passed on.
 */
export function startTrace(meta: unknown): TraceStart {
  const [givenParent, givenState] = [ownField(meta, "traceparent"), ownField(meta, "tracestate")];
  const parent = parseTraceparent(givenParent);
  const state = parent && parseTracestate(givenState);
  const { traceId, sampled } = parent ?? { traceId: randomId(16), sampled: true };
  const traceparent = `00-${traceId}-${randomId(8)}-${sampled ? "01" : "00"}`;
  const invalid = (givenParent !== undefined && parent === undefined) ||
    (givenState !== undefined && state === undefined);
  return { trace: state ? { traceparent, tracestate: state } : { traceparent }, invalid };
}

/** The HTTP headers that carry a trace to the bot: `traceparent` and, if there is one, `tracestate`. */
export function traceHeaders({ traceparent, tracestate }: Trace): Record<string, string> {
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}

function ownField(meta: unknown, name: string): unknown {
  if (typeof meta !== "object" || meta === null) return undefined;
  return Object.getOwnPropertyDescriptor(meta, name)?.value;
}

function parseTraceparent(text: unknown): Parent | undefined {
  if (typeof text !== "string") return undefined;
  // the rest is a later version's own affair, and may be long
  const [, version, traceId, flags] = TRACEPARENT.exec(text.slice(0, TRACEPARENT_LENGTH + 1)) ?? [];
  if (traceId === undefined || flags === undefined) return undefined;
  if (version === "00" && text.length !== TRACEPARENT_LENGTH) return undefined;
  return { traceId, sampled: (parseInt(flags, 16) & 1) === 1 };
}

/** Undefined for an invalid one, empty for one without members. */
function parseTracestate(text: unknown): string | undefined {
  if (typeof text !== "string" || !TRACESTATE.test(text)) return undefined;
  const members = text.split(",").map((member) => member.trim()).filter((member) => member !== "");
  const keys = new Set<string>();
  for (const member of members) {
    const at = member.indexOf("=");
    const key = member.slice(0, Math.max(at, 0)); // empty without a "=", which no key is
    if (!KEY.test(key) || !VALUE.test(member.slice(at + 1)) || keys.has(key)) return undefined;
    keys.add(key);
  }
  return keys.size > MAX_MEMBERS ? undefined : members.join(",");
}

/** Random digits in stock: asking the system for a few at a time would be the dearest part of a trace. */
let stock = "";
const STOCK_BYTES = 1536;

/** Random bytes as lower-case hex; an id of zeros only would mean none. */
function randomId(bytes: number): string {
  const digits = 2 * bytes;
  if (stock.length < digits) stock = crypto.getRandomValues(new Uint8Array(STOCK_BYTES)).toHex();
  const id = stock.slice(0, digits);
  stock = stock.slice(digits);
  return /[^0]/.test(id) ? id : randomId(bytes);
}
