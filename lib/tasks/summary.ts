/** Tasks as lists have them, and their order. */
import type { TaskRecord } from "./record.ts";

/** A task without what it answered. */
export type TaskSummary = Pick<
  TaskRecord,
  "taskId" | "action" | "status" | "statusMessage" | "createdAt" | "lastUpdatedAt" | "progress"
>;

/** The part of a record that is kept in memory. */
export function summarize(record: TaskRecord): TaskSummary {
  const { taskId, action, status, statusMessage, createdAt, lastUpdatedAt, progress } = record;
  return {
    taskId,
    action,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ...(progress !== undefined && { progress }),
  };
}

/** Newest first; of the same millisecond by id, so that the order is one. */
export function byAge(a: TaskPlace, b: TaskPlace): number {
  return a.createdAt === b.createdAt ? order(a.taskId, b.taskId) : order(b.createdAt, a.createdAt);
}

/** Where a task stands in the list. */
export type TaskPlace = Pick<TaskSummary, "createdAt" | "taskId">;

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
