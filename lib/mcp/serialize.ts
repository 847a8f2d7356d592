/**
 * A message as one line of JSON, in which a tool's result is written once. It stands in an answer twice, as text and
 * as structured content (`result.ts`); walking through it again would be the dearest part of a short call, and takes
 * another 16 MiB for the longest answer.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/server";

const BEFORE = '"structuredContent":{"result":';
/** Where the result belongs. Within a string its quotes would be escaped, so it is found nowhere else. */
const HOLE = `${BEFORE}null`;

/** The same text that `JSON.stringify` gives. @throws {RangeError} for what is nested too deeply. */
export function serialize(message: JSONRPCMessage): string {
  const result = "result" in message ? message.result as ToolAnswer : undefined;
  const text = result?.content?.[0]?.text;
  if (result?.isError || result?.structuredContent === undefined || text === undefined) return JSON.stringify(message);
  const structuredContent = { ...result.structuredContent, result: null };
  const rest = JSON.stringify({ ...message, result: { ...result, structuredContent } });
  const at = rest.indexOf(HOLE);
  if (at === -1) return JSON.stringify(message);
  return rest.slice(0, at + BEFORE.length) + text + rest.slice(at + HOLE.length);
}

/** The part of a tool's answer that is looked at; other answers lack it. */
interface ToolAnswer {
  readonly isError?: boolean;
  readonly content?: ReadonlyArray<{ readonly text?: string }>;
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}
