import type { TaskRecord } from "../tasks/record.ts";

/** How often clients may ask for a task, in milliseconds. */
const POLL_INTERVAL_MS = 1000;

/** What every message about a task says. Results never expire. */
export function describeTask({ taskId, status, statusMessage, progress, createdAt, lastUpdatedAt }: TaskFacts): object {
  const message = statusMessage ??
    (status === "working" && progress ? `${progress.value} of ${progress.total ?? "?"}` : undefined);
  return {
    taskId,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt,
    lastUpdatedAt,
    ttlMs: null,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** The part of a task that all clients are told. */
type TaskFacts = Pick<TaskRecord, "taskId" | "status" | "statusMessage" | "progress" | "createdAt" | "lastUpdatedAt">;
