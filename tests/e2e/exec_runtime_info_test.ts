/** get_runtime_info: how this server is set up, and on request how the bot is. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { ServerProcess } from "../support/server_process.ts";
import { botEnv, failureOf, passedOn, serverFor } from "./exec_support.ts";
import { deadEndpoint } from "./support.ts";
import { makeFolders, transferOptions } from "./transfer_support.ts";

const TOKEN = "tok_for-runtime-info";
const CHECKS = ["get_login_info", "get_status", "get_version_info"];

for (const connect of CLIENTS) {
  for (const mode of ["read", "write"] as const) {
    Deno.test(`get_runtime_info shows mode, limits and sources without asking the bot (${mode}, ${connect.name})`, async () => {
      verifies("runtime-info", "eras-equal", "sandbox-told");
      await using simulator = await startSimulator({ token: TOKEN });
      await using folders = await makeFolders();
      const options = transferOptions(simulator, folders, { mode, token: TOKEN, allow: "nc_get_rkey,delete_friend" });
      await using client = await connect({ ...options, args: ["--timeout-ms", "1234", "--max-stream-bytes", "1000"] });
      const answer = await client.callTool("get_runtime_info");
      const { envelope: info } = passedOn(answer);
      strictEqual(info.mode, mode);
      strictEqual(info.execution_enabled, true);
      strictEqual(info.write_enabled, mode === "write");
      strictEqual(info.catalog.actions, 179);
      strictEqual(info.server_support, "unknown");
      deepStrictEqual(info.transport, {
        timeout_ms: 1234,
        max_stream_bytes: 1000,
        download_quota_bytes: 2000,
        max_active_streams: 4,
        download_dir: folders.downloads,
        upload_root: folders.uploads,
        upload_enabled: true,
        events_enabled: false,
        max_event_resources: 16,
        task_dir: null,
        tasks_enabled: false,
        max_running_tasks: 4,
      });
      const isWrite = mode === "write";
      deepStrictEqual(info.sandbox, {
        enforced: true,
        read: isWrite ? [folders.downloads, folders.uploads] : [],
        write: isWrite ? [folders.downloads] : [],
        net: 1,
      });
      strictEqual(info.connection_checked, false);
      deepStrictEqual(info.allowed_risky_actions, ["get_rkey", "delete_friend"]);
      deepStrictEqual(info.settings, {
        endpoint: "environment",
        token: "environment",
        mode: "environment",
        timeout_ms: "flag",
        lang: "default",
        allow: "environment",
        log: "default",
        stream_dir: "environment",
        upload_root: "environment",
        max_stream_bytes: "flag",
        events_url: "default",
        events_token: "default",
        task_dir: "default",
      });
      ok(!JSON.stringify(answer).includes(TOKEN), "the token");
      ok(!JSON.stringify(answer).includes(String(simulator.port)), "the endpoint");
      strictEqual(simulator.requests.length, 0);
    });
  }
}

Deno.test("get_runtime_info in docs mode shows no transport and cannot check a connection", async () => {
  verifies("runtime-info", "check-connection", "refusals-send-nothing", "sandbox-told", "sandbox-docs");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator, { mode: "docs" });
  const { envelope: info } = passedOn(await server.call(1, "get_runtime_info"));
  deepStrictEqual([info.mode, info.execution_enabled, info.write_enabled, info.transport], [
    "docs",
    false,
    false,
    null,
  ]);
  deepStrictEqual(info.sandbox, { enforced: true, read: [], write: [], net: 0 });
  const { outcome, kind, next_step } = failureOf(await server.call(2, "get_runtime_info", { check_connection: true }));
  deepStrictEqual([outcome, kind], ["failed", "mode"]);
  match(next_step, /SNOWLUMA_MCP_ENDPOINT/);
  strictEqual(simulator.requests.length, 0);
});

Deno.test("get_runtime_info on the embedded simulator does not show its addresses", async () => {
  verifies("runtime-info", "events-url");
  await using server = new ServerProcess({
    env: { SNOWLUMA_MCP_ENDPOINT: "simulator", SNOWLUMA_MCP_EVENTS_URL: "simulator" },
    grants: ["--allow-net=127.0.0.1", "--allow-env=SNOWLUMA_MCP_*,WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE"],
  });
  await server.initialize();
  const answer = await server.call(1, "get_runtime_info", { check_connection: true });
  const { envelope: info } = passedOn(answer);
  strictEqual(info.checks.get_login_info.response.data.user_id, 10001);
  deepStrictEqual([info.transport.events_enabled, info.settings.events_url], [true, "environment"]);
  ok(!JSON.stringify(answer).includes("127.0.0.1"));
});

for (const connect of CLIENTS) {
  Deno.test(`check_connection asks three things, once each (${connect.name})`, async () => {
    verifies("check-connection", "eras-equal");
    await using simulator = await startSimulator({ token: TOKEN });
    await using client = await connect({ env: botEnv(simulator, { mode: "read", token: TOKEN }) });
    const answer = await client.callTool("get_runtime_info", { check_connection: true });
    const { envelope: info } = passedOn(answer);
    strictEqual(info.connection_checked, true);
    deepStrictEqual(Object.keys(info.checks).toSorted(), CHECKS);
    for (const action of CHECKS) {
      strictEqual(info.checks[action].response.status, "ok");
      deepStrictEqual(info.checks[action].diagnostics, { outcome: "success" });
    }
    strictEqual(info.checks.get_login_info.response.data.user_id, 10001);
    deepStrictEqual(simulator.requests.map(({ action }) => action).toSorted(), CHECKS);
    ok(!JSON.stringify(answer).includes(TOKEN));
    ok(!JSON.stringify(answer).includes(String(simulator.port)));
  });
}

/** What may happen to one of the three, and how it shows. */
const PARTIAL = [
  {
    name: "a refusal of the bot",
    fault: { kind: "envelope", envelope: { status: "failed", retcode: 100, data: null, wording: "offline" } },
    response: { status: "failed", retcode: 100, data: null, wording: "offline" },
    kind: "action_failed",
  },
  { name: "a cut connection", fault: { kind: "cut", when: "before" }, response: null, kind: "cut" },
  { name: "a stall", fault: { kind: "delay", ms: Infinity }, response: null, kind: "timeout" },
  { name: "HTML", fault: { kind: "body", body: "<html>" }, response: null, kind: "invalid_answer" },
] as const;

