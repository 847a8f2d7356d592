/** Message ids as QQ bots make them: a digest of where a message stands, so they look random and may be negative. */
import type { Chat } from "./chat.ts";
import { sha1 } from "./digest.ts";

/**
 * Signed 32-bit id of the message at `seq` in `chat`, the same in every run and never 0.
 *
 * @param isTaken Ids in use; a digest of four bytes collides now and then, and two messages must not share one.
 */
export function messageId(chat: Chat, seq: number, isTaken: (id: number) => boolean = () => false): number {
  for (let attempt = 0;; attempt += 1) {
    const digest = sha1(`${seq}:${chat.id}:${chat.kind}${attempt === 0 ? "" : `:${attempt}`}`);
    const id = new DataView(digest.buffer, digest.byteOffset).getInt32(0);
    if (id !== 0 && !isTaken(id)) return id;
  }
}
