/** Lesser settings of a group: the account's own remark, and robots as members. */
import type { ActionSpec } from "../../action.ts";
import { groupId, int, string } from "../../params.ts";
import { NULL } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_remark",
    category: "extended",
    summary: { en: "Sets or clears the account's remark for a group.", zh: "设置或清除群备注" },
    params: {
      group_id: groupId(),
      remark: string({ en: "New remark; empty clears it.", zh: "新的群备注；留空则清除。" }),
    },
    notes: [
      {
        en: "Only the account's own label for the group changes, not the group's name.",
        zh: "只改变本账号对该群的备注，不影响群名称。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Set the remark for a group", zh: "设置群备注" },
        params: { group_id: 20001, remark: "Test group" },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
      {
        summary: { en: "Clear the remark for a group", zh: "清除群备注" },
        params: { group_id: 20001, remark: "" },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "set_group_robot_add_option",
    category: "extended",
    summary: { en: "Sets the options for adding robots to a group.", zh: "设置群机器人的添加选项" },
    params: {
      group_id: groupId(),
      robot_member_switch: int(
        {
          en: "QQ's number for the switch of robot members; omit to keep it.",
          zh: "机器人成员开关的取值，以 QQ 的定义为准；不传则保持不变。",
        },
        { min: 0, optional: true },
      ),
      robot_member_examine: int(
        {
          en: "QQ's number for the review of robot members; omit to keep it.",
          zh: "机器人成员审核方式的取值，以 QQ 的定义为准；不传则保持不变。",
        },
        { min: 0, optional: true },
      ),
    },
    notes: [
      {
        en: "Give at least one of the two options, or the call is of no use.",
        zh: "两个选项至少传一个，否则调用没有意义。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Set both robot options", zh: "同时设置两个机器人选项" },
        params: { group_id: 20001, robot_member_switch: 1, robot_member_examine: 1 },
        notes: {
          en: "group_id comes from get_group_list; QQ decides what the numbers mean.",
          zh: "group_id 来自 get_group_list；数值的含义由 QQ 决定。",
        },
      },
      {
        summary: { en: "Change the switch and keep the review", zh: "只改开关，审核方式不变" },
        params: { group_id: 20001, robot_member_switch: 0 },
        notes: {
          en: "group_id comes from get_group_list; QQ decides what the number means.",
          zh: "group_id 来自 get_group_list；数值的含义由 QQ 决定。",
        },
      },
    ],
  },
];
