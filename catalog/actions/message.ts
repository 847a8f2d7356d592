/** Actions that send, read and recall single messages (消息). */
import type { ActionSpec, ParamSpec, Rule, Text } from "../action.ts";
import { bool, groupId, int, message, messageId, string, userId } from "../params.ts";
import { INT, MESSAGE_ID, NULL, object, oneOfStrings, SEGMENTS, STRING } from "../returns.ts";
import { anyOf, live, requiresWhen } from "../rules.ts";

const AUTO_ESCAPE: ParamSpec = bool({
  en: "true sends a string message as it is, without parsing CQ codes.",
  zh: "为 true 时字符串消息原样发送，不解析 CQ 码。",
}, { default: false });

/** What holds for every action that sends a message. */
const SENDING: readonly Text[] = [
  { en: "The returned message_id can be negative, never 0.", zh: "返回的 message_id 可能为负数，不会为 0。" },
  { en: "An empty message fails with retcode 100.", zh: "空消息会失败，retcode 为 100。" },
  {
    en: "One call may send several QQ messages; the last one's id is returned.",
    zh: "一次调用可能发出多条 QQ 消息，返回最后一条的 ID。",
  },
  {
    en: "Newer builds reject unknown segments with retcode 1400; SnowLuma 1.11 drops them silently.",
    zh: "较新版本遇到未知消息段会以 retcode 1400 拒绝；SnowLuma 1.11 会静默丢弃。",
  },
  {
    en: "A string that is itself a JSON array is read as segments, even with auto_escape.",
    zh: "字符串本身若是 JSON 数组，会按消息段解析，auto_escape 也不例外。",
  },
];

const STORED: Rule = live({
  en: "The bot must have stored the message locally; otherwise the call fails with retcode 100.",
  zh: "消息须已存于机器人本地，否则调用失败，retcode 为 100。",
});

