/**
 * The frame around every tool: a tool declares data and a short `run`; this module checks the arguments, turns results
 * and errors into answers, passes progress on, and leaves one line a call in the log.
 */
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { Failure } from "../errors.ts";
import type { Log } from "../log.ts";
import { isRawNumber } from "../onebot/lossless_json.ts";
import { type Notify, Progress } from "../progress.ts";
import type { Trace } from "../trace.ts";
import type { Peer } from "./peer.ts";
import { type Continuation, toCallResult, toErrorResult, type ToolAnswer, type ToolResult } from "./result.ts";

/** What comes with a call beside its arguments. */
export interface CallContext {
  /** Aborts when the client cancels the call or the server shuts down. */
  readonly signal: AbortSignal;
  /** The call's own span. */
  readonly trace: Trace;
  readonly peer: Peer;
  /** Sends one notification; absent when the client asked for none. */
  readonly notify?: Notify;
}

/** What a tool may know about its call. */
export interface RunContext {
  readonly signal: AbortSignal;
  readonly trace: Trace;
  /** Who calls. */
  readonly peer: Peer;
  /** Takes the progress of the call; leads nowhere when the client asked for none. */
  readonly onProgress: Progress["report"];
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
  /** Only for clients with this extension; others do not see it and get the protocol's error for it. */
  readonly needs?: "tasks";
  /** Whether clients that show panels get one for the answer. */
  readonly panel?: boolean;
  readonly run: (args: z.infer<Input>, context: RunContext) => Given | Promise<Given>;
}

/** What a tool gives: a result, or a way to get to one later. */
type Given = ToolResult | Continuation;

/** A tool as the server holds it. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly call: (args: unknown, context: CallContext, log: Log) => Promise<ToolAnswer | Continuation>;
}

/** Annotations of tools that only read the bundled catalog. */
export const OFFLINE: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

/** Frames a definition. */
export function defineTool<Input extends z.ZodObject>(definition: ToolDefinition<Input>): Tool {
  const { name } = definition;
  return {
    definition: definition as unknown as ToolDefinition,
    async call(args, { signal, trace, peer, notify }, log) {
      const start = performance.now();
      const progress = notify && new Progress(notify, signal);
      let answer: ToolAnswer;
      let doubt: string | undefined; // a write that may have taken effect is told to the operator in words
      try {
        const context = { signal, trace, peer, onProgress: progress?.report ?? ignore };
        const given = await definition.run(parse(definition, args), context);
        if ("resultType" in given) {
          progress?.stop();
          const duration_ms = Math.round(performance.now() - start);
          log("info", "call", { tool: name, traceparent: trace.traceparent, outcome: given.resultType, duration_ms });
          return given;
        }
        answer = toCallResult(given);
        if (progress) await progress.finish();
      } catch (error) {
        progress?.stop();
        const failure = toFailure(error, name);
        if (failure.kind === "internal") log("error", defect(name, failure.cause));
        if (failure.outcome === "unknown") doubt = failure.message;
        answer = toErrorResult(failure);
      }
      const { diagnostics } = answer.structuredContent;
      if (progress?.failed) diagnostics.message ??= UNDELIVERED;
      log(doubt === undefined ? "info" : "warn", doubt ?? "call", {
        tool: name,
        traceparent: trace.traceparent,
        outcome: diagnostics.outcome,
        kind: diagnostics.kind,
        duration_ms: Math.round(performance.now() - start),
        progress: progress?.failed ? "undelivered" : undefined,
      });
      return answer;
    },
  };
}

const UNDELIVERED = "Progress could not be delivered, which says nothing about the call itself";

function ignore(): void {}

function toFailure(error: unknown, tool: string): Failure {
  if (error instanceof Failure) return error;
  return new Failure("internal", `Cannot finish ${tool}: internal error`, "Tell the operator.", { cause: error });
}

function defect(tool: string, error: unknown): string {
  return `Defect in ${tool}: ${error instanceof Error ? error.stack : String(error)}`;
}

/** Checks arguments; every problem is told at once. @throws {Failure} `invalid_arguments` or `invalid_params` */
function parse<Input extends z.ZodObject>({ name, input }: ToolDefinition<Input>, args: unknown): z.infer<Input> {
  // a whole number beyond 2^53-1 is held as an object, which must not pass for `params`
  const given = Object.entries(args ?? {});
  const plain = given.some(([, value]) => isRawNumber(value))
    ? Object.fromEntries(given.map(([key, value]) => [key, isRawNumber(value) ? Number(value.rawJSON) : value]))
    : args ?? {};
  const parsed = input.safeParse(plain, { reportInput: true });
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
