/** From what a tool found to what a client gets: text and structured content, always the same shape. */
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { Failure } from "../errors.ts";
import type { Diagnostics } from "../outcome.ts";

/** What a tool gives: its result, and what is known about it (success, unless it says otherwise). */
export interface ToolResult {
  readonly result: unknown;
  readonly diagnostics?: Diagnostics;
  /** The result as compact JSON, where it is at hand. */
  readonly text?: string;
}

/** What a client gets; the shape is the same for every tool. */
export interface ToolAnswer extends CallToolResult {
  structuredContent: { result: unknown; diagnostics: { -readonly [K in keyof Diagnostics]: Diagnostics[K] } };
}

/**
 * What stands for a result that is still to come: the client has to ask the person and call again, or to ask for the
 * task later (MCP 2026-07-28, "multi round-trip requests"; tasks extension).
 */
export type Continuation = InputRequiredResult | TaskHandle;

/** Tells the client to ask for a task later. */
export interface TaskHandle {
  readonly resultType: "task";
  readonly taskId: string;
  _meta?: Record<string, unknown>;
  [field: string]: unknown;
}

/** The answer to a call that came through, whatever the bot said in it. */
export function toCallResult({ result, diagnostics, text }: ToolResult): ToolAnswer {
  return {
    content: [{ type: "text", text: text ?? JSON.stringify(result) }],
    structuredContent: { result, diagnostics: { outcome: "success", ...diagnostics } },
  };
}

/** The answer to a call that did not come through: message and next step as text, `isError`. */
export function toErrorResult(failure: Failure): ToolAnswer {
  const { kind, message, nextStep, outcome } = failure;
  return {
    content: [{ type: "text", text: `${message}. ${nextStep}` }],
    structuredContent: { result: null, diagnostics: { outcome, kind, message, next_step: nextStep } },
    isError: true,
  };
}

/** The answer that a finished task kept: its text is in it already. */
export function answerOf({ isError, structuredContent }: KeptAnswer): ToolAnswer {
  const { result, diagnostics } = structuredContent;
  if (!isError) return toCallResult({ result, diagnostics });
  const text = `${diagnostics.message ?? ""}. ${diagnostics.next_step ?? ""}`;
  return { content: [{ type: "text", text }], structuredContent: { result, diagnostics }, isError };
}

/** What is kept of an answer. */
interface KeptAnswer {
  readonly isError: boolean;
  readonly structuredContent: { readonly result: unknown; readonly diagnostics: Diagnostics };
}

/** The JSON Schema of every tool's structured content. */
export const OUTPUT_SCHEMA = {
  type: "object" as const,
  properties: {
    result: { description: "The answer; null if the tool failed." },
    diagnostics: {
      type: "object",
      properties: {
        outcome: { type: "string", enum: ["success", "failed", "unknown"] },
        kind: { type: "string" },
        message: { type: "string" },
        next_step: { type: "string" },
      },
      required: ["outcome"],
    },
  },
  required: ["result", "diagnostics"],
};
