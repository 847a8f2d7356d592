/** Actions about to-dos made of group messages (群待办). */
import type { ActionSpec, Rule, Text } from "../../action.ts";
import { groupId, messageId } from "../../params.ts";
import { NULL } from "../../returns.ts";
import { live } from "../../rules.ts";

const MESSAGE: Text = {
  en: "Id of a group message, from get_group_msg_history; often negative, never 0.",
  zh: "群消息 ID，来自 get_group_msg_history；常为负数，不为 0。",
};

const KNOWN_IN_GROUP: Rule = live({
  en: "The message must be one of group group_id that the bot has stored locally; unknown ones fail.",
  zh: "消息须是已存于机器人本地的、group_id 群内的消息；未知消息会失败。",
});

const SOURCES: Text = {
  en: "group_id comes from get_group_list, message_id from get_group_msg_history of the same group.",
  zh: "group_id 来自 get_group_list，message_id 来自同一群的 get_group_msg_history。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_todo",
    category: "extended",
    summary: { en: "Makes a group message a group to-do.", zh: "将群消息设为群待办" },
    params: {
      group_id: groupId(),
      message_id: messageId(MESSAGE),
    },
    rules: [KNOWN_IN_GROUP],
    returns: NULL,
    examples: [
      {
        summary: { en: "Make a message a to-do", zh: "将一条消息设为群待办" },
        params: { group_id: 20001, message_id: -123456 },
        notes: SOURCES,
      },
    ],
  },
  {
    name: "complete_group_todo",
    category: "extended",
    summary: { en: "Marks the group to-do of a message as done.", zh: "完成群待办" },
    params: {
      group_id: groupId(),
      message_id: messageId(MESSAGE),
    },
    rules: [KNOWN_IN_GROUP],
    returns: NULL,
    examples: [
      {
        summary: { en: "Mark a to-do as done", zh: "将群待办标为已完成" },
        params: { group_id: 20001, message_id: -123456 },
        notes: SOURCES,
      },
    ],
  },
  {
    name: "cancel_group_todo",
    category: "extended",
    summary: { en: "Cancels the group to-do of a message.", zh: "取消群待办" },
    params: {
      group_id: groupId(),
      message_id: messageId(MESSAGE),
    },
    rules: [KNOWN_IN_GROUP],
    returns: NULL,
    examples: [
      {
        summary: { en: "Cancel a to-do", zh: "取消一条群待办" },
        params: { group_id: 20001, message_id: -123456 },
        notes: SOURCES,
      },
    ],
  },
];
