/** Actions that read past messages and recent chats (历史消息). */
import type { ActionSpec, ParamSpec } from "../../action.ts";
import { bool, groupId, int, userId } from "../../params.ts";
import { INT, list, MESSAGE_ID, nullable, OBJECT, object, SEGMENTS, STRING } from "../../returns.ts";
import { live } from "../../rules.ts";

const COUNT_PARAM: ParamSpec = int({
  en: "How many messages to read; 0 counts as 20, more than 200 as 200.",
  zh: "获取的消息条数；0 按 20 处理，超过 200 按 200 处理。",
}, { min: 0, default: 20 });

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_msg_history",
    category: "extended",
    summary: { en: "Reads past messages of a group.", zh: "获取群历史消息（聊天记录）" },
    readOnly: true,
    params: {
      group_id: groupId(),
      message_id: int({
        en: "Message to page from, from an earlier get_group_msg_history; may be negative. 0 reads the newest.",
        zh: "翻页起点，来自此前的 get_group_msg_history，可为负数；0 表示读取最新消息。",
      }, { default: 0 }),
      count: COUNT_PARAM,
      reverse_order: bool({
        en: "Paging direction from message_id; has no effect when message_id is 0.",
        zh: "从 message_id 起的翻页方向；message_id 为 0 时无效。",
      }, { default: true }),
    },
    notes: [
      {
        en: "message_id in the answer can be negative: it is a signed 32-bit hash.",
        zh: "返回的 message_id 是 32 位有符号哈希值，可能为负数。",
      },
      { en: "Messages are ordered from oldest to newest.", zh: "消息按从旧到新排列。" },
      {
        en: "Messages lack post_type and self_id; real_id repeats message_id.",
        zh: "消息不含 post_type 和 self_id，real_id 与 message_id 相同。",
      },
      {
        en: "The account's own messages may lack sender.card, sender.role and anonymous.",
        zh: "本账号发出的消息可能没有 sender.card、sender.role 和 anonymous。",
      },
      {
        en: "messages is empty when no message of the group is known.",
        zh: "该群没有已知消息时，messages 为空数组。",
      },
      {
        en: "messages is also empty when message_id is unknown or belongs to another group.",
        zh: "message_id 未知或属于其他群时，messages 也为空数组。",
      },
      {
        en: "When the server cannot be read, locally stored messages are returned.",
        zh: "无法从服务器获取时，改为返回本地记录的消息。",
      },
      {
        en: "Requests to the server are spaced about 300 ms apart.",
        zh: "向服务器的请求之间间隔约 300 毫秒。",
      },
    ],
    returns: object({
      messages: list(
        object({ message_id: MESSAGE_ID, group_id: INT, user_id: INT, time: INT, message: SEGMENTS }, {
          message_seq: INT,
          real_id: MESSAGE_ID,
          message_type: { const: "group" },
          sub_type: STRING,
          raw_message: STRING,
          font: INT,
          sender: object({}, { user_id: INT, nickname: STRING, card: STRING, role: STRING, sex: STRING, age: INT }),
          anonymous: nullable(OBJECT),
        }),
      ),
    }),
    examples: [
      {
        summary: { en: "Read the newest 50 messages of a group", zh: "读取群内最新 50 条消息" },
        params: { group_id: 20001, count: 50 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "Page from a known message", zh: "从已知消息继续翻页" },
        params: { group_id: 20001, message_id: -123456, count: 50 },
        notes: {
          en: "group_id comes from get_group_list, message_id from an earlier get_group_msg_history of that group.",
          zh: "group_id 来自 get_group_list，message_id 来自此前对该群调用的 get_group_msg_history。",
        },
      },
    ],
  },
  {
    name: "get_friend_msg_history",
    category: "extended",
    summary: { en: "Reads past private messages with a friend.", zh: "获取好友历史消息（私聊记录）" },
    readOnly: true,
    params: {
      user_id: userId(),
      message_id: int({
        en: "Message to page from, from an earlier get_friend_msg_history; may be negative. 0 reads the newest.",
        zh: "翻页起点，来自此前的 get_friend_msg_history，可为负数；0 表示读取最新消息。",
      }, { default: 0 }),
      count: COUNT_PARAM,
      reverse_order: bool({
        en: "true reads older messages, false newer ones; has no effect when message_id is 0.",
        zh: "true 读取更早的消息，false 读取更新的消息；message_id 为 0 时无效。",
      }, { default: true }),
    },
    rules: [
      live({
        en: "A message_id other than 0 must belong to the chat with user_id.",
        zh: "message_id 不为 0 时，必须属于与 user_id 的私聊。",
      }),
    ],
    notes: [
      { en: "message_id in the answer can be negative.", zh: "返回的 message_id 可能为负数。" },
      {
        en: "With message_id 0, the newest page comes from the server.",
        zh: "message_id 为 0 时，从服务器获取最新一页。",
      },
      {
        en: "The message paged from is part of the answer.",
        zh: "返回结果包含作为翻页起点的那条消息。",
      },
      {
        en: "Messages lack post_type and self_id; real_id equals message_id.",
        zh: "消息不含 post_type 和 self_id，real_id 与 message_id 相同。",
      },
      {
        en: "messages is empty when message_id is unknown.",
        zh: "message_id 未知时，messages 为空数组。",
      },
    ],
    returns: object({ messages: list(OBJECT) }),
    examples: [
      {
        summary: { en: "Read the newest messages with a friend", zh: "读取与好友的最新消息" },
        params: { user_id: 30001 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Read messages older than a known one", zh: "读取某条消息之前的记录" },
        params: { user_id: 30001, message_id: -123456, count: 50, reverse_order: true },
        notes: {
          en: "user_id comes from get_friend_list, message_id from an earlier get_friend_msg_history with that friend.",
          zh: "user_id 来自 get_friend_list，message_id 来自此前对该好友调用的 get_friend_msg_history。",
        },
      },
    ],
  },
  {
    name: "get_recent_contact",
    category: "extended",
    summary: { en: "Returns an empty list in place of recent contacts.", zh: "获取最近会话列表（占位，恒为空）" },
    readOnly: true,
    params: {
      count: int({ en: "Number of contacts; ignored.", zh: "会话数量；会被忽略。" }, { min: 0, default: 10 }),
    },
    returns: { type: "array" },
    placeholder: {
      en: "The list is always empty; it does not mean there are no recent chats.",
      zh: "恒为空列表，并不表示最近没有会话。",
    },
    examples: [{ summary: { en: "Ask for recent contacts", zh: "查询最近会话" }, params: {} }],
  },
];
