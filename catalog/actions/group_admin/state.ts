/** Actions on a group as a whole: muting everyone, leaving, and the former anonymous chat. */
import type { ActionSpec } from "../../action.ts";
import { bool, groupId } from "../../params.ts";
import { NULL } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_whole_ban",
    category: "group-admin",
    summary: { en: "Mutes a whole group, or lifts that mute.", zh: "开启或解除全员禁言" },
    params: {
      group_id: groupId(),
      enable: bool(
        { en: "true mutes the whole group, false lifts that.", zh: "true 开启全员禁言，false 解除。" },
        { default: true },
      ),
    },
    notes: [
      { en: "The group_ban event that follows has user_id 0.", zh: "随后的 group_ban 事件中 user_id 为 0。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Mute the whole group", zh: "开启全员禁言" },
        params: { group_id: 20001, enable: true },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "Lift the mute of the whole group", zh: "解除全员禁言" },
        params: { group_id: 20001, enable: false },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "set_group_leave",
    category: "group-admin",
    summary: { en: "Makes the bot's account leave a group.", zh: "让机器人账号退群" },
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en: "There is no is_dismiss parameter: an owner cannot disband the group here.",
        zh: "没有 is_dismiss 参数：群主不能借此解散群。",
      },
      {
        en: "Leaving also raises a group_decrease event about the account itself.",
        zh: "退群还会产生关于本账号的 group_decrease 事件。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Leave a group", zh: "退出一个群" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "set_group_anonymous",
    category: "group-admin",
    summary: { en: "Does nothing; meant to switch anonymous chat on or off.", zh: "开关匿名聊天（占位，无实际操作）" },
    params: {},
    returns: NULL,
    placeholder: {
      en: "Accepted for compatibility only: it switches nothing, as QQ no longer has anonymous chat.",
      zh: "仅为兼容而接受调用：不会开关任何功能，QQ 已没有匿名聊天。",
    },
    examples: [
      {
        summary: { en: "Call it for compatibility", zh: "兼容性调用" },
        params: {},
        notes: { en: "Success does not mean that anything changed.", zh: "返回成功并不代表有任何改变。" },
      },
    ],
  },
  {
    name: "set_group_anonymous_ban",
    category: "group-admin",
    summary: { en: "Does nothing; meant to mute an anonymous member.", zh: "禁言匿名成员（占位，无实际操作）" },
    params: {},
    returns: NULL,
    placeholder: {
      en: "Accepted for compatibility only: it mutes nobody, as QQ no longer has anonymous chat.",
      zh: "仅为兼容而接受调用：不会禁言任何人，QQ 已没有匿名聊天。",
    },
    examples: [
      {
        summary: { en: "Call it for compatibility", zh: "兼容性调用" },
        params: {},
        notes: { en: "To mute a member, use set_group_ban.", zh: "要禁言成员请用 set_group_ban。" },
      },
    ],
  },
];
