/** Uploads that come through: what the bot gets call by call, and what the caller is told. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import type { RawScript } from "../support/raw_bot.ts";
import * as support from "./transfer_support.ts";
import { UploadBot } from "./upload_bot.ts";

const { makeFolders, pattern, resultOf, sha256, transferOptions, transferServer, upload, uploadArgs } = support;
const MIB = 1024 * 1024;

/** File sizes, and the chunks they make. */
const SIZES: ReadonlyArray<readonly [bytes: number, chunks: readonly number[]]> = [
  [0, [0]],
  [1, [1]],
  [MIB - 1, [MIB - 1]],
  [MIB, [MIB]],
  [MIB + 1, [MIB, 1]],
  [10 * MIB, Array(10).fill(MIB)],
];

Deno.test("an upload sends chunks of 1 MiB, then one call without any that carries the hash", async (t) => {
  verifies("upload-chunks", "upload-empty", "upload-checked");
  await using folders = await makeFolders();
  await using bot = new UploadBot();
  await using server = await transferServer(bot, folders);
  for (const [size, chunks] of SIZES) {
    await t.step(`${size} bytes`, async () => {
      bot.calls.length = 0;
      const bytes = pattern(size);
      await Deno.writeFile(join(folders.uploads, "file.bin"), bytes);
      const result = resultOf(await upload(server, `up-${size}`, "file.bin"));

      const hash = await sha256(bytes);
      strictEqual(await sha256(bot.content), hash);
      const total_chunks = chunks.length;
      const [first, ...others] = bot.of("chunk").sort((a, b) => a.index - b.index);
      const { stream_id } = first?.params ?? {};
      match(stream_id, /^[A-Za-z0-9_-]{1,128}$/);
      deepStrictEqual(first?.params, {
        filename: "file.bin",
        total_chunks,
        file_size: size,
        stream_id,
        chunk_index: 0,
      });
      deepStrictEqual(
        others.map(({ params }) => params),
        chunks.slice(1).map((_, n) => ({ stream_id, chunk_index: n + 1 })),
      );
      deepStrictEqual(bot.of("chunk").map((call) => call.bytes.length).sort(), [...chunks].sort());
      const last = { stream_id, is_complete: true, expected_sha256: hash };
      deepStrictEqual(bot.calls.at(-1)?.params, last, "the last call comes after all others");
      strictEqual(bot.tally, `${total_chunks}/1/0`);
      deepStrictEqual(result.data, {
        ...{ type: "response", status: "file_complete", stream_id, received_chunks: total_chunks, total_chunks },
        ...{ file_path: "/bot/merged.bin", file_size: size, sha256: hash },
      });
    });
  }
});

Deno.test("an upload has its first chunk alone under way, then at most four, and several while they are quick", async () => {
  verifies("upload-chunks", "transfer-memory");
  await using folders = await makeFolders();
  const four = Promise.withResolvers<void>();
  await using bot = new UploadBot((call, right) =>
    held(call.index > 0 && call.index < 5 ? four.promise : undefined, right)
  );
  await using server = await transferServer(bot, folders);
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(9 * MIB + 1));
  const call = upload(server, "up", "file.bin");
  await bot.came("chunk", 5);
  await new Promise((resolve) => setTimeout(resolve, 200)); // a sixth one would come now
  deepStrictEqual(bot.calls.map(({ inFlight }) => inFlight), [1, 1, 2, 3, 4]);
  four.resolve();
  resultOf(await call);
  ok(bot.calls.every(({ inFlight }) => inFlight <= 4));
  strictEqual(bot.tally, "10/1/0");
});

/** The right answer after something else has happened. */
function held(until: Promise<void> | undefined, right: RawScript): RawScript {
  return async (connection) => {
    await until;
    await right(connection);
  };
}

Deno.test("an upload passes filename and file_retention on, and no path of this machine", async () => {
  verifies("upload-path", "upload-owned");
  await using folders = await makeFolders();
  await using bot = new UploadBot();
  await using server = await transferServer(bot, folders);
  await Deno.mkdir(join(folders.uploads, "inner"), { mode: 0o755 });
  const absolute = join(folders.uploads, "inner", "photo.png");
  await Deno.writeFile(absolute, pattern(100));
  for (const path of [absolute, "inner/photo.png", "./inner/photo.png"]) {
    bot.calls.length = 0;
    resultOf(await upload(server, `up ${path}`, path, { filename: "cat.png", file_retention: 0 }));
    const { filename, file_retention } = bot.of("chunk")[0]?.params ?? {};
    deepStrictEqual([filename, file_retention], ["cat.png", 0]);
  }
  resultOf(await upload(server, "own name", absolute));
  strictEqual(bot.of("chunk").at(-1)?.params.filename, "photo.png");
  ok(bot.received.includes("photo.png"));
  for (const part of [folders.top, folders.uploads, "inner", "input_file"]) ok(!bot.received.includes(part), part);
});

for (const connect of CLIENTS) {
  Deno.test(`a file that was uploaded can be sent and downloaded again (${connect.name})`, async () => {
    verifies("upload-chunks", "download-whole", "eras-equal", "stream-chosen");
    await using folders = await makeFolders();
    await using bot = await startSimulator();
    await using client = await connect(transferOptions(bot, folders));
    const bytes = pattern(3 * MIB + 7);
    await Deno.writeFile(join(folders.uploads, "三.bin"), bytes);
    const up = resultOf(await client.callTool("invoke_action", uploadArgs("三.bin")));
    strictEqual(up.data.sha256, await sha256(bytes));
    const args = support.downloadArgs(up.data.file_path);
    const down = resultOf(await client.callTool("invoke_action", args));
    deepStrictEqual(await Deno.readFile(down.file_path), new Uint8Array(bytes));
    const send = { action: "upload_group_file", params: { group_id: 20001, file: up.data.file_path, name: "三.bin" } };
    strictEqual((await client.callTool("invoke_action", send)).structuredContent.diagnostics.outcome, "success");
  });
}
