/** Actions about essence messages of groups (精华消息). */
import type { ActionSpec, Schema } from "../../action.ts";
import { groupId, messageId } from "../../params.ts";
import { BOOL, COUNT, INT, list, NULL, object, SEGMENTS, STRING } from "../../returns.ts";
import { live } from "../../rules.ts";

/** A number that the web side may write as text. */
const NUMERIC: Schema = { type: ["string", "integer"] };

const RAW_ENTRY: Schema = object({
  msg_seq: INT,
  msg_random: INT,
  sender_uin: NUMERIC,
  msg_content: list(
    object({ msg_type: INT }, {
      text: STRING,
      face_index: INT,
      image_url: STRING,
      image_thumbnail_url: STRING,
      file_name: STRING,
      file_id: STRING,
      file_size: NUMERIC,
      file_bus_id: NUMERIC,
      file_thumbnail_url: STRING,
    }),
  ),
}, {
  group_code: NUMERIC,
  sender_nick: STRING,
  sender_time: INT,
  add_digest_uin: NUMERIC,
  add_digest_nick: STRING,
  add_digest_time: INT,
  can_be_removed: BOOL,
});

const ENTRY: Schema = object({
  msg_seq: { type: "integer", minimum: 1 },
  msg_random: COUNT,
  sender_id: { type: "integer", minimum: 1 },
  sender_nick: STRING,
  sender_time: COUNT,
  operator_id: { type: "integer", minimum: 1 },
  operator_nick: STRING,
  operator_time: COUNT,
  message_id: { type: "integer", not: { const: 0 } },
  content: SEGMENTS,
});

export const actions: readonly ActionSpec[] = [
  {
    name: "get_essence_msg_list",
    category: "extended",
    summary: { en: "Lists the essence messages of a group.", zh: "获取群精华消息列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en:
          "Builds from about 1.13 give entries with sender_id, operator_id and content; earlier ones raw web entries.",
        zh: "约 1.13 起的版本返回带 sender_id、operator_id、content 的条目；更早的版本返回网页端原始条目。",
      },
      {
        en: "Raw entries hold the message in msg_content and have no message_id.",
        zh: "原始条目的消息内容在 msg_content 中，且没有 message_id。",
      },
      { en: "The uin fields of raw entries are strings.", zh: "原始条目中的 uin 字段是字符串。" },
      { en: "An empty list may hold a single null entry.", zh: "空列表中可能有一个 null。" },
      { en: "At most 20 pages of 50 entries are read.", zh: "最多读取 20 页，每页 50 条。" },
    ],
    returns: list({ anyOf: [RAW_ENTRY, ENTRY, NULL] }),
    examples: [
      {
        summary: { en: "List the essence messages of a group", zh: "查看群精华消息" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "set_essence_msg",
    category: "extended",
    summary: { en: "Marks a group message as essence.", zh: "将群消息设为精华消息" },
    params: {
      message_id: messageId({
        en: "Id of the group message, from get_group_msg_history or send_group_msg; often negative, never 0.",
        zh: "群消息 ID，来自 get_group_msg_history 或 send_group_msg；常为负数，不为 0。",
      }),
    },
    rules: [
      live({
        en: "The message must be a group message that the bot has stored locally; unknown or private ones fail.",
        zh: "消息须是已存于机器人本地的群消息；未知消息或私聊消息会失败。",
      }),
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Mark a message as essence", zh: "将一条消息设为精华" },
        params: { message_id: -123456 },
        notes: {
          en: "message_id comes from get_group_msg_history or from the answer of send_group_msg.",
          zh: "message_id 来自 get_group_msg_history 或 send_group_msg 的返回。",
        },
      },
    ],
  },
  {
    name: "delete_essence_msg",
    category: "extended",
    summary: { en: "Takes a group message out of the essence list.", zh: "取消群精华消息" },
    params: {
      message_id: messageId({
        en: "Id of the essence message, from get_group_msg_history or, in newer builds, get_essence_msg_list; never 0.",
        zh: "精华消息 ID，来自 get_group_msg_history，较新版本也可取自 get_essence_msg_list；不为 0。",
      }),
    },
    rules: [
      live({
        en: "The message must be a group message that the bot has stored locally.",
        zh: "消息须是已存于机器人本地的群消息。",
      }),
    ],
    notes: [
      { en: "Needs admin rights in the group.", zh: "需要群管理员权限。" },
      { en: "message_id can be negative.", zh: "message_id 可能为负数。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Remove a message from the essence list", zh: "取消一条精华消息" },
        params: { message_id: -123456 },
        notes: {
          en: "message_id comes from get_group_msg_history; the bot needs admin rights.",
          zh: "message_id 来自 get_group_msg_history；机器人需有管理员权限。",
        },
      },
    ],
  },
];
