/**
 * Looks at `subscriptions/listen` before the SDK serves it (MCP 2026-07-28): how much one may watch, and what the tasks
 * extension says of clients that do not declare it.
 */
import { CLIENT_CAPABILITIES_META_KEY, type JSONRPCMessage, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { TASKS_EXTENSION } from "./peer.ts";

/** Name of the method. */
export const LISTEN = "subscriptions/listen";
/** Most streams of one connection, and most resources of one stream. */
export const MAX_LISTENS = 64;
/** Longest address, in characters. */
const MAX_URI_LENGTH = 1024;

/** The error to answer with, or nothing for any other message and a request that may pass. */
export function refuseListen(message: JSONRPCMessage): object | undefined {
  if (!("method" in message) || !("id" in message) || message.method !== LISTEN) return undefined;
  const { notifications, _meta } = (message.params ?? {}) as Params;
  const refuse = (code: number, text: string, data?: object): object => ({
    jsonrpc: "2.0",
    id: message.id,
    error: { code, message: text, ...(data && { data }) },
  });
  const uris = notifications?.resourceSubscriptions;
  const isLong = (uri: unknown): boolean => typeof uri === "string" && uri.length > MAX_URI_LENGTH;
  if (Array.isArray(uris) && (uris.length > MAX_LISTENS || uris.some(isLong))) {
    const most = `${MAX_LISTENS} resources of ${MAX_URI_LENGTH} characters`;
    return refuse(ProtocolErrorCode.InvalidParams, `Cannot listen to so much: a stream takes at most ${most}`);
  }
  if (
    notifications?.taskIds !== undefined &&
    _meta?.[CLIENT_CAPABILITIES_META_KEY]?.extensions?.[TASKS_EXTENSION] === undefined
  ) {
    const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
    const text = `Cannot listen to tasks: the client does not declare ${TASKS_EXTENSION}`;
    return refuse(ProtocolErrorCode.MissingRequiredClientCapability, text, { requiredCapabilities });
  }
  return undefined;
}

/** The parts that are looked at; none has been checked. */
interface Params {
  readonly notifications?: { readonly resourceSubscriptions?: unknown; readonly taskIds?: unknown } | null;
  readonly _meta?: Readonly<Record<string, { readonly extensions?: Readonly<Record<string, unknown>> } | undefined>>;
}
