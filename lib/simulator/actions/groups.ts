/** Groups as a whole: what they are, and what an admin or the account changes about them. */
import { ActionFailure, invalid } from "../failure.ts";
import type { Params } from "../params.ts";
import { sourceDetails } from "../sent_files.ts";
import { textToKeep } from "../stored.ts";
import type { Group } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** Honors that can be asked for; `strong_newbie` is in the answer, but asking for it is refused. */
const HONORS = ["all", "talkative", "performer", "legend", "emotion"];

/** `user_id` and `duration` of a notice that the whole group is muted. */
const EVERYBODY = 0;
const WITHOUT_END = 2_147_483_647;

export const groups: Handlers = {
  get_group_list: (_params, world) =>
    [...world.groups.values()].map((group) => ({ ...describe(group), group_level: 0 })),
  get_group_info: (params, world) => {
    const groupId = params.int("group_id");
    return find(world, groupId) ??
      { group_id: groupId, group_name: "", member_count: 0, max_member_count: 0 };
  },
  get_group_info_ex: (params, world) => find(world, params.int("group_id")),
  get_group_detail_info: (params, world) => find(world, params.int("group_id")),
  get_group_at_all_remain: (params, world) => {
    const isAdmin = world.self(world.group(params.int("group_id"))).role !== "member";
    return {
      can_at_all: isAdmin,
      remain_at_all_count_for_group: isAdmin ? 20 : 0,
      remain_at_all_count_for_uin: isAdmin ? 10 : 0,
    };
  },
  get_group_honor_info: (params, world) => {
    const type = params.has("type") ? params.raw("type") : "all";
    if (typeof type !== "string" || !HONORS.includes(type)) {
      throw invalid("type", `must be one of ${HONORS.join(", ")}`);
    }
    const group = world.group(params.int("group_id"));
    const wants = (name: string): boolean => type === "all" || type === name;
    const talkative = [...group.members.values()].filter((member) => member.role === "owner").map((member) => ({
      user_id: member.userId,
      nickname: world.nicknameOf(member.userId),
      avatar: "",
      description: "",
    }));
    return {
      group_id: group.groupId,
      current_talkative: wants("talkative") ? talkative[0] ?? null : null,
      talkative_list: wants("talkative") ? talkative : [],
      performer_list: [],
      legend_list: [],
      strong_newbie_list: [],
      emotion_list: [],
    };
  },
  set_group_name: (params, world) => {
    const group = world.administered(params.int("group_id"));
    if (!params.has("group_name")) throw new ActionFailure("a group needs a name");
    group.name = textToKeep("group_name", params.text("group_name"));
    return null;
  },
  set_group_remark: (params, world) => {
    world.group(params.int("group_id")).remark = textToKeep("remark", params.text("remark"));
    return null;
  },
  set_group_whole_ban: (params, world) => {
    const group = world.administered(params.int("group_id"));
    group.wholeBan = params.flag("enable");
    world.notice("group_ban", {
      sub_type: group.wholeBan ? "ban" : "lift_ban",
      group_id: group.groupId,
      operator_id: world.account.userId,
      user_id: EVERYBODY,
      duration: group.wholeBan ? WITHOUT_END : 0,
    });
    return null;
  },
  set_group_portrait: (params, world) => {
    world.administered(params.int("group_id"));
    sourceDetails(params.text("file"), world);
    return null;
  },
  set_group_add_option: setUnread,
  set_group_search: setUnread,
  set_group_robot_add_option: setUnread,
  set_group_leave: (params, world) => {
    const group = world.group(params.int("group_id"));
    if (world.self(group).role === "owner") throw new ActionFailure("an owner cannot leave the group");
    world.groups.delete(group.groupId);
    const self = world.account.userId;
    world.notice("group_decrease", {
      sub_type: "leave",
      group_id: group.groupId,
      operator_id: self,
      user_id: self,
    });
    return null;
  },
  set_group_sign: (params, world) => {
    world.group(params.int("group_id")).signs.set(world.account.userId, world.now());
    return {};
  },
  get_group_signed_list: (params, world) =>
    [...world.group(params.int("group_id")).signs].map(([userId, time], index) => ({
      user_id: userId,
      nick: world.nicknameOf(userId),
      time,
      rank: index + 1,
    })),
};

/** A setting nothing reads back: it only needs the rights. */
function setUnread(params: Params, world: World): null {
  world.administered(params.int("group_id"));
  return null;
}

function find(world: World, groupId: number): Record<string, unknown> | null {
  const group = world.groups.get(groupId);
  return group === undefined ? null : describe(group);
}

function describe(group: Group): Record<string, unknown> {
  return {
    group_id: group.groupId,
    group_name: group.name,
    member_count: group.members.size,
    max_member_count: group.maxMembers,
    group_create_time: group.createdAt,
    group_level: group.level,
    group_memo: group.memo,
    group_remark: group.remark,
    group_all_shut: group.wholeBan ? -1 : 0,
  };
}
