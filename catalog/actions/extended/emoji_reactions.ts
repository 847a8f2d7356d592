/** Actions about emoji reactions on group messages (表情回应). */
import type { ActionSpec } from "../../action.ts";
import { bool, groupId, int, messageId, nonEmpty, string } from "../../params.ts";
import { BOOL, INT, list, NULL, object, STRING } from "../../returns.ts";
import { live } from "../../rules.ts";

const GROUP_MESSAGE = {
  en: "Id of a group message, from get_group_msg_history; often negative, never 0.",
  zh: "群消息 ID，来自 get_group_msg_history；常为负数，不为 0。",
};

const STORED_GROUP_MESSAGE = live({
  en: "The message must be a group message that the bot has stored locally.",
  zh: "消息须是已存于机器人本地的群消息。",
});

export const actions: readonly ActionSpec[] = [
  {
    name: "set_msg_emoji_like",
    category: "extended",
    summary: { en: "Adds or removes an emoji reaction on a group message.", zh: "给群消息添加或取消表情回应" },
    params: {
      message_id: messageId(GROUP_MESSAGE),
      emoji_id: nonEmpty({
        en: "Up to 3 characters: QQ face id; longer: emoji code point.",
        zh: "不超过 3 个字符为 QQ 表情 ID，更长为 emoji 码点。",
      }),
      set: bool({ en: "true adds the reaction, false removes it.", zh: "true 添加回应，false 取消回应。" }, {
        default: true,
      }),
    },
    rules: [STORED_GROUP_MESSAGE],
    returns: NULL,
    examples: [
      {
        summary: { en: "React to a group message with a QQ face", zh: "用 QQ 表情回应群消息" },
        params: { message_id: -123456, emoji_id: "76" },
        notes: { en: "message_id comes from get_group_msg_history.", zh: "message_id 来自 get_group_msg_history。" },
      },
      {
        summary: { en: "Remove the reaction again", zh: "取消该表情回应" },
        params: { message_id: -123456, emoji_id: "76", set: false },
        notes: { en: "message_id comes from get_group_msg_history.", zh: "message_id 来自 get_group_msg_history。" },
      },
    ],
  },
  {
    name: "set_group_reaction",
    category: "extended",
    summary: {
      en: "Adds or removes an emoji reaction, checking the group if given.",
      zh: "添加或取消群消息的表情回应，可核对群号",
    },
    params: {
      group_id: groupId({
        optional: true,
        text: {
          en: "Group of the message, for a check, from get_group_list; may be omitted.",
          zh: "用于核对的消息所在群号，来自 get_group_list；可省略。",
        },
      }),
      message_id: messageId(GROUP_MESSAGE),
      code: nonEmpty({
        en: "Up to 3 characters: QQ face id; longer: emoji code point.",
        zh: "不超过 3 个字符为 QQ 表情 ID，更长为 emoji 码点。",
      }),
      is_set: bool({ en: "true adds the reaction, false removes it.", zh: "true 添加回应，false 取消回应。" }, {
        default: true,
      }),
    },
    rules: [
      STORED_GROUP_MESSAGE,
      live({
        en: "group_id, when given, must be the group of the message.",
        zh: "若传 group_id，须为该消息所在的群。",
      }),
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "React to a message in a group", zh: "回应群里的一条消息" },
        params: { group_id: 20001, message_id: -123456, code: "76" },
        notes: {
          en: "group_id comes from get_group_list, message_id from get_group_msg_history of the same group.",
          zh: "group_id 来自 get_group_list，message_id 来自同一群的 get_group_msg_history。",
        },
      },
      {
        summary: { en: "Remove the reaction without naming the group", zh: "不传群号，取消回应" },
        params: { message_id: -123456, code: "76", is_set: false },
        notes: { en: "message_id comes from get_group_msg_history.", zh: "message_id 来自 get_group_msg_history。" },
      },
    ],
  },
  {
    name: "fetch_emoji_like",
    category: "extended",
    summary: {
      en: "Lists who reacted to a group message with an emoji, page by page.",
      zh: "分页获取用某表情回应消息的用户",
    },
    readOnly: true,
    params: {
      message_id: messageId(GROUP_MESSAGE),
      emojiId: nonEmpty({
        en: "Emoji of the reaction: likes.emoji_id of a group_msg_emoji_like event.",
        zh: "回应的表情，即 group_msg_emoji_like 事件的 likes.emoji_id。",
      }),
      count: int(
        { en: "Users per page; clamped to 1 to 500.", zh: "每页用户数；会被限制在 1 到 500。" },
        { min: 0, default: 10 },
      ),
      cookie: string(
        {
          en: "Cookie of the previous page, from fetch_emoji_like; empty starts at the first page.",
          zh: "上一页返回的 cookie，来自 fetch_emoji_like；为空则从第一页开始。",
        },
        { default: "" },
      ),
    },
    rules: [STORED_GROUP_MESSAGE],
    notes: [
      { en: "Only reactions this bot has observed are listed.", zh: "只列出本机器人观察到的回应。" },
      { en: "tinyId is the user's QQ number as a string.", zh: "tinyId 是字符串形式的 QQ 号。" },
      {
        en: "result is always 0, and errMsg, nickName and headUrl are always empty.",
        zh: "result 始终为 0，errMsg、nickName、headUrl 始终为空。",
      },
      {
        en: "cookie is a decimal offset, and empty on the last page; a non-numeric one counts as 0.",
        zh: "cookie 是十进制偏移量，最后一页为空；传入非数字按 0 处理。",
      },
    ],
    returns: object({
      result: INT,
      errMsg: STRING,
      emojiLikesList: list(object({ tinyId: STRING, nickName: STRING, headUrl: STRING })),
      cookie: STRING,
      isLastPage: BOOL,
      isFirstPage: BOOL,
    }),
    examples: [
      {
        summary: { en: "Read the first page", zh: "读取第一页" },
        params: { message_id: -123456, emojiId: "76", count: 20 },
        notes: {
          en: "message_id comes from get_group_msg_history, emojiId from a group_msg_emoji_like event.",
          zh: "message_id 来自 get_group_msg_history，emojiId 来自 group_msg_emoji_like 事件。",
        },
      },
      {
        summary: { en: "Read the next page", zh: "读取下一页" },
        params: { message_id: -123456, emojiId: "76", count: 20, cookie: "20" },
        notes: {
          en: "Repeat the call with cookie of the previous answer; stop when isLastPage is true.",
          zh: "其余参数不变，cookie 取自上一次返回；isLastPage 为 true 时停止。",
        },
      },
    ],
  },
  {
    name: "get_emoji_likes",
    category: "extended",
    summary: {
      en: "Lists up to 500 users who reacted to a message with an emoji.",
      zh: "获取用某表情回应消息的用户列表",
    },
    readOnly: true,
    params: {
      message_id: messageId(GROUP_MESSAGE),
      emoji_id: nonEmpty({
        en: "Emoji of the reaction: likes.emoji_id of a group_msg_emoji_like event.",
        zh: "回应的表情，即 group_msg_emoji_like 事件的 likes.emoji_id。",
      }),
    },
    rules: [STORED_GROUP_MESSAGE],
    notes: [
      { en: "Only reactions this bot has observed are listed.", zh: "只列出本机器人观察到的回应。" },
      {
        en: "Returns at most 500 users, without paging; fetch_emoji_like has pages.",
        zh: "最多返回 500 个用户，不分页；需要分页请用 fetch_emoji_like。",
      },
      {
        en: "user_id is a decimal string, and nick_name is always empty.",
        zh: "user_id 是十进制字符串，nick_name 始终为空。",
      },
    ],
    returns: object({ emoji_like_list: list(object({ user_id: STRING, nick_name: STRING })) }),
    examples: [{
      summary: { en: "See who reacted to a group message", zh: "查看谁回应了群消息" },
      params: { message_id: -123456, emoji_id: "76" },
      notes: {
        en: "message_id comes from get_group_msg_history, emoji_id from a group_msg_emoji_like event.",
        zh: "message_id 来自 get_group_msg_history，emoji_id 来自 group_msg_emoji_like 事件。",
      },
    }],
  },
];
