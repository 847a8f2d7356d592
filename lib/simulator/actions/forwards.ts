/** Merged forwards and forwards of single messages. */
import { type Chat, groupChat, privateChat } from "../chat.ts";
import type { Segment } from "../cq.ts";
import { ActionFailure, invalid } from "../failure.ts";
import { readMessage, toSegments } from "../message_input.ts";
import type { Params } from "../params.ts";
import { post } from "../post.ts";
import type { ForwardNode } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** How deep forwards may lie in forwards. */
const MAX_DEPTH = 3;

interface Forwarded {
  readonly message_id: number;
  readonly res_id: string;
  readonly forward_id: string;
}

export const forwards: Handlers = {
  send_group_forward_msg: (params, world) => send(params, world, groupChat(params.int("group_id"))),
  send_private_forward_msg: (params, world) => send(params, world, world.friendChat(params.int("user_id"))),
  send_forward_msg: (params, world) => {
    const chat = target(params);
    if (chat === null) return store(params, world, privateChat(world.account.userId));
    return send(params, world, chat.kind === "group" ? chat : world.friendChat(chat.id));
  },
  upload_forward_msg: (params, world) => {
    const groupId = params.optionalInt("group_id");
    const stored = store(params, world, place(world, groupId));
    return groupId === undefined ? stored : { ...stored, group_id: groupId };
  },
  upload_foward_msg: (params, world) => store(params, world, place(world, params.optionalInt("group_id"))),
  get_forward_msg: (params, world) => {
    const id = forwardId(params, world);
    const nodes = world.forwards.get(id);
    if (nodes === undefined) throw new ActionFailure(`forward ${id} not found`);
    return { messages: nodes.map(describeNode) };
  },
  forward_group_single_msg: (params, world) => forwardOne(params, world, groupChat(params.int("group_id"))),
  forward_friend_single_msg: (params, world) => forwardOne(params, world, world.friendChat(params.int("user_id"))),
};

function send(params: Params, world: World, chat: Chat): Forwarded {
  world.requireVoice(chat);
  const stored = store(params, world, chat);
  const messageId = post(world, chat, world.account.userId, [[{ type: "forward", data: { id: stored.res_id } }]]);
  return { ...stored, message_id: messageId };
}

/** Uploads the content without sending it, which is what a message id of 0 says. */
function store(params: Params, world: World, chat: Chat): Forwarded {
  const given = params.has("messages") ? params.raw("messages") : params.raw("message");
  if (given === undefined) throw invalid("messages", "is required");
  const nodes = readNodes(world, chat, given, 1);
  const id = world.newId("forward");
  world.forwards.set(id, nodes);
  return { message_id: 0, res_id: id, forward_id: id };
}

function readNodes(world: World, chat: Chat, given: unknown, depth: number): ForwardNode[] {
  if (depth > MAX_DEPTH) throw invalid("messages", `nodes lie at most ${MAX_DEPTH} levels deep`);
  const segments = Array.isArray(given) || typeof given === "string" ? toSegments(given, true) : [];
  const nodes = segments.filter((segment) => segment.type === "node").map((node) => readNode(world, chat, node, depth));
  if (nodes.length === 0) throw invalid("messages", "needs at least one usable node");
  return nodes;
}

function readNode(world: World, chat: Chat, { data }: Segment, depth: number): ForwardNode {
  const storedId = Number(data.id ?? data.message_id ?? 0);
  // Negative ids are not honored here, although get_msg takes them.
  if (storedId > 0) {
    const message = world.messages.get(storedId);
    const groupId = message.chat.kind === "group" ? { groupId: message.chat.id } : {};
    return {
      userId: message.senderId,
      nickname: world.nicknameOf(message.senderId),
      time: message.time,
      message: message.segments,
      source: { messageId: message.id, ...groupId },
    };
  }
  const userId = Number(data.user_id ?? data.uin ?? 0);
  if (!Number.isSafeInteger(userId) || userId <= 0) {
    throw invalid("messages", "a node needs id, or user_id and content");
  }
  if (data.content === undefined) throw invalid("messages", "a node needs content");
  const nickname = String(data.nickname ?? data.name ?? world.nicknameOf(userId));
  return { userId, nickname, time: world.now(), message: readContent(world, chat, data.content, depth) };
}

function readContent(world: World, chat: Chat, content: unknown, depth: number): readonly unknown[] {
  if (Array.isArray(content) && toSegments(content, true).some((segment) => segment.type === "node")) {
    const id = world.newId("forward");
    world.forwards.set(id, readNodes(world, chat, content, depth + 1));
    return [{ type: "forward", data: { id } }];
  }
  return readMessage(world, { chat, senderId: world.account.userId }, content).flat();
}

/** Where the undeclared target params point; a group wins, 0 means not given, and no target is fine. */
function target(params: Params): Chat | null {
  const [groupId, userId] = ["group_id", "user_id"].map((name) => Number(params.raw(name) ?? 0));
  const type = params.raw("message_type");
  if (type === "group" && !groupId) throw invalid("group_id", "is required for group messages");
  if (type === "private" && !userId) throw invalid("user_id", "is required for private messages");
  if (groupId) return groupChat(groupId);
  return userId ? privateChat(userId) : null;
}

function place(world: World, groupId: number | undefined): Chat {
  return groupId === undefined ? privateChat(world.account.userId) : groupChat(world.group(groupId).groupId);
}

/** The id itself, or that in the stored message which `message_id` names. */
function forwardId(params: Params, world: World): string {
  const given = params.has("id") ? params.text("id") : params.raw("message_id");
  if (given === undefined || given === null || given === "") throw invalid("id", "is required");
  const number = Number(given);
  if (params.has("id") || !(number > 0)) return String(given);
  const forward = world.messages.get(number).segments.find((segment) => segment.type === "forward");
  if (forward === undefined) throw new ActionFailure(`message ${number} holds no forward`);
  return String(forward.data.id);
}

function describeNode(node: ForwardNode): Record<string, unknown> {
  const groupId = node.source?.groupId;
  return {
    time: node.time,
    message_type: groupId === undefined ? "private" : "group",
    message_id: node.source?.messageId ?? 0,
    real_id: node.source?.messageId ?? 0,
    user_id: node.userId,
    ...(groupId === undefined ? {} : { group_id: groupId }),
    sender: { user_id: node.userId, nickname: node.nickname },
    message: node.message,
    raw_message: "",
    font: 0,
  };
}

function forwardOne(params: Params, world: World, chat: Chat): { message_id: number } {
  const message = world.messages.get(params.int("message_id"));
  if (message.segments.some((segment) => segment.type === "file")) {
    throw new ActionFailure("messages with files cannot be forwarded");
  }
  world.requireVoice(chat);
  return { message_id: post(world, chat, world.account.userId, [message.segments]) };
}
