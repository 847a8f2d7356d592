/** What the world of the simulator is made of. Times are unix seconds. */
import { BoundedMap, BoundedStore } from "./bounded_map.ts";
import { GroupFiles } from "./group_files.ts";

/** Notices and essence marks a group keeps, and pictures an album keeps, each; the oldest are forgotten first. */
export const MAX_GROUP_ENTRIES = 1_000;

/** Somebody on QQ. */
export interface Person {
  readonly userId: number;
  nickname: string;
  longNick: string;
  readonly level: number;
}

/** Somebody the account is friends with. */
export interface Friend {
  readonly userId: number;
  remark: string;
  readonly categoryId: number;
}

/** Rank in a group. */
export type Role = "owner" | "admin" | "member";

/** Somebody's place in a group. */
export interface Member {
  readonly userId: number;
  role: Role;
  card: string;
  title: string;
  readonly joinedAt: number;
  lastSentAt: number;
  /** The mute ends at this second; 0 and anything past means there is none. */
  bannedUntil: number;
}

/** A notice of a group. */
interface Notice {
  readonly id: string;
  readonly senderId: number;
  readonly time: number;
  readonly text: string;
  readonly type: number;
  readonly pinned: number;
}

/** A message that was marked as essence. */
interface Essence {
  readonly operatorId: number;
  readonly time: number;
}

/** A picture in an album. */
export interface AlbumMedia {
  readonly batchId: string;
  readonly lloc: string;
  readonly name: string;
  readonly uploaderId: number;
  readonly time: number;
}

/** An album of a group. */
export interface Album {
  readonly id: string;
  readonly name: string;
  readonly creatorId: number;
  readonly createdAt: number;
  /** By `lloc`. */
  readonly media: Map<string, AlbumMedia>;
}

/** A group the account is in. */
export interface Group {
  readonly groupId: number;
  name: string;
  remark: string;
  memo: string;
  readonly createdAt: number;
  readonly level: number;
  readonly maxMembers: number;
  readonly members: Map<number, Member>;
  wholeBan: boolean;
  readonly files: GroupFiles;
  /** By `id`. */
  readonly notices: BoundedStore<string, Notice>;
  /** By the id of the message. */
  readonly essence: Map<number, Essence>;
  readonly albums: Album[];
  /** Who signed in, and when. */
  readonly signs: Map<number, number>;
}

/** A request to become friends. */
export interface FriendRequest {
  readonly flag: string;
  readonly userId: number;
  readonly comment: string;
  readonly time: number;
}

/** A request to join a group, or an invitation of the account (`invite`). */
export interface GroupRequest {
  readonly flag: string;
  readonly requestId: number;
  readonly kind: "add" | "invite";
  readonly groupId: number;
  readonly groupName: string;
  readonly userId: number;
  readonly message: string;
  /** Kept apart by the spam filter of QQ. */
  readonly filtered: boolean;
  checked: boolean;
}

/** A post in somebody's space. */
export interface QzonePost {
  readonly tid: string;
  readonly ownerId: number;
  content: string;
  readonly time: number;
  readonly images: readonly string[];
  right: number;
  commentCount: number;
}

/** A collected sticker. */
export interface CustomFace {
  readonly emojiId: string;
  desc: string;
}

/** A set of files sent as a flash transfer. */
export interface Fileset {
  readonly id: string;
  name: string;
  readonly shareCode: string;
  readonly files: readonly { readonly name: string; readonly sizeBytes: number; readonly id: string }[];
}

/** A file sent in a private chat. */
export interface PrivateFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly hash: string;
}

/** One node of a merged forward. */
export interface ForwardNode {
  readonly userId: number;
  readonly nickname: string;
  readonly time: number;
  readonly message: readonly unknown[];
  readonly source?: { readonly messageId: number; readonly groupId?: number };
}

/** The account itself. */
export interface Account {
  readonly userId: number;
  status: number;
  extStatus: number;
  /** Likes handed out, by receiver. */
  readonly likesGiven: Map<number, number>;
}

/** A group as it is right after somebody made it: nobody is in it and nothing happened. */
export function emptyGroup(groupId: number, name: string, createdAt: number): Group {
  return {
    groupId,
    name,
    remark: "",
    memo: "",
    createdAt,
    level: 1,
    maxMembers: 200,
    members: new Map(),
    wholeBan: false,
    files: new GroupFiles(),
    notices: new BoundedStore("notice", MAX_GROUP_ENTRIES),
    essence: new BoundedMap(MAX_GROUP_ENTRIES),
    albums: [],
    signs: new Map(),
  };
}

/** An album without pictures. */
export function emptyAlbum(id: string, name: string, creatorId: number, createdAt: number): Album {
  return { id, name, creatorId, createdAt, media: new BoundedStore("picture", MAX_GROUP_ENTRIES) };
}

/** A member without rank, card or title. */
export function plainMember(userId: number, joinedAt: number): Member {
  return { userId, role: "member", card: "", title: "", joinedAt, lastSentAt: joinedAt, bannedUntil: 0 };
}
