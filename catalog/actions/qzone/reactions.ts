/** Actions that answer Qzone posts (点赞, 评论) and ban users from the Qzone. */
import type { ActionSpec } from "../../action.ts";
import { bool, int, nonEmpty, strings, userId } from "../../params.ts";
import { NULL, object, STRING } from "../../returns.ts";

const TID = nonEmpty({
  en: "Id of the post, from get_qzone_msg_list or send_qzone_msg.",
  zh: "说说的 tid，来自 get_qzone_msg_list 或 send_qzone_msg。",
});

const OWNER = userId({
  optional: true,
  text: {
    en: "QQ number of the Qzone's owner, from get_friend_list; the account itself when omitted.",
    zh: "QQ 空间主人的 QQ 号，来自 get_friend_list；省略则为自己的空间。",
  },
});

const POST_TIME = int(
  {
    en: "When the post was published, as a Unix time in seconds: its time from get_qzone_msg_list.",
    zh: "说说的发表时间，Unix 时间戳（秒），即 get_qzone_msg_list 中的 time。",
  },
  { min: 0, default: 0 },
);

const REAL_TIME = {
  en: "Pass the real post time as abstime rather than leave it at 0.",
  zh: "abstime 应传说说的真实发表时间，不要留 0。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "like_qzone",
    category: "qzone",
    summary: { en: "Likes a Qzone post.", zh: "给 QQ 空间说说点赞" },
    params: {
      tid: TID,
      target_uin: OWNER,
      abstime: POST_TIME,
    },
    notes: [REAL_TIME],
    returns: NULL,
    examples: [{
      summary: { en: "Like a friend's post", zh: "给好友的说说点赞" },
      params: { tid: "a1b2c3d40001", target_uin: 30001, abstime: 1767225600 },
      notes: {
        en: "target_uin comes from get_friend_list; tid and abstime are tid and time from get_qzone_msg_list.",
        zh: "target_uin 来自 get_friend_list；tid 和 abstime 即 get_qzone_msg_list 的 tid 和 time。",
      },
    }],
  },
  {
    name: "unlike_qzone",
    category: "qzone",
    summary: { en: "Takes back the like on a Qzone post.", zh: "取消对 QQ 空间说说的点赞" },
    params: {
      tid: TID,
      target_uin: OWNER,
      abstime: POST_TIME,
    },
    notes: [
      REAL_TIME,
      {
        en: "The bot's authors did not verify the endpoint behind this action.",
        zh: "机器人作者未验证此动作所用的接口。",
      },
    ],
    returns: NULL,
    examples: [{
      summary: { en: "Take back the like on a friend's post", zh: "取消对好友说说的点赞" },
      params: { tid: "a1b2c3d40001", target_uin: 30001, abstime: 1767225600 },
      notes: {
        en: "target_uin comes from get_friend_list; tid and abstime are tid and time from get_qzone_msg_list.",
        zh: "target_uin 来自 get_friend_list；tid 和 abstime 即 get_qzone_msg_list 的 tid 和 time。",
      },
    }],
  },
  {
    name: "comment_qzone",
    category: "qzone",
    summary: { en: "Comments on a Qzone post, with images if wanted.", zh: "评论 QQ 空间说说，可带图片" },
    params: {
      tid: TID,
      content: nonEmpty({ en: "Text of the comment; must not be empty.", zh: "评论内容，不能为空。" }),
      target_uin: OWNER,
      images: strings(
        {
          en: "Images of the comment, each as file://, http(s):// or base64://.",
          zh: "评论配图，每项为 file://、http(s):// 或 base64://。",
        },
        { optional: true },
      ),
    },
    notes: [{
      en: "comment_id may be an empty string although the call succeeded.",
      zh: "即使调用成功，comment_id 也可能是空字符串。",
    }],
    returns: object({ comment_id: STRING }),
    examples: [
      {
        summary: { en: "Comment on a friend's post", zh: "评论好友的说说" },
        params: { tid: "a1b2c3d40001", content: "Nice photo!", target_uin: 30001 },
        notes: {
          en: "target_uin comes from get_friend_list, tid from get_qzone_msg_list with that target_uin.",
          zh: "target_uin 来自 get_friend_list，tid 来自该 target_uin 的 get_qzone_msg_list。",
        },
      },
      {
        summary: { en: "Comment on the account's own post with an image", zh: "带图评论自己的说说" },
        params: { tid: "a1b2c3d40001", content: "One more", images: ["https://example.com/a.png"] },
        notes: {
          en: "tid comes from get_qzone_msg_list without target_uin, or from send_qzone_msg.",
          zh: "tid 来自不带 target_uin 的 get_qzone_msg_list，或 send_qzone_msg。",
        },
      },
    ],
  },
  {
    name: "set_qzone_ban",
    category: "qzone",
    summary: { en: "Bans a user in the account's Qzone, or lifts the ban.", zh: "在 QQ 空间封禁用户或解除封禁" },
    params: {
      user_id: userId(),
      enable: bool({ en: "true bans the user, false lifts the ban.", zh: "true 封禁该用户，false 解除封禁。" }, {
        default: true,
      }),
    },
    notes: [
      { en: "SnowLuma 1.11 does not have this action.", zh: "SnowLuma 1.11 没有此动作。" },
      {
        en: "Its parameters and answer are inferred from similar actions, not confirmed.",
        zh: "其参数和返回由同类动作推断，未经证实。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Ban a user", zh: "封禁用户" },
        params: { user_id: 30001 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
      {
        summary: { en: "Lift the ban", zh: "解除封禁" },
        params: { user_id: 30001, enable: false },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
    ],
  },
];
