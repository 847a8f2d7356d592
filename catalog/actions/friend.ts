/** Actions about friends and other QQ users (好友). */
import type { ActionSpec } from "../action.ts";
import { bool, userId } from "../params.ts";
import { INT, list, NULL, object, STRING } from "../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_friend_list",
    category: "friend",
    summary: { en: "Lists the friends of the bot's account.", zh: "获取好友列表" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "Without a known nickname, nickname holds the QQ number as text.",
        zh: "昵称未知时，nickname 为文本形式的 QQ 号。",
      },
      { en: "remark is empty when none is set.", zh: "未设置备注时 remark 为空字符串。" },
      {
        en: "When refreshing fails, the cached list is returned instead.",
        zh: "刷新失败时返回缓存的列表。",
      },
    ],
    returns: list(object({ user_id: INT, nickname: STRING, remark: STRING })),
    examples: [{ summary: { en: "Get all friends with their remarks", zh: "列出全部好友及备注" }, params: {} }],
  },
  {
    name: "get_stranger_info",
    category: "friend",
    summary: { en: "Looks up the profile of any QQ user.", zh: "获取任意 QQ 用户（陌生人）的资料" },
    readOnly: true,
    params: {
      user_id: userId({
        text: {
          en: "QQ number of the user, from get_friend_list or get_group_member_list.",
          zh: "用户 QQ 号，来自 get_friend_list 或 get_group_member_list。",
        },
      }),
    },
    notes: [
      {
        en: "An unknown user gives no error but a filler row: empty nickname, sex unknown, age 0.",
        zh: "查不到的用户不报错，而是返回占位数据：nickname 为空、sex 为 unknown、age 为 0。",
      },
      {
        en: "qq_level and level are present only when the user was found.",
        zh: "查到用户时才有 qq_level 和 level。",
      },
      { en: "Newer builds add remark.", zh: "较新版本会附带 remark。" },
      { en: "SnowLuma 1.11 leaves out long_nick.", zh: "SnowLuma 1.11 不返回 long_nick。" },
    ],
    returns: object({ user_id: INT, nickname: STRING, sex: STRING, age: INT, long_nick: STRING }, {
      qq_level: INT,
      level: INT,
    }),
    examples: [{
      summary: { en: "Look up a user", zh: "查询一个用户" },
      params: { user_id: 30001 },
      notes: {
        en: "user_id comes from get_friend_list or get_group_member_list.",
        zh: "user_id 来自 get_friend_list 或 get_group_member_list。",
      },
    }],
  },
  {
    name: "delete_friend",
    category: "friend",
    summary: { en: "Removes a friend for good, optionally blocking them.", zh: "删除好友，可同时拉黑" },
    risk: "dangerous",
    params: {
      user_id: userId({
        text: {
          en: "QQ number of the friend to remove, from get_friend_list.",
          zh: "要删除的好友 QQ 号，来自 get_friend_list。",
        },
      }),
      block: bool({
        en: "true also puts the user on the blacklist.",
        zh: "为 true 时同时拉黑该用户。",
      }, { default: false }),
    },
    notes: [
      { en: "The removal is one-sided and permanent.", zh: "单向删除，且不可恢复。" },
      { en: "The friend list is refreshed afterwards.", zh: "删除后会刷新好友列表。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Remove a friend", zh: "删除一个好友" },
        params: { user_id: 30001 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Remove a friend and block them", zh: "删除好友并拉黑" },
        params: { user_id: 30001, block: true },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
    ],
  },
];
