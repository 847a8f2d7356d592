/** Actions about the daily sign-in of groups (群打卡). */
import type { ActionSpec } from "../../action.ts";
import { groupId } from "../../params.ts";
import { INT, list, NUMBER, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_sign",
    aliases: ["send_group_sign"],
    category: "extended",
    summary: { en: "Signs the bot's account in at a group.", zh: "群打卡（群签到）" },
    params: {
      group_id: groupId(),
    },
    notes: [
      { en: "The answer is an empty object, not null.", zh: "返回空对象，而不是 null。" },
    ],
    returns: object({}),
    examples: [
      {
        summary: { en: "Sign in at a group", zh: "在群里打卡" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "get_group_signed_list",
    category: "extended",
    summary: { en: "Lists who signed in at a group today.", zh: "获取今日群打卡（签到）成员列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      { en: "Today is the local date of the bot host.", zh: "“今日”按机器人主机的本地日期计算。" },
      { en: "The list has at most 100 entries.", zh: "最多返回 100 条。" },
      { en: "rank starts at 1.", zh: "rank 从 1 开始。" },
      { en: "The list is empty when nobody has signed in.", zh: "无人打卡时返回空数组。" },
      {
        en: "Fails when the web cookie has expired or the group is not accessible.",
        zh: "网页 Cookie 过期或无法访问该群时，调用失败。",
      },
    ],
    returns: list(object({ user_id: INT, nick: STRING, time: INT, rank: NUMBER })),
    examples: [
      {
        summary: { en: "See who signed in today", zh: "查看今日打卡名单" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
];
