/** Actions about Qzone posts (说说): reading, publishing, deleting, and who may see them. */
import type { ActionSpec } from "../../action.ts";
import { int, nonEmpty, strings, uints, userId } from "../../params.ts";
import { BOOL, INT, list, NULL, object, STRING } from "../../returns.ts";
import { requiresWhen, values } from "../../rules.ts";

const AUDIENCE_CODE = {
  en: "Code for who may see the post: 1, 4, 16, 64 or 128; 16 and 128 go with target_uins.",
  zh: "可见范围代码：1、4、16、64 或 128；16 和 128 需配合 target_uins。",
};

const AUDIENCE_RULES = [
  values("ugc_right", [1, 4, 16, 64, 128], {
    en: "ugc_right must be 1, 4, 16, 64 or 128.",
    zh: "ugc_right 只能是 1、4、16、64 或 128。",
  }),
  requiresWhen("ugc_right", [16, 128], ["target_uins"], {
    en: "target_uins must not be empty when ugc_right is 16 or 128.",
    zh: "ugc_right 为 16 或 128 时，target_uins 不能为空。",
  }),
];

const TARGET_UINS = uints(
  {
    en: "QQ numbers that ugc_right 16 or 128 is about, from get_friend_list.",
    zh: "ugc_right 为 16 或 128 时针对的 QQ 号，来自 get_friend_list。",
  },
  { optional: true },
);

const OWN_TID = nonEmpty({
  en: "Id of one of the account's posts, from get_qzone_msg_list or send_qzone_msg.",
  zh: "自己说说的 tid，来自 get_qzone_msg_list 或 send_qzone_msg。",
});

