/** Which events a resource keeps. */
import { Failure } from "../errors.ts";
import type { BotEvent } from "./event.ts";

/** Most ids in each list of a filter. */
export const MAX_FILTER_IDS = 100;

/** The types that can be kept; meta events never are. */
export const FILTER_TYPES = ["message", "notice", "request"] as const;

/** One of {@link FILTER_TYPES}. */
export type FilterType = typeof FILTER_TYPES[number];

/** All that is given has to match; what is absent lets everything through. */
export interface EventFilter {
  /** Events of other types do not match. Not empty. */
  readonly types?: ReadonlySet<FilterType>;
  /** Group numbers, 1 to 100 of them. Events without a `group_id` do not match. */
  readonly groupIds?: ReadonlySet<number>;
  /** QQ numbers, 1 to 100 of them. Events without a `user_id` do not match. */
  readonly userIds?: ReadonlySet<number>;
}

/** Whether an event is to be kept. Meta events, and types that OneBot v11 does not have, never are. */
export function matches({ types, groupIds, userIds }: EventFilter, { type, groupId, userId }: BotEvent): boolean {
  if (type === "meta" || type === "other") return false;
  if (types !== undefined && !types.has(type)) return false;
  if (groupIds !== undefined && (groupId === undefined || !groupIds.has(groupId))) return false;
  return userIds === undefined || (userId !== undefined && userIds.has(userId));
}

/** Refuses a filter that could match nothing, or has too many ids. @throws {Failure} `invalid_arguments` */
export function checkFilter({ types, groupIds, userIds }: EventFilter): void {
  if (types?.size === 0) throw refusal("types is empty", `Name some of ${FILTER_TYPES.join(", ")}, or omit types.`);
  for (const [name, ids] of [["group_ids", groupIds], ["user_ids", userIds]] as const) {
    if (ids === undefined) continue;
    if (ids.size === 0) throw refusal(`${name} is empty`, `Name an id, or omit ${name} to get all.`);
    if (ids.size > MAX_FILTER_IDS) {
      throw refusal(
        `${name} has ${ids.size} ids`,
        `Name at most ${MAX_FILTER_IDS}, or subscribe to several resources.`,
      );
    }
    for (const id of ids) {
      if (!Number.isSafeInteger(id) || id <= 0) {
        throw refusal(`${JSON.stringify(id)} in ${name} is no positive whole number`, "Give ids as positive integers.");
      }
    }
  }
}

function refusal(reason: string, nextStep: string): Failure {
  return new Failure("invalid_arguments", `Cannot subscribe: ${reason}`, nextStep);
}
