/** What the end of an event connection means. RFC 6455 section 7.4 has the codes. */
import { Failure, type FailureKind } from "../errors.ts";
import { printable } from "../printable.ts";

/** Longest text of the peer in a message of ours, in characters. */
const MAX_REASON = 120;

/** How a connection that stood has ended. */
export interface EventEnd {
  /** `closed`: the bot took its leave. `failed`: anything else. */
  readonly status: "closed" | "failed";
  /** The condition. */
  readonly kind: FailureKind;
  /** What went wrong, without secrets or texts of events. */
  readonly message: string;
  /** What can be done about it. */
  readonly nextStep: string;
  /** Of the close frame; 1005 when it had none, 1006 when there was no frame. */
  readonly code?: number;
}

const AGAIN = "Check that the bot runs, then subscribe again, after releasing what this connection has with " +
  "unsubscribe_events; what was sent in between is not recovered.";
const PEER =
  "Check that SNOWLUMA_MCP_EVENTS_URL is the address of a OneBot v11 WebSocket server, then subscribe again, " +
  "after releasing what this connection has with unsubscribe_events.";
const START = "Start the bot, or ask the operator to check SNOWLUMA_MCP_EVENTS_URL.";
const PERMIT = "Ask the operator to start the server with that permission; what the init command writes has it.";
const PATH = "Ask the operator to check the path in SNOWLUMA_MCP_EVENTS_URL: bots answer only at the path they are " +
  "configured with, usually /.";
const AUTH = "Ask the operator to set SNOWLUMA_MCP_EVENTS_TOKEN to the access token of the bot's WebSocket server: " +
  "bots have separate ones for HTTP and WebSocket, and without it SNOWLUMA_MCP_TOKEN is used.";

const ACCOUNT =
  "Subscribe with the account that get_login_info tells as self_id, after releasing what this connection " +
  "has with unsubscribe_events.";

/** The bot took its leave: normal, going away, without a code, service restart. */
const LEAVES = [1000, 1001, 1005, 1012];
/** What `ws` says of messages above the limit, or in more pieces than it keeps. */
const TOO_LARGE = [
  "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH",
  "WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH",
  "WS_ERR_TOO_MANY_BUFFERED_PARTS",
];

/** An end of our own making, or for a reason that is ours to tell. @param why Ends the sentence. */
export function failedEnd(kind: FailureKind, why: string): EventEnd {
  const nextStep = { auth: AUTH, account: ACCOUNT, cut: AGAIN, timeout: AGAIN }[kind as string] ?? PEER;
  return { status: "failed", kind, message: `Cannot receive events: ${why}`, nextStep };
}

/** The end by a close frame, or by none (1006). @param reason The peer's words. */
export function endByCode(code: number, reason: string): EventEnd {
  if (code === 1006) return { ...failedEnd("cut", "the connection ended without a close frame"), code };
  const said = reason === "" ? "" : `, ${quote(reason)}`;
  const why = `the bot closed the connection with code ${code}${said}`;
  if (LEAVES.includes(code)) return { ...failedEnd("cut", why), status: "closed", code };
  if (code !== 1008) return { ...failedEnd("cut", why), code };
  if (!/path/i.test(reason)) return { ...failedEnd("auth", why), code };
  return { ...failedEnd("connect", why), nextStep: PATH, code };
}

/** The end by an error of the socket, or of what came over it. @param limit Largest message in bytes. */
export function endByError({ code, message }: Error & { readonly code?: string }, limit: number): EventEnd {
  if (code !== undefined && TOO_LARGE.includes(code)) {
    return failedEnd("too_large", `the bot sent a message of more than ${limit} bytes, or in too many pieces`);
  }
  if (code?.startsWith("WS_ERR_")) return failedEnd("invalid_event", `the bot broke the WebSocket protocol (${code})`);
  return failedEnd("cut", `the connection broke (${quote(code ?? message)})`);
}

/** A handshake that was answered with another HTTP status than 101. */
export function refusedByStatus(status: number): Failure {
  const message = `Cannot open the event connection: the bot answered HTTP ${status}`;
  if (status === 401 || status === 403) return new Failure("auth", message, AUTH);
  if (status === 400 || status === 404) return new Failure("connect", message, PATH);
  if (status >= 300 && status < 400) {
    return new Failure("connect", `${message}, and redirects are not followed`, START);
  }
  return new Failure("connect", message, PEER);
}

/** A connection that did not come about: refused, unreachable, distrusted, not permitted, or no WebSocket server. */
export function notConnected(error: Error & { readonly code?: string }): Failure {
  const why = error.code ?? quote(error.message.split("\n")[0] ?? "");
  const permitted = !(error instanceof Deno.errors.NotCapable);
  return new Failure("connect", `Cannot open the event connection: ${why}`, permitted ? START : PERMIT);
}

/** No connection in time. */
export function tooLate(timeoutMs: number): Failure {
  return new Failure("timeout", `Cannot open the event connection: not done within ${timeoutMs} ms`, START);
}

/** Nobody wants the connection any more. */
export function notWanted(): Failure {
  return new Failure("cancelled", "Cannot open the event connection: it was cancelled", "Subscribe again if wanted.");
}

function quote(text: string): string {
  const short = text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text;
  return printable(JSON.stringify(short));
}
