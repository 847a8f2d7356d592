/**
 * The one world all actions act on: an account, the people it knows, their groups and everything said there.
 * It lives in memory, starts the same each time (see `seed.ts`) and knows the time only from its clock.
 */
import { BoundedStore } from "./bounded_map.ts";
import { type Chat, privateChat } from "./chat.ts";
import { sha1Hex } from "./digest.ts";
import { ActionFailure } from "./failure.ts";
import {
  type Account,
  type CustomFace,
  type Fileset,
  type ForwardNode,
  type Friend,
  type FriendRequest,
  type Group,
  type GroupRequest,
  type Member,
  type Person,
  plainMember,
  type PrivateFile,
  type QzonePost,
  type Role,
} from "./entities.ts";
import { MediaCache } from "./media_cache.ts";
import { MessageLog } from "./message_log.ts";
import { UploadStore } from "./upload_store.ts";

/** Something that happened, in the form in which bots report it. */
export type BotEvent = Readonly<Record<string, unknown>>;

/** Entries a collection keeps that every call can add to; the oldest are forgotten first. */
const MAX_ENTRIES = 5_000;

/** The state and the questions most actions ask of it. */
export class World {
  readonly account: Account;
  readonly people: Map<number, Person> = new Map();
  readonly friends: Map<number, Friend> = new Map();
  readonly categories: Map<number, string> = new Map();
  readonly groups: Map<number, Group> = new Map();
  readonly messages: MessageLog = new MessageLog();
  readonly media: MediaCache = new MediaCache();
  readonly uploads: UploadStore;
  /** Files sent in private chats, by file id. */
  readonly privateFiles: Map<string, PrivateFile> = new BoundedStore("file", MAX_ENTRIES);
  readonly friendRequests: FriendRequest[] = [];
  readonly doubtfulRequests: FriendRequest[] = [];
  readonly groupRequests: GroupRequest[] = [];
  /** By `tid`. */
  readonly posts: BoundedStore<string, QzonePost> = new BoundedStore("post", MAX_ENTRIES);
  /** Collected stickers by `emojiId`; the newest one is at the front of the collection. */
  readonly faces: BoundedStore<string, CustomFace> = new BoundedStore("custom face", MAX_ENTRIES);
  readonly filesets: BoundedStore<string, Fileset> = new BoundedStore("fileset", MAX_ENTRIES);
  readonly forwards: Map<string, readonly ForwardNode[]> = new BoundedStore("forward", MAX_ENTRIES);
  readonly #listeners: ((event: BotEvent) => void)[] = [];
  readonly #clock: () => number;
  #serial = 0;

  /** @param clock Milliseconds since 1970. */
  constructor(userId: number, clock: () => number) {
    this.#clock = clock;
    this.account = { userId, status: 10, extStatus: 0, likesGiven: new Map() };
    this.uploads = new UploadStore(userId, clock);
  }

  /** Unix seconds. */
  now(): number {
    return Math.floor(this.#clock() / 1000);
  }

  /** 40 hexadecimal digits, an id nobody has yet; the same sequence of calls gives the same ids. */
  newId(kind: string): string {
    this.#serial += 1;
    return sha1Hex(`${kind}:${this.#serial}`);
  }

  /** Tells `listener` of everything that happens from now on, in order and while it happens. */
  listen(listener: (event: BotEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Reports an event to whoever listens. */
  report(event: BotEvent): void {
    const whole = this.dated(event);
    for (const listener of this.#listeners) listener(whole);
  }

  /** An event with `time` and `self_id` filled in unless given. */
  dated(event: BotEvent): BotEvent {
    return { time: this.now(), self_id: this.account.userId, ...event };
  }

  /** Reports a notice. */
  notice(type: string, fields: BotEvent): void {
    this.report({ post_type: "notice", notice_type: type, ...fields });
  }

  nicknameOf(userId: number): string {
    return this.people.get(userId)?.nickname ?? String(userId);
  }

  /** @throws ActionFailure if the account is not in the group. */
  group(groupId: number): Group {
    const group = this.groups.get(groupId);
    if (group === undefined) throw new ActionFailure(`the account is not in group ${groupId}`);
    return group;
  }

  /** @throws ActionFailure if nobody with that number is in the group. */
  member(group: Group, userId: number): Member {
    const member = group.members.get(userId);
    if (member === undefined) throw new ActionFailure(`${userId} is not a member of group ${group.groupId}`);
    return member;
  }

  /** The account's own place in a group. */
  self(group: Group): Member {
    return this.member(group, this.account.userId);
  }

  /** @throws ActionFailure if the account is a plain member. */
  requireAdmin(group: Group): void {
    if (this.self(group).role === "member") {
      throw new ActionFailure(`no permission: the account is not an admin of group ${group.groupId}`);
    }
  }

  /** @throws ActionFailure if the account is not in the group or no admin of it. */
  administered(groupId: number): Group {
    const group = this.group(groupId);
    this.requireAdmin(group);
    return group;
  }

  /** @throws ActionFailure unless the account owns the group. */
  requireOwner(group: Group): void {
    if (this.self(group).role !== "owner") {
      throw new ActionFailure(`no permission: the account does not own group ${group.groupId}`);
    }
  }

  /** @throws ActionFailure unless the account stands above `member`. */
  requireAbove(group: Group, member: Member): void {
    this.requireAdmin(group);
    if (rank(this.self(group).role) <= rank(member.role)) {
      throw new ActionFailure(`no permission: ${member.userId} is ${member.role} of group ${group.groupId}`);
    }
  }

  /** @throws ActionFailure if they are no friend of the account. */
  friend(userId: number): Friend {
    const friend = this.friends.get(userId);
    if (friend === undefined) throw new ActionFailure(`${userId} is not a friend of the account`);
    return friend;
  }

  /** The chat with a friend. @throws ActionFailure if they are no friend of the account. */
  friendChat(userId: number): Chat {
    return privateChat(this.friend(userId).userId);
  }

  /** @throws ActionFailure if the account may not speak in the chat now. */
  requireVoice(chat: Chat): void {
    if (chat.kind === "private") return;
    const group = this.group(chat.id);
    const self = this.self(group);
    if (self.bannedUntil > this.now()) throw new ActionFailure("the account is muted in this group");
    if (group.wholeBan && self.role === "member") throw new ActionFailure("everybody is muted in this group");
  }

  /** Adds a person to a group as a plain member. */
  join(group: Group, userId: number): void {
    group.members.set(userId, plainMember(userId, this.now()));
  }
}

function rank(role: Role): number {
  return ["member", "admin", "owner"].indexOf(role);
}
