/** The calls that are measured, and the proof that both servers do the same work for them. */
import { deepStrictEqual } from "node:assert/strict";
import type { Call, Driver } from "./driver.ts";
import catalog from "../../catalog/catalog.json" with { type: "json" };

/** `get_action` of every action. */
export const GET_CALLS: readonly Call[] = catalog.actions.map(({ name }) => ["get_action", { name }]);

/** Keyword searches as clients make them: one word and several, both languages, with and without a hit. */
export const SEARCH_CALLS: readonly Call[] = [
  "mute member",
  "群 禁言",
  "silence group user",
  "who is in the group",
  "群成员",
  "send a picture to a friend",
  "set_group_ban",
  "recall message",
  "上传 文件",
  "group files",
  "cookies",
  "chat history",
  "poke",
  "转发 消息",
  "approve friend request",
  "nothing fits this",
].map((query) => ["search_actions", { query, match: "keywords" }]);

/** Everything docs mode can be asked, action by action. */
export function mixedCall(position: number): Call {
  const name = catalog.actions[Math.floor(position / 5) % catalog.actions.length]?.name ?? "";
  switch (position % 5) {
    case 0:
      return ["get_action", { name }];
    case 1:
      return ["search_actions", { query: name.replaceAll("_", " "), match: "keywords" }];
    case 2:
      return ["check_action", { action: name, params: { group_id: 123456, nonsense: true } }];
    case 3:
      return position % 50 === 3 ? ["list_actions", {}] : ["list_actions", { limit: 20, offset: position % 160 }];
    default:
      return position % 50 === 4 ? ["get_runtime_info", {}] : ["list_categories", {}];
  }
}

/** Fails unless both give the same result for every measured call: a comparison of unequal work proves nothing. */
export async function requireEqualWork(ours: Driver, other: Driver): Promise<void> {
  for (const call of [...GET_CALLS, ...SEARCH_CALLS]) {
    const [a, b] = [await ours.call(call), await other.call(call)];
    deepStrictEqual(
      [b.content, b.structuredContent],
      [a.content, a.structuredContent],
      `${other.spec.name} answers ${JSON.stringify(call)} unlike ours`,
    );
  }
}
