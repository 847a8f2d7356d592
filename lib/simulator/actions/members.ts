/** Members of groups: who they are, and what those above them may do. */
import { groupChat } from "../chat.ts";
import type { Group, Member } from "../entities.ts";
import { poke } from "../poke.ts";
import type { World } from "../world.ts";
import type { Params } from "../params.ts";
import { textToKeep } from "../stored.ts";
import type { Handlers } from "./handler.ts";

export const members: Handlers = {
  get_group_member_list: (params, world) => {
    const group = world.group(params.int("group_id"));
    return [...group.members.values()].map((member) => describe(world, group, member));
  },
  get_group_member_info: (params, world) => {
    const [groupId, userId] = [params.int("group_id"), params.int("user_id")];
    const group = world.groups.get(groupId);
    const member = group?.members.get(userId);
    if (group !== undefined && member !== undefined) return describe(world, group, member);
    // An unknown member is a sparse row and no error.
    return { group_id: groupId, user_id: userId, nickname: "", card: "", sex: "unknown", age: 0, role: "member" };
  },
  get_group_shut_list: (params, world) =>
    [...world.group(params.int("group_id")).members.values()]
      .filter((member) => member.bannedUntil > world.now())
      .map(({ userId, bannedUntil }) => ({
        user_id: userId,
        nickname: world.nicknameOf(userId),
        shut_up_time: bannedUntil,
      })),
  set_group_ban: (params, world) => {
    const { group, member } = target(params, world);
    world.requireAbove(group, member);
    const duration = params.int("duration");
    member.bannedUntil = duration === 0 ? 0 : world.now() + duration;
    world.notice("group_ban", {
      sub_type: duration === 0 ? "lift_ban" : "ban",
      group_id: group.groupId,
      operator_id: world.account.userId,
      user_id: member.userId,
      duration,
    });
    return null;
  },
  set_group_card: (params, world) => {
    const { group, member } = target(params, world);
    if (member.userId !== world.account.userId) world.requireAbove(group, member);
    member.card = textToKeep("card", params.text("card"));
    return null;
  },
  set_group_special_title: (params, world) => {
    const { group, member } = target(params, world);
    world.requireOwner(group);
    member.title = textToKeep("special_title", params.text("special_title"));
    return null;
  },
  set_group_admin: (params, world) => {
    const { group, member } = target(params, world);
    world.requireOwner(group);
    world.requireAbove(group, member);
    const isSet = params.flag("enable");
    // Only a change is reported.
    const changes = isSet !== (member.role === "admin");
    member.role = isSet ? "admin" : "member";
    if (changes) {
      world.notice("group_admin", {
        sub_type: isSet ? "set" : "unset",
        group_id: group.groupId,
        user_id: member.userId,
      });
    }
    return null;
  },
  set_group_kick: (params, world) => {
    const { group, member } = target(params, world);
    world.requireAbove(group, member);
    kick(world, group, member);
    return null;
  },
  set_group_kick_members: (params, world) => {
    const group = world.group(params.int("group_id"));
    const kicked = params.ints("user_id").map((userId) => world.member(group, userId));
    // One request to QQ: all of them go, or nobody does.
    for (const member of kicked) world.requireAbove(group, member);
    for (const member of kicked) kick(world, group, member);
    return null;
  },
  group_poke: (params, world) => {
    const { group, member } = target(params, world);
    poke(world, groupChat(group.groupId), member.userId);
    return null;
  },
};

function kick(world: World, group: Group, { userId }: Member): void {
  // Of the same number twice in one request the second finds nobody.
  if (!group.members.delete(userId)) return;
  world.notice("group_decrease", {
    sub_type: "kick",
    group_id: group.groupId,
    operator_id: world.account.userId,
    user_id: userId,
  });
}

function target(params: Params, world: World): { group: Group; member: Member } {
  const group = world.group(params.int("group_id"));
  return { group, member: world.member(group, params.int("user_id")) };
}

function describe(world: World, group: Group, member: Member): Record<string, unknown> {
  return {
    group_id: group.groupId,
    user_id: member.userId,
    nickname: world.nicknameOf(member.userId),
    card: member.card,
    is_robot: false,
    sex: "unknown",
    age: 0,
    join_time: member.joinedAt,
    last_sent_time: member.lastSentAt,
    level: "1",
    role: member.role,
    title: member.title,
    area: "",
    unfriendly: false,
    title_expire_time: 0,
    card_changeable: true,
    shut_up_timestamp: member.bannedUntil > world.now() ? member.bannedUntil : 0,
  };
}
