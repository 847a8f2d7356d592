/** Somebody answers what the account says, so that there is a conversation without a second person. */
import { type Segment, textSegment } from "./cq.ts";
import type { Message } from "./message_log.ts";
import { post } from "./post.ts";
import { wait } from "./wait.ts";
import type { BotEvent, World } from "./world.ts";

/** After so much real time, in milliseconds. */
const DELAY_MS = 200;

/** Answers on their way at the same time; what is said beyond that stays unanswered. */
const MAX_PENDING = 64;

/** Characters of what was said that the answer repeats. */
const MAX_QUOTED = 100;

export class Replies {
  readonly #world: World;
  readonly #end = new AbortController();
  #pending = 0;

  constructor(world: World) {
    this.#world = world;
    world.listen((event) => void this.#hear(event));
  }

  /** Ends all answers on their way. */
  stop(): void {
    this.#end.abort();
  }

  /** Answers come from others, so they are never `message_sent` and nothing answers them. */
  async #hear({ post_type, message_id }: BotEvent): Promise<void> {
    if (post_type !== "message_sent" || typeof message_id !== "number" || this.#pending >= MAX_PENDING) return;
    this.#pending += 1;
    const isDue = await wait(DELAY_MS, this.#end.signal);
    this.#pending -= 1;
    const message = this.#world.messages.find(message_id);
    if (isDue && message !== undefined) this.#reply(message);
  }

  #reply({ chat, id, segments }: Message): void {
    const senderId = chat.kind === "private" ? chat.id : this.#speaker(chat.id, segments);
    if (senderId === undefined) return;
    const quote = { type: "reply", data: { id: String(id) } };
    post(this.#world, chat, senderId, [[quote, textSegment(answerTo(segments))]]);
  }

  /** Who was mentioned, else the first member; nobody who is muted. */
  #speaker(groupId: number, segments: readonly Segment[]): number | undefined {
    const { account, groups } = this.#world;
    const group = groups.get(groupId);
    const mentioned = segments.filter(({ type }) => type === "at").map(({ data }) => Number(data.qq));
    const speakers = [...group?.members.values() ?? []].filter(({ userId, role, bannedUntil }) =>
      userId !== account.userId && bannedUntil <= this.#world.now() && !(group?.wholeBan && role === "member")
    );
    return (speakers.find(({ userId }) => mentioned.includes(userId)) ?? speakers[0])?.userId;
  }
}

function answerTo(segments: readonly Segment[]): string {
  const said = segments.filter(({ type }) => type === "text").map(({ data }) => String(data.text)).join("").trim();
  if (said === "") return "Seen.";
  // Twice the units hold the characters, whatever they are, and a message may be a megabyte.
  const quoted = [...said.slice(0, 2 * MAX_QUOTED)].slice(0, MAX_QUOTED).join("");
  return `You said: ${quoted}`;
}
