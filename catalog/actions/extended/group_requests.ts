/** Actions about group join requests that QQ filtered out (被过滤的加群申请). */
import type { ActionSpec } from "../../action.ts";
import { BOOL, INT, list, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_ignore_add_request",
    category: "extended",
    summary: { en: "Lists filtered group join requests, without flags.", zh: "获取被过滤的加群申请列表（无 flag）" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "Entries have no flag; get_group_ignored_notifies gives it.",
        zh: "条目不含 flag，需要时用 get_group_ignored_notifies 获取。",
      },
      { en: "checked is false while the request is still pending.", zh: "checked 为 false 表示申请仍待处理。" },
      { en: "Only one page is read: at most 20 requests.", zh: "只读取一页，最多 20 条申请。" },
      {
        en: "An error while fetching also gives an empty list.",
        zh: "获取出错时同样返回空数组，不会报错。",
      },
      {
        en: "SnowLuma 1.11 always gives 0 for invitor_uin and actor.",
        zh: "SnowLuma 1.11 的 invitor_uin 和 actor 总为 0。",
      },
    ],
    returns: list(
      object({
        request_id: INT,
        invitor_uin: INT,
        invitor_nick: STRING,
        group_id: INT,
        message: STRING,
        group_name: STRING,
        checked: BOOL,
        actor: INT,
        requester_nick: STRING,
      }),
    ),
    examples: [
      {
        summary: { en: "Look through filtered join requests", zh: "查看被过滤的加群申请" },
        params: {},
        notes: {
          en: "To answer a request, take its flag from get_group_ignored_notifies.",
          zh: "要处理申请，请从 get_group_ignored_notifies 取 flag。",
        },
      },
    ],
  },
  {
    name: "get_group_ignored_notifies",
    category: "extended",
    summary: { en: "Lists filtered group join requests, with their flags.", zh: "获取被过滤的加群申请列表（含 flag）" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "Pass flag as it is to set_group_add_request to answer the request.",
        zh: "将 flag 原样传给 set_group_add_request 即可处理申请。",
      },
      {
        en: "flag is made of the event type, group number, target uid and filtered, joined by colons.",
        zh: "flag 由事件类型、群号、目标 uid 和 filtered 以冒号连接而成。",
      },
      { en: "checked is false while the request is still pending.", zh: "checked 为 false 表示申请仍待处理。" },
      { en: "Only one page is read: at most 20 requests.", zh: "只读取一页，最多 20 条申请。" },
      {
        en: "An error while fetching also gives an empty list.",
        zh: "获取出错时同样返回空数组，不会报错。",
      },
      {
        en: "SnowLuma 1.11 always gives 0 for requester_uin, invitor_uin and actor.",
        zh: "SnowLuma 1.11 的 requester_uin、invitor_uin 和 actor 总为 0。",
      },
    ],
    returns: list(
      object({
        group_id: INT,
        group_name: STRING,
        request_id: INT,
        requester_uin: INT,
        requester_nick: STRING,
        message: STRING,
        checked: BOOL,
        actor: INT,
        invitor_uin: INT,
        invitor_nick: STRING,
        flag: STRING,
      }),
    ),
    examples: [
      {
        summary: { en: "Get the flags of filtered join requests", zh: "获取被过滤加群申请的 flag" },
        params: {},
        notes: {
          en: "Then call set_group_add_request with the flag of an entry whose checked is false.",
          zh: "之后取 checked 为 false 的条目的 flag，调用 set_group_add_request。",
        },
      },
    ],
  },
];
