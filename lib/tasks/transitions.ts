/** How a task's record begins, moves on and ends. `at` is the time, in milliseconds since 1970. */
import type { Diagnostics, Outcome } from "../outcome.ts";
import type { TaskAnswer, TaskRecord, TaskStatus } from "./record.ts";

/** JSON-RPC "internal error": the one code that a task fails with. */
const INTERNAL_ERROR = -32603;
const DOUBT = "its remote outcome is UNKNOWN; check with a reading action whether it took effect before repeating it";

/** What starts a task. */
export interface TaskOrigin {
  /** Name of the catalog's. */
  readonly action: string;
  /** Trace context of the call. */
  readonly traceparent?: string;
}

/** A task that is about to work, with an id that nobody can guess. */
export function newRecord({ action, traceparent }: TaskOrigin, at: number): TaskRecord {
  const createdAt = toTime(at);
  return {
    format: 1,
    taskId: crypto.randomUUID(),
    action,
    status: "working",
    createdAt,
    lastUpdatedAt: createdAt,
    ...(traceparent !== undefined && { traceparent }),
  };
}

/**
 * The task, so far on its way. A value counts if it is finite, not negative and greater than before, a total if it is
 * finite and positive. Where nothing counts, the record stays the same object.
 */
export function withProgress(record: TaskRecord, value: number, total: number | undefined, at: number): TaskRecord {
  if (!Number.isFinite(value) || value < 0 || value <= (record.progress?.value ?? -1)) return record;
  const known = total !== undefined && Number.isFinite(total) && total > 0;
  return { ...record, progress: known ? { value, total } : { value }, lastUpdatedAt: updatedAt(record, at) };
}

/** Still working, but asked to stop. */
export function cancelRequested(record: TaskRecord, at: number): TaskRecord {
  return { ...record, statusMessage: "Cancellation was requested.", lastUpdatedAt: updatedAt(record, at) };
}

/** The call gave an answer, of whatever kind. */
export function completed(record: TaskRecord, answer: TaskAnswer, at: number): TaskRecord {
  return { ...ended(record, "completed", at), answer };
}

/** An answer that cannot be kept, told as what it is: the transfer's own outcome is not lost with it. */
export function tooLarge(record: TaskRecord, told: Outcome, limitBytes: number, at: number): TaskRecord {
  const diagnostics: Diagnostics = {
    outcome: told === "failed" ? "failed" : "unknown", // an error that claims success would contradict itself
    kind: "too_large",
    message:
      `Cannot keep the answer of ${record.action}: with it the record exceeds ${limitBytes} bytes or is too deep; ` +
      `the outcome that the answer told is ${told.toUpperCase()}`,
    next_step: "Do not repeat the transfer for the sake of its answer; look at what it did with a reading action.",
  };
  return completed(record, { isError: true, structuredContent: { result: null, diagnostics } }, at);
}

/** A defect of the server; details belong to its log. */
function failedWith(record: TaskRecord, message: string, at: number): TaskRecord {
  return { ...ended(record, "failed", at), statusMessage: message, error: { code: INTERNAL_ERROR, message } };
}

/** The failure of work that ended otherwise than it may. */
export function broken(record: TaskRecord, at: number): TaskRecord {
  return failedWith(record, `An internal error ended ${record.action}: ${DOUBT}.`, at);
}

/** The process ended, or the client left, while the task ran. Nothing is replayed. */
export function interrupted(record: TaskRecord, by: "restart" | "closed", at: number): TaskRecord {
  const what = by === "restart" ? "The server ended" : "The client left, or the server was stopped,";
  return failedWith(record, `${what} while ${record.action} ran: ${DOUBT}.`, at);
}

/** Cancelled in time. */
export function cancelledWith(record: TaskRecord, outcome: Exclude<Outcome, "success">, at: number): TaskRecord {
  const statusMessage = outcome === "unknown"
    ? `${record.action} was cancelled: ${DOUBT}.`
    : `${record.action} was cancelled; it changed nothing at the bot.`;
  return { ...ended(record, "cancelled", at), statusMessage };
}

function ended({ statusMessage: _, ...record }: TaskRecord, status: TaskStatus, at: number): TaskRecord {
  return { ...record, status, lastUpdatedAt: updatedAt(record, at) };
}

/** Clocks may go back; a task does not. */
function updatedAt({ lastUpdatedAt }: Pick<TaskRecord, "lastUpdatedAt">, at: number): string {
  const now = toTime(at);
  return now > lastUpdatedAt ? now : lastUpdatedAt;
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
