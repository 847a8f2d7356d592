/** Answers to the calls of an upload that might hide a success, or try to exhaust whoever reads them. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { answers, drained, type RawScript } from "../support/raw_bot.ts";
import type { Message, ServerProcess } from "../support/server_process.ts";
import { type Diagnostics, failureOf, passedOn } from "./exec_support.ts";
import {
  failedFrame,
  frame,
  makeFolders,
  pattern,
  resultOf,
  sha256,
  transferServer,
  upload,
} from "./transfer_support.ts";
import { UploadBot, type UploadCall } from "./upload_bot.ts";

const BYTES = pattern(1000);
const HASH = await sha256(BYTES);
const TIMEOUT_MS = 1500;
/** With a token every text is searched for it, which is one more way to get lost in an answer. */
const TOKENS = [undefined, "tok_SECRET+/=1"] as const;

/** The right completion with these fields of `data` instead of its own. */
function completion({ params: { stream_id } }: UploadCall, fields: Message = {}): string {
  const counts = { stream_id, received_chunks: 1, total_chunks: 1 };
  const file = { file_path: "/bot/x", file_size: BYTES.length, sha256: HASH };
  return frame({ type: "response", status: "file_complete", ...counts, ...file, ...fields });
}

/** The right completion with one more field in its envelope, so many lists in each other. */
function nested(call: UploadCall, levels: number): RawScript {
  const more = `{"later":${"[".repeat(levels)}${"]".repeat(levels)},`;
  return answers(completion(call).replace("{", more));
}

/** The right completion, a space each 100 ms before it: over in 6 s, and never still for long. */
const drips: (call: UploadCall) => RawScript = (call) => async (connection) => {
  await connection.request.catch(() => {});
  await connection.write("HTTP/1.1 200 OK\r\n\r\n");
  for (let spaces = 0; spaces < 60 && await connection.write(" "); spaces++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await connection.write(completion(call));
  await drained(connection);
};

const FAILED_504 = '{"status":"failed","retcode":504,"data":null}';
const REFUSED = '{"status":"failed","retcode":1401,"data":null,"wording":"bad token"}';

/** One answer, and what the caller is told of it. */
type Case = readonly [name: string, script: (call: UploadCall) => RawScript, kind: string, says: RegExp];

const DOUBTS: readonly Case[] = [
  ["nested 3,000 levels deep", (call) => nested(call, 3_000), "too_large", /more than 32 levels/],
  ["nested 1,000,000 levels deep", (call) => nested(call, 1_000_000), "too_large", /more than 65536 objects and lists/],
  [
    "with a path of 1 MB",
    (call) => answers(completion(call, { file_path: `/${"x".repeat(1_000_000)}` })),
    "too_large",
    /more than 65536 characters/,
  ],
  ["HTTP 504 with a failed envelope", () => answers(FAILED_504, { status: "504 Late" }), "not_confirmed", /HTTP 504/],
  ["HTTP 500 with a failed envelope", () => answers(FAILED_504, { status: "500 Oops" }), "not_confirmed", /HTTP 500/],
  [
    "HTTP 500 with a failed frame",
    () => answers(failedFrame("no"), { status: "500 Oops" }),
    "not_confirmed",
    /HTTP 500/,
  ],
  [
    "HTTP 202 with a failed frame",
    () => answers(failedFrame("no"), { status: "202 Later" }),
    "not_confirmed",
    /HTTP 202/,
  ],
  [
    "a failed frame, then the completion",
    (call) => answers(failedFrame("no") + completion(call)),
    "invalid_answer",
    /more than one frame/,
  ],
  [
    "a failed frame, then the completion without its end",
    (call) => answers(failedFrame("no") + completion(call).trimEnd()),
    "invalid_answer",
    /more than one frame/,
  ],
  ["drip by drip", drips, "timeout", new RegExp(`${TIMEOUT_MS} ms`)],
];

const REFUSALS: readonly Case[] = [
  ["HTTP 401 with nothing", () => answers("", { status: "401 No" }), "auth", /HTTP 401/],
  ["HTTP 401 with an envelope", () => answers(REFUSED, { status: "401 No" }), "auth", /retcode 1401, "bad token"/],
  ["a refused token, HTTP 200", () => answers(REFUSED), "auth", /retcode 1401, "bad token"/],
];

/** An upload of one chunk, whose last call is answered as a test wants. */
async function lastCall(
  token: string | undefined,
  run: (
    attempt: (one: Case, name: string) => Promise<{ told: Diagnostics; tally: string; ms: number }>,
  ) => Promise<void>,
): Promise<void> {
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), BYTES);
  let script: Case[1] | undefined;
  await using bot = new UploadBot((call, right) =>
    call.kind === "final" && script !== undefined ? script(call) : right
  );
  const options = { timeoutMs: TIMEOUT_MS, ...(token !== undefined && { token }) };
  await using server: ServerProcess = await transferServer(bot, folders, options);
  await run(async ([, answer], name) => {
    script = answer;
    bot.calls.length = 0;
    const start = performance.now();
    const told = failureOf(await upload(server, name, "file.bin"));
    return { told, tally: bot.tally, ms: performance.now() - start };
  });
  script = undefined;
  resultOf(await upload(server, "after", "file.bin"));
}

