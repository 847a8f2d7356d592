/** Actions that poke friends and group members (戳一戳). */
import type { ActionSpec } from "../../action.ts";
import { groupId, memberId, userId } from "../../params.ts";
import { NULL } from "../../returns.ts";
import { live } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "send_poke",
    category: "extended",
    summary: { en: "Pokes a friend, or a member if a group is given.", zh: "戳一戳好友或群成员" },
    params: {
      user_id: userId({
        text: {
          en: "QQ number to poke, from get_friend_list, or get_group_member_list for a group poke.",
          zh: "要戳的 QQ 号，来自 get_friend_list；群内则来自 get_group_member_list。",
        },
      }),
      group_id: groupId({
        optional: true,
        text: {
          en: "Group to poke in, from get_group_list; omit it for a friend poke.",
          zh: "在哪个群里戳，来自 get_group_list；戳好友时省略。",
        },
      }),
    },
    rules: [
      live({
        en: "With group_id, user_id must be a member of that group.",
        zh: "传 group_id 时，user_id 须为该群成员。",
      }),
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Poke a friend", zh: "戳一戳好友" },
        params: { user_id: 30001 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Poke a member in a group", zh: "在群里戳一戳群成员" },
        params: { user_id: 30001, group_id: 20001 },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
    ],
  },
  {
    name: "group_poke",
    category: "extended",
    summary: { en: "Pokes a member in a group.", zh: "在群里戳一戳群成员" },
    params: { group_id: groupId(), user_id: memberId() },
    returns: NULL,
    examples: [{
      summary: { en: "Poke a group member", zh: "戳一戳群成员" },
      params: { group_id: 20001, user_id: 30001 },
      notes: {
        en: "group_id comes from get_group_list, user_id from get_group_member_list.",
        zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
      },
    }],
  },
  {
    name: "friend_poke",
    category: "extended",
    summary: { en: "Sends a poke in a chat with a friend.", zh: "在好友私聊中戳一戳" },
    params: {
      user_id: userId({
        text: { en: "QQ number of the friend, from get_friend_list.", zh: "好友 QQ 号，来自 get_friend_list。" },
      }),
      target_id: userId({
        optional: true,
        text: {
          en: "QQ number that is poked, from get_friend_list or get_login_info; user_id when omitted.",
          zh: "被戳者 QQ 号，来自 get_friend_list 或 get_login_info；省略则为 user_id。",
        },
      }),
    },
    returns: NULL,
    examples: [
      {
        summary: { en: "Poke a friend", zh: "戳一戳好友" },
        params: { user_id: 30001 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Poke the bot's own account in that chat", zh: "在该会话中戳机器人自己" },
        params: { user_id: 30001, target_id: 10001 },
        notes: {
          en: "user_id comes from get_friend_list, target_id from get_login_info.",
          zh: "user_id 来自 get_friend_list，target_id 来自 get_login_info。",
        },
      },
    ],
  },
];
