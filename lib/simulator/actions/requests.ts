/** Requests for friendship and membership, and what becomes of them. */
import { ActionFailure } from "../failure.ts";
import { emptyGroup, type FriendRequest, type Group, type GroupRequest } from "../entities.ts";
import type { BotEvent, World } from "../world.ts";
import type { Handlers } from "./handler.ts";

export const requests: Handlers = {
  set_friend_add_request: (params, world) => {
    const request = take(world.friendRequests, params.text("flag"));
    if (params.flag("approve")) befriend(world, request.userId);
    return null;
  },
  get_doubt_friends_add_request: (params, world) =>
    world.doubtfulRequests.slice(0, params.int("count")).map((request) => ({
      uid: request.flag,
      nick: world.nicknameOf(request.userId),
      source: "search",
      msg: request.comment,
      reqTime: request.time,
    })),
  set_doubt_friends_add_request: (params, world) => {
    const request = take(world.doubtfulRequests, params.text("flag"));
    if (params.flag("approve")) befriend(world, request.userId);
    return null;
  },
  get_group_system_msg: (params, world) => {
    const groupId = params.optionalInt("group_id");
    return world.groupRequests
      .filter((request) => !request.filtered)
      .filter((request) => groupId === undefined || request.groupId === groupId)
      .filter((request) => !params.flag("only_pending") || !request.checked)
      .map((request) => ({
        group_id: request.groupId,
        group_name: request.groupName,
        request_id: request.requestId,
        requester_uin: request.userId,
        requester_nick: world.nicknameOf(request.userId),
        message: request.message,
        checked: request.checked,
        flag: request.flag,
      }));
  },
  get_group_ignored_notifies: (_params, world) =>
    filtered(world).map((request) => ({
      ...describeFiltered(world, request),
      requester_uin: request.userId,
      flag: request.flag,
    })),
  get_group_ignore_add_request: (_params, world) => filtered(world).map((request) => describeFiltered(world, request)),
  set_group_add_request: (params, world) => {
    const flag = params.text("flag");
    const request = world.groupRequests.find((candidate) => candidate.flag === flag && !candidate.checked);
    if (request === undefined) throw new ActionFailure(`no pending request has the flag ${flag}`);
    if (request.kind === "add") {
      const group = world.administered(request.groupId);
      if (params.flag("approve")) admit(world, group, request.userId);
    } else if (params.flag("approve")) enter(world, request);
    request.checked = true;
    return null;
  },
};

/** Removes and returns the request with this flag; the number of who asks counts as a flag too. */
function take(list: FriendRequest[], flag: string): FriendRequest {
  const at = list.findIndex((request) => request.flag === flag || String(request.userId) === flag);
  const [request] = at < 0 ? [] : list.splice(at, 1);
  if (request === undefined) throw new ActionFailure(`no pending request has the flag ${flag}`);
  return request;
}

function befriend(world: World, userId: number): void {
  world.friends.set(userId, { userId, remark: "", categoryId: 0 });
  world.notice("friend_add", { user_id: userId });
}

function admit(world: World, group: Group, userId: number): void {
  world.join(group, userId);
  reportIncrease(world, group, { sub_type: "approve", operator_id: world.account.userId, user_id: userId });
}

/** The account becomes a plain member of the group it was invited to. */
function enter(world: World, request: GroupRequest): void {
  const group = emptyGroup(request.groupId, request.groupName, world.now());
  world.groups.set(group.groupId, group);
  world.join(group, request.userId);
  world.join(group, world.account.userId);
  reportIncrease(world, group, {
    sub_type: "invite",
    operator_id: request.userId,
    user_id: world.account.userId,
  });
}

function reportIncrease(world: World, { groupId }: Group, fields: BotEvent): void {
  world.notice("group_increase", { group_id: groupId, ...fields });
}

function filtered(world: World): GroupRequest[] {
  return world.groupRequests.filter((request) => request.filtered);
}

function describeFiltered(world: World, request: GroupRequest): Record<string, unknown> {
  return {
    request_id: request.requestId,
    invitor_uin: 0,
    invitor_nick: "",
    group_id: request.groupId,
    group_name: request.groupName,
    message: request.message,
    checked: request.checked,
    actor: 0,
    requester_nick: world.nicknameOf(request.userId),
  };
}
