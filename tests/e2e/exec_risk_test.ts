/** Actions that hand out credentials or do lasting harm, and stream actions. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { failureOf, passedOn, serverFor } from "./exec_support.ts";

/** Written out rather than read from the catalog: this list is the promise. `writes`: not for query_action. */
const RISKY = [
  { name: "get_cookies" },
  { name: "get_credentials" },
  { name: "get_csrf_token" },
  { name: "get_clientkey" },
  { name: "get_rkey", alias: "nc_get_rkey" },
  { name: "get_rkey_server" },
  { name: "request_decrypt_key", writes: true },
  { name: "send_packet", alias: ".send_packet", writes: true },
  { name: "bot_exit", writes: true },
  { name: "set_restart", writes: true },
  { name: "clean_stream_temp_file", writes: true },
  { name: "delete_friend", writes: true },
] as const;

const SPELLINGS = RISKY.flatMap((row) => "alias" in row ? [row.name, row.alias] : [row.name]);

Deno.test("query_action and invoke_action refuse secret and dangerous actions in every mode", async (t) => {
  verifies("gate-risk", "aliases", "refusals-send-nothing");
  for (const mode of ["docs", "read", "write"] as const) {
    await using simulator = await startSimulator();
    await using server = await serverFor(simulator, { mode });
    for (const tool of ["query_action", "invoke_action"]) {
      for (const action of SPELLINGS) {
        await t.step(`${mode}: ${tool} ${action}`, async () => {
          const { outcome, kind } = failureOf(await server.call(`${tool}-${action}`, tool, { action }));
          strictEqual(outcome, "failed");
          ok(kind === "risk" || kind === "mode", kind);
          strictEqual(simulator.requests.length, 0);
        });
      }
    }
  }
});

Deno.test("invoke_action says that only SNOWLUMA_MCP_ALLOW permits a risky action", async (t) => {
  verifies("gate-risk");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator, { mode: "write" });
  for (const { name } of RISKY) {
    await t.step(name, async () => {
      const { kind, message, next_step } = failureOf(await server.call(name, "invoke_action", { action: name }));
      strictEqual(kind, "risk");
      ok(message.includes(name), message);
      match(next_step, new RegExp(`\\b${name} to SNOWLUMA_MCP_ALLOW`));
    });
  }
});

Deno.test("query_action says that only SNOWLUMA_MCP_ALLOW permits a secret read, also in read mode", async (t) => {
  verifies("gate-risk");
  for (const mode of ["read", "write"] as const) {
    await using simulator = await startSimulator();
    await using server = await serverFor(simulator, { mode });
    for (const row of RISKY.filter((row) => !("writes" in row))) {
      await t.step(`${mode}: ${row.name}`, async () => {
        const { kind, next_step } = failureOf(await server.call(row.name, "query_action", { action: row.name }));
        strictEqual(kind, "risk");
        match(next_step, /SNOWLUMA_MCP_ALLOW/);
      });
    }
  }
});

Deno.test("allowed risky actions go through exactly once, and only through the right door", async (t) => {
  verifies("gate-risk", "gate-every-call", "aliases", "one-post");
  for (const mode of ["read", "write"] as const) {
    await using simulator = await startSimulator();
    simulator.script({ kind: "envelope", envelope: { status: "ok", retcode: 0, data: null }, times: Infinity });
    await using server = await serverFor(simulator, { mode, allow: SPELLINGS.join(",") });
    for (const tool of ["query_action", "invoke_action"] as const) {
      for (const row of RISKY) {
        const permitted = tool === "invoke_action" ? mode === "write" : !("writes" in row);
        await t.step(`${mode}: ${tool} ${row.name}`, async () => {
          const before = simulator.requests.length;
          const answer = await server.call(`${tool}-${row.name}`, tool, { action: row.name });
          if (permitted) strictEqual(passedOn(answer).diagnostics.outcome, "success");
          else strictEqual(failureOf(answer).kind, "mode");
          const sent = simulator.requests.slice(before).map(({ action }) => action);
          deepStrictEqual(sent, permitted ? [row.name] : []);
        });
      }
    }
  }
});

/** One spelling allowed, one called: all four ways mean the same action. */
const ALIASED = [
  { allow: "get_rkey", call: "get_rkey" },
  { allow: "get_rkey", call: "nc_get_rkey" },
  { allow: "nc_get_rkey", call: "get_rkey" },
  { allow: "nc_get_rkey", call: "nc_get_rkey" },
];

Deno.test("SNOWLUMA_MCP_ALLOW takes names and aliases alike, and permits nothing else", async (t) => {
  verifies("gate-risk", "aliases");
  for (const { allow, call } of ALIASED) {
    await t.step(`allow ${allow}, call ${call}`, async () => {
      await using simulator = await startSimulator();
      await using server = await serverFor(simulator, { mode: "read", allow });
      passedOn(await server.call(1, "query_action", { action: call }));
      deepStrictEqual(simulator.requests.map(({ action }) => action), ["get_rkey"]);
      strictEqual(failureOf(await server.call(2, "query_action", { action: "get_cookies" })).kind, "risk");
      strictEqual(failureOf(await server.call(3, "query_action", { action: "get_rkey_server" })).kind, "risk");
      strictEqual(simulator.requests.length, 1);
    });
  }
});

const STREAMS = [
  "upload_file_stream",
  "download_file_stream",
  "download_file_image_stream",
  "download_file_record_stream",
  "test_download_stream",
];

Deno.test("stream actions are writes: query_action refuses them, and read mode does", async (t) => {
  verifies("stream-gated", "refusals-send-nothing");
  await using simulator = await startSimulator();
  await using write = await serverFor(simulator, { mode: "write" });
  await using read = await serverFor(simulator, { mode: "read" });
  for (const action of STREAMS) {
    await t.step(action, async () => {
      for (
        const answer of [
          await write.call(action, "query_action", { action }),
          await read.call(`q-${action}`, "query_action", { action }),
          await read.call(`i-${action}`, "invoke_action", { action }),
        ]
      ) {
        const { outcome, kind } = failureOf(answer);
        deepStrictEqual({ outcome, kind }, { outcome: "failed", kind: "mode" });
      }
    });
  }
  strictEqual(simulator.requests.length, 0);
});
