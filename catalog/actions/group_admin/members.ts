/** Actions that an admin or the owner takes on group members: mute, kick, admin role, card and title. */
import type { ActionSpec } from "../../action.ts";
import { bool, groupId, memberId, seconds, string, uints } from "../../params.ts";
import { NULL } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_ban",
    category: "group-admin",
    summary: { en: "Mutes one group member for a while, or lifts the mute.", zh: "禁言群成员或解除禁言" },
    params: {
      group_id: groupId(),
      user_id: memberId(),
      duration: seconds(
        { en: "How long the mute lasts; 0 lifts it.", zh: "禁言时长；0 表示解除禁言。" },
        { default: 1800 },
      ),
    },
    notes: [
      { en: "Needs admin or owner rights in the group.", zh: "需要群主或管理员权限。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Mute a member for ten minutes", zh: "禁言成员 10 分钟" },
        params: { group_id: 20001, user_id: 30001, duration: 600 },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_member_list; the bot must be admin or owner.",
          zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list；机器人须为群主或管理员。",
        },
      },
      {
        summary: { en: "Lift the mute of a member", zh: "解除成员的禁言" },
        params: { group_id: 20001, user_id: 30001, duration: 0 },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_shut_list, which lists muted members.",
          zh: "group_id 来自 get_group_list，user_id 来自列出被禁言成员的 get_group_shut_list。",
        },
      },
    ],
  },
  {
    name: "set_group_kick",
    category: "group-admin",
    summary: { en: "Kicks one member out of a group.", zh: "踢人：将一名成员移出群聊" },
    params: {
      group_id: groupId(),
      user_id: memberId(),
      reject_add_request: bool(
        { en: "true also refuses later join requests of this user.", zh: "为 true 时还会拒绝此人以后的加群申请。" },
        { default: false },
      ),
    },
    notes: [
      { en: "Needs admin or owner rights in the group.", zh: "需要群主或管理员权限。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Kick a member", zh: "踢出一名成员" },
        params: { group_id: 20001, user_id: 30001 },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_member_list; the bot must be admin or owner.",
          zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list；机器人须为群主或管理员。",
        },
      },
      {
        summary: { en: "Kick a member and refuse later join requests", zh: "踢出成员并拒绝其再次加群" },
        params: { group_id: 20001, user_id: 30001, reject_add_request: true },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_member_list; the bot must be admin or owner.",
          zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list；机器人须为群主或管理员。",
        },
      },
    ],
  },
  {
    name: "set_group_kick_members",
    category: "group-admin",
    summary: { en: "Kicks several members out of a group in one call.", zh: "批量踢人：一次移出多名群成员" },
    params: {
      group_id: groupId(),
      user_id: uints(
        {
          en: "List of QQ numbers to kick, at least one, from get_group_member_list.",
          zh: "要踢出的成员 QQ 号数组，至少一个，来自 get_group_member_list。",
        },
        { minItems: 1 },
      ),
      reject_add_request: bool(
        { en: "true also refuses later join requests of these users.", zh: "为 true 时还会拒绝这些人以后的加群申请。" },
        { default: false },
      ),
    },
    notes: [
      { en: "One call kicks all listed members.", zh: "一次调用会踢出所列的全部成员。" },
      {
        en: "user_id is an array here, unlike in set_group_kick.",
        zh: "与 set_group_kick 不同，这里的 user_id 是数组。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Kick two members at once", zh: "一次踢出两名成员" },
        params: { group_id: 20001, user_id: [30001, 30002] },
        notes: {
          en: "group_id comes from get_group_list, the user_id entries from get_group_member_list.",
          zh: "group_id 来自 get_group_list，user_id 中的号码来自 get_group_member_list。",
        },
      },
    ],
  },
  {
    name: "set_group_admin",
    category: "group-admin",
    summary: { en: "Makes a group member an admin, or takes the role away.", zh: "设置管理员，或取消群管理员" },
    params: {
      group_id: groupId(),
      user_id: memberId(),
      enable: bool(
        { en: "true makes the member an admin, false revokes it.", zh: "true 设为管理员，false 取消管理员。" },
        { default: true },
      ),
    },
    notes: [
      { en: "QQ lets only the group owner do this.", zh: "QQ 只允许群主这样做。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Make a member an admin", zh: "将成员设为管理员" },
        params: { group_id: 20001, user_id: 30001, enable: true },
        notes: {
          en: "The bot must own the group; group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "机器人须为群主；group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
      {
        summary: { en: "Revoke the admin role", zh: "取消成员的管理员身份" },
        params: { group_id: 20001, user_id: 30001, enable: false },
        notes: {
          en: "The bot must own the group; group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "机器人须为群主；group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
    ],
  },
  {
    name: "set_group_card",
    category: "group-admin",
    summary: { en: "Sets or clears the group card of a member.", zh: "设置或清除成员的群名片（群昵称）" },
    params: {
      group_id: groupId(),
      user_id: memberId(),
      card: string(
        { en: "New group card (nickname in this group); empty clears it.", zh: "新的群名片（群昵称）；留空则清除。" },
        { default: "" },
      ),
    },
    notes: [
      { en: "Leaving card out clears the group card as well.", zh: "不传 card 同样会清除群名片。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Set the card of a member", zh: "设置成员的群名片" },
        params: { group_id: 20001, user_id: 30001, card: "Alice" },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
      {
        summary: { en: "Clear the card of a member", zh: "清除成员的群名片" },
        params: { group_id: 20001, user_id: 30001, card: "" },
        notes: {
          en: "group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
    ],
  },
  {
    name: "set_group_special_title",
    category: "group-admin",
    summary: { en: "Gives a group member a special title, or clears it.", zh: "设置或清除成员的专属头衔" },
    params: {
      group_id: groupId(),
      user_id: memberId(),
      special_title: string(
        { en: "Title the member gets; empty clears it.", zh: "授予成员的专属头衔；留空则清除。" },
        { default: "" },
      ),
    },
    notes: [
      { en: "QQ lets only the group owner do this.", zh: "QQ 只允许群主这样做。" },
      { en: "The title is always permanent.", zh: "头衔总是永久有效。" },
      { en: "Leaving special_title out clears the title as well.", zh: "不传 special_title 同样会清除头衔。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Give a member a title", zh: "授予成员专属头衔" },
        params: { group_id: 20001, user_id: 30001, special_title: "Helper" },
        notes: {
          en: "The bot must own the group; group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "机器人须为群主；group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
      {
        summary: { en: "Clear the title of a member", zh: "清除成员的头衔" },
        params: { group_id: 20001, user_id: 30001, special_title: "" },
        notes: {
          en: "The bot must own the group; group_id comes from get_group_list, user_id from get_group_member_list.",
          zh: "机器人须为群主；group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
        },
      },
    ],
  },
];
