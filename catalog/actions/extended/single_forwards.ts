/** Actions that forward one message as it is (转发单条消息). */
import type { ActionSpec, ParamSpec, Rule, Text } from "../../action.ts";
import { groupId, messageId, userId } from "../../params.ts";
import { object } from "../../returns.ts";
import { live } from "../../rules.ts";

const FORWARDED: ParamSpec = messageId({
  en: "Message to forward, from get_group_msg_history or get_friend_msg_history; often negative, never 0.",
  zh: "要转发的消息 ID，来自 get_group_msg_history 或 get_friend_msg_history；常为负数，不为 0。",
});

const RULES: readonly Rule[] = [
  live({
    en: "The bot must have stored the message locally, together with its content.",
    zh: "该消息及其内容须已存于机器人本地。",
  }),
  live({
    en: "The fingerprints of image, voice and video segments must be cached.",
    zh: "消息含图片、语音或视频时，须已缓存其文件指纹。",
  }),
];

const NOTES: readonly Text[] = [
  {
    en: "The answer holds the id of the new message, which can be negative.",
    zh: "返回新消息的 ID，可能为负数。",
  },
  { en: "Messages with file segments cannot be forwarded.", zh: "含文件消息段的消息不能转发。" },
];

export const actions: readonly ActionSpec[] = [
  {
    name: "forward_friend_single_msg",
    category: "extended",
    summary: { en: "Forwards one message to a friend.", zh: "转发单条消息给好友" },
    params: {
      message_id: FORWARDED,
      user_id: userId({
        text: {
          en: "QQ number of the friend who gets it, from get_friend_list.",
          zh: "接收转发的好友 QQ 号，来自 get_friend_list。",
        },
      }),
    },
    rules: RULES,
    notes: NOTES,
    returns: object({ message_id: { type: "integer", not: { const: 0 } } }),
    examples: [{
      summary: { en: "Pass a message on to a friend", zh: "把一条消息转给好友" },
      params: { message_id: -123456, user_id: 30001 },
      notes: {
        en: "message_id comes from get_group_msg_history or get_friend_msg_history, user_id from get_friend_list.",
        zh: "message_id 来自 get_group_msg_history 或 get_friend_msg_history，user_id 来自 get_friend_list。",
      },
    }],
  },
  {
    name: "forward_group_single_msg",
    category: "extended",
    summary: { en: "Forwards one message to a group.", zh: "转发单条消息到群" },
    params: {
      message_id: FORWARDED,
      group_id: groupId({
        text: {
          en: "Number of the group that gets it, from get_group_list.",
          zh: "接收转发的群号，来自 get_group_list。",
        },
      }),
    },
    rules: RULES,
    notes: NOTES,
    returns: object({ message_id: { type: "integer", not: { const: 0 } } }),
    examples: [{
      summary: { en: "Pass a message on to a group", zh: "把一条消息转到群里" },
      params: { message_id: -123456, group_id: 20001 },
      notes: {
        en: "message_id comes from get_group_msg_history or get_friend_msg_history, group_id from get_group_list.",
        zh: "message_id 来自 get_group_msg_history 或 get_friend_msg_history，group_id 来自 get_group_list。",
      },
    }],
  },
];
