/** The calling tools' twins that ask the person at the client for required parameters which are absent. */
import type * as z from "zod";
import type { Lang } from "../catalog/describe.ts";
import { readAnswer } from "../completion/answer.ts";
import { describeMissing, missingParams } from "../completion/missing.ts";
import type { Executor } from "../executor.ts";
import { encodeCall } from "../onebot/call_body.ts";
import { type Asking, askPerson, takeAnswer } from "../mcp/ask.ts";
import { defineTool, type RunContext, type Tool } from "../mcp/define_tool.ts";
import type { Continuation, ToolResult } from "../mcp/result.ts";
import type { Door, Mode } from "../policy/gate.ts";
import { callAction, INVOKE, QUERY } from "./call.ts";

/**
 * `query_action_with_input`, `invoke_action_with_input`.
 *
 * @param executor Gives the executor, made on first use.
 * @param asking Gives what asking takes, made on first use.
 */
export function completionTools(
  { mode, lang }: { readonly mode: Mode; readonly lang: Lang },
  executor: () => Promise<Executor>,
  asking: () => Promise<Asking>,
): Tool[] {
  const complete = async (
    door: Door,
    args: z.infer<typeof INVOKE>,
    context: RunContext,
  ): Promise<ToolResult | Continuation> => {
    const running = await executor();
    const { params, execution } = args;
    const action = running.admit(door, args.action, params, execution?.input_file); // before anybody is asked
    const missing = missingParams(action, params, execution !== undefined);
    const { peer } = context;
    if (missing.length === 0 && !peer.resumes) return await callAction(running, door, args, context);
    const call = encodeCall(action.name, params);
    const binding = await digest(JSON.stringify([door, execution]), call);
    const brought = takeAnswer(peer, (await asking()).prompts, binding);
    const message = describeMissing(action, missing, lang);
    const answer = brought ??
      await askPerson(peer, await asking(), {
        message,
        lang,
        binding,
        bytes: call.length,
        alternative: `${door}_action`,
      });
    if (typeof answer !== "string") return answer;
    const given = await readAnswer(action, missing, answer);
    return await callAction(running, door, { ...args, params: { ...params, ...given } }, context);
  };
  return [
    defineTool({
      name: "query_action_with_input",
      title: "Read from the bot, asking for what is missing",
      description: "Like query_action, but asks the person at the client, by a form, for required parameters that " +
        "are absent. Needs a client that shows forms.",
      annotations: { readOnlyHint: true, openWorldHint: true },
      input: QUERY,
      listed: mode !== "docs",
      run: (args, context) => complete("query", args, context),
    }),
    defineTool({
      name: "invoke_action_with_input",
      title: "Act through the bot, asking for what is missing",
      description: "Like invoke_action, but asks the person at the client, by a form, for required parameters that " +
        "are absent. It is no approval: complete calls go through unasked. Needs a client that shows forms.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      input: INVOKE,
      listed: mode === "write",
      run: (args, context) => complete("invoke", args, context),
    }),
  ];
}

/** What an answer is bound to: tool and arguments. */
async function digest(how: string, call: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = await new Blob([how, call]).bytes();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
