/** Puts read messages into a chat. */
import type { Chat } from "./chat.ts";
import type { Segment } from "./cq.ts";
import { messageEvent } from "./message_view.ts";
import type { World } from "./world.ts";

/** Posts the QQ messages that one message became, and returns the id of the last one, as the bot does. */
export function post(world: World, chat: Chat, senderId: number, parts: readonly (readonly Segment[])[]): number {
  const posted = parts.map((part) => world.messages.append(chat, senderId, world.now(), part));
  if (chat.kind === "group") {
    const member = world.groups.get(chat.id)?.members.get(senderId);
    if (member !== undefined) member.lastSentAt = world.now();
  }
  for (const message of posted) world.report(messageEvent(world, message));
  return posted.at(-1)?.id ?? 0;
}
