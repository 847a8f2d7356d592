/** Bounds at their edge: size and time of an answer, calls at once, calls that wait. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { drained, httpAnswer, RawBot, type RawScript, sends, stalls } from "../support/raw_bot.ts";
import type { Message, ServerProcess } from "../support/server_process.ts";
import { callAll, failureOf, goesOn, KINDS, passedOn, serverFor } from "./exec_support.ts";

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** An ok envelope of exactly so many bytes. */
function envelopeOf(bytes: number): Uint8Array {
  const [before, after] = ['{"status":"ok","retcode":0,"data":"', '"}'];
  return new TextEncoder().encode(before + "x".repeat(bytes - before.length - after.length) + after);
}

/** The two ways to say how long a body is. */
const FRAMINGS = [
  { name: "with its length announced", frame: (body: Uint8Array) => sends(httpAnswer(body)) },
  {
    name: "in chunks",
    frame: (body: Uint8Array) =>
      sends(`${HEAD}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`, body, "\r\n0\r\n\r\n"),
  },
];

for (const { name, frame } of FRAMINGS) {
  Deno.test(`an answer of exactly 16 MiB passes and one byte more fails, ${name}`, async () => {
    verifies("answer-cap", "bounded", "outcome-write", "outcome-read", "never-retry");
    await using bot = new RawBot();
    await using server = await serverFor(bot);
    bot.script(
      frame(envelopeOf(MAX_ANSWER_BYTES)),
      frame(envelopeOf(MAX_ANSWER_BYTES + 1)),
      frame(envelopeOf(MAX_ANSWER_BYTES + 1)),
    );
    const { read, write } = KINDS;
    const whole = await server.call("whole", read.tool, read.args, 30_000);
    strictEqual(whole.result.content[0].text.length, MAX_ANSWER_BYTES);
    strictEqual(whole.result.structuredContent.diagnostics.outcome, "success");
    const first = failureOf(await server.call("read", read.tool, read.args));
    deepStrictEqual([first.outcome, first.kind], ["failed", "too_large"]);
    const second = failureOf(await server.call("write", write.tool, write.args));
    deepStrictEqual([second.outcome, second.kind], ["unknown", "too_large"]);
    match(second.message, new RegExp(String(MAX_ANSWER_BYTES)));
    await goesOn(server, "after");
    strictEqual(bot.connections.length, 4);
  });
}

Deno.test("an answer without end is left at 16 MiB, long before the timeout", async () => {
  verifies("answer-cap", "bounded");
  await using bot = new RawBot();
  const endless: RawScript = async (connection) => {
    await connection.request;
    await connection.write(`${HEAD}\r\n`);
    const piece = new Uint8Array(65_536).fill(32);
    for (let sent = 0; sent < 4_096 && await connection.write(piece); sent++); // 256 MiB at most
  };
  bot.script(endless);
  await using server = await serverFor(bot, { timeoutMs: 20_000 });
  strictEqual(failureOf(await server.call(1, "query_action", KINDS.read.args)).kind, "too_large");
  await goesOn(server, "after");
});

/** A bot that sends one byte of a long body every 100 ms. */
const drips: RawScript = async (connection) => {
  await connection.request;
  await connection.write(`${HEAD}content-length: 100000\r\n\r\n`);
  for (let here = true; here; here = await Promise.race([connection.closed.then(() => false), after(100)])) {
    await connection.write("x");
  }
};

function after(ms: number): Promise<true> {
  return new Promise((resolve) => setTimeout(() => resolve(true), ms));
}

const WAITS = [
  { name: "before the answer", script: stalls(), timeoutMs: 500 },
  { name: "before the answer, longer", script: stalls(), timeoutMs: 1_500 },
  { name: "in the head", script: stalls("HTTP/1.1 200 OK\r\n"), timeoutMs: 500 },
  { name: "while the body drips", script: drips, timeoutMs: 500 },
];

/** Room above the timeout for a busy machine, in milliseconds. */
const NOISE_MS = 900;

