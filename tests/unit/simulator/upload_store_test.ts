/** What uploads and merged files are bounded by: number, bytes, time. */
import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../lib/simulator/mod.ts";
import {
  IDLE_MS,
  MAX_CHUNK_BYTES,
  MAX_STORED_BYTES,
  MAX_UPLOADS,
  UploadStore,
} from "../../../lib/simulator/upload_store.ts";
import { verifies } from "../../requirements.ts";
import { base64, data, frames, refusal, upload } from "./support.ts";

const options = { totalChunks: 3, fileName: "a.bin", retentionMs: 0 };

/** Uploads one byte and returns the path of the merged file. */
async function once(simulator: Simulator, stream_id: string, more: Record<string, unknown> = {}): Promise<string> {
  await upload(simulator, { stream_id, total_chunks: 1, chunk_index: 0, chunk_data: base64("x"), ...more });
  return (await upload(simulator, { stream_id })).data.file_path;
}

Deno.test("UploadStore.put() takes chunks up to 32 MiB, and 64 MiB in all", () => {
  verifies("simulator-streams");
  deepStrictEqual([MAX_CHUNK_BYTES, MAX_STORED_BYTES], [33_554_432, 67_108_864]);
  const store = new UploadStore(10001, Date.now);
  const upload = store.create("a", options);
  throws(() => store.put(upload, 0, new Uint8Array(MAX_CHUNK_BYTES + 1)), /chunk exceeds 33554432 bytes/);
  store.put(upload, 0, new Uint8Array(MAX_CHUNK_BYTES));
  store.put(upload, 1, new Uint8Array(MAX_CHUNK_BYTES));
  throws(() => store.put(upload, 2, new Uint8Array(1)), /stores at most 67108864 bytes/);
  store.put(upload, 2, new Uint8Array());
  // Merging makes no room, deleting does.
  strictEqual(store.complete(upload).sizeBytes, MAX_STORED_BYTES);
  throws(() => store.put(store.create("b", options), 0, new Uint8Array(1)), /stores at most/);
  strictEqual(store.clean(), 1);
  store.put(store.create("c", options), 0, new Uint8Array(1));
});

Deno.test("UploadStore gives the bytes of an upload back when it is reset", () => {
  verifies("simulator-streams");
  const store = new UploadStore(10001, Date.now);
  for (const id of ["a", "b", "c"]) {
    const upload = store.create(id, options);
    store.put(upload, 0, new Uint8Array(MAX_CHUNK_BYTES));
    store.put(upload, 1, new Uint8Array(MAX_CHUNK_BYTES));
    store.discard(id);
  }
});

Deno.test("upload_file_stream refuses a 65th upload until one of them is over", async () => {
  verifies("simulator-streams");
  strictEqual(MAX_UPLOADS, 64);
  await using simulator = await startSimulator();
  for (let index = 0; index < MAX_UPLOADS; index += 1) {
    await upload(simulator, { stream_id: `${index}`, total_chunks: 1 });
  }
  const last = { stream_id: "last", total_chunks: 1, chunk_index: 0, chunk_data: "" };
  match((await upload(simulator, last)).wording ?? "", /too many/);
  strictEqual((await upload(simulator, { ...last, stream_id: "0" })).retcode, 0, "those under way go on");
  await upload(simulator, { stream_id: "1", reset: true });
  strictEqual((await upload(simulator, last)).retcode, 0);
});

Deno.test("merged files end with their retention, 5 minutes unless the creating call says otherwise", async () => {
  verifies("simulator-streams");
  let now = 1_800_000_000_000;
  await using simulator = await startSimulator({ now: () => now });
  const isThere = async (file: string): Promise<boolean> =>
    (await frames(simulator, "download_file_stream", { file })).length === 3;
  const short = await once(simulator, "short", { file_retention: 1000 });
  const usual = await once(simulator, "usual");
  const forever = await once(simulator, "forever", { file_retention: 0 });
  now += 999;
  strictEqual(await isThere(short), true);
  now += 1;
  strictEqual(await isThere(short), false);
  await refusal(simulator, "upload_group_file", { group_id: 20001, file: short }, 100);
  now += 298_999;
  strictEqual(await isThere(usual), true);
  now += 1;
  strictEqual(await isThere(usual), false);
  now += 1e12;
  strictEqual(await isThere(forever), true);
});

Deno.test("an upload is dropped 10 minutes after its last stored chunk", async () => {
  verifies("simulator-streams");
  strictEqual(IDLE_MS, 600_000);
  let now = 1_800_000_000_000;
  await using simulator = await startSimulator({ now: () => now });
  const chunk = (chunk_index: number): Promise<unknown> =>
    upload(simulator, { stream_id: "s", chunk_index, chunk_data: base64("x") });
  const retcode = async (): Promise<number> => (await upload(simulator, { stream_id: "s", verify_only: true })).retcode;
  await upload(simulator, { stream_id: "s", total_chunks: 3 });
  now += IDLE_MS - 1;
  await chunk(0);
  now += IDLE_MS - 1;
  await chunk(1);
  now += IDLE_MS - 1;
  // Neither a repeated chunk nor a question counts.
  await chunk(1);
  strictEqual(await retcode(), 0);
  now += 1;
  strictEqual(await retcode(), 100);
});

Deno.test("clean_stream_temp_file deletes merged files and keeps uploads under way", async () => {
  verifies("simulator-streams");
  await using simulator = await startSimulator();
  const file = await once(simulator, "a", { file_retention: 0 });
  await once(simulator, "b");
  await upload(simulator, { stream_id: "c", total_chunks: 2, chunk_index: 1, chunk_data: base64("x") });
  deepStrictEqual(await data(simulator, "clean_stream_temp_file"), { message: "success", removed: 2 });
  deepStrictEqual(await data(simulator, "clean_stream_temp_file"), { message: "success", removed: 0 });
  strictEqual((await frames(simulator, "download_file_stream", { file }))[0]?.retcode, 100);
  strictEqual((await upload(simulator, { stream_id: "c", verify_only: true })).data.received_chunks, 1);
});
