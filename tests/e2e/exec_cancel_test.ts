/** Cancellation by the client and by shutdown, while a call waits, while its answer comes in, and in the queue. */
import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { RawBot, stalls } from "../support/raw_bot.ts";
import { botEnv, callAll, goesOn, KINDS, passedOn, serverFor } from "./exec_support.ts";

/** Longest time from a cancellation to the closed connection, in milliseconds: "at once", with room for noise. */
const AT_ONCE_MS = 500;
/** Ends what a cancellation failed to end; far above what any test here waits for. */
const TIMEOUT_MS = 5_000;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n";

/** Where the exchange stands when it is cancelled. */
const MOMENTS = [
  { name: "while it waits for the answer", sent: [] },
  { name: "in the middle of the body", sent: [HEAD, '{"status":"ok","retcode":0,"data":"'] },
] as const;

for (const connect of CLIENTS) {
  Deno.test(`cancelling a call closes its connection at once (${connect.name})`, async (t) => {
    verifies("cancel", "never-retry", "eras-equal");
    await using bot = new RawBot();
    await using client = await connect({ env: botEnv(bot, { timeoutMs: TIMEOUT_MS }) });
    for (const { tool, args } of Object.values(KINDS)) {
      for (const { name, sent } of MOMENTS) {
        await t.step(`${tool} ${name}`, async () => {
          const before = bot.connections.length;
          bot.script(stalls(...sent));
          const controller = new AbortController();
          const call = rejects(client.callTool(tool, args, controller.signal));
          const connection = await bot.connection(before);
          await connection.request;
          await ticks(); // lets the begun answer arrive
          const cancelledAt = performance.now();
          controller.abort();
          await call;
          const ms = await connection.closed - cancelledAt;
          ok(ms < AT_ONCE_MS, `closed after ${ms} ms`);
          passedOn(await client.callTool("query_action", KINDS.read.args));
          strictEqual(bot.connections.length, before + 2);
        });
      }
    }
  });
}

/** A short while for bytes that are under way on loopback; nothing is concluded from its length. */
function ticks(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

Deno.test("a cancelled write is not answered, and the operator is told that it may have taken effect", async () => {
  verifies("cancel", "outcome-write", "never-retry");
  await using bot = new RawBot();
  await using server = await serverFor(bot, { timeoutMs: TIMEOUT_MS });
  for (const [index, { sent }] of MOMENTS.entries()) {
    bot.script(stalls(...sent));
    const id = `write-${index}`;
    const { tool, args } = KINDS.write;
    await server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } });
    const connection = await bot.connection(
      bot.connections.length === index * 2 ? index * 2 : bot.connections.length - 1,
    );
    await connection.request;
    await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
    await connection.closed;
    await goesOn(server, `after-${index}`);
  }
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  const told = (await server.stderr).split("\n").filter((line) =>
    line.includes("send_group_msg may have taken effect")
  );
  strictEqual(told.length, MOMENTS.length);
  for (const line of told) match(line, /cancelled/);
  doesNotMatch(server.lines.join("\n"), /"id":"write-/);
});

Deno.test("cancelling one call leaves the others alone", async () => {
  verifies("cancel");
  await using bot = new RawBot();
  bot.script(stalls(), stalls());
  await using server = await serverFor(bot, { timeoutMs: TIMEOUT_MS });
  const { tool, args } = KINDS.read;
  for (const id of ["a", "b"]) {
    await server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } });
  }
  const [first, second] = [await bot.connection(0), await bot.connection(1)];
  await Promise.all([first.request, second.request]);
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "a" } });
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "nobody" } });
  const closed = await Promise.race([first.closed.then(() => first), second.closed.then(() => second)]);
  const other = closed === first ? second : first;
  const body = '{"status":"ok","retcode":0,"data":"still here"}';
  await other.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  const answer = await server.receive(({ id }) => id === "b");
  strictEqual(passedOn(answer).envelope.data, "still here");
});

Deno.test("a call that is cancelled while it waits for its turn is never sent", async () => {
  verifies("cancel", "refusals-send-nothing");
  await using simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: 600, action: "get_status", times: 32 });
  await using server = await serverFor(simulator, { timeoutMs: TIMEOUT_MS });
  const { tool, args } = KINDS.write;
  const reads = callAll(server, new Map(Array.from({ length: 32 }, (_, index) => [`read-${index}`, KINDS.read])));
  await server.send({ jsonrpc: "2.0", id: "late", method: "tools/call", params: { name: tool, arguments: args } });
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "late" } });
  for (const answer of (await reads).values()) passedOn(answer);
  await goesOn(server, "after");
  deepStrictEqual([...new Set(simulator.requests.map(({ action }) => action))], ["get_status"]);
  await server.closeInput();
  await server.exit();
  doesNotMatch(await server.stderr, /may have taken effect/);
});

/** Ways to stop a server. */
const ENDS = ["SIGTERM", "SIGINT", "end of input"] as const;

for (const end of ENDS) {
  Deno.test(`${end} with calls in flight ends within 2 s and tells which writes are in doubt`, async () => {
    verifies("shutdown", "outcome-write", "never-retry");
    await using bot = new RawBot();
    bot.script(stalls(), stalls());
    await using server = await serverFor(bot, { timeoutMs: TIMEOUT_MS });
    for (const [id, { tool, args }] of Object.entries(KINDS)) {
      await server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } });
    }
    for (const index of [0, 1]) await (await bot.connection(index)).request;
    if (end === "end of input") await server.closeInput();
    else server.kill(end);
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    ok(ms < 2_000, `ended after ${ms} ms`);
    const lines = (await server.stderr).split("\n");
    const told = lines.filter((line) => line.includes("send_group_msg may have taken effect"));
    strictEqual(told.length, 1, lines.join("\n"));
    match(told[0] ?? "", /cancelled/);
    ok(!lines.some((line) => line.includes("get_status")), "a read is not in doubt");
    strictEqual(bot.connections.length, 2);
  });
}
