/** Actions that build a card to share and send nothing. */
import { ActionFailure, invalid } from "../failure.ts";
import type { Params } from "../params.ts";
import type { World } from "../world.ts";
import type { Handlers } from "./handler.ts";

export const cards: Handlers = {
  share_peer: peerCard,
  send_ark_share: peerCard,
  share_group_ex: (params, world) => groupCard(world, params.int("group_id")),
  send_group_ark_share: (params, world) => groupCard(world, params.int("group_id")),
  get_mini_app_ark: (params) => {
    const type = params.raw("type") ?? "bili";
    if (type !== "bili" && type !== "weibo") throw new ActionFailure("type: must be bili or weibo");
    const given = (...names: string[]): string =>
      String(names.map((name) => params.raw(name)).find((value) => value !== undefined) ?? "");
    return {
      data: {
        ver: "1.0.0",
        prompt: given("title"),
        config: {},
        app: `simulated.${type}`,
        view: "view",
        meta: { desc: given("desc"), preview: given("picUrl", "pic_url"), jump: given("jumpUrl", "jump_url") },
        miniappShareOrigin: 3,
        miniappOpenRefer: "10002",
      },
    };
  },
};

function peerCard(params: Params, world: World): { arkMsg: string } {
  const [groupId, userId] = [params.optionalInt("group_id"), params.optionalInt("user_id")];
  if (groupId !== undefined) return { arkMsg: groupCard(world, groupId) };
  if (userId === undefined) throw invalid("group_id", "group_id or user_id is required");
  return { arkMsg: card({ nickname: world.nicknameOf(userId), contact: String(userId) }) };
}

function groupCard(world: World, groupId: number): string {
  return card({ nickname: world.group(groupId).name, contact: String(groupId) });
}

function card(contact: { nickname: string; contact: string }): string {
  return JSON.stringify({ app: "simulated.contact", view: "contact", meta: { contact } });
}
