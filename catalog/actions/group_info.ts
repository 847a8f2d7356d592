/** Actions that read groups, members, honors and join requests (群信息). */
import type { ActionSpec, ParamSpec, Schema, Text } from "../action.ts";
import { bool, groupId, memberId, raw } from "../params.ts";
import { BOOL, INT, list, NULL, object, oneOfStrings, STRING } from "../returns.ts";
import { values } from "../rules.ts";

const NO_CACHE: ParamSpec = bool({
  en: "true asks for fresh data instead of the cache.",
  zh: "为 true 时不用缓存，重新获取。",
}, { default: false });

const REMARK_AND_MUTE: Text = {
  en: "Newer builds add group_remark and group_all_shut.",
  zh: "较新版本会附带 group_remark 和 group_all_shut。",
};

const GROUP: Schema = object({ group_id: INT, group_name: STRING, member_count: INT, max_member_count: INT }, {
  group_create_time: INT,
  group_level: INT,
  group_memo: STRING,
});

const MEMBER: Schema = object(
  { group_id: INT, user_id: INT, nickname: STRING, role: oneOfStrings("owner", "admin", "member") },
  {
    card: STRING,
    is_robot: BOOL,
    sex: oneOfStrings("male", "female", "unknown"),
    age: INT,
    join_time: INT,
    last_sent_time: INT,
    level: STRING,
    title: STRING,
    area: STRING,
    unfriendly: BOOL,
    title_expire_time: INT,
    card_changeable: BOOL,
  },
);

/** What holds for every row about a member. */
const MEMBER_NOTES: readonly Text[] = [
  { en: "sex is always unknown and age always 0.", zh: "sex 恒为 unknown，age 恒为 0。" },
  { en: "level is text, not a number.", zh: "level 是文本，不是数字。" },
  {
    en: "area, unfriendly, title_expire_time and card_changeable are fixed filler values.",
    zh: "area、unfriendly、title_expire_time、card_changeable 为固定的占位值。",
  },
  {
    en: "Member data is cached for about 60 s unless no_cache is true.",
    zh: "成员数据缓存约 60 秒，no_cache 为 true 时重新获取。",
  },
  {
    en: "Newer builds add shut_up_timestamp.",
    zh: "较新版本会附带 shut_up_timestamp。",
  },
  {
    en: "SnowLuma 1.11 leaves out is_robot and the filler fields.",
    zh: "SnowLuma 1.11 不返回 is_robot 和上述占位字段。",
  },
];

const HONORED: Schema = object({
  user_id: { type: ["integer", "string", "null"] },
  nickname: STRING,
  avatar: STRING,
  description: STRING,
});

