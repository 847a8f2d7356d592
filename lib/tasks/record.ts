/**
 * What is kept of a durable task: one JSON object a file. Whoever reads it back trusts nothing: a field too many is as
 * wrong as one too few, since it may be the word of a later version or of somebody else.
 */
import { parseJson } from "../onebot/lossless_json.ts";
import type { Diagnostics } from "../outcome.ts";

/** Largest file of a record, in bytes. */
export const MAX_RECORD_BYTES: number = 16 * 1024 * 1024;

/** Longest text of a task beside its answer, in characters; lists repeat it. */
const MAX_TEXT_LENGTH = 4096;

/** Where a task stands; it leaves `working` once and for all. */
export type TaskStatus = "working" | "completed" | "failed" | "cancelled";

/** How far a task has come, in bytes or frames; `total` where it is known. */
export interface TaskProgress {
  readonly value: number;
  readonly total?: number;
}

/** What the call would have answered. */
export interface TaskAnswer {
  readonly isError: boolean;
  readonly structuredContent: { readonly result: unknown; readonly diagnostics: Diagnostics };
}

/** A task, as it is on disk. */
export interface TaskRecord {
  readonly format: 1;
  /** UUID, version 4; the name of the file without `.json`. */
  readonly taskId: string;
  /** Of the catalog. */
  readonly action: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601 in UTC, with milliseconds; so is `lastUpdatedAt`. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly progress?: TaskProgress;
  /** Trace context of the call that started it. */
  readonly traceparent?: string;
  /** Of a `completed` task, also of one that the bot refused. */
  readonly answer?: TaskAnswer;
  /** Of a `failed` task: a JSON-RPC error. */
  readonly error?: { readonly code: number; readonly message: string };
}

/** What is wrong with a file of the task folder, in words that follow its name; of its content only names of fields. */
export class RecordFault extends Error {
  override readonly name = "RecordFault";
}

const TASK_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text is the id of a task, and so safe as a file's name. */
export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** Compact JSON and a newline. @throws {RecordFault} for more than {@link MAX_RECORD_BYTES}, or too many levels. */
export function encodeRecord(record: TaskRecord): Uint8Array {
  let json: string;
  try {
    json = JSON.stringify(record);
  } catch (cause) {
    throw new RecordFault("it has too many levels or characters", { cause }); // of the stack, of a string
  }
  const bytes = new TextEncoder().encode(`${json}\n`);
  if (bytes.length > MAX_RECORD_BYTES) throw new RecordFault(tooLong(bytes.length));
  return bytes;
}

/** The fault of a file of so many bytes. */
export function tooLong(bytes: number): string {
  return `it has ${bytes} bytes, and ${MAX_RECORD_BYTES} are allowed`;
}

/**
 * Reads a record back. Numbers in its result keep their digits.
 *
 * @param taskId Which one it has to be.
 * @throws {RecordFault}
 */
export function decodeRecord(text: string, taskId: string): TaskRecord {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new RecordFault("it is not JSON"); // the parser would quote it
  }
  const { format } = Object(value) as { readonly format?: unknown };
  if (typeof format === "number" && format > 1) throw new RecordFault("it was written by a newer version");
  RECORD(value, "");
  const record = value as TaskRecord;
  if (record.taskId !== taskId) throw new RecordFault("it is the record of another task");
  if ((record.answer !== undefined) !== (record.status === "completed")) {
    throw new RecordFault('a task has "answer" when it is completed, and only then');
  }
  if ((record.error !== undefined) !== (record.status === "failed")) {
    throw new RecordFault('a task has "error" when it has failed, and only then');
  }
  if (record.answer?.isError && record.answer.structuredContent.diagnostics.outcome === "success") {
    throw new RecordFault("an answer cannot be an error and a success");
  }
  return record;
}

/** Throws a {@link RecordFault} that names the field `at`, unless the value is as it should be. */
type Check = (value: unknown, at: string) => void;

/** Passes what is `true` to `fits`. */
function check(expected: string, fits: (value: unknown) => boolean): Check {
  return (value, at) => {
    if (!fits(value)) throw new RecordFault(`${at === "" ? "it" : JSON.stringify(at)} is not ${expected}`);
  };
}

/** Passes an object with all of `required`, any of `optional`, and nothing else. */
function fields(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const known = new Map(Object.entries({ ...required, ...optional }));
  return (value, at) => {
    OBJECT(value, at);
    const path = (name: string) => at === "" ? name : `${at}.${name}`;
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value as object, name)) throw new RecordFault(`${JSON.stringify(path(name))} is missing`);
    }
    for (const [name, field] of Object.entries(value as object)) {
      const checkField = known.get(name);
      if (checkField === undefined) {
        throw new RecordFault(`it has the unknown field ${JSON.stringify(path(name.slice(0, 64)))}`);
      }
      checkField(field, path(name));
    }
  };
}

function oneOf(...words: readonly string[]): Check {
  return check(`one of ${words.join(", ")}`, (value) => words.includes(value as string));
}

const OBJECT = check("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value));
const TEXT = check("a text", (value) => typeof value === "string");
const SHORT_TEXT = check(
  `a text of at most ${MAX_TEXT_LENGTH} characters`,
  (value) => typeof value === "string" && value.length <= MAX_TEXT_LENGTH,
);
const FLAG = check("true or false", (value) => typeof value === "boolean");
const AMOUNT = check("a number from 0", (value) => typeof value === "number" && Number.isFinite(value) && value >= 0);
const CODE = check("a whole number", (value) => Number.isSafeInteger(value));
const ID = check("a task id", (value) => typeof value === "string" && isTaskId(value));
const DATE = check("a date in ISO 8601", (value) => {
  if (typeof value !== "string") return false;
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
});
const ANYTHING: Check = () => {};

const RECORD: Check = fields({
  format: check("1", (value) => value === 1),
  taskId: ID,
  action: SHORT_TEXT,
  status: oneOf("working", "completed", "failed", "cancelled"),
  createdAt: DATE,
  lastUpdatedAt: DATE,
}, {
  statusMessage: SHORT_TEXT,
  progress: fields({ value: AMOUNT }, { total: AMOUNT }),
  traceparent: SHORT_TEXT,
  answer: fields({
    isError: FLAG,
    structuredContent: fields({
      result: ANYTHING,
      diagnostics: fields(
        { outcome: oneOf("success", "failed", "unknown") },
        { kind: TEXT, message: TEXT, next_step: TEXT },
      ),
    }),
  }),
  error: fields({ code: CODE, message: SHORT_TEXT }),
});
