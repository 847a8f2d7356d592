import { deepStrictEqual, match, notStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import {
  decodeRecord,
  encodeRecord,
  isTaskId,
  MAX_RECORD_BYTES,
  RecordFault,
  type TaskRecord,
} from "../../../lib/tasks/record.ts";
import {
  broken,
  cancelledWith,
  cancelRequested,
  completed,
  interrupted,
  newRecord,
  tooLarge,
  withProgress,
} from "../../../lib/tasks/transitions.ts";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { verifies } from "../../requirements.ts";
import { deeplyNested } from "../support.ts";
import { AT, makeRecord, ORIGIN } from "./support.ts";

const LATER = AT + 1500;
const WORKING = makeRecord();
/** A character more than texts of a record may have. */
const LONG = "x".repeat(4097);
const ANSWER = {
  isError: false,
  structuredContent: { result: { a: [1, null, "ü\u2028\ud800"] }, diagnostics: { outcome: "success" as const } },
};

function textOf(record: unknown): string {
  return JSON.stringify(record);
}

/** Why a text is refused. */
function faultOf(text: string): string {
  try {
    decodeRecord(text, WORKING.taskId);
  } catch (error) {
    ok(error instanceof RecordFault, String(error));
    return error.message;
  }
  return "none";
}

Deno.test("decodeRecord() gives back what encodeRecord() was given, in every state", () => {
  verifies("tasks-validated");
  const ended = [
    WORKING,
    withProgress(WORKING, 0, undefined, LATER),
    withProgress(WORKING, 5, 10, LATER),
    cancelRequested(WORKING, LATER),
    completed(WORKING, ANSWER, LATER),
    tooLarge(WORKING, "success", 1, LATER),
    cancelledWith(WORKING, "unknown", LATER),
    interrupted(WORKING, "restart", LATER),
    broken(WORKING, LATER),
    newRecord({ action: "x" }, AT),
  ];
  for (const record of ended) {
    const text = new TextDecoder().decode(encodeRecord(record));
    strictEqual(text.indexOf("\n"), text.length - 1, "one line");
    deepStrictEqual(decodeRecord(text, record.taskId), record);
  }
});

Deno.test("decodeRecord() keeps the digits of results", () => {
  verifies("tasks-validated");
  const result = parseJson('{"id":12345678901234567890,"x":-1}');
  const record = completed(WORKING, { isError: false, structuredContent: { ...ANSWER.structuredContent, result } }, AT);
  const text = new TextDecoder().decode(encodeRecord(record));
  match(text, /"id":12345678901234567890,/);
  deepStrictEqual(encodeRecord(decodeRecord(text, record.taskId)), encodeRecord(record));
});

Deno.test("decodeRecord() names what is wrong, and quotes no content", () => {
  verifies("tasks-validated");
  const done = completed(WORKING, ANSWER, LATER);
  const failed = interrupted(WORKING, "closed", LATER);
  const without = (record: object, name: string) => ({ ...record, [name]: undefined });
  const content = (fields: object) => ({
    ...done,
    answer: { isError: false, structuredContent: { ...ANSWER.structuredContent, ...fields } },
  });
  const cases: Array<[record: unknown, fault: string]> = [
    [{ ...WORKING, format: 2, whatever: 1 }, "it was written by a newer version"],
    [{ ...WORKING, format: 0 }, '"format" is not 1'],
    [{ ...WORKING, format: "1" }, '"format" is not 1'],
    [without(WORKING, "format"), '"format" is missing'],
    [without(WORKING, "taskId"), '"taskId" is missing'],
    [without(WORKING, "action"), '"action" is missing'],
    [without(WORKING, "status"), '"status" is missing'],
    [without(WORKING, "createdAt"), '"createdAt" is missing'],
    [without(WORKING, "lastUpdatedAt"), '"lastUpdatedAt" is missing'],
    [{ ...WORKING, taskId: crypto.randomUUID() }, "it is the record of another task"],
    [{ ...WORKING, taskId: "../x" }, '"taskId" is not a task id'],
    [{ ...WORKING, taskId: WORKING.taskId.toUpperCase() }, '"taskId" is not a task id'],
    [{ ...WORKING, action: 1 }, '"action" is not a text of at most 4096 characters'],
    [{ ...WORKING, action: LONG }, '"action" is not a text of at most 4096 characters'],
    [
      { ...WORKING, status: "input_required" },
      '"status" is not one of working, completed, failed, cancelled',
    ],
    [{ ...WORKING, status: ["working"] }, '"status" is not one of working, completed, failed, cancelled'],
    [{ ...WORKING, extra: 1 }, 'it has the unknown field "extra"'],
    [{ ...WORKING, statusMessage: null }, '"statusMessage" is not a text of at most 4096 characters'],
    [{ ...WORKING, statusMessage: LONG }, '"statusMessage" is not a text of at most 4096 characters'],
    [{ ...WORKING, traceparent: {} }, '"traceparent" is not a text of at most 4096 characters'],
    [{ ...WORKING, traceparent: LONG }, '"traceparent" is not a text of at most 4096 characters'],
    [{ ...WORKING, createdAt: "2026-11-30" }, '"createdAt" is not a date in ISO 8601'],
    [{ ...WORKING, lastUpdatedAt: "2026-02-30T00:00:00.000Z" }, '"lastUpdatedAt" is not a date in ISO 8601'],
    [{ ...WORKING, lastUpdatedAt: AT }, '"lastUpdatedAt" is not a date in ISO 8601'],
    [{ ...WORKING, progress: 5 }, '"progress" is not an object'],
    [{ ...WORKING, progress: {} }, '"progress.value" is missing'],
    [{ ...WORKING, progress: { value: -1 } }, '"progress.value" is not a number from 0'],
    [{ ...WORKING, progress: { value: 1, total: "2" } }, '"progress.total" is not a number from 0'],
    [{ ...WORKING, progress: { value: 1, unit: "B" } }, 'it has the unknown field "progress.unit"'],
    [{ ...WORKING, status: "completed" }, 'a task has "answer" when it is completed, and only then'],
    [{ ...done, status: "working" }, 'a task has "answer" when it is completed, and only then'],
    [{ ...done, status: "failed", error: failed.error }, 'a task has "answer" when it is completed, and only then'],
    [{ ...WORKING, status: "failed" }, 'a task has "error" when it has failed, and only then'],
    [{ ...failed, status: "cancelled" }, 'a task has "error" when it has failed, and only then'],
    [{ ...done, error: failed.error }, 'a task has "error" when it has failed, and only then'],
    [{ ...failed, error: { code: 1.5, message: "x" } }, '"error.code" is not a whole number'],
    [
      { ...done, answer: { isError: true, structuredContent: ANSWER.structuredContent } },
      "an answer cannot be an error and a success",
    ],
    [{ ...failed, error: { code: 1, message: LONG } }, '"error.message" is not a text of at most 4096 characters'],
    [{ ...failed, error: { code: 1 } }, '"error.message" is missing'],
    [{ ...failed, error: { code: 1, message: "x", data: 1 } }, 'it has the unknown field "error.data"'],
    [{ ...done, answer: { ...ANSWER, isError: 0 } }, '"answer.isError" is not true or false'],
    [{ ...done, answer: { isError: false } }, '"answer.structuredContent" is missing'],
    [content({ result: undefined }), '"answer.structuredContent.result" is missing'],
    [
      content({ diagnostics: { outcome: "good" } }),
      '"answer.structuredContent.diagnostics.outcome" is not one of success, failed, unknown',
    ],
    [
      content({ diagnostics: { outcome: "failed", kind: 1 } }),
      '"answer.structuredContent.diagnostics.kind" is not a text',
    ],
    [content({ more: 1 }), 'it has the unknown field "answer.structuredContent.more"'],
    [[WORKING], "it is not an object"],
    [null, "it is not an object"],
    ["secret", "it is not an object"],
  ];
  for (const [record, fault] of cases) strictEqual(faultOf(textOf(record)), fault);
  for (const text of ["", "\ufeff" + textOf(WORKING), textOf(WORKING).slice(0, -1), "{secret}", "\0".repeat(100)]) {
    strictEqual(faultOf(text), "it is not JSON");
  }
  strictEqual(
    faultOf(textOf(WORKING).replace("{", '{"__proto__":{},')),
    'it has the unknown field "__proto__"',
  );
  strictEqual(faultOf(textOf(WORKING)), "none");
  const longest = "ü".repeat(4096);
  strictEqual(faultOf(textOf({ ...WORKING, action: longest, statusMessage: longest, traceparent: longest })), "none");
  for (const outcome of ["failed", "unknown"]) {
    const structuredContent = { result: null, diagnostics: { outcome } };
    strictEqual(faultOf(textOf({ ...done, answer: { isError: true, structuredContent } })), "none", outcome);
  }
});

Deno.test("every transition keeps lastUpdatedAt when the clock goes back, and moves it on otherwise", () => {
  verifies("tasks-get");
  const steps: Array<[name: string, step: (record: TaskRecord, at: number) => TaskRecord]> = [
    ["withProgress", (record, at) => withProgress(record, 5, 10, at)],
    ["cancelRequested", cancelRequested],
    ["completed", (record, at) => completed(record, ANSWER, at)],
    ["tooLarge", (record, at) => tooLarge(record, "success", 16, at)],
    ["broken", broken],
    ["interrupted", (record, at) => interrupted(record, "restart", at)],
    ["cancelledWith", (record, at) => cancelledWith(record, "failed", at)],
  ];
  for (const [name, step] of steps) {
    for (const [at, expected] of [[AT - 3_600_000, AT], [AT, AT], [LATER, LATER]] as const) {
      const { createdAt, lastUpdatedAt } = step(WORKING, at);
      deepStrictEqual([Date.parse(createdAt), Date.parse(lastUpdatedAt)], [AT, expected], name);
    }
  }
});

Deno.test("encodeRecord() takes 16 MiB and not a byte more, nor endless levels", () => {
  verifies("tasks-bounds");
  const base = completed(
    WORKING,
    { isError: false, structuredContent: { result: "", diagnostics: { outcome: "success" } } },
    AT,
  );
  const room = MAX_RECORD_BYTES - encodeRecord(base).length;
  const withResult = (result: unknown): TaskRecord =>
    completed(WORKING, { isError: false, structuredContent: { result, diagnostics: { outcome: "success" } } }, AT);
  strictEqual(encodeRecord(withResult("x".repeat(room))).length, 16 * 1024 * 1024);
  throws(() => encodeRecord(withResult("x".repeat(room + 1))), {
    name: "RecordFault",
    message: "it has 16777217 bytes, and 16777216 are allowed",
  });
  const deep = deeplyNested(parseJson("12345678901234567890"));
  throws(() => encodeRecord(withResult(deep)), { name: "RecordFault", message: /levels/ });
});

Deno.test("newRecord() gives ids that are random UUIDs, and no two alike", () => {
  verifies("tasks-handle");
  const ids = Array.from({ length: 100 }, () => newRecord(ORIGIN, AT).taskId);
  strictEqual(new Set(ids).size, 100);
  for (const id of ids) ok(isTaskId(id), id);
  for (const id of ["", "../x", `${ids[0]}\n`, `${ids[0]}.json`, "00000000-0000-1000-8000-000000000000"]) {
    ok(!isTaskId(id), id);
  }
});

Deno.test("interrupted() is a JSON-RPC error that says the remote outcome is unknown and what to do", () => {
  verifies("tasks-restart", "tasks-closed");
  for (const by of ["restart", "closed"] as const) {
    const { status, error, statusMessage, lastUpdatedAt, createdAt } = interrupted(WORKING, by, LATER);
    strictEqual(status, "failed");
    strictEqual(error?.code, -32603);
    match(error.message, /remote outcome is UNKNOWN; check with a reading action .* before repeating/);
    strictEqual(statusMessage, error.message);
    strictEqual(createdAt, "2026-11-30T12:00:00.000Z");
    strictEqual(lastUpdatedAt, "2026-11-30T12:00:01.500Z");
  }
});

Deno.test("withProgress() takes what is greater and finite, and leaves the record alone otherwise", () => {
  verifies("tasks-get");
  const five = withProgress(WORKING, 5, 10, LATER);
  deepStrictEqual(five.progress, { value: 5, total: 10 });
  for (const value of [5, 4, -1, NaN, Infinity]) strictEqual(withProgress(five, value, 10, LATER), five);
  for (const total of [0, -1, NaN, Infinity, undefined]) {
    deepStrictEqual(withProgress(five, 6, total, LATER).progress, { value: 6 });
  }
  notStrictEqual(withProgress(WORKING, 0, undefined, LATER), WORKING);
});

Deno.test("tooLarge() keeps the outcome that the answer told, and never denies an effect", () => {
  verifies("tasks-bounds");
  for (const [told, outcome] of [["success", "unknown"], ["unknown", "unknown"], ["failed", "failed"]] as const) {
    const { status, answer } = tooLarge(WORKING, told, 16, LATER);
    const { result, diagnostics } = answer?.structuredContent ?? {};
    deepStrictEqual([status, answer?.isError, result], ["completed", true, null]);
    deepStrictEqual([diagnostics?.kind, diagnostics?.outcome], ["too_large", outcome]);
    match(diagnostics?.message ?? "", new RegExp(`told is ${told.toUpperCase()}$`));
  }
});
