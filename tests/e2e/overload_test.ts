/** A client or a bot that gives too much, or takes too little: the server lives, and says what became of each call. */
import { ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, serverCommand, ServerProcess } from "../support/server_process.ts";
import { serverFor } from "./exec_support.ts";

const MIB = 1024 * 1024;
const HELLO = {
  action: "send_group_msg",
  params: { group_id: 20001, message: [{ type: "text", data: { text: "x" } }] },
};

Deno.test("a client that never reads standard error does not stop the server", async () => {
  verifies("bounded", "shutdown");
  await using bot = await startSimulator();
  bot.script({ kind: "cut", when: "before", times: Infinity, action: "send_group_msg" });
  const { command, args, env } = serverCommand({ args: ["--endpoint", bot.url, "--mode", "write"] });
  const child = new Deno.Command(command, {
    args,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  })
    .spawn();
  const input = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const request = (id: number, method: string, params: Message): Promise<void> =>
    input.write(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`));
  const clientInfo = { name: "deaf", version: "1" };
  await request(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const calls = 1500; // each logs a line of about 140 bytes: three times what a pipe holds
  const sent = (async () => {
    for (let id = 1; id <= calls; id++) await request(id, "tools/call", { name: "invoke_action", arguments: HELLO });
  })();
  let lines = 0;
  for await (const chunk of child.stdout) {
    lines += chunk.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
    if (lines >= calls + 1) break;
  }
  await sent;
  strictEqual(lines, calls + 1);
  const start = performance.now();
  await input.close();
  const { code } = await child.status;
  strictEqual(code, 0);
  ok(performance.now() - start < 2000);
  await child.stderr.cancel();
});

Deno.test("twenty answers of 15 MiB at once are all told, or told as failed, and the server goes on", async () => {
  verifies("answer-cap", "bounded");
  await using bot = await startSimulator();
  bot.script({ kind: "huge", bytes: 15 * MIB, times: Infinity, action: "get_friend_list" });
  await using server = await serverFor(bot, { mode: "read" });
  const ids = Array.from({ length: 20 }, (_, i) => i + 100);
  for (const id of ids) {
    const params = { name: "query_action", arguments: { action: "get_friend_list" } };
    await server.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  }
  for (const id of ids) {
    const answer = await server.receive((message) => message.id === id, 60_000);
    ok(answer.result?.structuredContent !== undefined || answer.error !== undefined, `call ${id}`);
  }
  strictEqual((await server.request("after", "ping")).error, undefined);
});

Deno.test("a check of millions of wrong items is told in time, in docs mode", async () => {
  verifies("check-action", "bounded");
  await using server = new ServerProcess();
  await server.initialize();
  const params = { group_id: 20001, user_id: Array.from({ length: 3_000_000 }, () => 0) };
  const answer = await server.call(1, "check_action", { action: "set_group_kick_members", params }, 15_000);
  const { valid, problems } = answer.result.structuredContent.result;
  strictEqual(valid, false);
  ok(problems.length > 0 && problems.length <= 100);
});

Deno.test("an id that is still in use is refused, so that a line sent twice does not act twice", async () => {
  verifies("never-retry", "bad-lines");
  await using bot = await startSimulator();
  bot.script({ kind: "delay", when: "before", ms: 300, times: Infinity });
  await using server = await serverFor(bot, { mode: "write" });
  const line = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "invoke_action", arguments: HELLO } };
  await server.send(line);
  await server.send(line);
  const refusal = await server.receive(({ id, error }) => id === 7 && error !== undefined);
  strictEqual(refusal.error.code, -32600);
  const answer = await server.receive(({ id, result }) => id === 7 && result !== undefined);
  strictEqual(answer.result.structuredContent.diagnostics.outcome, "success");
  strictEqual(bot.requests.length, 1);
});

Deno.test("members that JSON-RPC does not know are ignored, and the request is answered", async () => {
  verifies("bad-lines");
  await using server = new ServerProcess();
  await server.initialize();
  await server.send({ jsonrpc: "2.0", id: 5, method: "tools/list", params: {}, traceparent: "x" });
  ok((await server.receive(({ id }) => id === 5)).result.tools.length > 0);
});

Deno.test("calls that still wait when the server is told to stop are never sent", async () => {
  verifies("shutdown", "outcome-refused");
  await using bot = await startSimulator();
  bot.script({ kind: "delay", when: "before", ms: 400, times: Infinity });
  await using server = await serverFor(bot, { mode: "write" });
  for (let id = 1; id <= 200; id++) {
    await server.send({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "invoke_action", arguments: HELLO },
    });
  }
  while (bot.requests.length < 32) await new Promise((resolve) => setTimeout(resolve, 5));
  server.kill("SIGTERM");
  strictEqual((await server.exit()).code, 0);
  strictEqual(bot.requests.length, 32);
});
