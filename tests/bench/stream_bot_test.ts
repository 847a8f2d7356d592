import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { startStreamBot } from "./stream_bot.ts";
import { download, upload } from "./transfer_floor.ts";

/** A frame, or the body of an answer that is not one, loosely. */
// deno-lint-ignore no-explicit-any
type Frame = Record<string, any>;

const SIZES = [0, 1, 65_535, 65_536, 65_537, 200_000];

async function ask(url: string, action: string, params: unknown): Promise<Frame[]> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ action, params }) });
  strictEqual(response.headers.get("content-type"), null);
  const text = await response.text();
  ok(text.endsWith("\r\n\r\n"), "the last frame is delimited too");
  return text.split("\r\n\r\n").slice(0, -1).map((frame) => JSON.parse(frame));
}

function urlOf(bot: ReturnType<typeof startStreamBot>): string {
  return `http://127.0.0.1:${bot.addr.port}/`;
}

/** Names and kinds of all fields, of `data` too. */
function shapeOf({ data, ...rest }: Frame): string[] {
  const kinds = (value: Frame): string[] => Object.entries(value).map(([name, field]) => `${name} ${typeof field}`);
  return [...kinds(rest), ...kinds(data).map((field) => `data.${field}`)].toSorted();
}

Deno.test("startStreamBot() sends frames whose sizes, counts and progress agree with their bytes", async () => {
  await using bot = startStreamBot();
  for (const size of SIZES) {
    const frames = await ask(urlOf(bot), "download_file_stream", { file: `generated:${size}` });
    const [info, ...chunks] = frames.map(({ data }) => data);
    const last = chunks.pop();
    strictEqual(info.file_size, size);
    let bytes = 0;
    for (const [position, { index, data, size, base64_size }] of chunks.entries()) {
      const decoded = Uint8Array.fromBase64(data, { lastChunkHandling: "strict" });
      deepStrictEqual([index, size, base64_size], [position, decoded.length, data.length]);
      bytes += decoded.length;
    }
    deepStrictEqual([last.total_chunks, last.total_bytes, bytes], [chunks.length, size, size]);
    strictEqual(chunks.at(-1)?.progress, size === 0 ? undefined : 100);
  }
});

Deno.test("startStreamBot() takes the chunk size that is asked for", async () => {
  await using bot = startStreamBot();
  const frames = await ask(urlOf(bot), "download_file_stream", { file: "generated:10000", chunk_size: 4096 });
  deepStrictEqual(frames.slice(1, -1).map(({ data }) => data.size), [4096, 4096, 1808]);
});

Deno.test("startStreamBot() answers in the frames of the simulator", async () => {
  await using bot = startStreamBot();
  await using simulator = await startSimulator();
  const sha256 = createHash("sha256").update("abcd").digest("hex");
  const calls = [
    { total_chunks: 1, filename: "a.txt", chunk_index: 0, chunk_data: btoa("abcd") },
    { is_complete: true, expected_sha256: sha256 },
  ];
  for (const call of calls) {
    const [ours = {}] = await ask(urlOf(bot), "upload_file_stream", { stream_id: "s", ...call });
    const [theirs = {}] = await ask(simulator.url, "upload_file_stream", { stream_id: "s", ...call });
    deepStrictEqual(shapeOf(ours), shapeOf(theirs));
    const { file_path: _ours, ...data } = ours.data;
    const { file_path: _theirs, ...expected } = theirs.data;
    deepStrictEqual(data, expected);
    if (call.is_complete !== true) continue;
    const downloaded = await ask(simulator.url, "download_file_stream", { file: theirs.data.file_path });
    const generated = await ask(urlOf(bot), "download_file_stream", { file: "generated:4" });
    deepStrictEqual(generated.map(shapeOf), downloaded.map(shapeOf));
  }
});

Deno.test("the floors carry every byte", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using bot = startStreamBot();
    for (const size of [1, 65_537, 3_000_000]) {
      const path = `${folder}/${size}`;
      const down = await download(urlOf(bot), `generated:${size}`, path);
      const sha256 = createHash("sha256").update(await Deno.readFile(path)).digest("hex");
      deepStrictEqual([down.bytes, down.sha256], [size, sha256]);
      const up = await upload(urlOf(bot), path);
      deepStrictEqual([up.bytes, up.sha256], [size, sha256]);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
