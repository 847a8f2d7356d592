/** Results of `preview_message` as no server of ours makes them. */
import type { Message } from "../support/server_process.ts";

/** Arguments that send {@link HELLO}. */
export const SENDS_HELLO: Message = {
  action: "send_group_msg",
  params: { group_id: 20001, message: [{ type: "text", data: { text: "Hello" } }] },
};

/** A result with these arguments of `invoke_action`. */
export function resultWith(sends: unknown, more: Message = { can_send: true }): Message {
  return {
    content: [{ type: "text", text: "A draft" }],
    structuredContent: { result: { draft: "A draft", ...more, invoke_action: sends } },
  };
}

/** As {@link resultWith}, as the message of a client. */
export function resultNotice(sends: unknown): Message {
  return { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: resultWith(sends) };
}
