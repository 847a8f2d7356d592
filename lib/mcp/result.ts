/** From what a tool found to what a client gets: text and structured content, always the same shape. */
import type { CallToolResult } from "@modelcontextprotocol/server";
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