for (const token of TOKENS) {
  const how = token === undefined ? "without a token" : "with a token";

  Deno.test(`an upload whose last answer may hide a success is unknown, soon, and not reset, ${how}`, async (t) => {
    verifies("upload-unknown", "upload-reset", "bounded", "timeout-whole");
    await lastCall(token, async (attempt) => {
      for (const one of DOUBTS) {
        const [name, , kind, says] = one;
        await t.step(name, async () => {
          const { told: { message, next_step, ...told }, tally, ms } = await attempt(one, name);
          deepStrictEqual(told, { outcome: "unknown", kind }, message);
          match(message, /^upload_file_stream may have taken effect: .*in the last call$/);
          match(message, says);
          match(next_step, /upload it again/);
          strictEqual(tally, "1/1/0");
          ok(ms < (kind === "timeout" ? TIMEOUT_MS : 0) + 2_000, `${ms} ms`);
        });
      }
    });
  });

  Deno.test(`an upload whose last call is refused for its token has failed, and is reset once, ${how}`, async (t) => {
    verifies("upload-reset", "auth", "stream-refused");
    await lastCall(token, async (attempt) => {
      for (const one of REFUSALS) {
        const [name, , kind, says] = one;
        await t.step(name, async () => {
          const { told: { message, next_step, ...told }, tally } = await attempt(one, name);
          deepStrictEqual(told, { outcome: "failed", kind }, message);
          doesNotMatch(message, /may have taken effect/);
          match(message, says);
          match(next_step, /SNOWLUMA_MCP_TOKEN/);
          strictEqual(tally, "1/1/1");
        });
      }
    });
  });
}

Deno.test("an upload one of whose chunks is answered as the whole file is unknown and not reset", async () => {
  verifies("upload-unknown", "upload-reset");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), BYTES);
  let lacking = {};
  await using bot = new UploadBot((call, right) => call.kind === "chunk" ? answers(completion(call, lacking)) : right);
  await using server = await transferServer(bot, folders);
  for (
    const [says, fields] of [[/the chunk was not taken/, {}], [/total_chunks/, { total_chunks: undefined }]] as const
  ) {
    lacking = fields;
    const before = bot.calls.length;
    const { outcome, kind, message } = failureOf(await upload(server, `early-${before}`, "file.bin"));
    deepStrictEqual([outcome, kind], ["unknown", "invalid_answer"], message);
    match(message, /may have taken effect: .*, in chunk 1 of 1$/);
    match(message, says);
    strictEqual(bot.calls.length, before + 1);
  }
  strictEqual(bot.tally, "2/0/0");
});

Deno.test("a reset by hand hands on no more of the bot's answer than fits", async (t) => {
  verifies("bounded", "upload-reset");
  await using folders = await makeFolders();
  for (const token of TOKENS) {
    let data = "null";
    await using bot = new UploadBot(() =>
      answers(
        `{"status":"failed","retcode":100,"data":${data},"wording":"Stream reset completed","stream":"stream-action"}\r\n\r\n`,
      )
    );
    await using server = await transferServer(bot, folders, token === undefined ? {} : { token });
    const call = (id: string): Promise<Message> =>
      server.call(id, "invoke_action", { action: "upload_file_stream", params: { stream_id: "x", reset: true } });
    strictEqual(passedOn(await call("small")).diagnostics.outcome, "success");
    for (
      const [name, large] of [["long", JSON.stringify("x".repeat(70_000))], ["deep", "[".repeat(40) + "]".repeat(40)]]
    ) {
      await t.step(`${name}, ${token === undefined ? "without a token" : "with a token"}`, async () => {
        data = large ?? "";
        strictEqual(failureOf(await call(name ?? "")).kind, "too_large");
      });
    }
  }
});

Deno.test("an upload put together by the caller is in doubt when a host in trouble answers that it failed", async () => {
  verifies("upload-unknown", "stream-ordinary");
  await using folders = await makeFolders();
  let status = "504 Late";
  await using bot = new UploadBot(() => answers(FAILED_504, { status }));
  await using server = await transferServer(bot, folders);
  const params = { stream_id: "by hand", is_complete: true };
  const call = async (): Promise<Diagnostics> =>
    failureOf(await server.call(status, "invoke_action", { action: "upload_file_stream", params }));
  const late = await call();
  deepStrictEqual([late.outcome, late.kind], ["unknown", "not_confirmed"], late.message);
  match(late.message, /may have taken effect: HTTP 504, .*retcode 504$/);
  status = "200 OK";
  const failed = await call();
  deepStrictEqual([failed.outcome, failed.kind], ["failed", "action_failed"], failed.message);
  strictEqual(bot.tally, "0/2/0");
});

Deno.test("a chunk that is answered drip by drip is ended by the timeout, and the upload reset", async () => {
  verifies("timeout-whole", "upload-reset");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), BYTES);
  await using bot = new UploadBot((call, right) => call.kind === "chunk" ? drips(call) : right);
  await using server = await transferServer(bot, folders, { timeoutMs: TIMEOUT_MS });
  const { outcome, kind, message } = failureOf(await upload(server, "slow", "file.bin"));
  deepStrictEqual([outcome, kind], ["failed", "timeout"], message);
  strictEqual(bot.tally, "1/0/1");
});
