/** Actions about the favorites of the account (收藏). */
import type { ActionSpec } from "../../action.ts";
import { int } from "../../params.ts";
import { BOOL, INT, list, NEVER, nullable, OBJECT, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_collection_list",
    category: "extended",
    summary: { en: "Lists the account's favorites, all or by category.", zh: "获取收藏列表，可按分类" },
    readOnly: true,
    params: {
      category: int({
        en: "Category to list; 0, the default, means every category.",
        zh: "收藏分类；0（默认）表示全部分类。",
      }, { min: 0, default: 0 }),
      count: int({
        en: "How many favorites to ask for, 1 to 500.",
        zh: "要获取的收藏条数，1 到 500。",
      }, { min: 1, max: 500, default: 50 }),
    },
    notes: [
      { en: "Times and sequence are strings.", zh: "时间字段和 sequence 均为字符串。" },
      {
        en: "In summary, only the kinds that apply are set; the others are null.",
        zh: "summary 中仅适用的类型有值，其余为 null。",
      },
      {
        en: "Builds from before July 2026 answer a placeholder with an empty array.",
        zh: "2026 年 7 月之前的版本只返回占位结果（空数组）。",
      },
      {
        en: "The shape of the answer is known from documentation only.",
        zh: "返回结构仅依据文档得知。",
      },
    ],
    returns: object({
      errCode: INT,
      errMsg: STRING,
      collectionSearchList: object({
        collectionItemList: list(object({
          cid: STRING,
          type: INT,
          status: INT,
          author: object({ type: INT, numId: STRING, strId: STRING, groupId: STRING, groupName: STRING, uid: STRING }),
          bid: INT,
          category: INT,
          createTime: STRING,
          collectTime: STRING,
          modifyTime: STRING,
          sequence: STRING,
          shareUrl: STRING,
          customGroupId: INT,
          securityBeat: BOOL,
          summary: object({
            textSummary: nullable(OBJECT),
            linkSummary: nullable(OBJECT),
            gallerySummary: nullable(OBJECT),
            audioSummary: nullable(OBJECT),
            videoSummary: nullable(OBJECT),
            fileSummary: nullable(OBJECT),
            locationSummary: nullable(OBJECT),
            richMediaSummary: nullable(OBJECT),
          }),
        })),
        hasMore: BOOL,
        bottomTimeStamp: STRING,
      }),
    }),
    examples: [
      {
        summary: { en: "List up to 20 favorites of every category", zh: "获取全部分类的最多 20 条收藏" },
        params: { category: 0, count: 20 },
      },
    ],
  },
  {
    name: "create_collection",
    category: "extended",
    summary: { en: "Fails always: adding a favorite is not implemented.", zh: "添加收藏（未实现，必定失败）" },
    params: {},
    notes: [{ en: "It is not implemented: the call always fails.", zh: "未实现，调用必定失败。" }],
    returns: NEVER,
    examples: [{ summary: { en: "Ask for a new favorite (fails)", zh: "请求添加收藏（会失败）" }, params: {} }],
  },
];
