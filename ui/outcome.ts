/** What became of a send. It is never more certain than what the server said. */
import { fields, textOf, type ToolResult } from "./draft.ts";

/** What is known afterwards. */
export type Outcome =
  | { readonly outcome: "success"; readonly messageId?: string }
  | { readonly outcome: "failed" | "unknown"; readonly reason: string };

/** JSON-RPC's code for a method that the other side does not have. */
const METHOD_NOT_FOUND = -32601;

/** Reads the answer of `invoke_action`. Without the server's own verdict nothing is known. */
export function readOutcome(result: ToolResult): Outcome {
  const { result: envelope, diagnostics } = fields(result.structuredContent);
  const { outcome, message } = fields(diagnostics);
  if (outcome === "success" && result.isError !== true) {
    const { message_id: id } = fields(fields(envelope).data);
    return { outcome, ...(isMessageId(id) && { messageId: String(id) }) };
  }
  const reason = typeof message === "string" ? message : textOf(result);
  return { outcome: outcome === "failed" ? outcome : "unknown", reason };
}

/**
 * Reads an error that came instead of an answer. A client that has no such method has sent nothing; any other error may
 * have come after the call had left.
 */
export function readError(error: unknown): Outcome {
  const { code, message = error } = fields(error);
  return {
    outcome: code === METHOD_NOT_FOUND ? "failed" : "unknown",
    // where an answer is malformed, the Apps client goes on with a page of JSON
    reason: typeof message === "string" ? (message.split("\n")[0] ?? "").replace(/:? \[$/, "") : "",
  };
}

/** A bot may put anything there, and what it puts is shown in a sentence of ours. Numbers that lost digits are no ids. */
function isMessageId(id: unknown): boolean {
  return Number.isSafeInteger(id) || (typeof id === "string" && /^-?\d{1,20}$/.test(id));
}
