import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { ToolResult } from "../../../ui/draft.ts";
import { readError, readOutcome } from "../../../ui/outcome.ts";
import { verifies } from "../../requirements.ts";

/** What `invoke_action` answers where the bot accepted the message under this id. */
function accepted(message_id: unknown): ToolResult {
  const result = { status: "ok", retcode: 0, data: { message_id } };
  return { structuredContent: { result, diagnostics: { outcome: "success" } } };
}

Deno.test("readOutcome() says success by the server's own word alone", () => {
  verifies("panel-outcomes");
  const { structuredContent } = accepted(1);
  const { result } = structuredContent as { result: unknown };
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  deepStrictEqual(readOutcome({ structuredContent }), { outcome: "success", messageId: "1" });
  deepStrictEqual(readOutcome({ structuredContent, isError: false }), { outcome: "success", messageId: "1" });
  const doubtful: ToolResult[] = [
    { structuredContent, isError: true },
    { content },
    { content, structuredContent: undefined },
    { structuredContent: { result } },
    { structuredContent: result },
    { structuredContent: { result, diagnostics: null } },
    { structuredContent: { result, outcome: "success" } },
    { structuredContent: { result: structuredContent } },
    { structuredContent: [structuredContent] },
    { structuredContent: { result, diagnostics: [{ outcome: "success" }] } },
    { structuredContent: { result, diagnostics: "success" } },
    ...["Success", "success ", "ok", "", "unknown", "toString", true, 1, null, ["success"], ["failed"], {}].map((
      outcome,
    ) => ({
      structuredContent: { result, diagnostics: { outcome } },
    })),
    {},
    { content: [] },
    { content: [null, 1, "success", { text: 1 }] },
    { structuredContent: null },
    { structuredContent: "success" },
  ];
  for (const answer of doubtful) strictEqual(readOutcome(answer).outcome, "unknown", JSON.stringify(answer));
});

Deno.test("readOutcome() names the message by its id, and by nothing else that a bot may say", () => {
  verifies("panel-outcomes", "panel-text-only");
  const ids: [unknown, string][] = [[1, "1"], [0, "0"], [-5, "-5"], ["7391", "7391"], ["-7391", "-7391"]];
  ids.push([2 ** 53 - 1, "9007199254740991"], ["7391204857719203847", "7391204857719203847"]);
  for (const [id, messageId] of ids) deepStrictEqual(readOutcome(accepted(id)), { outcome: "success", messageId });
  const none = [undefined, null, "", NaN, Infinity, 1.5, 2 ** 53, true, [1], {}, "1. Everybody has read it", "\u202e1"];
  for (const id of [...none, "1\n", "1".repeat(21)]) deepStrictEqual(readOutcome(accepted(id)), { outcome: "success" });
  for (const result of [null, undefined, 1, "x", [], {}, { data: null }, { data: [1] }, { message_id: 1 }]) {
    const answer = { structuredContent: { result, diagnostics: { outcome: "success" } } };
    deepStrictEqual(readOutcome(answer), { outcome: "success" });
  }
});

Deno.test("readOutcome() gives the server's reason, or else the text", () => {
  verifies("panel-outcomes");
  const content = [{ type: "text", text: "The text." }];
  const say = (diagnostics: Record<string, unknown>) => readOutcome({ content, structuredContent: { diagnostics } });
  for (const outcome of ["failed", "unknown"] as const) {
    deepStrictEqual(say({ outcome, message: "The message" }), { outcome, reason: "The message" });
    deepStrictEqual(say({ outcome, message: "" }), { outcome, reason: "" });
    for (const message of [undefined, null, 1, ["x"], {}]) {
      deepStrictEqual(say({ outcome, message }), { outcome, reason: "The text." });
    }
  }
  deepStrictEqual(readOutcome({ content, isError: true }), { outcome: "unknown", reason: "The text." });
  deepStrictEqual(readOutcome({}), { outcome: "unknown", reason: "" });
  const failed = { structuredContent: { diagnostics: { outcome: "failed", message: "No" } } };
  for (const isError of [true, false]) {
    deepStrictEqual(readOutcome({ ...failed, isError }), { outcome: "failed", reason: "No" });
  }
});

Deno.test("readError() says failed only where the client has no such method", () => {
  verifies("panel-outcomes");
  const fail = (code: unknown) => readError(Object.assign(new Error("Reason"), { code }));
  deepStrictEqual(fail(-32601), { outcome: "failed", reason: "Reason" });
  const codes = [-32600, -32602, -32603, -32700, -32000, -32001, -32022, 32601, 0, 404, undefined, null];
  for (const code of [...codes, "-32601", "REQUEST_TIMEOUT", [-32601]]) {
    deepStrictEqual(fail(code), { outcome: "unknown", reason: "Reason" }, String(code));
  }
  const thrown: [unknown, string][] = [["Reason", "Reason"], [{ message: "Reason" }, "Reason"], [{ code: 1 }, ""]];
  thrown.push([undefined, ""], [null, ""], [-32601, ""], [Symbol("x"), ""], [Object.create(null), ""], [[], ""]);
  thrown.push([new DOMException("Reason", "DataCloneError"), "Reason"], [{ message: 1 }, ""], [new Error(), ""]);
  for (const [error, reason] of thrown) deepStrictEqual(readError(error), { outcome: "unknown", reason });
  deepStrictEqual(readError({ code: -32601, message: "Reason" }), { outcome: "failed", reason: "Reason" });
});
