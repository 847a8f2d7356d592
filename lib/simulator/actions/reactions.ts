/** What people add to messages: reactions, essence marks and to-do items. */
import { ActionFailure } from "../failure.ts";
import type { Message } from "../message_log.ts";
import type { Params } from "../params.ts";
import type { Group } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** Most people one answer lists. */
const MAX_LISTED = 500;

export const reactions: Handlers = {
  set_msg_emoji_like: (params, world) => {
    react(world, groupMessage(params, world).message, params.text("emoji_id"), params.flag("set"));
    return null;
  },
  set_group_reaction: (params, world) => {
    const { message, group } = groupMessage(params, world);
    const groupId = params.optionalInt("group_id");
    if (groupId !== undefined) requireSameGroup(group, groupId);
    react(world, message, params.text("code"), params.flag("is_set"));
    return null;
  },
  get_emoji_likes: (params, world) => {
    const users = [...groupMessage(params, world).message.reactions.get(params.text("emoji_id")) ?? []];
    return { emoji_like_list: users.slice(0, MAX_LISTED).map((id) => ({ user_id: String(id), nick_name: "" })) };
  },
  fetch_emoji_like: (params, world) => {
    const users = [...groupMessage(params, world).message.reactions.get(params.text("emojiId")) ?? []];
    const start = /^\d+$/.test(params.text("cookie")) ? Number(params.text("cookie")) : 0;
    const end = start + Math.min(Math.max(params.int("count"), 1), MAX_LISTED);
    const isLastPage = end >= users.length;
    return {
      result: 0,
      errMsg: "",
      emojiLikesList: users.slice(start, end).map((id) => ({ tinyId: String(id), nickName: "", headUrl: "" })),
      cookie: isLastPage ? "" : String(end),
      isLastPage,
      isFirstPage: start === 0,
    };
  },
  set_essence_msg: (params, world) => {
    const message = world.messages.getInGroup(params.int("message_id"));
    const { essence } = world.administered(message.chat.id);
    // Marking again changes nothing.
    if (essence.has(message.id)) return null;
    essence.set(message.id, { operatorId: world.account.userId, time: world.now() });
    reportEssence(world, message, "add");
    return null;
  },
  delete_essence_msg: (params, world) => {
    const message = world.messages.getInGroup(params.int("message_id"));
    const { essence } = world.administered(message.chat.id);
    if (!essence.delete(message.id)) throw new ActionFailure(`message ${message.id} is not an essence message`);
    reportEssence(world, message, "delete");
    return null;
  },
  get_essence_msg_list: (params, world) =>
    [...world.group(params.int("group_id")).essence].flatMap(([messageId, { operatorId, time }]) => {
      const message = world.messages.find(messageId);
      if (message === undefined) return [];
      return [{
        msg_seq: message.seq,
        msg_random: randomOf(message),
        sender_id: message.senderId,
        sender_nick: world.nicknameOf(message.senderId),
        sender_time: message.time,
        operator_id: operatorId,
        operator_nick: world.nicknameOf(operatorId),
        operator_time: time,
        message_id: message.id,
        content: message.segments,
      }];
    }),
  set_group_todo: (params, world) => {
    const { group, message } = inNamedGroup(params, world);
    world.requireAdmin(group);
    message.isTodo = true;
    return null;
  },
  complete_group_todo: endTodo,
  cancel_group_todo: endTodo,
};

function groupMessage(params: Params, world: World): { message: Message; group: Group } {
  const message = world.messages.getInGroup(params.int("message_id"));
  return { message, group: world.group(message.chat.id) };
}

function inNamedGroup(params: Params, world: World): { message: Message; group: Group } {
  const found = groupMessage(params, world);
  requireSameGroup(found.group, params.int("group_id"));
  return found;
}

function requireSameGroup(group: Group, groupId: number): void {
  if (group.groupId !== groupId) throw new ActionFailure(`group_id: the message is from group ${group.groupId}`);
}

function react(world: World, message: Message, emojiId: string, isSet: boolean): void {
  const self = world.account.userId;
  const changes = isSet !== (message.reactions.get(emojiId)?.has(self) ?? false);
  if (isSet) world.messages.react(message, emojiId, self);
  else message.reactions.get(emojiId)?.delete(self);
  if (!changes) return;
  world.notice("group_msg_emoji_like", {
    sub_type: isSet ? "add" : "remove",
    group_id: message.chat.id,
    user_id: self,
    operator_id: self,
    message_id: message.id,
    message_seq: message.seq,
    likes: [{ emoji_id: emojiId, count: message.reactions.get(emojiId)?.size ?? 0 }],
  });
}

function reportEssence(world: World, message: Message, subType: "add" | "delete"): void {
  world.notice("essence", {
    sub_type: subType,
    group_id: message.chat.id,
    user_id: message.senderId,
    sender_id: message.senderId,
    operator_id: world.account.userId,
    message_id: message.id,
    message_seq: message.seq,
    random: randomOf(message),
  });
}

/** The number by which QQ tells messages apart that have the same sequence. */
function randomOf({ id }: Message): number {
  return Math.abs(id);
}

function endTodo(params: Params, world: World): null {
  const { message } = inNamedGroup(params, world);
  if (!message.isTodo) throw new ActionFailure(`message ${message.id} is not a to-do item`);
  message.isTodo = false;
  return null;
}
