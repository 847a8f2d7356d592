/** Pages of a list of tasks that grows at its head while it is read. */
import { Failure } from "../errors.ts";
import { isTaskId } from "./record.ts";
import { byAge, type TaskPlace, type TaskSummary } from "./summary.ts";

/** The largest page, and the usual one. */
export const MAX_TASK_PAGE = 100;
/** See {@link MAX_TASK_PAGE}. */
export const DEFAULT_TASK_PAGE = 50;

/** Which part of the list to give. */
export interface TaskPageRequest {
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
  /** From 1 to {@link MAX_TASK_PAGE}; {@link DEFAULT_TASK_PAGE} unless given. */
  readonly limit?: number;
}

/** A page, newest first. */
export interface TaskPage {
  readonly tasks: readonly TaskSummary[];
  /** Present when another page follows. */
  readonly nextCursor?: string;
}

/**
 * Cuts a page. The cursor tells the last task of the page before by its place in time, so that tasks that are added
 * meanwhile shift nothing.
 *
 * @param tasks In the order of `byAge`.
 * @throws {Failure} `invalid_arguments`
 */
export function pageOfTasks(tasks: readonly TaskSummary[], request: TaskPageRequest): TaskPage {
  const { cursor, limit = DEFAULT_TASK_PAGE } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_TASK_PAGE) {
    throw new Failure(
      "invalid_arguments",
      `Cannot list tasks: limit is ${limit}`,
      `Give a whole number from 1 to ${MAX_TASK_PAGE}.`,
    );
  }
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const rest = place === undefined ? tasks : tasks.filter((task) => byAge(task, place) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return { tasks: page, ...(last !== undefined && rest.length > page.length && { nextCursor: cursorOf(last) }) };
}

const OPAQUE = { alphabet: "base64url", omitPadding: true } as const;

function cursorOf({ createdAt, taskId }: TaskPlace): string {
  return new TextEncoder().encode(`${createdAt} ${taskId}`).toBase64(OPAQUE);
}

function placeOf(cursor: string): TaskPlace {
  try {
    const [createdAt = "", taskId = ""] = new TextDecoder().decode(Uint8Array.fromBase64(cursor, OPAQUE)).split(" ");
    const place = { createdAt, taskId };
    if (cursorOf(place) === cursor && isTaskId(taskId) && new Date(createdAt).toISOString() === createdAt) return place;
  } catch { /* no base64, no date */ }
  throw new Failure(
    "invalid_arguments",
    `Cannot list tasks: ${JSON.stringify(cursor.slice(0, 64))} is no cursor of this list`,
    "Give nextCursor of the page before as it is, or leave cursor out to begin anew.",
  );
}
