/** Actions that mark messages as read (标记已读). */
import type { ActionSpec, Text } from "../../action.ts";
import { groupId, messageId, uint, userId } from "../../params.ts";
import { NULL } from "../../returns.ts";
import { live } from "../../rules.ts";

const GROUP_MESSAGE: Text = {
  en: "Id of a group message, from an event or get_group_msg_history; often negative, never 0.",
  zh: "群消息 ID，来自事件或 get_group_msg_history；常为负数，不为 0。",
};
const PRIVATE_MESSAGE: Text = {
  en: "Id of a private message, from an event or get_friend_msg_history; often negative, never 0.",
  zh: "私聊消息 ID，来自事件或 get_friend_msg_history；常为负数，不为 0。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "mark_msg_as_read",
    category: "extended",
    summary: { en: "Marks a group or private message as read.", zh: "标记群聊或私聊消息为已读" },
    params: {
      message_id: messageId({
        en: "Message id from an event, get_group_msg_history or get_friend_msg_history; often negative, never 0.",
        zh: "消息 ID，来自事件、get_group_msg_history 或 get_friend_msg_history；常为负数，不为 0。",
      }),
      target_id: uint({
        en: "Chat of the message, for a check: group from get_group_list or user from get_friend_list.",
        zh: "用于核对的会话：群号（get_group_list）或 QQ 号（get_friend_list）。",
      }, { optional: true }),
    },
    rules: [
      live({
        en: "The bot must have stored the message locally; an unknown one fails.",
        zh: "消息须已存于机器人本地，未知消息会失败。",
      }),
      live({
        en: "target_id, when given, must be the group or the private peer of the message.",
        zh: "若传 target_id，须为该消息所在的群或私聊对象。",
      }),
    ],
    notes: [{
      en: "The stored message decides whether the group or the private chat is marked.",
      zh: "按本地存储的消息判断要标记群聊还是私聊。",
    }],
    returns: NULL,
    examples: [
      {
        summary: { en: "Mark a message as read", zh: "标记一条消息为已读" },
        params: { message_id: -123456 },
        notes: {
          en: "message_id comes from an event, get_group_msg_history or get_friend_msg_history.",
          zh: "message_id 来自事件、get_group_msg_history 或 get_friend_msg_history。",
        },
      },
      {
        summary: { en: "Mark it only if it is from this group", zh: "仅当消息属于该群时标记已读" },
        params: { message_id: -123456, target_id: 20001 },
        notes: {
          en: "message_id comes from get_group_msg_history, target_id from get_group_list.",
          zh: "message_id 来自 get_group_msg_history，target_id 来自 get_group_list。",
        },
      },
    ],
  },
  {
    name: "mark_group_msg_as_read",
    category: "extended",
    summary: { en: "Marks a group message as read.", zh: "标记群消息为已读" },
    params: {
      message_id: messageId(GROUP_MESSAGE),
      group_id: groupId({
        optional: true,
        text: {
          en: "Group of the message, for a check, from get_group_list.",
          zh: "用于核对的消息所在群号，来自 get_group_list。",
        },
      }),
    },
    rules: [
      live({
        en: "The message must be a group message that the bot has stored locally.",
        zh: "消息须是已存于机器人本地的群消息。",
      }),
      live({
        en: "group_id, when given, must be the group of the message.",
        zh: "若传 group_id，须为该消息所在的群。",
      }),
    ],
    returns: NULL,
    examples: [{
      summary: { en: "Mark a message of a group as read", zh: "标记群里一条消息为已读" },
      params: { message_id: -123456, group_id: 20001 },
      notes: {
        en: "message_id comes from get_group_msg_history, group_id from get_group_list.",
        zh: "message_id 来自 get_group_msg_history，group_id 来自 get_group_list。",
      },
    }],
  },
  {
    name: "mark_private_msg_as_read",
    category: "extended",
    summary: { en: "Marks a private message as read.", zh: "标记私聊消息为已读" },
    params: {
      message_id: messageId(PRIVATE_MESSAGE),
      user_id: userId({
        optional: true,
        text: {
          en: "The other side of the chat, for a check, from get_friend_list.",
          zh: "用于核对的私聊对方 QQ 号，来自 get_friend_list。",
        },
      }),
    },
    rules: [
      live({
        en: "The message must be a private message that the bot has stored locally.",
        zh: "消息须是已存于机器人本地的私聊消息。",
      }),
      live({
        en: "user_id, when given, must be the other side of the message's chat.",
        zh: "若传 user_id，须为该消息的私聊对方。",
      }),
    ],
    returns: NULL,
    examples: [{
      summary: { en: "Mark a message from a friend as read", zh: "标记好友的一条消息为已读" },
      params: { message_id: -123456, user_id: 30001 },
      notes: {
        en: "message_id comes from get_friend_msg_history, user_id from get_friend_list.",
        zh: "message_id 来自 get_friend_msg_history，user_id 来自 get_friend_list。",
      },
    }],
  },
  {
    name: "_mark_all_as_read",
    category: "extended",
    summary: { en: "Marks all chats as read, groups and private ones.", zh: "将所有会话标记为已读" },
    params: {},
    notes: [
      {
        en: "It covers the groups and private chats the bot knows locally.",
        zh: "范围为机器人本地已知的群聊和私聊。",
      },
      { en: "Older builds accept the call and do nothing.", zh: "较旧版本会接受调用但不做任何事。" },
    ],
    returns: NULL,
    examples: [{ summary: { en: "Mark everything as read", zh: "全部标记为已读" }, params: {} }],
  },
];
