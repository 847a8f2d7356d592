/** Chats: with a person, or in a group. */

/** A chat: with a person (their number), or in a group (its number). */
export interface Chat {
  readonly kind: "private" | "group";
  readonly id: number;
}

export function groupChat(id: number): Chat {
  return { kind: "group", id };
}

export function privateChat(id: number): Chat {
  return { kind: "private", id };
}
