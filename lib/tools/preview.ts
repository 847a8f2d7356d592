/** The tool that shows a message before anybody sends it. */
import * as z from "zod";
import type { Config } from "../config/resolve.ts";
import { Failure } from "../errors.ts";
import { defineTool, OFFLINE, type Tool } from "../mcp/define_tool.ts";
import { isVisible, MAX_DRAFT_LENGTH, readable, sendCall } from "../onebot/draft.ts";
import { checkDoor } from "../policy/gate.ts";

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;

/** `preview_message`. */
export function previewTools({ mode, lang }: Pick<Config, "mode" | "lang">): Tool[] {
  return [
    defineTool({
      name: "preview_message",
      title: "Preview a message",
      description:
        "Drafts a text message without contacting the bot: how it reads, can_send, and the arguments with which " +
        "invoke_action would send it. The text stays literal, also where it looks like markup. Some clients show a " +
        "panel by which the person can send it; then do not send it as well.",
      annotations: OFFLINE,
      input: z.strictObject({
        message_type: z.enum(["group", "private"]),
        target_id: z.int().min(1).describe("Group or QQ number."),
        text: z.string().min(1).max(MAX_DRAFT_LENGTH)
          .refine((text) => text.isWellFormed(), "holds half of a character (a lone surrogate)")
          .refine(isVisible, "shows nothing: it has only white space or hidden characters"),
        reply_to: z.int().min(MIN_INT32).max(MAX_INT32).refine((id) => id !== 0, "must not be 0").optional()
          .describe("Id of a message to quote, not 0."),
      }),
      listed: true,
      panel: true,
      run: (draft) => {
        const blocked = refusal(() => checkDoor("invoke", { mode }));
        return {
          result: {
            draft: readable(draft, lang),
            can_send: blocked === undefined,
            ...(blocked && { blocked }),
            invoke_action: sendCall(draft),
          },
        };
      },
    }),
  ];
}

/** What a gate would say to the call. */
function refusal(gate: () => void): { kind: string; message: string; next_step: string } | undefined {
  try {
    gate();
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { kind: error.kind, message: error.message, next_step: error.nextStep };
  }
}
