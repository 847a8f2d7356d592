/** Friends and other people. */
import { Buffer } from "node:buffer";
import { groupChat } from "../chat.ts";
import { ActionFailure } from "../failure.ts";
import { poke } from "../poke.ts";
import { textToKeep } from "../stored.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

/** Likes one person takes from the account: on QQ so many a day, here so many in all, nothing resets at midnight. */
const LIKES_PER_PERSON = 50;

/** Likes one call gives. */
const LIKES_PER_CALL = 20;

export const friends: Handlers = {
  get_friend_list: (_params, world) => [...world.friends.keys()].map((userId) => describe(world, userId)),
  get_friends_with_category: (_params, world) =>
    [...world.categories].map(([categoryId, categoryName]) => {
      const buddies = [...world.friends.values()].filter((friend) => friend.categoryId === categoryId);
      return {
        categoryId,
        categoryName,
        categoryMbCount: buddies.length,
        buddyList: buddies.map((friend) => describe(world, friend.userId)),
      };
    }),
  get_unidirectional_friend_list: () => [{
    uint64_uin: 12003,
    str_uid: "u_simulated_12003",
    bytes_nick: Buffer.from("Barbara").toString("base64"),
    uint32_age: 0,
    uint32_sex: 0,
    bytes_source: Buffer.from("group").toString("base64"),
  }],
  get_stranger_info: (params, world) => {
    const userId = params.int("user_id");
    const person = world.people.get(userId);
    const common = { user_id: userId, nickname: person?.nickname ?? "", sex: "unknown", age: 0 };
    if (person === undefined) return { ...common, long_nick: "" };
    return { ...common, long_nick: person.longNick, qq_level: person.level, level: person.level };
  },
  set_friend_remark: (params, world) => {
    world.friend(params.int("user_id")).remark = textToKeep("remark", params.text("remark"));
    return null;
  },
  delete_friend: (params, world) => {
    world.friends.delete(world.friend(params.int("user_id")).userId);
    return null;
  },
  send_like: (params, world) => {
    const [userId, times] = [params.int("user_id"), params.int("times")];
    if (times < 1 || times > LIKES_PER_CALL) {
      throw new ActionFailure(`times: QQ takes 1 to ${LIKES_PER_CALL} likes per call`);
    }
    if (!world.people.has(userId)) throw new ActionFailure(`${userId} does not exist`);
    const given = (world.account.likesGiven.get(userId) ?? 0) + times;
    if (given > LIKES_PER_PERSON) throw new ActionFailure("the likes for this person are used up");
    world.account.likesGiven.set(userId, given);
    return null;
  },
  friend_poke: (params, world) => {
    const chat = world.friendChat(params.int("user_id"));
    poke(world, chat, chat.id);
    return null;
  },
  send_poke: (params, world) => {
    const [groupId, userId] = [params.optionalInt("group_id"), params.int("user_id")];
    if (groupId !== undefined) world.member(world.group(groupId), userId);
    poke(world, groupId === undefined ? world.friendChat(userId) : groupChat(groupId), userId);
    return null;
  },
  set_input_status: (params, world) => {
    world.friend(params.int("user_id"));
    return {};
  },
  nc_get_user_status: (params, world) => {
    const userId = params.int("user_id");
    if (userId === world.account.userId) return { status: world.account.status, ext_status: world.account.extStatus };
    if (!world.people.has(userId)) throw new ActionFailure(`cannot get the status of ${userId}`);
    return { status: 10, ext_status: 0 };
  },
};

function describe(world: World, userId: number): { user_id: number; nickname: string; remark: string } {
  return { user_id: userId, nickname: world.nicknameOf(userId), remark: world.friends.get(userId)?.remark ?? "" };
}
