/** Actions about likes on a profile (名片赞). */
import type { ActionSpec } from "../../action.ts";
import { int, userId } from "../../params.ts";
import { INT, NULL, object, STRING } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "send_like",
    category: "extended",
    summary: { en: "Likes a user's profile, once or several times.", zh: "给用户名片点赞（名片赞）" },
    params: {
      user_id: userId(),
      times: int(
        { en: "Number of likes; QQ accepts 1 to 20 per call.", zh: "点赞次数；QQ 每次接受 1 到 20 个赞。" },
        { min: 0, default: 1 },
      ),
    },
    notes: [
      { en: "QQ also enforces a daily limit.", zh: "QQ 服务器另有每日上限。" },
      {
        en: "times 0 is passed on to QQ unchanged; it does not count as 1.",
        zh: "times 为 0 时原样转发给 QQ，不会当作 1。",
      },
    ],
    returns: NULL,
    examples: [{
      summary: { en: "Like a friend's profile ten times", zh: "给好友名片点赞 10 次" },
      params: { user_id: 30001, times: 10 },
      notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
    }],
  },
  {
    name: "get_profile_like",
    category: "extended",
    summary: { en: "Counts the likes on a user's profile.", zh: "获取名片赞统计（点赞数）" },
    readOnly: true,
    params: {
      user_id: int(
        {
          en: "QQ number of the user, from get_friend_list; 0 means the bot's own account.",
          zh: "用户 QQ 号，来自 get_friend_list；0 表示机器人自己。",
        },
        { min: 0, default: 0 },
      ),
      start: int({ en: "Offset of the first record to ask for.", zh: "起始记录的偏移量。" }, { min: 0, default: 0 }),
      count: int({ en: "How many records to ask for.", zh: "要获取的记录数。" }, { min: 0, default: 10 }),
    },
    notes: [
      {
        en: "userInfos is always empty, so the answer never tells who gave the likes.",
        zh: "userInfos 始终为空，因此看不到是谁点的赞。",
      },
      { en: "new_nearby_count is always 0.", zh: "new_nearby_count 始终为 0。" },
      { en: "Fails when the server returns no record.", zh: "服务器没有返回记录时会失败。" },
    ],
    returns: object({
      uid: STRING,
      time: INT,
      favoriteInfo: object({}, { total_count: INT, last_time: INT, today_count: INT, userInfos: { type: "array" } }),
      voteInfo: object({}, {
        total_count: INT,
        new_count: INT,
        new_nearby_count: INT,
        last_visit_time: INT,
        userInfos: { type: "array" },
      }),
    }),
    examples: [
      { summary: { en: "Count the likes of the bot's own account", zh: "查看自己名片的点赞数" }, params: {} },
      {
        summary: { en: "Count the likes of a friend", zh: "查看好友名片的点赞数" },
        params: { user_id: 30001 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
    ],
  },
];
