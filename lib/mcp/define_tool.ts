/**
 * The frame around every tool: a tool declares data and a short `run`; this module checks the arguments
 * and turns results and errors into answers.
 */
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import { isRawNumber } from "../onebot/lossless_json.ts";
import { toCallResult, toErrorResult, type ToolResult } from "./result.ts";

/** What a tool may know about the call beside its arguments. */
export interface CallContext {
  /** Aborts when the client cancels the call or the server shuts down. */
  readonly signal: AbortSignal;
}

/** A tool as it is written down. */
export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: Input;
  /** Whether clients are shown the tool. A hidden one still answers, since its gate decides. */
  readonly listed: boolean;
  readonly run: (args: z.infer<Input>, context: CallContext) => ToolResult | Promise<ToolResult>;
}

/** A tool as the server holds it. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly call: (args: unknown, context: CallContext, log: Log) => Promise<CallToolResult>;
}

/** Annotations of tools that only read the bundled catalog. */
export const OFFLINE: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Frames a definition. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  return {
    definition: definition as unknown as ToolDefinition,
    async call(args, context, log) {
      try {
        return toCallResult(await definition.run(parse(definition, args), context));
      } catch (error) {
        if (error instanceof Failure) {
          if (error.kind === "internal") log("error", defect(definition.name, error.cause));
          if (error.outcome === "unknown") log("warn", error.message, { tool: definition.name, kind: error.kind });
          return toErrorResult(error);
        }
        log("error", defect(definition.name, error));
        return toErrorResult(
          new Failure("internal", `Cannot finish ${definition.name}: internal error`, "Tell the operator."),
        );
      }
    },
  };
}

function defect(tool: string, error: unknown): string {
  return `Defect in ${tool}: ${error instanceof Error ? error.stack : String(error)}`;
}

/** Checks arguments; every problem is told at once. @throws {Failure} `invalid_arguments` or `invalid_params` */
function parse<Input extends z.ZodObject>({ name, input }: ToolDefinition<Input>, args: unknown): z.infer<Input> {
  // a whole number beyond 2^53-1 is held as an object, which must not pass for `params`
  const given = Object.entries(args ?? {});
  const plain = given.map(([key, value]) => [key, isRawNumber(value) ? Number(value.rawJSON) : value]);
  const parsed = input.safeParse(Object.fromEntries(plain), { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.flatMap((issue) => issue.code === "unrecognized_keys" ? issue.keys : []);
  const known = Object.keys(input.shape);
  const problems = issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `unknown argument ${issue.keys.map((key) => JSON.stringify(key.slice(0, 64))).join(", ")}`
      : issue.code === "invalid_type" && issue.input === undefined
      ? `${issue.path.join(".")} is required`
      : `${issue.path.join(".")}: ${issue.message}`
  );
  throw new Failure(
    issues.every((issue) => issue.path[0] === "params") ? "invalid_params" : "invalid_arguments",
    `Cannot call ${name}: ${problems.join("; ").slice(0, 1000)}`,
    unknown.length > 0
      ? `Leave out what ${name} does not know; it takes ${known.join(", ") || "no arguments"}.`
      : `Correct the arguments; ${name} takes ${known.join(", ")}.`,
  );
}
