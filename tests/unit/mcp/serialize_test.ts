/** Writing a result once must give what writing it twice gives. */
import { strictEqual } from "node:assert/strict";
import { parseJson } from "../../../lib/onebot/lossless_json.ts";
import { Failure } from "../../../lib/errors.ts";
import { toCallResult, toErrorResult } from "../../../lib/mcp/result.ts";
import { serialize } from "../../../lib/mcp/serialize.ts";
import { verifies } from "../../requirements.ts";

const RESULTS: readonly unknown[] = [
  {},
  [],
  [{ category: "message", label: "消息", count: 5 }],
  { status: "ok", retcode: 0, data: null },
  { "structuredContent": { result: null } },
  { text: '"structuredContent":{"result":null' },
  { text: '\\"structuredContent\\":{\\"result\\":null' },
  { '"structuredContent":{"result":null': '"structuredContent":{"result":null' },
  { text: "\u2028 \u0000 \ud800 💧 </script>", "": 0 },
  parseJson('{"id":9007199254740993,"deep":[{"n":-123456789012345678901234567890}]}'),
  null,
  "text",
  0,
];

Deno.test("serialize() gives what JSON.stringify() gives, for every kind of answer", () => {
  verifies("result-shape", "digits");
  const diagnostics = {
    outcome: "unknown",
    kind: "not_confirmed",
    message: '"structuredContent":{"result":null',
  } as const;
  const answers = [
    ...RESULTS.map((result) => toCallResult({ result })),
    ...RESULTS.map((result) => toCallResult({ result, diagnostics })),
    ...RESULTS.map((result) => ({ _meta: { a: 1 }, ...toCallResult({ result }) })),
    toErrorResult(new Failure("timeout", "Cannot call x", "Wait.")),
  ];
  for (const result of answers) {
    const message = { jsonrpc: "2.0" as const, id: 1, result };
    strictEqual(serialize(message), JSON.stringify(message));
    strictEqual(serialize({ result, jsonrpc: "2.0", id: "a" }), JSON.stringify({ result, jsonrpc: "2.0", id: "a" }));
  }
});

Deno.test("serialize() leaves every other message as it is", () => {
  const messages = [
    { jsonrpc: "2.0", id: 1, result: {} },
    { jsonrpc: "2.0", id: 1, result: { tools: [] } },
    { jsonrpc: "2.0", id: 1, result: { contents: [{ uri: "a:b", text: "{}" }] } },
    { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "x" }] } },
    { jsonrpc: "2.0", id: 1, result: { content: [], structuredContent: { result: 1 } } },
    {
      jsonrpc: "2.0",
      id: 1,
      result: { content: [{ type: "text", text: "1" }], structuredContent: { other: 1, result: 2 } },
    },
    { jsonrpc: "2.0", id: null, error: { code: -32700, message: "x" } },
    { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } },
  ];
  for (const message of messages) strictEqual(serialize(message as never), JSON.stringify(message));
});
