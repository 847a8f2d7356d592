/** Further facts about one group: details, remaining @all mentions, muted members. */
import type { ActionSpec, Schema } from "../../action.ts";
import { groupId } from "../../params.ts";
import { BOOL, INT, list, NULL, nullable, object, STRING } from "../../returns.ts";

const GROUP: Schema = object(
  { group_id: INT, group_name: STRING, member_count: INT, max_member_count: INT },
  { group_create_time: INT, group_level: INT, group_memo: STRING },
);

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_detail_info",
    category: "extended",
    summary: { en: "Gets name, size and details of a group, or null.", zh: "获取群详细信息，查不到为 null" },
    readOnly: true,
    params: {
      group_id: groupId({
        text: {
          en: "Group number, from get_group_list; the group need not be joined.",
          zh: "群号，来自 get_group_list；也可为未加入的群。",
        },
      }),
    },
    notes: [
      { en: "The answer is null when the group cannot be resolved.", zh: "无法查到该群时返回 null。" },
      { en: "The data is the same as that of get_group_info.", zh: "数据与 get_group_info 相同。" },
      {
        en: "Groups the bot has not joined are looked up on the server.",
        zh: "未加入的群会通过服务器查询。",
      },
      { en: "group_level is 0 when unknown.", zh: "group_level 未知时为 0。" },
    ],
    returns: nullable(GROUP),
    examples: [
      {
        summary: { en: "Get the details of a group", zh: "查询群详细信息" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "get_group_info_ex",
    category: "extended",
    summary: { en: "Gets a group's info as get_group_info does, or null.", zh: "获取群信息，查不到为 null" },
    readOnly: true,
    params: {
      group_id: groupId({
        text: {
          en: "Group number, from get_group_list; the group need not be joined.",
          zh: "群号，来自 get_group_list；也可为未加入的群。",
        },
      }),
    },
    notes: [
      { en: "The data is the same as that of get_group_info.", zh: "数据与 get_group_info 相同。" },
      {
        en: "The answer is null when nothing is found, where get_group_info gives zeros.",
        zh: "查不到时返回 null，而 get_group_info 返回零值。",
      },
      { en: "Groups the bot has not joined are found too.", zh: "也能查到未加入的群。" },
      {
        en: "SnowLuma 1.11 leaves out group_create_time, group_level and group_memo.",
        zh: "SnowLuma 1.11 不返回 group_create_time、group_level 和 group_memo。",
      },
    ],
    returns: { anyOf: [GROUP, NULL] },
    examples: [
      {
        summary: { en: "Look up a group and tell a missing one by null", zh: "查询群信息，以 null 判断不存在" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "get_group_at_all_remain",
    category: "extended",
    summary: { en: "Gets how many @all mentions are left in a group.", zh: "获取群内 @全体成员 的剩余次数" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en: "The group (…_for_group) and the account (…_for_uin) have separate budgets.",
        zh: "群（…_for_group）与账号（…_for_uin）的次数分开计算。",
      },
    ],
    returns: object({ can_at_all: BOOL, remain_at_all_count_for_group: INT, remain_at_all_count_for_uin: INT }),
    examples: [
      {
        summary: { en: "Check before mentioning everyone", zh: "@全体成员 前查询剩余次数" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "get_group_shut_list",
    category: "extended",
    summary: { en: "Lists the muted members of a group.", zh: "获取群禁言列表（被禁言的成员）" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en: "shut_up_time is when the mute ends, as a Unix time in seconds; always in the future.",
        zh: "shut_up_time 是禁言结束时刻的 Unix 时间戳（秒），总在将来。",
      },
      {
        en: "The list is drawn from the member list and may be about 60 s old.",
        zh: "结果由成员列表得出，可能滞后约 60 秒。",
      },
      { en: "The list is empty when nobody is muted.", zh: "无人被禁言时返回空数组。" },
    ],
    returns: list(object({ user_id: INT, nickname: STRING, shut_up_time: INT })),
    examples: [
      {
        summary: { en: "See who is muted in a group", zh: "查看群内谁被禁言" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
];
