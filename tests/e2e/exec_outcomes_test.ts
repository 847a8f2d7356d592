/** What a broken exchange means: a read has failed, a write is in doubt, and neither is ever sent again. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { answers, cuts, httpAnswer, RawBot, type RawScript, resetAtOnce, sends, stalls } from "../support/raw_bot.ts";
import { failureOf, goesOn, type Kind, KINDS, passedOn, serverFor } from "./exec_support.ts";

const OK = '{"status":"ok","retcode":0,"data":{"message_id":1}}';
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const HALF = `${HEAD}content-length: ${OK.length}\r\n\r\n${OK.slice(0, 20)}`;
const MIB = 1024 * 1024;

/** Sends the announced answer byte by byte, each one well within the timeout, all of them never. */
const drips: RawScript = async (connection) => {
  await connection.request;
  await connection.write(`${HEAD}content-length: ${OK.length}\r\n\r\n`);
  const gone = connection.closed.then(() => true);
  for (const letter of OK) {
    await connection.write(letter);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const left = await Promise.race([gone, new Promise((resolve) => timer = setTimeout(resolve, 100, false))]);
    clearTimeout(timer);
    if (left) return;
  }
};

/** 17 MiB that look like an answer, without an announced length. */
const huge: RawScript = async (connection) => {
  await connection.request;
  await connection.write(`${HEAD}\r\n{"status":"ok","retcode":0,"data":"`);
  const piece = new Uint8Array(MIB).fill(120);
  for (let sent = 0; sent < 17; sent++) if (!await connection.write(piece)) return;
  await connection.write('"}');
};

const chunked = (...chunks: readonly string[]): string =>
  `${HEAD}transfer-encoding: chunked\r\n\r\n` +
  chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("");

/** Each fault with the kind that it is told as. */
const FAULTS: ReadonlyArray<{ name: string; script: RawScript; kind: string }> = [
  { name: "timeout before the head", script: stalls(), kind: "timeout" },
  { name: "timeout in the head", script: stalls("HTTP/1.1 200 OK\r\ncontent-"), kind: "timeout" },
  { name: "timeout in the body", script: stalls(HALF), kind: "timeout" },
  { name: "timeout after all but the end of a chunked body", script: stalls(chunked(OK)), kind: "timeout" },
  { name: "timeout while the body drips", script: drips, kind: "timeout" },
  { name: "interim answers and then nothing", script: stalls("HTTP/1.1 102 Processing\r\n\r\n"), kind: "timeout" },
  { name: "cut before the answer", script: cuts(), kind: "cut" },
  { name: "reset before the answer", script: resetAtOnce, kind: "cut" },
  { name: "cut in the head", script: cuts("HTTP/1.1 200 OK\r\nconte"), kind: "cut" },
  { name: "cut in the body", script: cuts(HALF), kind: "cut" },
  { name: "cut in a chunked body", script: cuts(chunked(OK.slice(0, 20))), kind: "cut" },
  { name: "cut before the end of a chunked body", script: cuts(chunked(OK)), kind: "cut" },
  { name: "17 MiB", script: huge, kind: "too_large" },
  { name: "17 MiB announced", script: stalls(`${HEAD}content-length: ${17 * MIB}\r\n\r\n`), kind: "timeout" },
  { name: "HTML", script: answers("<!doctype html><title>Welcome to nginx!</title>"), kind: "invalid_answer" },
  { name: "HTML with 502", script: answers("<h1>Bad Gateway</h1>", { status: "502 No" }), kind: "invalid_answer" },
  { name: "an empty body", script: answers(""), kind: "invalid_answer" },
  { name: "no content", script: sends("HTTP/1.1 204 No Content\r\n\r\n"), kind: "invalid_answer" },
  { name: "blanks", script: answers(" \r\n\t "), kind: "invalid_answer" },
  { name: "half JSON", script: answers(OK.slice(0, 30)), kind: "invalid_answer" },
  {
    name: "half JSON to the end of the connection",
    script: cuts(`${HEAD}\r\n${OK.slice(0, 30)}`),
    kind: "invalid_answer",
  },
  { name: "two JSON values", script: answers(OK + OK), kind: "invalid_answer" },
  { name: "null", script: answers("null"), kind: "invalid_answer" },
  { name: "true", script: answers("true"), kind: "invalid_answer" },
  { name: "a number", script: answers("9007199254740993"), kind: "invalid_answer" },
  { name: "an array", script: answers(`[${OK}]`), kind: "invalid_answer" },
  { name: "a string", script: answers(JSON.stringify(OK)), kind: "invalid_answer" },
  { name: "an object that is no envelope", script: answers('{"hello":"world"}'), kind: "invalid_answer" },
  {
    name: "an envelope by inheritance",
    script: answers('{"__proto__":{"status":"ok","retcode":0}}'),
    kind: "invalid_answer",
  },
  { name: "nesting without end", script: answers("[".repeat(200_000)), kind: "invalid_answer" },
  { name: "something that is not HTTP", script: sends("SSH-2.0-OpenSSH_9.6\r\n"), kind: "invalid_answer" },
  { name: "binary noise", script: sends(new Uint8Array(64).fill(0xfe)), kind: "invalid_answer" },
  {
    name: "bytes that are not UTF-8",
    script: answers(
      new Uint8Array([...new TextEncoder().encode('{"status":"ok","retcode":0,"data":"'), 0xff, 34, 125]),
    ),
    kind: "invalid_answer",
  },
  { name: "half a character at the end", script: answers(new Uint8Array([34, 0xe7, 0xbe])), kind: "invalid_answer" },
];

