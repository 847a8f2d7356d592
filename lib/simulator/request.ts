/** The forms in which a request may name its action and its params. Pure: text in, values out. */
import type { Echo } from "./envelope.ts";
import { isRecord } from "./json_values.ts";

/** A request whose form was understood; `action` is null when it names none. */
export interface ParsedCall {
  readonly action: string | null;
  readonly params: Record<string, unknown>;
  readonly echo: Echo;
}

/** A call over a WebSocket. */
export type SocketCall = ParsedCall & { readonly action: string };

/** Why a body was not understood; the adapter turns it into HTTP 400. */
export class BadRequest extends Error {
  override readonly name = "BadRequest";
}

/** `GET /<action>?k=v`: there is no echo, the query may hold a param of that name. */
export function parseGet(action: string, query: string): ParsedCall {
  return { action, params: parseFields(query), echo: {} };
}

/**
 * A POST body.
 *
 * @param pathAction Action named by the path, which wins over the body; null on the root.
 * @param contentType The header, "" when absent. Looked at only when the body is not blank.
 * @throws BadRequest if the content type is unknown or JSON does not parse.
 */
export function parsePost(pathAction: string | null, contentType: string, body: string): ParsedCall {
  const fields = body.trim() === "" ? {} : parseBody(contentType, body);
  const named = typeof fields.action === "string" && fields.action !== "" ? fields.action : null;
  return {
    action: pathAction ?? named,
    // An object under `params` is the params and its siblings are dropped; otherwise the whole body is.
    params: isRecord(fields.params) ? fields.params : fields,
    echo: Object.hasOwn(fields, "echo") ? { echo: fields.echo } : {},
  };
}

/** A message over a WebSocket; null unless it is an object that names its action. Other params than an object are none. */
export function parseMessage(text: string): SocketCall | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value.action !== "string" || value.action === "") return null;
  return {
    action: value.action,
    params: isRecord(value.params) ? value.params : {},
    echo: Object.hasOwn(value, "echo") ? { echo: value.echo } : {},
  };
}

function parseBody(contentType: string, body: string): Record<string, unknown> {
  switch (contentType.split(";", 1)[0]?.trim().toLowerCase()) {
    case "application/json":
      return parseJson(body);
    case "application/x-www-form-urlencoded":
      return parseFields(body);
    case "":
      try {
        return parseJson(body);
      } catch {
        return parseFields(body);
      }
    default:
      throw new BadRequest("unsupported content type");
  }
}

function parseJson(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new BadRequest("invalid JSON");
  }
  // An array or a primitive is silently no params at all.
  return isRecord(value) ? value : {};
}

/** Each value is JSON when it parses as such and text otherwise; of equal names the last counts. */
function parseFields(encoded: string): Record<string, unknown> {
  return Object.fromEntries([...new URLSearchParams(encoded)].map(([name, value]) => [name, jsonOrText(value)]));
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
