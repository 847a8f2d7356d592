/** Actions about AI voices in groups (AI 语音). */
import type { ActionSpec, Text } from "../../action.ts";
import { groupId, int, nonEmpty } from "../../params.ts";
import { list, MESSAGE_ID, object, STRING } from "../../returns.ts";

const CHAT_TYPE: Text = {
  en: "Kind of voice: 1 speech, 2 singing.",
  zh: "语音类型：1 说话，2 唱歌。",
};
const CHARACTER: Text = {
  en: "Voice character: a character_id from get_ai_characters.",
  zh: "AI 语音角色：get_ai_characters 返回的 character_id。",
};
const CHARACTER_SOURCE: Text = {
  en: "group_id comes from get_group_list, character from get_ai_characters with the same chat_type.",
  zh: "group_id 来自 get_group_list，character 来自相同 chat_type 的 get_ai_characters。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "get_ai_characters",
    category: "extended",
    summary: { en: "Lists the AI voice characters a group can use.", zh: "获取群可用的 AI 语音角色列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
      chat_type: int(CHAT_TYPE, { min: 0, default: 1 }),
    },
    notes: [{ en: "The list is empty when no character is available.", zh: "没有可用角色时返回空数组。" }],
    returns: list(
      object({
        type: STRING,
        characters: list(object({ character_id: STRING, character_name: STRING, preview_url: STRING })),
      }),
    ),
    examples: [
      {
        summary: { en: "List the characters for speech", zh: "获取说话类角色" },
        params: { group_id: 20001, chat_type: 1 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "List the characters for singing", zh: "获取唱歌类角色" },
        params: { group_id: 20001, chat_type: 2 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "get_ai_record",
    category: "extended",
    summary: { en: "Turns a text into an AI voice and returns its URL.", zh: "文字转 AI 语音，返回语音链接" },
    params: {
      group_id: groupId(),
      character: nonEmpty(CHARACTER),
      text: nonEmpty({ en: "Text to be spoken.", zh: "要转成语音的文字。" }),
      chat_type: int(CHAT_TYPE, { min: 0, default: 1 }),
    },
    notes: [
      {
        en: "The answer is the voice URL as a plain string, not an object.",
        zh: "返回值直接是语音链接字符串，不是对象。",
      },
      { en: "character should match chat_type.", zh: "character 应与 chat_type 相符。" },
      {
        en: "Older sources say that the synthesis also posts the voice into the group.",
        zh: "较早的资料称，合成时也会把语音发到群里。",
      },
      {
        en: "The bot polls for the voice up to 30 times before the call fails.",
        zh: "最多轮询 30 次，仍无结果则失败。",
      },
    ],
    returns: STRING,
    examples: [{
      summary: { en: "Get the URL of a spoken greeting", zh: "获取问候语音的链接" },
      params: { group_id: 20001, character: "example-character-1", text: "Hello", chat_type: 1 },
      notes: CHARACTER_SOURCE,
    }],
  },
  {
    name: "send_group_ai_record",
    category: "extended",
    summary: { en: "Posts a text into a group as an AI voice message.", zh: "在群里发送 AI 语音" },
    params: {
      group_id: groupId(),
      character: nonEmpty(CHARACTER),
      text: nonEmpty({ en: "Text to be spoken in the group.", zh: "要在群里以语音播报的文字。" }),
      chat_type: int({
        en: "Kind of voice: 1 speech, 2 singing, 0 unknown.",
        zh: "语音类型：1 说话，2 唱歌，0 未知。",
      }, { min: 0, default: 1 }),
    },
    notes: [
      { en: "message_id can be negative.", zh: "message_id 可能为负数。" },
      {
        en: "SnowLuma 1.11 always returns message_id 0, which does not identify the message.",
        zh: "SnowLuma 1.11 的 message_id 恒为 0，不能用来定位消息。",
      },
      {
        en: "SnowLuma 1.11 polls for the voice up to 30 times.",
        zh: "SnowLuma 1.11 最多轮询合成结果 30 次。",
      },
    ],
    returns: object({ message_id: MESSAGE_ID }),
    examples: [{
      summary: { en: "Speak a greeting in a group", zh: "在群里发送问候语音" },
      params: { group_id: 20001, character: "example-character-1", text: "Hello everyone", chat_type: 1 },
      notes: CHARACTER_SOURCE,
    }],
  },
];
