/** What passes for a JSON-RPC 2.0 message, as far as its envelope goes. */
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";

/** Whether this is a request, a notification or a response. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value)) return false;
  const { jsonrpc, id, method, params, result, error } = value;
  if (jsonrpc !== "2.0" || (id !== undefined && !isId(id))) return false;
  if (method === undefined) return id !== undefined && (result !== undefined || error !== undefined);
  return typeof method === "string" && (params === undefined || (isObject(params) && isMeta(params._meta)));
}

const REQUEST_MEMBERS: readonly string[] = ["jsonrpc", "id", "method", "params"];
const RESPONSE_MEMBERS: readonly string[] = ["jsonrpc", "id", "result", "error"];

/**
 * The message without members that JSON-RPC does not know, for which the SDK would drop it without a word. So it would
 * a malformed answer: that one becomes an error, since somebody waits for it.
 */
export function bare(message: JSONRPCMessage): JSONRPCMessage {
  if (!("method" in message) && !isAnswer(message)) {
    return { jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "The answer is malformed" } };
  }
  const known = "method" in message ? REQUEST_MEMBERS : RESPONSE_MEMBERS;
  if (Object.keys(message).every((member) => known.includes(member))) return message;
  const { jsonrpc, id, method, params, result, error } = message as Record<string, unknown>;
  const given = Object.entries({ jsonrpc, id, method, params, ...(method === undefined && { result, error }) });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as JSONRPCMessage;
}

/** Whether it has a result or an error, not both, and that is one. */
function isAnswer(message: object): boolean {
  const { result, error } = message as Record<string, unknown>;
  if (error === undefined) return isObject(result) && isMeta(result._meta);
  return result === undefined && isObject(error) && Number.isSafeInteger(error.code) &&
    typeof error.message === "string";
}

/** Whether this was meant as an answer to us. */
export function isResponse(value: unknown): boolean {
  return isObject(value) && !("method" in value) && ("result" in value || "error" in value);
}

/** The id to answer to, or `null` where there is none of use. */
export function idOf(value: unknown): RequestId | null {
  return isObject(value) && isId(value.id) ? value.id : null;
}

/**
 * Whether an argument, or a name inside `params`, is `__proto__`: zod drops a field of this name without a word, so
 * that it could neither be refused by name nor passed on.
 */
export function hasProto(args: unknown): boolean {
  return isObject(args) && [args, args.params].some((value) => isObject(value) && Object.hasOwn(value, "__proto__"));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(id: unknown): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** The parts of `_meta` for which the SDK would drop a request without a word. */
function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const { progressToken, "io.modelcontextprotocol/related-task": task } = meta;
  return (progressToken === undefined || isId(progressToken)) &&
    (task === undefined || (isObject(task) && typeof task.taskId === "string"));
}
