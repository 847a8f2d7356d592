/** Sending, reading and recalling messages. */
import { type Chat, groupChat, privateChat } from "../chat.ts";
import { ActionFailure, invalid } from "../failure.ts";
import { readMessage } from "../message_input.ts";
import type { Message } from "../message_log.ts";
import { describeMessage } from "../message_view.ts";
import type { Params } from "../params.ts";
import { post } from "../post.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

export const messages: Handlers = {
  send_group_msg: (params, world) => send(params, world, groupChat(params.int("group_id"))),
  send_private_msg: (params, world) => {
    const userId = params.int("user_id");
    const viaGroup = params.optionalInt("group_id") ?? 0;
    if (viaGroup > 0 && !world.friends.has(userId)) requireOpenedSession(world, viaGroup, userId);
    else world.friend(userId);
    return send(params, world, privateChat(userId));
  },
  send_msg: (params, world) => {
    const groupId = params.optionalInt("group_id");
    // A group number decides, whatever message_type says.
    if (groupId !== undefined) return send(params, world, groupChat(groupId));
    if (params.text("message_type") === "group") throw invalid("group_id", "is required for group messages");
    const userId = params.optionalInt("user_id");
    if (userId === undefined) throw invalid("user_id", "is required for private messages");
    return send(params, world, world.friendChat(userId));
  },
  get_msg: (params, world) => describeMessage(world, world.messages.get(params.int("message_id"))),
  delete_msg: (params, world) => {
    const message = world.messages.get(params.int("message_id"));
    if (message.senderId !== world.account.userId) {
      if (message.chat.kind === "private") {
        throw new ActionFailure("only own messages can be recalled in private chats");
      }
      const group = world.group(message.chat.id);
      const author = group.members.get(message.senderId);
      if (author === undefined) world.requireAdmin(group);
      else world.requireAbove(group, author);
    }
    world.messages.recall(message.id);
    reportRecall(world, message);
    return null;
  },
  get_group_msg_history: (params, world) => history(params, world, groupChat(params.int("group_id"))),
  get_friend_msg_history: (params, world) => history(params, world, privateChat(params.int("user_id"))),
  mark_msg_as_read: (params, world) => {
    const { chat } = world.messages.get(params.int("message_id"));
    return checkChat(chat, params.optionalInt("target_id"), "target_id");
  },
  mark_group_msg_as_read: (params, world) => {
    const { chat } = world.messages.getInGroup(params.int("message_id"));
    return checkChat(chat, params.optionalInt("group_id"), "group_id");
  },
  mark_private_msg_as_read: (params, world) => {
    const { chat, id } = world.messages.get(params.int("message_id"));
    if (chat.kind === "group") throw new ActionFailure(`message ${id} is not a private message`);
    return checkChat(chat, params.optionalInt("user_id"), "user_id");
  },
  _mark_all_as_read: () => null,
};

function send(params: Params, world: World, chat: Chat): { message_id: number } {
  world.requireVoice(chat);
  const senderId = world.account.userId;
  const parts = readMessage(world, { chat, senderId }, params.raw("message"), params.flag("auto_escape"));
  return { message_id: post(world, chat, senderId, parts) };
}

function reportRecall(world: World, { chat, id, senderId }: Message): void {
  if (chat.kind === "private") return world.notice("friend_recall", { user_id: chat.id, message_id: id });
  const operatorId = world.account.userId;
  world.notice("group_recall", { group_id: chat.id, operator_id: operatorId, user_id: senderId, message_id: id });
}

/** QQ lets one answer in a temporary session, not open it. */
function requireOpenedSession(world: World, groupId: number, userId: number): void {
  world.member(world.group(groupId), userId);
  if (!world.messages.all(privateChat(userId)).some((message) => message.senderId === userId)) {
    throw new ActionFailure(`${userId} has not opened a temporary session`);
  }
}

function history(params: Params, world: World, chat: Chat): { messages: unknown[] } {
  const page = world.messages.page(chat, {
    anchor: params.int("message_id"),
    count: params.int("count"),
    older: params.flag("reverse_order"),
  });
  return { messages: page.map((message) => describeMessage(world, message)) };
}

function checkChat(chat: Chat, id: number | undefined, name: string): null {
  if (id !== undefined && id !== chat.id) {
    throw new ActionFailure(`${name}: the message is from ${chat.kind} ${chat.id}`);
  }
  return null;
}
