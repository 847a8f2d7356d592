/** The end of an embedded server with calls under way: what is told of each, and what becomes of it. */
import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { createServer, MAX_RUNNING_CALLS } from "@snowluma-deno/mcp";
import { startSimulator } from "@snowluma-deno/mcp/simulator";
import { verifies } from "../requirements.ts";
import { CLIENTS, configOf, keepLog, OwnTransport, tempFolder } from "./library_support.ts";

/** What is promised. */
const PROMISED_MS = 2000;
const READ = { action: "get_group_list" };
const SEND = { action: "send_group_msg", params: { group_id: 20001, message: "Hello" } };

/** Waits until the bot has so many requests. */
async function asked(requests: readonly unknown[], count: number): Promise<void> {
  while (requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("close() lets a call finish that takes less than a second, and its answer arrives", async () => {
  verifies("library-embeds");
  for (const connect of CLIENTS) {
    await using folder = await tempFolder();
    await using bot = await startSimulator();
    bot.script({ kind: "delay", ms: 200, when: "after" });
    const server = createServer(configOf({ endpoint: bot.url, mode: "write" }, folder.path));
    await using client = await connect(server);
    const call = client.call("invoke_action", SEND);
    await asked(bot.requests, 1);
    const closing = server.close();
    strictEqual((await call).diagnostics.outcome, "success", client.era);
    await closing;
    await server.closed;
  }
});

Deno.test("close() gives up calls that wait for their turn at once, though those before them still finish", async () => {
  verifies("library-embeds");
  for (const connect of CLIENTS) {
    await using bot = await startSimulator();
    bot.script({ kind: "delay", ms: 300, times: Infinity });
    const server = createServer(configOf({ endpoint: bot.url }));
    await using client = await connect(server);
    const calls = Array.from({ length: MAX_RUNNING_CALLS + 4 }, () => client.call("query_action", READ));
    await asked(bot.requests, MAX_RUNNING_CALLS);
    const closing = server.close();
    const outcomes = (await Promise.all(calls)).map(({ diagnostics }) => diagnostics.kind ?? diagnostics.outcome);
    deepStrictEqual(outcomes.filter((outcome) => outcome === "success").length, MAX_RUNNING_CALLS);
    deepStrictEqual(outcomes.filter((outcome) => outcome === "cancelled").length, 4, "and they are told so");
    await closing;
    strictEqual(bot.requests.length, MAX_RUNNING_CALLS);
  }
});

Deno.test("close() ends what a silent bot holds up: a write in doubt, a read failed, the waiting ones never sent", async () => {
  verifies("library-embeds");
  for (const connect of CLIENTS) {
    await using folder = await tempFolder();
    await using bot = await startSimulator();
    bot.script({ kind: "delay", ms: Infinity, times: Infinity });
    const { log, lines } = keepLog();
    const server = createServer(configOf({ endpoint: bot.url, mode: "write" }, folder.path), { log });
    await using client = await connect(server);
    const calls = Array.from(
      { length: MAX_RUNNING_CALLS + 4 },
      (_, i) => i % 2 ? client.call("invoke_action", SEND) : client.call("query_action", READ),
    );
    const ended = Promise.allSettled(calls);
    await asked(bot.requests, MAX_RUNNING_CALLS);
    const start = performance.now();
    await server.close();
    const ms = performance.now() - start;
    ok(ms < PROMISED_MS, `it took ${Math.round(ms)} ms`);
    await ended;
    strictEqual(bot.requests.length, MAX_RUNNING_CALLS, "what waited was not sent");
    const count = (outcome: string) => lines.filter((line) => line.includes(`"outcome":"${outcome}"`)).length;
    deepStrictEqual(
      [count("unknown"), count("failed")],
      [MAX_RUNNING_CALLS / 2, MAX_RUNNING_CALLS / 2 + 4],
      lines.join("\n"),
    );
  }
});

Deno.test("an embedded server closes by itself when its client goes away", async () => {
  verifies("library-embeds");
  for (const connect of CLIENTS) {
    await using bot = await startSimulator({ wsPort: 0 });
    const server = createServer(configOf({ endpoint: bot.url, events_url: bot.wsUrl }));
    const client = await connect(server);
    const { diagnostics } = await client.call("subscribe_events", { self_id: 10001 });
    strictEqual(diagnostics.outcome, "success");
    strictEqual(bot.sockets, 1);
    await client[Symbol.asyncDispose]();
    await server.closed;
    while (bot.sockets > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

Deno.test("close() ends in time on a transport that hangs, and twice is once", async () => {
  verifies("library-embeds");
  const transport = new OwnTransport();
  const server = createServer(configOf());
  await server.connect(transport);
  transport.send = () => new Promise(() => {});
  transport.close = () => new Promise(() => {});
  transport.put({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const start = performance.now();
  const [first, second] = [server.close(), server.close()];
  strictEqual(first, second);
  await first;
  ok(performance.now() - start < PROMISED_MS + 500);
  await rejects(server.connect(new OwnTransport()), TypeError);
});
