/** Actions that build share cards without sending them (Ark 卡片). */
import type { ActionSpec, ParamSpec, Rule, Text } from "../../action.ts";
import { choice, groupId, string, userId } from "../../params.ts";
import { OBJECT, object, STRING } from "../../returns.ts";
import { anyOf } from "../../rules.ts";

const BUILDS_ONLY: Text = { en: "The card is only built; nothing is sent.", zh: "只生成卡片，不会发送。" };
const USER_TO_SEND: Text = {
  en: "user_id comes from get_friend_list; to send the card, put its string into data.data of a json segment.",
  zh: "user_id 来自 get_friend_list；如需发送，把卡片字符串放入 json 消息段的 data.data。",
};
const GROUP_TO_SEND: Text = {
  en: "group_id comes from get_group_list; to send the card, put its string into data.data of a json segment.",
  zh: "group_id 来自 get_group_list；如需发送，把卡片字符串放入 json 消息段的 data.data。",
};

const PEER_PARAMS: Readonly<Record<string, ParamSpec>> = {
  user_id: userId({
    optional: true,
    text: {
      en: "QQ number of the user on the card, from get_friend_list; ignored when group_id is given.",
      zh: "卡片所分享用户的 QQ 号，来自 get_friend_list；同时传 group_id 时被忽略。",
    },
  }),
  group_id: groupId({
    optional: true,
    text: {
      en: "Group on the card, from get_group_list; wins over user_id.",
      zh: "卡片所分享的群号，来自 get_group_list；优先于 user_id。",
    },
  }),
  phone_number: string({
    en: "Phone number for a user's card; only used with user_id.",
    zh: "用户卡片使用的手机号；仅配合 user_id 生效。",
  }, { default: "" }),
};
const PEER_RULES: readonly Rule[] = [
  anyOf(["group_id", "user_id"], {
    en: "group_id or user_id must be given.",
    zh: "group_id 和 user_id 至少传一个。",
  }),
];
const PEER_ANSWER: Text = {
  en: "arkMsg is the card as a JSON string; it may be empty.",
  zh: "arkMsg 是卡片的 JSON 字符串，可能为空。",
};
const GROUP_ANSWER: Text = {
  en: "The answer is the card as a plain JSON string, not an object; it may be empty.",
  zh: "返回值直接是卡片的 JSON 字符串，不是对象；可能为空。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "get_mini_app_ark",
    category: "extended",
    summary: { en: "Builds a mini app card for Bilibili or Weibo.", zh: "生成小程序卡片（B站、微博）" },
    readOnly: true,
    params: {},
    undeclared: {
      type: choice(["bili", "weibo"], {
        en: "Mini app of the card: bili or weibo.",
        zh: "卡片所属小程序：bili（B站）或 weibo（微博）。",
      }, { default: "bili" }),
      title: string({ en: "Title on the card; empty by default.", zh: "卡片标题；默认为空。" }, { default: "" }),
      desc: string({ en: "Description on the card; empty by default.", zh: "卡片描述；默认为空。" }, { default: "" }),
      picUrl: string({
        en: "URL of the card's image; wins over pic_url.",
        zh: "卡片图片的链接；优先于 pic_url。",
      }, { default: "" }),
      pic_url: string({ en: "Other spelling of picUrl.", zh: "picUrl 的另一种写法。" }, { optional: true }),
      jumpUrl: string({
        en: "URL the card opens; wins over jump_url.",
        zh: "点击卡片后跳转的链接；优先于 jump_url。",
      }, { default: "" }),
      jump_url: string({ en: "Other spelling of jumpUrl.", zh: "jumpUrl 的另一种写法。" }, { optional: true }),
    },
    notes: [
      BUILDS_ONLY,
      {
        en: "The answer is nested: the card sits in the field data of the answer's data.",
        zh: "返回有嵌套：卡片位于 data.data。",
      },
      {
        en: "The card is an object, not a JSON string: turn it into text before sending it in a json segment.",
        zh: "卡片是对象，不是 JSON 字符串：用 json 消息段发送前须先转成字符串。",
      },
      {
        en: "ver, prompt, config, app, view and meta come unchanged from the server.",
        zh: "ver、prompt、config、app、view、meta 原样来自服务器。",
      },
    ],
    returns: object({
      data: object({ miniappShareOrigin: { const: 3 }, miniappOpenRefer: { const: "10002" } }, {
        ver: STRING,
        prompt: STRING,
        config: OBJECT,
        app: STRING,
        view: STRING,
        meta: OBJECT,
      }),
    }),
    examples: [
      {
        summary: { en: "Build a Bilibili card", zh: "生成 B站 小程序卡片" },
        params: {
          type: "bili",
          title: "Example video",
          desc: "A short description",
          picUrl: "https://example.com/a.png",
          jumpUrl: "https://example.com/video",
        },
      },
      {
        summary: { en: "Build a Weibo card", zh: "生成微博小程序卡片" },
        params: {
          type: "weibo",
          title: "Example post",
          picUrl: "https://example.com/a.png",
          jumpUrl: "https://example.com/post",
        },
      },
    ],
  },
  {
    name: "send_ark_share",
    category: "extended",
    summary: { en: "Builds a share card of a user or group; sends nothing.", zh: "生成好友或群的分享卡片（不发送）" },
    readOnly: true,
    params: PEER_PARAMS,
    rules: PEER_RULES,
    notes: [
      {
        en: "Despite its name, the action only builds the card and sends nothing.",
        zh: "虽名为 send，但只生成卡片，不会发送。",
      },
      PEER_ANSWER,
      { en: "It behaves exactly like share_peer.", zh: "行为与 share_peer 完全相同。" },
    ],
    returns: object({ arkMsg: STRING }),
    examples: [
      {
        summary: { en: "Build the card of a user", zh: "生成用户分享卡片" },
        params: { user_id: 30001 },
        notes: USER_TO_SEND,
      },
      {
        summary: { en: "Build the card of a group", zh: "生成群分享卡片" },
        params: { group_id: 20001 },
        notes: GROUP_TO_SEND,
      },
    ],
  },
  {
    name: "send_group_ark_share",
    category: "extended",
    summary: { en: "Builds a share card of a group; sends nothing.", zh: "生成群分享卡片（不发送）" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en: "Despite its name, the action only builds the card and sends nothing.",
        zh: "虽名为 send，但只生成卡片，不会发送。",
      },
      GROUP_ANSWER,
      { en: "It behaves exactly like share_group_ex.", zh: "行为与 share_group_ex 完全相同。" },
    ],
    returns: STRING,
    examples: [{
      summary: { en: "Build the card of a group", zh: "生成群分享卡片" },
      params: { group_id: 20001 },
      notes: GROUP_TO_SEND,
    }],
  },
  {
    name: "share_peer",
    category: "extended",
    summary: {
      en: "Builds a card that shares a user or group; sends nothing.",
      zh: "生成分享好友或群的卡片（不发送）",
    },
    readOnly: true,
    params: PEER_PARAMS,
    rules: PEER_RULES,
    notes: [BUILDS_ONLY, PEER_ANSWER],
    returns: object({ arkMsg: STRING }),
    examples: [
      {
        summary: { en: "Build the card of a user with a phone number", zh: "生成带手机号的用户分享卡片" },
        params: { user_id: 30001, phone_number: "00000000000" },
        notes: USER_TO_SEND,
      },
      {
        summary: { en: "Build the card of a group", zh: "生成群分享卡片" },
        params: { group_id: 20001 },
        notes: GROUP_TO_SEND,
      },
    ],
  },
  {
    name: "share_group_ex",
    category: "extended",
    summary: { en: "Builds a card that shares a group; sends nothing.", zh: "生成分享群的卡片（不发送）" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [BUILDS_ONLY, GROUP_ANSWER],
    returns: STRING,
    examples: [{
      summary: { en: "Build the card of a group", zh: "生成群分享卡片" },
      params: { group_id: 20001 },
      notes: GROUP_TO_SEND,
    }],
  },
];