for (const kind of ["read", "write"] as const) {
  Deno.test(`a ${kind} that did not come through is told as what it is, once`, async (t) => {
    verifies(kind === "read" ? "outcome-read" : "outcome-write", "never-retry", "bad-answers", "timeout-whole");
    await using bot = new RawBot();
    await using server = await serverFor(bot, { timeoutMs: 1_000 });
    const { tool, args, action } = KINDS[kind];
    for (const [index, fault] of FAULTS.entries()) {
      await t.step(fault.name, async () => {
        const before = bot.connections.length;
        bot.script(fault.script);
        const failure = failureOf(await server.call(index, tool, args));
        strictEqual(failure.kind, fault.kind, failure.message);
        strictEqual(failure.outcome, kind === "write" ? "unknown" : "failed");
        ok(failure.message.includes(action), failure.message);
        if (kind === "write") {
          match(failure.message, /may have taken effect/);
          match(failure.next_step, /before calling it again/);
        }
        await goesOn(server, `after-${index}`);
        strictEqual(bot.connections.length, before + 2, "one connection for the fault, one for the next call");
      });
    }
  });
}

/** Answers that neither confirm nor deny, or do both. They are passed on, as answers of the bot. */
const UNCONFIRMED = [
  { name: "asynchronous", envelope: { status: "async", retcode: 1, data: null } },
  { name: "asynchronous with retcode 0", envelope: { status: "async", retcode: 0, data: null } },
  { name: "ok with a return code", envelope: { status: "ok", retcode: 100, data: null, wording: "no" } },
  { name: "failed with retcode 0", envelope: { status: "failed", retcode: 0, data: null } },
  { name: "without status", envelope: { retcode: 0, data: { message_id: 1 } } },
  { name: "without retcode", envelope: { status: "ok", data: { message_id: 1 } } },
  { name: "an unknown status", envelope: { status: "OK", retcode: 0, data: null } },
  { name: "retcode as text", envelope: { status: "ok", retcode: "0", data: null } },
  { name: "status null", envelope: { status: null, retcode: null } },
];

for (const kind of ["read", "write"] as Kind[]) {
  Deno.test(`an answer that does not confirm a ${kind} is unknown and passed on`, async (t) => {
    verifies("outcome-async", "passed-through", "never-retry", "envelope-judged");
    await using bot = new RawBot();
    await using server = await serverFor(bot);
    const { tool, args, action } = KINDS[kind];
    for (const [index, { name, envelope }] of UNCONFIRMED.entries()) {
      await t.step(name, async () => {
        bot.script(answers(JSON.stringify(envelope)));
        const passed = passedOn(await server.call(index, tool, args));
        deepStrictEqual(passed.envelope, envelope);
        strictEqual(passed.diagnostics.outcome, "unknown");
        strictEqual(passed.diagnostics.kind, "not_confirmed");
        ok(passed.diagnostics.message.includes(action));
        if (kind === "write") match(passed.diagnostics.next_step, /before calling it again/);
        strictEqual(bot.connections.length, index + 1);
      });
    }
  });
}

Deno.test("interim answers and a body without announced length are ordinary HTTP", async () => {
  verifies("envelope-judged");
  await using bot = new RawBot();
  await using server = await serverFor(bot);
  const interim = "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n";
  bot.script(
    sends(interim, httpAnswer(OK)),
    cuts(`${HEAD}connection: close\r\n\r\n${OK}`),
    cuts(`${chunked(OK)}0\r\n\r\n`),
  );
  for (const id of [1, 2, 3]) {
    const { envelope } = passedOn(await server.call(id, KINDS.write.tool, KINDS.write.args));
    deepStrictEqual(envelope, JSON.parse(OK));
  }
  strictEqual(bot.connections.length, 3);
});
