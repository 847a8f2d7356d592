/** Messages as events report them and as actions return them. */
import { formatCq } from "./cq.ts";
import type { Message } from "./message_log.ts";
import type { World } from "./world.ts";

/** A message as `get_msg` returns it: an own private one names its receiver here alone. */
export function describeMessage(world: World, message: Message): Record<string, unknown> {
  const { chat, id, senderId } = message;
  const isOwnPrivate = chat.kind === "private" && senderId === world.account.userId;
  return { ...eventFields(world, message), real_id: id, ...(isOwnPrivate && { target_id: chat.id }) };
}

/** The event that reports a message: `message_sent` for one of the account itself, `message` for others. */
export function messageEvent(world: World, message: Message): Record<string, unknown> {
  const isOwn = message.senderId === world.account.userId;
  return { post_type: isOwn ? "message_sent" : "message", ...eventFields(world, message) };
}

function eventFields(world: World, message: Message): Record<string, unknown> {
  const { chat, senderId } = message;
  const sender = { user_id: senderId, nickname: world.nicknameOf(senderId), sex: "unknown", age: 0 };
  const common = {
    time: message.time,
    message_type: chat.kind,
    message_id: message.id,
    message_seq: message.seq,
    user_id: senderId,
    message: message.segments,
    raw_message: formatCq(message.segments),
    font: 0,
  };
  if (chat.kind === "private") {
    return { ...common, sub_type: "friend", sender };
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
