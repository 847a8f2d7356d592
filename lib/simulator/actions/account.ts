/** The account itself: who it is, how it appears, and what it collected. */
import { ActionFailure, invalid } from "../failure.ts";
import { sourceDetails } from "../sent_files.ts";
import { LINK_BASE } from "../sources.ts";
import { textToKeep } from "../stored.ts";
import type { CustomFace, Person } from "../entities.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

export const account: Handlers = {
  get_login_info: (_params, world) => ({
    user_id: world.account.userId,
    nickname: world.nicknameOf(world.account.userId),
  }),
  set_qq_profile: (params, world) => {
    const self = person(world);
    // Both are read before either changes.
    const [nickname, note] = ["nickname", "personal_note"].map((name) =>
      params.raw(name) === undefined ? undefined : textToKeep(name, params.text(name))
    );
    if (nickname !== undefined) self.nickname = nickname || String(self.userId);
    if (note !== undefined) self.longNick = note;
    return null;
  },
  set_self_longnick: (params, world) => {
    const note = params.raw("longNick") ?? params.raw("long_nick");
    if (typeof note !== "string") throw invalid("longNick", note === undefined ? "is required" : "must be a string");
    person(world).longNick = textToKeep("longNick", note);
    return {};
  },
  set_qq_avatar: (params, world) => {
    sourceDetails(params.text("file"), world);
    return null;
  },
  set_online_status: (params, world) => {
    world.account.status = params.int("status");
    world.account.extStatus = params.int("ext_status");
    return null;
  },
  set_diy_online_status: (_params, world) => {
    world.account.status = 10;
    world.account.extStatus = 2000;
    return null;
  },
  get_profile_like: (params, world) => {
    const userId = params.int("user_id") || world.account.userId;
    if (!world.people.has(userId)) throw new ActionFailure(`no like record of ${userId}`);
    const given = world.account.likesGiven.get(userId) ?? 0;
    return {
      uid: `u_simulated_${userId}`,
      time: world.now(),
      favoriteInfo: { total_count: given, last_time: 0, today_count: given, userInfos: [] },
      voteInfo: { total_count: given, new_count: 0, new_nearby_count: 0, last_visit_time: 0, userInfos: [] },
    };
  },
  add_custom_face: (params, world) => {
    const { md5 } = sourceDetails(params.text("file"), world);
    const emojiId = `${world.account.userId}_0_0_0_${md5}_0_0`;
    if (!world.faces.has(emojiId)) world.faces.set(emojiId, { emojiId, desc: "" });
    return { emoji_id: emojiId };
  },
  fetch_custom_face: (params, world) =>
    world.faces.newestFirst().slice(0, params.int("count")).map(({ emojiId }) =>
      params.text("return_type") === "id" ? emojiId : `${LINK_BASE}/faces/${emojiId}`
    ),
  delete_custom_face: (params, world) => {
    world.faces.delete(findFace(world, params.text("emoji_id")).emojiId);
    return null;
  },
  modify_custom_face: (params, world) => {
    world.faces.revise(findFace(world, params.text("emoji_id")).emojiId, { desc: params.text("desc") });
    return null;
  },
  move_custom_face_to_front: (params, world) => {
    const face = findFace(world, params.text("emoji_id"));
    world.faces.set(face.emojiId, face);
    return null;
  },
};

function person(world: World): Person {
  const self = world.people.get(world.account.userId);
  if (self === undefined) throw new Error("the account is no person");
  return self;
}

function findFace(world: World, emojiId: string): CustomFace {
  if (!/^[0-9a-f]{32}$/i.test(emojiId.split("_")[4] ?? "")) throw new ActionFailure(`${emojiId} is no custom face id`);
  const face = world.faces.get(emojiId);
  if (face === undefined) throw new ActionFailure(`custom face ${emojiId} not found`);
  return face;
}