const GROUP_SOURCE: Text = { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" };

export const actions: readonly ActionSpec[] = [
  {
    name: "get_group_list",
    category: "group-info",
    summary: { en: "Lists the groups the bot's account is in.", zh: "获取已加入的群列表" },
    readOnly: true,
    params: {
      no_cache: NO_CACHE,
    },
    notes: [
      {
        en: "group_level is 0 here; get_group_info has it.",
        zh: "此处 group_level 为 0，群等级请用 get_group_info 查询。",
      },
      REMARK_AND_MUTE,
      {
        en: "SnowLuma 1.11 returns only group_id, group_name, member_count and max_member_count.",
        zh: "SnowLuma 1.11 只返回 group_id、group_name、member_count、max_member_count。",
      },
    ],
    returns: list(GROUP),
    examples: [
      { summary: { en: "List all groups", zh: "列出所有群" }, params: {} },
      { summary: { en: "List all groups afresh", zh: "不用缓存，重新获取群列表" }, params: { no_cache: true } },
    ],
  },
  {
    name: "get_group_info",
    category: "group-info",
    summary: { en: "Gets name, size and level of a group.", zh: "获取群信息（群名、人数、等级）" },
    readOnly: true,
    params: {
      group_id: groupId({
        text: {
          en: "Group number, from get_group_list; a group not joined works too.",
          zh: "群号，来自 get_group_list；未加入的群也可查询。",
        },
      }),
      no_cache: NO_CACHE,
    },
    notes: [
      {
        en: "An unknown group gives no error but zeros and an empty name.",
        zh: "查不到的群不报错，而是返回 0 和空群名。",
      },
      {
        en: "group_level is filled in here, unlike in get_group_list.",
        zh: "与 get_group_list 不同，此处有 group_level。",
      },
      REMARK_AND_MUTE,
    ],
    returns: GROUP,
    examples: [{
      summary: { en: "Look up a group", zh: "查询一个群" },
      params: { group_id: 20001 },
      notes: GROUP_SOURCE,
    }],
  },
  {
    name: "get_group_member_list",
    category: "group-info",
    summary: { en: "Lists the members of a group.", zh: "获取群成员列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
      no_cache: NO_CACHE,
    },
    notes: MEMBER_NOTES,
    returns: list(MEMBER),
    examples: [{
      summary: { en: "List the members of a group", zh: "列出群成员" },
      params: { group_id: 20001 },
      notes: GROUP_SOURCE,
    }],
  },
  {
    name: "get_group_member_info",
    category: "group-info",
    summary: { en: "Gets card, role and title of one group member.", zh: "获取群成员信息（群名片、身份、头衔）" },
    readOnly: true,
    params: {
      group_id: groupId(),
      user_id: memberId(),
      no_cache: NO_CACHE,
    },
    notes: [
      {
        en: "An unknown member gives no error but a sparse filler row.",
        zh: "查不到的成员不报错，而是返回字段不全的占位数据。",
      },
      ...MEMBER_NOTES,
    ],
    returns: MEMBER,
    examples: [{
      summary: { en: "Look up a member, bypassing the cache", zh: "不用缓存，查询群成员" },
      params: { group_id: 20001, user_id: 30001, no_cache: true },
      notes: {
        en: "group_id comes from get_group_list, user_id from get_group_member_list.",
        zh: "group_id 来自 get_group_list，user_id 来自 get_group_member_list。",
      },
    }],
  },
  {
    name: "get_group_honor_info",
    category: "group-info",
    summary: { en: "Tells who holds the honors of a group.", zh: "获取群荣誉（龙王、群聊之火等）" },
    readOnly: true,
    params: {
      group_id: groupId(),
      type: raw({
        en: "Honor to fetch: talkative, performer, legend, emotion or all; absent or empty means all.",
        zh: "荣誉类型：talkative、performer、legend、emotion 或 all；省略或留空为 all。",
      }, { optional: true, schema: { type: "string" } }),
    },
    rules: [
      values("type", ["all", "talkative", "performer", "legend", "emotion"], {
        en:
          "type is one of all, talkative, performer, legend and emotion; strong_newbie is rejected with retcode 1400.",
        zh: "type 只能是 all、talkative、performer、legend、emotion；strong_newbie 会被拒绝，retcode 为 1400。",
      }),
    ],
    notes: [
      { en: "All keys are present whatever type is asked for.", zh: "无论查询哪种类型，所有键都会出现。" },
      { en: "strong_newbie_list is always empty.", zh: "strong_newbie_list 恒为空。" },
      { en: "A list that cannot be fetched comes back empty.", zh: "获取失败的列表以空数组返回。" },
    ],
    returns: object({
      group_id: INT,
      current_talkative: { anyOf: [HONORED, NULL] },
      talkative_list: list(HONORED),
      performer_list: list(HONORED),
      legend_list: list(HONORED),
      strong_newbie_list: list(HONORED),
      emotion_list: list(HONORED),
    }),
    examples: [
      {
        summary: { en: "Read all honors of a group", zh: "获取全部群荣誉" },
        params: { group_id: 20001 },
        notes: GROUP_SOURCE,
      },
      {
        summary: { en: "Find the most talkative member", zh: "查询龙王" },
        params: { group_id: 20001, type: "talkative" },
        notes: GROUP_SOURCE,
      },
    ],
  },
  {
    name: "get_group_system_msg",
    category: "group-info",
    summary: { en: "Lists group system messages, such as join requests.", zh: "获取群系统消息（加群申请等）" },
    readOnly: true,
    params: {
      group_id: groupId({
        optional: true,
        text: {
          en: "List only requests of this group, from get_group_list; absent means all groups.",
          zh: "只列出该群的申请，群号来自 get_group_list；省略则列出所有群。",
        },
      }),
      only_pending: bool({
        en: "true lists only requests not handled yet.",
        zh: "为 true 时只列出未处理的申请。",
      }, { default: false }),
    },
    notes: [
      {
        en: "In newer builds, flag goes into set_group_add_request as it is.",
        zh: "较新版本的 flag 可直接用于 set_group_add_request。",
      },
      {
        en: "SnowLuma 1.11 takes no parameters, leaves out checked and sets requester_uin to 0.",
        zh: "SnowLuma 1.11 不接受参数，不返回 checked，且 requester_uin 为 0。",
      },
      {
        en: "set_group_add_request does not accept the flag SnowLuma 1.11 returns here.",
        zh: "SnowLuma 1.11 在此返回的 flag 不能用于 set_group_add_request。",
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
        flag: STRING,
      }),
    ),
    examples: [
      { summary: { en: "List the requests of all groups", zh: "列出所有群的申请" }, params: {} },
      {
        summary: { en: "List what is pending in one group", zh: "列出某群未处理的申请" },
        params: { group_id: 20001, only_pending: true },
        notes: {
          en: "group_id comes from get_group_list; in SnowLuma 1.11 both filters have no effect.",
          zh: "group_id 来自 get_group_list；在 SnowLuma 1.11 上这两个筛选参数无效。",
        },
      },
    ],
  },
];
