/** A text message that has not been sent: how it reads, and the call that would send it. */
import type { Lang } from "../catalog/describe.ts";

/** Most characters of a draft, in code points; QQ itself takes far fewer, but how many is the bot's business. */
export const MAX_DRAFT_LENGTH = 65_536;

/** Whether people would see anything of a text. */
export function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/** A message to one group or one person. */
export interface Draft {
  /** Whether `target_id` is a group or a person. */
  readonly message_type: "group" | "private";
  /** Group or QQ number. */
  readonly target_id: number;
  /** Sent letter by letter, whatever markup it resembles. */
  readonly text: string;
  /** Id of the message to quote. */
  readonly reply_to?: number | undefined;
}

/** One part of a message (OneBot v11, "message segments"). */
export type Segment = { readonly type: "reply"; readonly data: { readonly id: string } } | {
  readonly type: "text";
  readonly data: { readonly text: string };
};

/** A call of the action that sends a draft. */
export interface SendCall {
  /** Name in the catalog. */
  readonly action: "send_group_msg" | "send_private_msg";
  /** Parameters of the call: the message, and whom it goes to. */
  readonly params: { readonly message: readonly Segment[]; readonly group_id?: number; readonly user_id?: number };
}

/**
 * The call that sends a draft. The text is a segment of its own, never a string: bots read strings as markup, even one
 * that happens to be a JSON array.
 */
export function sendCall({ message_type, target_id, text, reply_to }: Draft): SendCall {
  const message: Segment[] = [{ type: "text", data: { text } }];
  if (reply_to !== undefined) message.unshift({ type: "reply", data: { id: String(reply_to) } }); // has to come first
  return message_type === "group"
    ? { action: "send_group_msg", params: { group_id: target_id, message } }
    : { action: "send_private_msg", params: { user_id: target_id, message } };
}

/** A draft as people read it. */
export function readable({ message_type, target_id, text, reply_to }: Draft, lang: Lang): string {
  const isGroup = message_type === "group";
  const head = lang === "zh"
    ? `${isGroup ? `发到群 ${target_id}` : `发给用户 ${target_id}（私聊）`}${
      reply_to === undefined ? "" : `，回复消息 ${reply_to}`
    }：`
    : `To ${isGroup ? `group ${target_id}` : `user ${target_id} (private)`}${
      reply_to === undefined ? "" : `, in reply to message ${reply_to}`
    }:`;
  return `${head}\n\n${text}`;
}
