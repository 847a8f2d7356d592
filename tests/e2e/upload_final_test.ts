/** The last call of an upload: after it has left, only a right answer is a success, and only a refusal a failure. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { answers, cuts, type RawScript, stalls } from "../support/raw_bot.ts";
import type { Message } from "../support/server_process.ts";
import { failureOf } from "./exec_support.ts";
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
import { UploadBot } from "./upload_bot.ts";

const BYTES = pattern(1024 * 1024 + 1);
const HASH = await sha256(BYTES);

/** A completion that is right but for some fields. */
function completion(stream_id: string, otherwise: Message): RawScript {
  const right = { type: "response", status: "file_complete", stream_id, received_chunks: 2, total_chunks: 2 };
  return answers(frame({ ...right, file_path: "/bot/x", file_size: BYTES.length, sha256: HASH, ...otherwise }));
}

/** Fields of an answer that do not fit the file. */
const WRONG: ReadonlyArray<readonly [name: string, fields: Message]> = [
  ["another size", { file_size: BYTES.length - 1 }],
  ["a size as text", { file_size: String(BYTES.length) }],
  ["another hash", { sha256: "0".repeat(64) }],
  ["no hash", { sha256: undefined }],
  ["the hash in upper case", { sha256: HASH.toUpperCase() }],
  ["another count", { received_chunks: 1 }],
  ["another total", { total_chunks: 3 }],
  ["another stream", { stream_id: "other" }],
  ["an acknowledgement", { type: "stream", status: "chunk_received" }],
  ["no path", { file_path: undefined }],
  ["a path that is no text", { file_path: 5 }],
];

/** Answers that are lost, or tell nothing. */
const LOST: ReadonlyArray<readonly [name: string, answer: RawScript, kind: string]> = [
  ["cut off", cuts(), "cut"],
  ["cut off in its answer", cuts("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n", '{"status":"ok"'), "cut"],
  ["cut off in a body without a length", cuts("HTTP/1.1 200 OK\r\n\r\n", '{"status":"ok"'), "invalid_answer"],
  ["never answered", stalls(), "timeout"],
  ["answered half and then nothing", stalls("HTTP/1.1 200 OK\r\n\r\n", '{"status":"ok"'), "timeout"],
  ["answered HTTP 500", answers("oops", { status: "500 Oops" }), "invalid_answer"],
  ["answered HTTP 413 by a page", answers("<html>", { status: "413 No" }), "invalid_answer"],
  ["answered by nothing", answers(""), "cut"],
  ["answered by what is no frame", answers('{"status":"ok","retcode":0,"data":{}}\r\n\r\n'), "invalid_answer"],
  ["answered twice", answers(frame({ type: "stream" }).repeat(2)), "invalid_answer"],
];

Deno.test("an upload whose completion does not fit the file is unknown and not reset", async (t) => {
  verifies("upload-checked", "upload-unknown", "upload-reset");
  let fields: Message = {};
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), BYTES);
  await using bot = new UploadBot((call, right) =>
    call.kind === "final" ? completion(call.params.stream_id, fields) : right
  );
  await using server = await transferServer(bot, folders);
  resultOf(await upload(server, "right", "file.bin"));
  for (const [name, wrong] of WRONG) {
    await t.step(name, async () => {
      fields = wrong;
      bot.calls.length = 0;
      checkUnknown(await upload(server, name, "file.bin"), "invalid_answer", bot);
    });
  }
});

Deno.test("an upload whose last answer is lost is unknown and not reset, and the next one goes well", async (t) => {
  verifies("upload-unknown", "upload-reset", "never-retry");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), BYTES);
  let lost: RawScript | undefined;
  await using bot = new UploadBot((call, right) => call.kind === "final" ? lost ?? right : right);
  await using server = await transferServer(bot, folders, { timeoutMs: 1500 });
  for (const [name, answer, kind] of LOST) {
    await t.step(name, async () => {
      lost = answer;
      bot.calls.length = 0;
      checkUnknown(await upload(server, name, "file.bin"), kind, bot);
    });
  }
  lost = undefined;
  resultOf(await upload(server, "after", "file.bin"));
  await server.closeInput();
  await server.exit();
  const warned = (await server.stderr).split("\n").filter((line) =>
    line.startsWith("warn: upload_file_stream may have")
  );
  strictEqual(warned.length, LOST.length);
});

function checkUnknown(answer: Message, wanted: string, bot: UploadBot): void {
  const { outcome, kind, message, next_step } = failureOf(answer);
  deepStrictEqual([outcome, kind], ["unknown", wanted], message);
  match(message, /may have taken effect.*the last call/);
  match(next_step, /upload it again/);
  strictEqual(bot.tally, "2/1/0");
}

/** Refusals of the last call: the file was not made. */
const REFUSALS: ReadonlyArray<readonly [name: string, answer: RawScript, kind: string]> = [
  ["a hash that the bot finds different", answers(failedFrame("SHA256 mismatch")), "action_failed"],
  ["an ordinary failed answer", answers('{"status":"failed","retcode":1404,"data":null}'), "action_failed"],
  ["a token that is no longer good", answers("", { status: "403 No" }), "auth"],
];

Deno.test("an upload whose last call is refused has failed, and is then reset", async (t) => {
  verifies("upload-reset", "upload-checked", "stream-refused");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), BYTES);
  let refusal: RawScript = stalls();
  await using bot = new UploadBot((call, right) => call.kind === "final" ? refusal : right);
  await using server = await transferServer(bot, folders);
  for (const [name, answer, wanted] of REFUSALS) {
    await t.step(name, async () => {
      refusal = answer;
      bot.calls.length = 0;
      const { outcome, kind, message } = failureOf(await upload(server, name, "file.bin"));
      deepStrictEqual([outcome, kind], ["failed", wanted], message);
      ok(message.includes("the last call"), message);
      doesNotMatch(message, /may have taken effect/);
      strictEqual(bot.tally, "2/1/1");
    });
  }
});
