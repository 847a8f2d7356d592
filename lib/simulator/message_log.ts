/** All messages of the account, as the bot remembers them. */
import { BoundedMap } from "./bounded_map.ts";
import type { Chat } from "./chat.ts";
import type { Segment } from "./cq.ts";
import { ActionFailure } from "./failure.ts";
import { messageId } from "./message_id.ts";
import { copyToKeep, jsonSize, MAX_ENTRY_BYTES, tooLarge } from "./stored.ts";

/** Messages that are kept; the oldest are forgotten first, and then unknown to every action. */
export const MAX_MESSAGES = 50_000;

/** What they hold together, in bytes of JSON (64 MiB); beyond that the oldest are forgotten too. */
export const MAX_MESSAGES_BYTES = 67_108_864;

/** Different emoji that are kept of the reactions to one message; the oldest are forgotten first. */
const MAX_EMOJI = 100;

/** Longest page of history, and the page taken for a count of 0. */
const MAX_PAGE = 200;
const DEFAULT_PAGE = 20;

/** One message. */
export interface Message {
  readonly id: number;
  readonly seq: number;
  readonly chat: Chat;
  readonly senderId: number;
  /** Unix seconds. */
  readonly time: number;
  readonly segments: readonly Segment[];
  /** Who reacted, by emoji id. */
  readonly reactions: ReadonlyMap<string, Set<number>>;
  /** Whether it is on the to-do list of its group. */
  isTodo: boolean;
}

/** A message as it is kept. */
interface KeptMessage extends Message {
  readonly reactions: BoundedMap<string, Set<number>>;
  /** Size of the segments, and with the emoji of the reactions, in bytes of JSON. */
  readonly segmentBytes: number;
  bytes: number;
}

/** Which page of a chat to take. */
interface Page {
  /** Id of the message to start from, which is part of the page; 0 starts at the newest. */
  readonly anchor: number;
  readonly count: number;
  /** Whether the page lies before the anchor (true) or after it; without an anchor it is always the newest. */
  readonly older: boolean;
}

/** Messages by id and by chat, in the order they were sent. */
export class MessageLog {
  readonly #byId = new Map<number, KeptMessage>();
  readonly #byChat = new Map<string, Message[]>();
  readonly #lastSeq = new Map<string, number>();
  #bytes = 0;

  /** @throws ActionFailure if the JSON of the segments is larger than {@link MAX_ENTRY_BYTES}. */
  append(chat: Chat, senderId: number, time: number, segments: readonly Segment[]): Message {
    const { value: kept, bytes } = copyToKeep("message", segments);
    const key = keyOf(chat);
    const seq = (this.#lastSeq.get(key) ?? 0) + 1;
    const id = messageId(chat, seq, (taken) => this.#byId.has(taken));
    const reactions = new BoundedMap<string, Set<number>>(MAX_EMOJI);
    const message: KeptMessage = {
      id,
      seq,
      chat,
      senderId,
      time,
      segments: kept,
      reactions,
      isTodo: false,
      segmentBytes: bytes,
      bytes,
    };
    this.#bytes += bytes;
    this.#lastSeq.set(key, seq);
    this.#byId.set(id, message);
    const list = this.#byChat.get(key) ?? [];
    list.push(message);
    this.#byChat.set(key, list);
    this.#forgetOldest();
    return message;
  }

  /** The message, unless it was recalled or never existed. */
  find(id: number): Message | undefined {
    return this.#byId.get(id);
  }

  /** @throws ActionFailure if there is no such message. */
  get(id: number): Message {
    const message = this.find(id);
    if (message === undefined) throw new ActionFailure(`message ${id} not found`);
    return message;
  }

  /** @throws ActionFailure if there is no such message or it was not sent in a group. */
  getInGroup(id: number): Message {
    const message = this.get(id);
    if (message.chat.kind !== "group") throw new ActionFailure(`message ${id} is not a group message`);
    return message;
  }

  /** Adds a reaction. @throws ActionFailure if the message and its emoji become larger than {@link MAX_ENTRY_BYTES}. */
  react({ id }: Message, emojiId: string, userId: number): void {
    const message = this.#byId.get(id);
    if (message === undefined) return;
    const { reactions } = message;
    const isNew = !reactions.has(emojiId);
    if (isNew && message.bytes + jsonSize(emojiId) > MAX_ENTRY_BYTES) throw tooLarge("message with its reactions");
    reactions.set(emojiId, (reactions.get(emojiId) ?? new Set()).add(userId));
    const emojiBytes = [...reactions.keys()].reduce((sum, emoji) => sum + jsonSize(emoji), 0);
    this.#bytes -= message.bytes;
    message.bytes = message.segmentBytes + emojiBytes;
    this.#bytes += message.bytes;
    this.#forgetOldest();
  }

  recall(id: number): void {
    const message = this.get(id);
    this.#bytes -= this.#byId.get(id)?.bytes ?? 0;
    this.#byId.delete(id);
    const key = keyOf(message.chat);
    this.#byChat.set(key, this.all(message.chat).filter((other) => other !== message));
  }

  /** All messages of a chat, oldest first. */
  all(chat: Chat): readonly Message[] {
    return this.#byChat.get(keyOf(chat)) ?? [];
  }

  /** A page, oldest first; empty if the anchor is unknown or lies in another chat. */
  page(chat: Chat, { anchor, count, older }: Page): readonly Message[] {
    const messages = this.all(chat);
    const length = count === 0 ? DEFAULT_PAGE : Math.min(count, MAX_PAGE);
    if (anchor === 0) return messages.slice(-length);
    const at = messages.findIndex((message) => message.id === anchor);
    if (at < 0) return [];
    return older ? messages.slice(Math.max(0, at + 1 - length), at + 1) : messages.slice(at, at + length);
  }

  #forgetOldest(): void {
    for (const [id, { chat, bytes }] of this.#byId) {
      if (this.#byId.size <= MAX_MESSAGES && this.#bytes <= MAX_MESSAGES_BYTES) return;
      // The oldest of all is the first of its chat.
      this.#byChat.get(keyOf(chat))?.shift();
      this.#byId.delete(id);
      this.#bytes -= bytes;
    }
  }
}

function keyOf(chat: Chat): string {
  return `${chat.kind}:${chat.id}`;
}
