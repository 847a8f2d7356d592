/** Stream actions over HTTP: frames, uploads, downloads. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type Simulator, startSimulator } from "../../../lib/simulator/mod.ts";
import { IDLE_MS, MAX_UPLOADS } from "../../../lib/simulator/upload_store.ts";
import { type Answer, call, data, frames, refusal, send } from "./support.ts";

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");

async function upload(simulator: Simulator, params: Record<string, unknown>): Promise<Answer> {
  const answers = await frames(simulator, "upload_file_stream", params);
  strictEqual(answers.length, 1, "each call has exactly one frame");
  return answers[0] as Answer;
}

Deno.test("frames are chunked envelopes without a content type, each with echo and both texts", async () => {
  await using simulator = await startSimulator();
  const response = await send(simulator, "test_download_stream", { echo: "e" });
  strictEqual(response.headers.get("content-type"), null);
  strictEqual(response.headers.get("content-length"), null);
  const body = await response.text();
  ok(body.endsWith("}\r\n\r\n"));
  const parts = body.split("\r\n\r\n").slice(0, -1).map((part) => JSON.parse(part));
  strictEqual(parts.length, 11);
  for (const [index, frame] of parts.entries()) {
    strictEqual(frame.data.type, index < 10 ? "stream" : "response");
    deepStrictEqual(
      [frame.status, frame.retcode, frame.message, frame.wording, frame.echo, frame.stream],
      ["ok", 0, "", "", "e", "stream-action"],
    );
  }
});

Deno.test("test_download_stream ends with a failure frame when asked to", async () => {
  await using simulator = await startSimulator();
  const answers = await frames(simulator, "test_download_stream", { error: true });
  strictEqual(answers.length, 11);
  const last = answers[10] as Answer & { message: string };
  deepStrictEqual([last.status, last.retcode, last.data], ["failed", 100, { type: "error", data_type: "error" }]);
  strictEqual(last.message, last.wording);
});

Deno.test("invalid params of a stream action are a frame, an unknown action is not", async () => {
  await using simulator = await startSimulator();
  const response = await send(simulator, "upload_file_stream", { stream_id: "" });
  strictEqual(response.status, 200);
  strictEqual(JSON.parse((await response.text()).trimEnd()).retcode, 1400);
  strictEqual((await call(simulator, "no_such_stream")).retcode, 1404);
  const [neither] = await frames(simulator, "download_file_stream");
  strictEqual(neither?.retcode, 100);
});

Deno.test("an upload in chunks becomes a file that can be sent and downloaded", async () => {
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
  await using simulator = await startSimulator();
  const common = { stream_id: "s" };
  match((await upload(simulator, common)).wording ?? "", /total_chunks/);
  strictEqual((await upload(simulator, { ...common, verify_only: true })).retcode, 100);
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

Deno.test("uploads are bounded in number and bytes, and space comes back", async () => {
  await using simulator = await startSimulator();
  const chunk_data = base64(new Uint8Array(8 * 1024 * 1024));
  await upload(simulator, { stream_id: "a", total_chunks: 3, chunk_index: 0, chunk_data });
  await upload(simulator, { stream_id: "a", chunk_index: 1, chunk_data });
  match(
    (await upload(simulator, { stream_id: "a", chunk_index: 2, chunk_data: base64("x") })).wording ?? "",
    /at most 16777216/,
  );
  await upload(simulator, { stream_id: "a", reset: true });
  strictEqual((await upload(simulator, { stream_id: "b", total_chunks: 1, chunk_index: 0, chunk_data })).retcode, 0);
  for (let index = 1; index < MAX_UPLOADS; index += 1) {
    await upload(simulator, { stream_id: `n${index}`, total_chunks: 1 });
  }
  match((await upload(simulator, { stream_id: "last", total_chunks: 1 })).wording ?? "", /too many/);
});

Deno.test("merged files end with their retention, and idle uploads are dropped", async () => {
  let now = 1_800_000_000_000;
  await using simulator = await startSimulator({ now: () => now });
  const once = async (stream_id: string, more: Record<string, unknown> = {}): Promise<string> => {
    await upload(simulator, { stream_id, total_chunks: 1, chunk_index: 0, chunk_data: base64("x"), ...more });
    return (await upload(simulator, { stream_id })).data.file_path;
  };
  const short = await once("short", { file_retention: 1000 });
  const forever = await once("forever", { file_retention: 0 });
  await upload(simulator, { stream_id: "idle", total_chunks: 1 });
  now += 1000;
  await refusal(simulator, "upload_group_file", { group_id: 20001, file: short }, 100);
  now += IDLE_MS;
  strictEqual((await upload(simulator, { stream_id: "idle", verify_only: true })).retcode, 100);
  strictEqual((await frames(simulator, "download_file_stream", { file: forever })).length, 3);
  deepStrictEqual(await data(simulator, "clean_stream_temp_file"), { message: "success", removed: 1 });
  strictEqual((await frames(simulator, "download_file_stream", { file: forever }))[0]?.retcode, 100);
});

Deno.test("downloads resolve links and cached media, and refuse private addresses", async () => {
  await using simulator = await startSimulator();
  const link = await frames(simulator, "download_file_stream", { file: "https://example.com/a.txt", chunk_size: 1 });
  deepStrictEqual([link[0]?.data.file_name, link[0]?.data.chunk_size], ["a.txt", 1]);
  ok(link.length < 20, "links come in the pieces of the network");
  strictEqual(
    (await frames(simulator, "download_file_image_stream", { file_id: "simulated.png" })).at(-1)?.data.type,
    "response",
  );
  for (
    const file of [
      "http://127.0.0.1/x",
      "http://localhost/x",
      "http://[::1]/x",
      "http://10.0.0.1/",
      "/etc/passwd",
      "nothing",
      "https://",
    ]
  ) {
    const answers = await frames(simulator, "download_file_stream", { file });
    deepStrictEqual([answers.length, answers[0]?.retcode], [1, 100], file);
  }
});

Deno.test("frames are made while they are sent, delayed ones too", async () => {
  await using simulator = await startSimulator();
  const chunk_data = base64(new Uint8Array(8 * 1024 * 1024));
  for (const chunk_index of [0, 1]) {
    await upload(simulator, { stream_id: "x", total_chunks: 2, chunk_index, chunk_data });
  }
  const file = (await upload(simulator, { stream_id: "x" })).data.file_path;
  simulator.script({ kind: "delay", ms: 1, when: "after", action: "download_file_stream" });
  for (let round = 0; round < 2; round += 1) {
    const before = Deno.memoryUsage().rss;
    // One frame for each of 16 million bytes: they would neither fit in memory nor be made in time.
    const response = await send(simulator, "download_file_stream", { file, chunk_size: 1 });
    const reader = response.body?.getReader();
    ok(((await reader?.read())?.value?.byteLength ?? 0) > 0);
    ok(Deno.memoryUsage().rss - before < 300_000_000, "memory stays flat");
    await reader?.cancel();
  }
});