Deno.test("the timeout is kept, from connecting to the last byte", async (t) => {
  verifies("timeout-whole", "never-retry");
  for (const { name, script, timeoutMs } of WAITS) {
    await t.step(`${name}: ${timeoutMs} ms`, async () => {
      await using bot = new RawBot();
      await using server = await serverFor(bot, { timeoutMs });
      passedOn(await server.call("warm", "query_action", KINDS.read.args));
      bot.script(script);
      const start = performance.now();
      const failure = failureOf(await server.call("slow", "query_action", KINDS.read.args));
      const ms = performance.now() - start;
      strictEqual(failure.kind, "timeout");
      match(failure.next_step, /SNOWLUMA_MCP_TIMEOUT_MS/);
      ok(ms > timeoutMs - 20 && ms < timeoutMs + NOISE_MS, `took ${ms} ms`);
      ok(await (await bot.connection(1)).closed - start < timeoutMs + NOISE_MS, "the connection is closed as well");
      strictEqual(bot.connections.length, 2);
    });
  }
});

Deno.test("1,000 calls at once are each sent and answered once, at most 32 at a time", async () => {
  verifies("burst", "bounded", "never-retry", "one-post");
  let running = 0;
  let mostRunning = 0;
  const asked: string[] = [];
  await using bot = new RawBot(async (connection) => {
    const { body } = await connection.request;
    mostRunning = Math.max(mostRunning, ++running);
    await after(5);
    running--;
    const { message } = JSON.parse(body).params;
    asked.push(message);
    await connection.write(httpAnswer(JSON.stringify({ status: "ok", retcode: 0, data: { message } })));
    await drained(connection);
  });
  await using server = await serverFor(bot);
  const calls = new Map(Array.from({ length: 1_000 }, (_, index) => [`c${index}`, {
    tool: "invoke_action",
    args: { action: "send_msg", params: { message: `c${index}` } },
  }]));
  const answers = await callAll(server, calls, 60_000);
  for (const [id, answer] of answers) strictEqual(passedOn(answer).envelope.data.message, id);
  deepStrictEqual(asked.toSorted(), [...calls.keys()].toSorted());
  strictEqual(mostRunning, 32);
  strictEqual(bot.connections.length, 1_000);
});

const RUNNING = 32;
const WAITING = 2_048;
const SURPLUS = 20;

Deno.test("calls beyond the queue are busy, and the server still ends within 2 s", async (t) => {
  verifies("bounded", "shutdown", "refusals-send-nothing", "outcome-write");
  await using bot = new RawBot(stalls());
  await using server = await serverFor(bot);
  const { tool, args } = KINDS.write;
  const ids = Array.from({ length: RUNNING + WAITING + SURPLUS }, (_, index) => `c${index}`);
  const surplus = ids.slice(-SURPLUS);
  await t.step("only the surplus is refused", async () => {
    const lines = ids.map((id) =>
      JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } })
    );
    await server.send(`${lines.join("\n")}\n`);
    await answered(server, SURPLUS);
    deepStrictEqual(answersIn(server).map(({ id }) => id).toSorted(), surplus.toSorted());
    for (const answer of answersIn(server)) {
      const { outcome, kind, message } = failureOf(answer);
      deepStrictEqual([outcome, kind], ["failed", "busy"]);
      ok(message.includes(String(WAITING)), message);
    }
    for (let index = 0; index < RUNNING; index++) await (await bot.connection(index)).request;
    strictEqual(bot.connections.length, RUNNING);
  });
  await t.step("a place that becomes free is used", async () => {
    (await bot.connection(0)).end();
    await (await bot.connection(RUNNING)).request;
    await answered(server, SURPLUS + 1);
    strictEqual(failureOf(answersIn(server).at(-1) ?? {}).outcome, "unknown");
  });
  await t.step("SIGTERM ends it; only what was sent is in doubt", async () => {
    server.kill("SIGTERM");
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    ok(ms < 2_000, `ended after ${ms} ms`);
    const doubts = (await server.stderr).match(/send_group_msg may have taken effect/g) ?? [];
    strictEqual(doubts.length, RUNNING + 1);
    strictEqual(bot.connections.length, RUNNING + 1);
  });
});

/** Answers so far, without that to the handshake. */
function answersIn(server: ServerProcess): Message[] {
  return server.lines.map((line) => JSON.parse(line)).filter(({ id }) => id !== "init");
}

/** Waits until so many calls are answered. */
async function answered(server: ServerProcess, count: number): Promise<void> {
  let seen = 0;
  await server.receive(({ id }) => id !== "init" && ++seen === count, 20_000);
}
