/** Messages as actions report them. */
import { formatCq } from "./cq.ts";
import type { Message } from "./message_log.ts";
import type { World } from "./world.ts";

/** A message in the form of an event, without `post_type` and `self_id`. */
export function describeMessage(world: World, message: Message): Record<string, unknown> {
  const { chat, senderId } = message;
  const isOwn = senderId === world.account.userId;
  const sender = { user_id: senderId, nickname: world.nicknameOf(senderId), sex: "unknown", age: 0 };
  const common = {
    time: message.time,
    message_type: chat.kind,
    message_id: message.id,
    real_id: message.id,
    message_seq: message.seq,
    user_id: senderId,
    message: message.segments,
    raw_message: formatCq(message.segments),
    font: 0,
  };
  if (chat.kind === "private") {
    return { ...common, sub_type: "friend", ...(isOwn ? { target_id: chat.id } : {}), sender };
  }
  const member = world.groups.get(chat.id)?.members.get(senderId);
  return {
    ...common,
    sub_type: "normal",
    group_id: chat.id,
    anonymous: null,
    sender: { ...sender, card: member?.card ?? "", role: member?.role ?? "member" },
  };
}
