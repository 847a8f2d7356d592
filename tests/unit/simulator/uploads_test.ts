/** `upload_file_stream`: what its calls answer and do. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { base64, data, frames, upload } from "./support.ts";

Deno.test("an upload in chunks becomes a file that can be sent and downloaded", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const bytes = new Uint8Array(5_000).map((_, index) => index % 251);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const common = { stream_id: "up-1" };
  // Out of order, and one of them twice with other data, which is dropped.
  for (const index of [2, 0, 4, 1, 3]) {
    const answer = await upload(simulator, {
      ...common,
      total_chunks: 5,
      filename: "../a b.bin",
      chunk_index: index,
      chunk_data: base64(bytes.subarray(index * 1000, index * 1000 + 1000)),
      is_complete: true,
    });
    deepStrictEqual([answer.data.type, answer.data.status], ["stream", "chunk_received"]);
  }
  const again = await upload(simulator, { ...common, chunk_index: 0, chunk_data: base64("other") });
  deepStrictEqual([again.data.received_chunks, again.data.total_chunks], [5, 5]);
  const done = await upload(simulator, { ...common, is_complete: true, expected_sha256: sha256 });
  deepStrictEqual([done.data.type, done.data.status, done.data.file_size, done.data.sha256], [
    "response",
    "file_complete",
    5000,
    sha256,
  ]);
  match(done.data.file_path, /\/up-1__[^/]*a b\.bin$/);

  const answers = await frames(simulator, "download_file_stream", { file: done.data.file_path, chunk_size: 1024 });
  deepStrictEqual(answers[0]?.data.file_size, 5000);
  const chunks = answers.slice(1, -1);
  deepStrictEqual(chunks.map((frame) => frame.data.index), [0, 1, 2, 3, 4]);
  deepStrictEqual(Buffer.concat(chunks.map((frame) => Buffer.from(frame.data.data, "base64"))), Buffer.from(bytes));
  deepStrictEqual(chunks.map((frame) => frame.data.progress), [20, 40, 61, 81, 100]);
  const last = answers.at(-1)?.data;
  deepStrictEqual([last.data_type, last.total_chunks, last.total_bytes], ["file_complete", 5, 5000]);

  const { file_id } = await data(simulator, "upload_group_file", { group_id: 20001, file: done.data.file_path });
  const { files } = await data(simulator, "get_group_root_files", { group_id: 20001 });
  strictEqual(files.find((file: { file_id: string }) => file.file_id === file_id).file_size, 5000);
});

Deno.test("upload_file_stream follows its rules for chunkless and control calls", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const common = { stream_id: "s" };
  match((await upload(simulator, common)).wording ?? "", /total_chunks/);
  match((await upload(simulator, { ...common, verify_only: true })).wording ?? "", /not found/);
  deepStrictEqual((await upload(simulator, { ...common, total_chunks: 2 })).data.status, "file_created");
  deepStrictEqual((await upload(simulator, { ...common, chunk_data: base64("x") })).data.received_chunks, 0);
  match((await upload(simulator, { ...common, is_complete: true })).wording ?? "", /missing chunks: 0, 1/);
  strictEqual((await upload(simulator, { ...common, chunk_index: 2, chunk_data: base64("x") })).retcode, 100);
  for (const chunk_index of [0, 1]) await upload(simulator, { ...common, chunk_index, chunk_data: base64("x") });
  deepStrictEqual((await upload(simulator, { ...common, verify_only: true })).data.status, "file_created");
  const wrong = createHash("sha256").update("xx").digest("hex").toUpperCase();
  match((await upload(simulator, { ...common, expected_sha256: wrong })).wording ?? "", /SHA256/);
  // A chunkless call on a full stream completes it without being asked to.
  strictEqual(
    (await upload(simulator, { ...common, expected_sha256: wrong.toLowerCase() })).data.status,
    "file_complete",
  );
  match((await upload(simulator, { ...common, is_complete: true })).wording ?? "", /total_chunks/);
  const reset = await upload(simulator, { stream_id: "never", reset: true });
  deepStrictEqual([reset.status, reset.retcode, reset.wording], ["failed", 100, "Stream reset completed"]);
  strictEqual((await upload(simulator, { stream_id: "a/b" })).retcode, 100);
  strictEqual((await upload(simulator, { stream_id: "big", total_chunks: 200_001 })).retcode, 100);
});

Deno.test("upload_file_stream takes many chunks at once", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  await upload(simulator, { stream_id: "p", total_chunks: 40 });
  await Promise.all(
    Array.from(
      { length: 40 },
      (_, index) => upload(simulator, { stream_id: "p", chunk_index: index, chunk_data: base64(`${index};`) }),
    ),
  );
  const done = await upload(simulator, { stream_id: "p", is_complete: true });
  const text = Array.from({ length: 40 }, (_, index) => `${index};`).join("");
  strictEqual(done.data.sha256, createHash("sha256").update(text).digest("hex"));
});

Deno.test("upload_file_stream takes ids of 1 to 128 letters, digits, _ and -", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const retcode = async (stream_id: string): Promise<number> =>
    (await upload(simulator, { stream_id, total_chunks: 1 })).retcode;
  for (const id of ["a", "-", "_", "Az09_-", "x".repeat(128)]) strictEqual(await retcode(id), 0, id);
  for (const id of ["a/b", "a.b", "..", "a b", "群", "a\n", "x".repeat(129)]) strictEqual(await retcode(id), 100, id);
  strictEqual(await retcode(""), 1400);
});

Deno.test("upload_file_stream checks total_chunks and file_size on the creating call only", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const retcode = async (params: Record<string, unknown>): Promise<number> => (await upload(simulator, params)).retcode;
  strictEqual(await retcode({ stream_id: "none" }), 100);
  strictEqual(await retcode({ stream_id: "none", chunk_index: 0, chunk_data: "" }), 100);
  strictEqual(await retcode({ stream_id: "zero", total_chunks: 0 }), 1400);
  strictEqual(await retcode({ stream_id: "most", total_chunks: 200_000 }), 0);
  strictEqual(await retcode({ stream_id: "more", total_chunks: 200_001 }), 100);
  strictEqual(await retcode({ stream_id: "large", total_chunks: 1, file_size: 4_294_967_297 }), 100);
  strictEqual(await retcode({ stream_id: "large", total_chunks: 1, file_size: 4_294_967_296 }), 0);
  // Later neither is looked at, and a size that was wrong does not matter.
  const later = { stream_id: "large", total_chunks: 200_001, file_size: 4_294_967_297 };
  const ack = await upload(simulator, { ...later, chunk_index: 0, chunk_data: base64("abc") });
  deepStrictEqual(ack.data, {
    type: "stream",
    stream_id: "large",
    status: "chunk_received",
    received_chunks: 1,
    total_chunks: 1,
  });
  strictEqual((await upload(simulator, later)).data.file_size, 3);
});

Deno.test("upload_file_stream takes a chunk only as a pair, within the range, and each index once", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const common = { stream_id: "s" };
  const first = await upload(simulator, { ...common, total_chunks: 2, chunk_index: 1, chunk_data: base64("b") });
  deepStrictEqual([first.data.status, first.data.received_chunks], ["chunk_received", 1]);
  for (const half of [{ chunk_data: base64("a") }, { chunk_index: 0 }]) {
    const answer = await upload(simulator, { ...common, ...half });
    deepStrictEqual([answer.data.status, answer.data.received_chunks], ["file_created", 1]);
  }
  const chunk_data = base64("x");
  strictEqual((await upload(simulator, { ...common, chunk_index: 2, chunk_data })).retcode, 100);
  strictEqual((await upload(simulator, { ...common, chunk_index: -1, chunk_data })).retcode, 1400);
  const again = await upload(simulator, { ...common, chunk_index: 1, chunk_data: base64("other") });
  deepStrictEqual([again.data.status, again.data.received_chunks], ["chunk_received", 1]);
  await upload(simulator, { ...common, chunk_index: 0, chunk_data: base64("a") });
  const sha256 = createHash("sha256").update("ab").digest("hex");
  strictEqual((await upload(simulator, common)).data.sha256, sha256);
});

Deno.test("upload_file_stream decodes base64 leniently, and takes an empty chunk", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const cases = {
    strange: ["aGVs*bG8", "hello"],
    wrapped: ["aGVs\r\nbG8=", "hello"],
    empty: ["", ""],
    none: ["***", ""],
  };
  for (const [stream_id, [chunk_data, text]] of Object.entries(cases)) {
    const ack = await upload(simulator, { stream_id, total_chunks: 1, chunk_index: 0, chunk_data });
    strictEqual(ack.data.received_chunks, 1);
    const done = await upload(simulator, { stream_id, is_complete: true });
    const sha256 = createHash("sha256").update(text ?? "").digest("hex");
    deepStrictEqual([done.data.file_size, done.data.sha256], [text?.length, sha256], stream_id);
  }
});

Deno.test("upload_file_stream names the first 16 missing chunks", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  await upload(simulator, { stream_id: "s", total_chunks: 200_000, chunk_index: 3, chunk_data: "" });
  const { retcode, wording } = await upload(simulator, { stream_id: "s", is_complete: true });
  deepStrictEqual([retcode, wording], [100, "missing chunks: 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16"]);
  strictEqual((await upload(simulator, { stream_id: "s" })).data.status, "file_created", "the upload goes on");
});

Deno.test("upload_file_stream keeps an upload whose digest does not match, whichever call told the digest", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const sha256 = createHash("sha256").update("x").digest("hex");
  const chunk = { total_chunks: 1, chunk_index: 0, chunk_data: base64("x") };
  await upload(simulator, { stream_id: "s", ...chunk, expected_sha256: sha256.toUpperCase() });
  for (let round = 0; round < 2; round += 1) {
    const answer = await upload(simulator, { stream_id: "s", is_complete: true });
    strictEqual(answer.retcode, 100);
    match(answer.wording ?? "", /SHA256/);
  }
  const kept = await upload(simulator, { stream_id: "s", verify_only: true });
  deepStrictEqual([kept.data.status, kept.data.received_chunks], ["file_created", 1]);
  deepStrictEqual(await data(simulator, "clean_stream_temp_file"), { message: "success", removed: 0 });
  strictEqual((await upload(simulator, { stream_id: "s", expected_sha256: sha256 })).data.status, "file_complete");
});

Deno.test("upload_file_stream forgets an upload with its completion, and with a reset, which is told as failed", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const chunk = { stream_id: "s", total_chunks: 1, chunk_index: 0, chunk_data: base64("x") };
  const last = { stream_id: "s", is_complete: true };
  await upload(simulator, chunk);
  strictEqual((await upload(simulator, last)).data.status, "file_complete");
  match((await upload(simulator, last)).wording ?? "", /total_chunks/);
  strictEqual((await upload(simulator, { stream_id: "s", verify_only: true })).retcode, 100);
  strictEqual((await upload(simulator, { ...last, total_chunks: 1 })).wording, "missing chunks: 0");
  strictEqual((await upload(simulator, { stream_id: "s", verify_only: true })).data.received_chunks, 0, "a new one");
  await upload(simulator, chunk);
  for (const stream_id of ["s", "s", "never"]) {
    const { status, retcode, wording, data } = await upload(simulator, { stream_id, reset: true });
    deepStrictEqual([status, retcode, wording], ["failed", 100, "Stream reset completed"]);
    deepStrictEqual(data, { type: "error", data_type: "error" });
  }
  strictEqual((await upload(simulator, { stream_id: "s", verify_only: true })).retcode, 100);
});

Deno.test("upload_file_stream replaces separators and leading dots of the name, read on the creating call", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const names = {
    a: ["../../etc/passwd", "__.._etc_passwd"],
    b: ["..\\x.txt", "__x.txt"],
    c: [".env", "_env"],
    d: ["", "file"],
  };
  for (const [stream_id, [filename, kept]] of Object.entries(names)) {
    await upload(simulator, { stream_id, filename, total_chunks: 1, chunk_index: 0, chunk_data: "" });
    const { file_path } = (await upload(simulator, { stream_id, filename: "later" })).data;
    strictEqual(file_path, `/tmp/snowluma-stream/upload/10001/${stream_id}__${kept}`);
  }
});

Deno.test("requests keep the chunk_data of uploads whole", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const chunk_data = base64(new Uint8Array(1_048_576).fill(7));
  const params = { stream_id: "s", total_chunks: 1, chunk_index: 0, chunk_data };
  await upload(simulator, params);
  deepStrictEqual(simulator.requests[0]?.params, params);
});
