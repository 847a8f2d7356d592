/** Actions about the friend list: categories, one-way friends and remarks. */
import type { ActionSpec } from "../../action.ts";
import { string, userId } from "../../params.ts";
import { INT, list, NULL, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_friends_with_category",
    category: "extended",
    summary: { en: "Lists the account's friends grouped by category.", zh: "获取好友分组及各组好友列表" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "Older builds return a flat array of friends, without categories.",
        zh: "较旧版本返回不分组的好友数组。",
      },
      {
        en: "categoryMbCount is the count that the server reports.",
        zh: "categoryMbCount 是服务器报告的人数。",
      },
      {
        en: "Fails when the list cannot be fetched; a cached list is not used.",
        zh: "获取失败时直接报错，不使用缓存。",
      },
    ],
    returns: list(
      object({
        categoryId: INT,
        categoryName: STRING,
        categoryMbCount: INT,
        buddyList: list(object({ user_id: INT, nickname: STRING, remark: STRING })),
      }),
    ),
    examples: [
      {
        summary: { en: "List friends by category", zh: "按分组查看好友" },
        params: {},
      },
    ],
  },
  {
    name: "get_unidirectional_friend_list",
    category: "extended",
    summary: { en: "Lists the account's one-way friends.", zh: "获取单向好友列表" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "Entries are raw server objects; the fields shown are customary, and none is guaranteed.",
        zh: "条目为服务器原始对象；所列字段只是惯例，均不保证存在。",
      },
      {
        en: "bytes_nick and bytes_source are base64 of UTF-8 text.",
        zh: "bytes_nick 和 bytes_source 是 UTF-8 文本的 base64。",
      },
      { en: "At most 99 entries are asked for.", zh: "最多请求 99 条。" },
      {
        en: "The list is empty when the server sends none.",
        zh: "服务器未返回列表时，结果为空数组。",
      },
    ],
    returns: list(
      object({}, {
        uint64_uin: { type: ["integer", "string"] },
        str_uid: STRING,
        bytes_nick: STRING,
        uint32_age: INT,
        uint32_sex: INT,
        bytes_source: STRING,
      }),
    ),
    examples: [
      {
        summary: { en: "List one-way friends", zh: "查看单向好友" },
        params: {},
        notes: {
          en: "Decode bytes_nick from base64 to read the nickname.",
          zh: "昵称需将 bytes_nick 做 base64 解码后读取。",
        },
      },
    ],
  },
  {
    name: "set_friend_remark",
    category: "extended",
    summary: { en: "Sets or clears the account's remark for a friend.", zh: "设置或清除好友备注" },
    params: {
      user_id: userId(),
      remark: string({ en: "New remark; empty clears it.", zh: "新的好友备注；留空则清除。" }),
    },
    returns: NULL,
    examples: [
      {
        summary: { en: "Set the remark for a friend", zh: "设置好友备注" },
        params: { user_id: 30001, remark: "Alice from work" },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Clear the remark for a friend", zh: "清除好友备注" },
        params: { user_id: 30001, remark: "" },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
    ],
  },
];
