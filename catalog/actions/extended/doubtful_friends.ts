/** Actions about doubtful friend requests (可疑好友申请). */
import type { ActionSpec } from "../../action.ts";
import { bool, int, nonEmpty } from "../../params.ts";
import { INT, list, NULL, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_doubt_friends_add_request",
    category: "extended",
    summary: { en: "Lists doubtful requests to become a friend.", zh: "获取可疑好友申请列表" },
    readOnly: true,
    params: {
      count: int({ en: "How many requests to ask for.", zh: "要获取的申请条数。" }, { min: 0, default: 50 }),
    },
    notes: [
      {
        en: "uid is the flag that set_doubt_friends_add_request takes.",
        zh: "uid 即 set_doubt_friends_add_request 所需的 flag。",
      },
      { en: "The text fields may be empty strings.", zh: "各文本字段可能是空字符串。" },
      { en: "reqTime is a Unix time in seconds.", zh: "reqTime 是 Unix 时间戳（秒）。" },
    ],
    returns: list(object({ uid: STRING, nick: STRING, source: STRING, msg: STRING, reqTime: INT })),
    examples: [
      {
        summary: { en: "List up to ten doubtful friend requests", zh: "获取最多 10 条可疑好友申请" },
        params: { count: 10 },
        notes: {
          en: "Answer an entry with set_doubt_friends_add_request and its uid as flag.",
          zh: "以条目的 uid 作为 flag 调用 set_doubt_friends_add_request 处理。",
        },
      },
    ],
  },
  {
    name: "set_doubt_friends_add_request",
    category: "extended",
    summary: { en: "Approves a doubtful friend request, or deletes it.", zh: "同意或删除可疑好友申请" },
    params: {
      flag: nonEmpty({
        en: "The uid of the request, from get_doubt_friends_add_request.",
        zh: "申请的 uid，来自 get_doubt_friends_add_request。",
      }),
      approve: bool(
        { en: "true approves the request, false deletes it.", zh: "true 同意申请，false 删除申请。" },
        { default: true },
      ),
    },
    returns: NULL,
    examples: [
      {
        summary: { en: "Approve a doubtful friend request", zh: "同意可疑的好友申请" },
        params: { flag: "u_example", approve: true },
        notes: {
          en: "flag is the uid from get_doubt_friends_add_request.",
          zh: "flag 是 get_doubt_friends_add_request 返回的 uid。",
        },
      },
      {
        summary: { en: "Delete a doubtful friend request", zh: "删除可疑的好友申请" },
        params: { flag: "u_example", approve: false },
        notes: {
          en: "flag is the uid from get_doubt_friends_add_request.",
          zh: "flag 是 get_doubt_friends_add_request 返回的 uid。",
        },
      },
    ],
  },
];