export const actions: readonly ActionSpec[] = [
  {
    name: "get_qzone_feeds",
    category: "qzone",
    summary: { en: "Lists Qzone feed entries as HTML fragments.", zh: "获取 QQ 空间动态列表" },
    readOnly: true,
    params: {
      page_num: int(
        { en: "Page number, from 1; only page 1 is reliable.", zh: "页码，从 1 开始；只有第 1 页可靠。" },
        { min: 1, default: 1 },
      ),
      count: int(
        { en: "How many entries to ask for, 1 to 50.", zh: "要获取的动态条数，1 到 50。" },
        { min: 1, max: 50, default: 10 },
      ),
    },
    notes: [
      {
        en: "html of an entry is a raw HTML fragment, not plain text.",
        zh: "每条动态的 html 是原始 HTML 片段，不是纯文本。",
      },
      {
        en: "A count outside 1 to 50 fails with retcode 1400.",
        zh: "count 超出 1 到 50 时失败，retcode 为 1400。",
      },
    ],
    returns: object({
      feeds: list(object({ uin: INT, nickname: STRING, time: INT, appid: INT, key: STRING, html: STRING })),
      has_more: BOOL,
    }),
    examples: [
      { summary: { en: "Read the ten entries of the first page", zh: "读取第一页的 10 条动态" }, params: {} },
      {
        summary: { en: "Read as many entries as one call allows", zh: "一次读取最多条数的动态" },
        params: { page_num: 1, count: 50 },
      },
    ],
  },
  {
    name: "get_qzone_msg_list",
    category: "qzone",
    summary: {
      en: "Lists the posts in the account's or another user's Qzone.",
      zh: "获取自己或他人的 QQ 空间说说列表",
    },
    readOnly: true,
    params: {
      target_uin: userId({
        optional: true,
        text: {
          en: "QQ number of the Qzone's owner, from get_friend_list; the account itself when omitted.",
          zh: "QQ 空间主人的 QQ 号，来自 get_friend_list；省略则为自己的空间。",
        },
      }),
      pos: int(
        { en: "How many posts to skip; 0 skips none.", zh: "跳过的说说条数；0 表示不跳过。" },
        { min: 0, default: 0 },
      ),
      num: int(
        { en: "How many posts to ask for, 1 to 100.", zh: "要获取的说说条数，1 到 100。" },
        { min: 1, max: 100, default: 20 },
      ),
    },
    notes: [
      {
        en: "The server may return only about 20 posts per call, even when num is higher.",
        zh: "即使 num 更大，服务器每次也可能只返回约 20 条。",
      },
      { en: "images holds the URLs of a post's images.", zh: "images 是说说配图的链接列表。" },
    ],
    returns: object({
      total: INT,
      msglist: list(
        object({ tid: STRING, content: STRING, time: INT, comment_num: INT, is_private: BOOL, images: list(STRING) }),
      ),
    }),
    examples: [
      {
        summary: { en: "List the first posts of the account's Qzone", zh: "查看自己 QQ 空间的前几条说说" },
        params: {},
      },
      {
        summary: { en: "List a friend's posts, skipping the first 20", zh: "跳过前 20 条，查看好友的说说" },
        params: { target_uin: 30001, pos: 20, num: 20 },
        notes: { en: "target_uin comes from get_friend_list.", zh: "target_uin 来自 get_friend_list。" },
      },
    ],
  },
  {
    name: "send_qzone_msg",
    category: "qzone",
    summary: { en: "Publishes a post in the account's Qzone.", zh: "在自己的 QQ 空间发表说说" },
    params: {
      content: nonEmpty({ en: "Text of the post; must not be empty.", zh: "说说正文，不能为空。" }),
      images: strings(
        {
          en: "Images of the post, each as file://, http(s):// or base64://.",
          zh: "说说配图，每项为 file://、http(s):// 或 base64://。",
        },
        { optional: true },
      ),
      ugc_right: int(
        AUDIENCE_CODE,
        { min: 1, default: 1 },
      ),
      target_uins: TARGET_UINS,
    },
    rules: AUDIENCE_RULES,
    notes: [
      { en: "time in the answer is a Unix time in seconds.", zh: "返回的 time 为 Unix 时间戳（秒）。" },
    ],
    returns: object({ tid: STRING, time: INT }),
    examples: [
      {
        summary: { en: "Publish a text post with one image", zh: "发表一条带图说说" },
        params: { content: "Hello, Qzone", images: ["https://example.com/a.png"] },
      },
      {
        summary: { en: "Publish a post with an audience that names users", zh: "发表说说，可见范围针对指定用户" },
        params: { content: "Hello, friends", ugc_right: 16, target_uins: [30001, 30002] },
        notes: { en: "target_uins come from get_friend_list.", zh: "target_uins 来自 get_friend_list。" },
      },
    ],
  },
  {
    name: "delete_qzone_msg",
    category: "qzone",
    summary: { en: "Deletes one of the account's Qzone posts.", zh: "删除自己的一条 QQ 空间说说" },
    params: {
      tid: OWN_TID,
    },
    notes: [{ en: "Posts of other users cannot be deleted.", zh: "不能删除他人的说说。" }],
    returns: NULL,
    examples: [{
      summary: { en: "Delete one of the account's posts", zh: "删除自己的说说" },
      params: { tid: "a1b2c3d40001" },
      notes: {
        en: "tid comes from get_qzone_msg_list without target_uin, or from the answer of send_qzone_msg.",
        zh: "tid 来自不带 target_uin 的 get_qzone_msg_list，或 send_qzone_msg 的返回。",
      },
    }],
  },
  {
    name: "set_qzone_msg_right",
    category: "qzone",
    summary: { en: "Changes who may see one of the account's Qzone posts.", zh: "修改自己 QQ 空间说说的可见范围" },
    params: {
      tid: OWN_TID,
      ugc_right: int(
        AUDIENCE_CODE,
        { min: 1 },
      ),
      target_uins: TARGET_UINS,
    },
    rules: AUDIENCE_RULES,
    notes: [
      { en: "Works on the account's own posts only.", zh: "只能修改自己的说说。" },
      { en: "ugc_right in the answer is the code that was applied.", zh: "返回的 ugc_right 是实际生效的代码。" },
      { en: "SnowLuma 1.11 does not have this action.", zh: "SnowLuma 1.11 没有此动作。" },
    ],
    returns: object({ ugc_right: INT }),
    examples: [
      {
        summary: { en: "Give a post another audience", zh: "更改说说的可见范围" },
        params: { tid: "a1b2c3d40001", ugc_right: 64 },
        notes: {
          en: "tid comes from get_qzone_msg_list or send_qzone_msg.",
          zh: "tid 来自 get_qzone_msg_list 或 send_qzone_msg。",
        },
      },
      {
        summary: { en: "Use an audience code that names users", zh: "使用针对指定用户的可见范围" },
        params: { tid: "a1b2c3d40001", ugc_right: 128, target_uins: [30001] },
        notes: {
          en: "tid comes from get_qzone_msg_list or send_qzone_msg, target_uins from get_friend_list.",
          zh: "tid 来自 get_qzone_msg_list 或 send_qzone_msg，target_uins 来自 get_friend_list。",
        },
      },
    ],
  },
];
