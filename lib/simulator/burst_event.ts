/** The messages of a burst. */
import { groupChat } from "./chat.ts";
import { textSegment } from "./cq.ts";
import { messageId } from "./message_id.ts";
import { messageEvent } from "./message_view.ts";
import type { BotEvent, World } from "./world.ts";

const GROUP = 20001;
const MEMBER = 12001;

/** Sequences of a burst start here, where those of kept messages do not get. */
const FIRST_SEQ = 1_000_000;

/** The event of a message that nobody keeps, another one for each index. */
export function burstEvent(world: World, index: number): BotEvent {
  const chat = groupChat(GROUP);
  const seq = FIRST_SEQ + index;
  return messageEvent(world, {
    id: messageId(chat, seq),
    seq,
    chat,
    senderId: MEMBER,
    time: world.now(),
    segments: [textSegment(`Burst ${index}`)],
    reactions: new Map(),
    isTodo: false,
  });
}
