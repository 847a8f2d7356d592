/**
 * Refuses requests that claim a protocol revision we do not speak (MCP 2026-07-28, "versioning"), before
 * anything runs. The SDK does so only until a connection has had its first ordinary request.
 */
import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { MODERN_REVISIONS } from "../version.ts";

/** The error to answer with, or nothing if the message claims no revision or one that we speak. */
export function refuseRevision(message: JSONRPCMessage): object | undefined {
  if (!("method" in message) || !("id" in message)) return undefined;
  const meta = message.params?._meta as Record<string, unknown> | undefined;
  const requested = meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== "string" || MODERN_REVISIONS.includes(requested)) return undefined;
  return {
    jsonrpc: "2.0",
    id: message.id,
    error: {
      code: ProtocolErrorCode.UnsupportedProtocolVersion,
      message: `Unsupported protocol version: ${requested.slice(0, 64)}`,
      data: { supported: MODERN_REVISIONS, requested },
    },
  };
}
