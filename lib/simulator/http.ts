/**
 * The HTTP adapter: the checks a request passes before an action is looked for, in the order of the bot.
 * What fails here has a telling HTTP status; everything later is HTTP 200.
 */
import type { IncomingMessage } from "node:http";
import type { BodyReader } from "./body.ts";
import { BadRequest, type ParsedCall, parseGet, parsePost } from "./request.ts";

/** What the adapter is configured with. */
export interface AdapterOptions {
  /** Path prefix without a slash at the end; "" is the root. */
  readonly prefix: string;
  /** Access token; "" asks for none. */
  readonly token: string;
}

/** What became of a request at the door. */
export type Admission =
  | { readonly kind: "ping"; readonly bodyBytes: 0 }
  | { readonly kind: "call"; readonly call: ParsedCall & { readonly action: string }; readonly bodyBytes: number }
  | {
    readonly kind: "rejected";
    readonly status: number;
    readonly retcode: number;
    readonly wording: string;
    readonly bodyBytes: number;
  }
  /** The client left while it was sending, or took too long. */
  | { readonly kind: "gone"; readonly bodyBytes: 0 };

/** Runs the checks; reads the body only if the ones before it pass. */
export async function admit(
  request: IncomingMessage,
  bodies: BodyReader,
  options: AdapterOptions,
): Promise<Admission> {
  const [path, query] = split(request.url ?? "/");
  const rest = withoutPrefix(path, options.prefix);
  if (rest === null) return rejected(404, 1404, "not found");
  if (!authorized(request, query, options.token)) return rejected(401, 1401, "unauthorized");
  // The action is not URL-decoded, and a slash after it belongs to its name.
  const pathAction = rest === "" ? null : rest;
  if (request.method === "GET") {
    return pathAction === null
      ? { kind: "ping", bodyBytes: 0 }
      : { kind: "call", call: { ...parseGet(pathAction, query), action: pathAction }, bodyBytes: 0 };
  }
  if (request.method !== "POST") return rejected(405, 1400, "method not allowed");
  const body = await bodies.read(request);
  if (body === "gone") return { kind: "gone", bodyBytes: 0 };
  if (body === "too_large") return rejected(413, 1413, "request body too large");
  if (body === "busy") return rejected(503, 1200, "too many large requests at once");
  return admitPost(pathAction, request.headers["content-type"] ?? "", body);
}

function admitPost(pathAction: string | null, contentType: string, body: Uint8Array): Admission {
  const bodyBytes = body.byteLength;
  try {
    const call = parsePost(pathAction, contentType, new TextDecoder().decode(body));
    if (call.action === null) return rejected(400, 1400, "action is missing", bodyBytes);
    return { kind: "call", call: { ...call, action: call.action }, bodyBytes };
  } catch (error) {
    if (error instanceof BadRequest) return rejected(400, 1400, error.message, bodyBytes);
    throw error;
  }
}

/** A request target before and after its question mark. */
export function split(target: string): [path: string, query: string] {
  const mark = target.indexOf("?");
  return mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)];
}

/** The part after the prefix and its slash; null when the path lies elsewhere. */
function withoutPrefix(path: string, prefix: string): string | null {
  if (path === prefix) return "";
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : null;
}

/** Whether a request carries the token. Either form suffices, whatever the other one says. */
export function authorized(request: IncomingMessage, query: string, token: string): boolean {
  if (token === "" || request.headers.authorization === `Bearer ${token}`) return true;
  return new URLSearchParams(query).get("access_token") === token;
}

function rejected(status: number, retcode: number, wording: string, bodyBytes = 0): Admission {
  return { kind: "rejected", status, retcode, wording, bodyBytes };
}