Deno.test("check_connection keeps a partial failure visible beside what succeeded", async (t) => {
  verifies("check-connection", "never-retry");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator, { mode: "read", timeoutMs: 800 });
  for (const [index, { name, fault, response, kind }] of PARTIAL.entries()) {
    const failing = CHECKS[index % CHECKS.length] ?? "";
    await t.step(`${name} in ${failing}`, async () => {
      const before = simulator.requests.length;
      simulator.script({ ...fault, action: failing });
      const { envelope: info } = passedOn(await server.call(index, "get_runtime_info", { check_connection: true }));
      for (const action of CHECKS) {
        const { response: got, diagnostics } = info.checks[action];
        strictEqual(diagnostics.outcome, action === failing ? "failed" : "success");
        if (action !== failing) strictEqual(got.status, "ok");
        else deepStrictEqual([got, diagnostics.kind], [response, kind]);
      }
      strictEqual(simulator.requests.length, before + 3);
    });
  }
});

Deno.test("check_connection tells three times that nobody listens", async () => {
  verifies("check-connection", "runtime-info");
  const url = deadEndpoint();
  await using server = await serverFor({ url }, { mode: "read" });
  const answer = await server.call(1, "get_runtime_info", { check_connection: true });
  const { envelope: info } = passedOn(answer);
  for (const action of CHECKS) strictEqual(info.checks[action].diagnostics.kind, "connect");
  ok(!JSON.stringify(answer).includes(new URL(url).port), "the endpoint");
});

Deno.test("get_runtime_info refuses other arguments by name", async () => {
  verifies("unknown-arguments");
  await using server = new ServerProcess();
  await server.initialize();
  const { kind, message } = failureOf(await server.call(1, "get_runtime_info", { check_connection: true, token: 1 }));
  strictEqual(kind, "invalid_arguments");
  match(message, /"token"/);
});