const KNOWN_MESSAGE: Text = {
  en: "message_id comes from a message event, send_msg or get_group_msg_history.",
  zh: "message_id 来自消息事件、send_msg 或 get_group_msg_history。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "send_private_msg",
    category: "message",
    summary: { en: "Sends a private message to a friend or group member.", zh: "发送私聊消息（含群临时会话）" },
    params: {
      user_id: userId({
        text: {
          en: "QQ number of the recipient, from get_friend_list or get_group_member_list.",
          zh: "接收者 QQ 号，来自 get_friend_list 或 get_group_member_list。",
        },
      }),
      message: message(),
      group_id: int({
        en: "Above 0: temporary session via this group (from get_group_list); 0 or absent: ordinary private chat.",
        zh: "大于 0 时经该群（来自 get_group_list）发临时会话；0 或省略为普通私聊。",
      }, { min: 0, optional: true }),
      auto_escape: AUTO_ESCAPE,
    },
    rules: [
      live({
        en: "A temporary session works only after the other side has opened one.",
        zh: "须对方先发起临时会话，机器人才能经临时会话发送。",
      }),
    ],
    notes: [
      ...SENDING,
      {
        en: "SnowLuma 1.11 has no group_id parameter and ignores it.",
        zh: "SnowLuma 1.11 没有 group_id 参数，会忽略它。",
      },
    ],
    returns: object({ message_id: MESSAGE_ID }),
    examples: [
      {
        summary: { en: "Greet a friend", zh: "向好友问好" },
        params: { user_id: 30001, message: [{ type: "text", data: { text: "Hello" } }] },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Answer a group member in a temporary session", zh: "在临时会话中回复群成员" },
        params: { user_id: 30001, group_id: 20001, message: [{ type: "text", data: { text: "Hello" } }] },
        notes: {
          en:
            "The member must have opened the session; group_id from get_group_list, user_id from get_group_member_list.",
          zh: "须由对方先发起会话；group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
    ],
  },
  {
    name: "send_group_msg",
    category: "message",
    summary: { en: "Sends a message to a group.", zh: "发送群消息" },
    params: {
      group_id: groupId(),
      message: message(),
      auto_escape: AUTO_ESCAPE,
    },
    notes: SENDING,
    returns: object({ message_id: MESSAGE_ID }),
    examples: [
      {
        summary: { en: "Say hello in a group", zh: "在群里发一条文字消息" },
        params: { group_id: 20001, message: [{ type: "text", data: { text: "Hello" } }] },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "Reply to a message and mention its author", zh: "回复一条消息并 @ 发送者" },
        params: {
          group_id: 20001,
          message: [
            { type: "reply", data: { id: "-123456" } },
            { type: "at", data: { qq: "30001" } },
            { type: "text", data: { text: " Thanks" } },
          ],
        },
        notes: {
          en: "id, qq and group_id are message_id, user_id and group_id from the event of the message replied to.",
          zh: "id、qq、group_id 分别取自被回复消息的事件中的 message_id、user_id、group_id。",
        },
      },
      {
        summary: { en: "Send an image by URL", zh: "用链接发送图片" },
        params: {
          group_id: 20001,
          message: [{ type: "image", data: { file: "https://example.com/a.png" } }],
        },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "send_msg",
    category: "message",
    summary: { en: "Sends a message to a group or a user.", zh: "发送消息（群聊或私聊）" },
    params: {
      message: message(),
      message_type: string({
        en: "Kind of chat: group or private; may be left out.",
        zh: "会话类型：group 或 private，可省略。",
      }, { optional: true }),
      group_id: groupId({
        optional: true,
        text: {
          en: "Group to send to, from get_group_list; leave out for a private message.",
          zh: "目标群号，来自 get_group_list；发私聊时请省略。",
        },
      }),
      user_id: userId({
        optional: true,
        text: {
          en: "QQ number to send a private message to, from get_friend_list.",
          zh: "私聊对象的 QQ 号，来自 get_friend_list。",
        },
      }),
      auto_escape: AUTO_ESCAPE,
    },
    rules: [
      requiresWhen("message_type", ["group"], ["group_id"], {
        en: "message_type group needs group_id.",
        zh: "message_type 为 group 时必须提供 group_id。",
      }),
      anyOf(["group_id", "user_id"], {
        en: "group_id or user_id must be given.",
        zh: "group_id 与 user_id 至少传一个。",
      }),
    ],
    notes: [
      ...SENDING,
      {
        en: "SnowLuma 1.11 sends to the group whenever group_id is given, even with message_type private.",
        zh: "SnowLuma 1.11 只要给了 group_id 就发到群里，即使 message_type 为 private。",
      },
      {
        en: "A message_type other than group is not checked.",
        zh: "除 group 以外的 message_type 不做校验。",
      },
    ],
    returns: object({ message_id: MESSAGE_ID }),
    examples: [
      {
        summary: { en: "Send to a group", zh: "发到群里" },
        params: {
          message_type: "group",
          group_id: 20001,
          message: [{ type: "text", data: { text: "Hello" } }],
        },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "Send to a friend", zh: "发给好友" },
        params: {
          message_type: "private",
          user_id: 30001,
          message: [{ type: "text", data: { text: "Hello" } }],
        },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Mention a member with a CQ code", zh: "用 CQ 码 @ 群成员" },
        params: { group_id: 20001, message: "[CQ:at,qq=30001] Hello" },
        notes: {
          en:
            "group_id comes from get_group_list. A string is parsed for CQ codes: never put other people's text into it.",
          zh: "group_id 来自 get_group_list。字符串会解析 CQ 码，不要把他人输入拼进去。",
        },
      },
    ],
  },
  {
    name: "get_msg",
    category: "message",
    summary: { en: "Reads one message by its id.", zh: "按消息 ID 获取一条消息" },
    readOnly: true,
    params: {
      message_id: messageId(),
    },
    rules: [STORED],
    notes: [
      {
        en: "The message_id in the answer can be negative; real_id equals it.",
        zh: "返回的 message_id 可能为负数，real_id 与其相同。",
      },
      { en: "message is always an array of segments.", zh: "message 始终是消息段数组。" },
      { en: "group_id is present for group messages only.", zh: "只有群消息才有 group_id。" },
      {
        en: "target_id is present only on private messages the account itself sent.",
        zh: "只有本账号发出的私聊消息才有 target_id。",
      },
      { en: "The answer has no post_type and no self_id.", zh: "返回中没有 post_type 和 self_id。" },
      {
        en: "Media URLs are short-lived; this action renews those of images only.",
        zh: "媒体链接很快失效，其中只有图片链接会刷新。",
      },
    ],
    returns: object({
      time: INT,
      message_type: oneOfStrings("private", "group"),
      sub_type: STRING,
      message_id: MESSAGE_ID,
      message_seq: INT,
      user_id: INT,
      message: SEGMENTS,
      raw_message: STRING,
      font: INT,
      sender: object({ user_id: INT, nickname: STRING }, {
        sex: STRING,
        age: INT,
        card: STRING,
        role: oneOfStrings("owner", "admin", "member"),
      }),
      real_id: MESSAGE_ID,
    }, { group_id: INT, target_id: INT, anonymous: NULL }),
    examples: [{
      summary: { en: "Read a message that was seen before", zh: "读取一条已知消息" },
      params: { message_id: -123456 },
      notes: KNOWN_MESSAGE,
    }],
  },
  {
    name: "delete_msg",
    category: "message",
    summary: { en: "Recalls a message.", zh: "撤回消息" },
    params: {
      message_id: messageId(),
    },
    rules: [STORED],
    returns: NULL,
    examples: [{
      summary: { en: "Recall a message", zh: "撤回一条消息" },
      params: { message_id: -123456 },
      notes: KNOWN_MESSAGE,
    }],
  },
];
