/** Puts read messages into a chat. */
import type { Chat } from "./chat.ts";
import type { Segment } from "./cq.ts";
import type { World } from "./world.ts";

/** Posts the QQ messages that one message became, and returns the id of the last one, as the bot does. */
export function post(world: World, chat: Chat, senderId: number, parts: readonly (readonly Segment[])[]): number {
  let id = 0;
  for (const part of parts) id = world.messages.append(chat, senderId, world.now(), part).id;
  if (chat.kind === "group") {
    const member = world.groups.get(chat.id)?.members.get(senderId);
    if (member !== undefined) member.lastSentAt = world.now();
  }
  return id;
}
