/** Requests that somebody else makes of the account. */
import type { GroupRequest } from "./entities.ts";
import { ActionFailure } from "./failure.ts";
import { textToKeep } from "./stored.ts";
import type { World } from "./world.ts";

/** Requests of each kind that are kept; the oldest are forgotten first. */
const MAX_REQUESTS = 1_000;

/** A request to the account: for friendship, for membership of a group, or to join a group. */
export interface AskedRequest {
  /** Who asks. */
  readonly user_id: number;
  /**
   * Absent asks for friendship. A group the account is in is asked for membership, which takes an admin; into any other
   * group the account is invited.
   */
  readonly group_id?: number;
  /** What they write along, 1 MiB of JSON at most. @default "" */
  readonly comment?: string;
}

/**
 * Adds a pending request, reports it, and returns its flag.
 *
 * @throws ActionFailure if they are friends or members already, if that request is pending, if the account is no
 *   admin of the group, or if the comment is too large.
 */
export function ask(world: World, { user_id: userId, group_id: groupId, comment = "" }: AskedRequest): string {
  const text = textToKeep("comment", comment);
  if (groupId !== undefined) return askAboutGroup(world, userId, groupId, text);
  if (world.friends.has(userId)) throw new ActionFailure(`${userId} is a friend of the account`);
  const flag = `u_simulated_${userId}`;
  refusePending(world.friendRequests, flag);
  add(world.friendRequests, { flag, userId, comment: text, time: world.now() });
  world.report({ post_type: "request", request_type: "friend", user_id: userId, comment: text, flag });
  return flag;
}

function askAboutGroup(world: World, userId: number, groupId: number, message: string): string {
  const group = world.groups.get(groupId);
  if (group !== undefined) world.requireAdmin(group);
  if (group?.members.has(userId)) throw new ActionFailure(`${userId} is a member of group ${groupId}`);
  const kind = group === undefined ? "invite" : "add";
  const flag = `slreq:${kind}:${groupId}:${userId}`;
  const { groupRequests } = world;
  refusePending(groupRequests.filter(({ checked }) => !checked), flag);
  const request: GroupRequest = {
    flag,
    requestId: (groupRequests.at(-1)?.requestId ?? 500_000) + 1,
    kind,
    groupId,
    groupName: group?.name ?? `Group ${groupId}`,
    userId,
    message,
    filtered: false,
    checked: false,
  };
  add(groupRequests, request);
  world.report({
    post_type: "request",
    request_type: "group",
    sub_type: kind,
    group_id: groupId,
    user_id: userId,
    comment: message,
    flag,
  });
  return flag;
}

function refusePending(requests: readonly { readonly flag: string }[], flag: string): void {
  if (requests.some((request) => request.flag === flag)) throw new ActionFailure(`the request ${flag} is pending`);
}

function add<T>(requests: T[], request: T): void {
  requests.push(request);
  if (requests.length > MAX_REQUESTS) requests.shift();
}
