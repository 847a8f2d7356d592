/** Pokes. */
import type { Chat } from "./chat.ts";
import { LINK_BASE } from "./sources.ts";
import type { World } from "./world.ts";

/** Reports that the account pokes somebody in a chat; nothing else comes of it. */
export function poke(world: World, chat: Chat, userId: number): void {
  world.notice("notify", {
    sub_type: "poke",
    ...(chat.kind === "group" && { group_id: chat.id }),
    user_id: world.account.userId,
    target_id: userId,
    action: "戳了戳",
    suffix: "",
    action_img_url: `${LINK_BASE}/pictures/poke.png`,
  });
}
