import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { refuseRevision } from "../../../lib/mcp/revision.ts";
import { verifies } from "../../requirements.ts";

const KEY = "io.modelcontextprotocol/protocolVersion";

function message(fields: Record<string, unknown>): JSONRPCMessage {
  return { jsonrpc: "2.0", ...fields } as JSONRPCMessage;
}

function claiming(version: unknown, fields: Record<string, unknown> = { id: 1, method: "tools/list" }): JSONRPCMessage {
  return message({ ...fields, params: { _meta: { [KEY]: version } } });
}

Deno.test("refuseRevision() refuses every revision that is not spoken, with the list of those that are", async (t) => {
  verifies("revision-refused");
  for (const version of ["2099-01-01", "2026-07-29", "2025-11-25", "2024-11-05", "1.0", "", " 2026-07-28", "DRAFT"]) {
    await t.step(version, () => {
      deepStrictEqual(refuseRevision(claiming(version)), {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32022,
          message: `Unsupported protocol version: ${version}`,
          data: { supported: ["2026-07-28"], requested: version },
        },
      });
    });
  }
});

Deno.test("refuseRevision() refuses whatever the method, and answers under the request's id", () => {
  verifies("revision-refused");
  for (const method of ["server/discover", "tools/call", "initialize", "ping", "nonsense"]) {
    for (const id of [0, -1, "", "id"]) {
      const refusal = refuseRevision(claiming("2099-01-01", { id, method })) as { id: unknown };
      strictEqual(refusal.id, id);
    }
  }
});

Deno.test("refuseRevision() lets through what claims no revision or the one that is spoken", () => {
  const passing = [
    claiming("2026-07-28"),
    message({ id: 1, method: "ping" }),
    message({ id: 1, method: "ping", params: {} }),
    message({ id: 1, method: "ping", params: { _meta: {} } }),
    message({ id: 1, method: "initialize", params: { protocolVersion: "1999-01-01" } }),
  ];
  for (const each of passing) strictEqual(refuseRevision(each), undefined, JSON.stringify(each));
});

Deno.test("refuseRevision() never answers notifications and responses", () => {
  strictEqual(refuseRevision(claiming("2099-01-01", { method: "notifications/cancelled" })), undefined);
  strictEqual(refuseRevision(message({ id: 1, result: { _meta: { [KEY]: "2099-01-01" } } })), undefined);
});

Deno.test("refuseRevision() cuts a long claim in its message", () => {
  const { error } = refuseRevision(claiming("9".repeat(100_000))) as { error: { message: string } };
  ok(error.message.length < 200);
});
