/** Downloads that come through: the file, its name and modes, and what the caller is told. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, generatedLink, generatedSha256, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { RawBot } from "../support/raw_bot.ts";
import * as support from "./transfer_support.ts";

const { bits, begin, download, heldFile, list, makeFolders, partFiles, pattern, resultOf, sha256 } = support;

/** Sizes around those of chunks, and how many chunks of 65,536 bytes they make. */
const SIZES: ReadonlyArray<readonly [bytes: number, chunks: number]> = [
  [0, 0],
  [1, 1],
  [65_536, 1],
  [65_537, 2],
  [5_000_003, 77],
];

for (const connect of CLIENTS) {
  Deno.test(`a download gives path, size, hash, count and last frame of a file that is there (${connect.name})`, async () => {
    verifies("download-whole", "download-result", "eras-equal", "stream-chosen");
    await using folders = await makeFolders();
    await using bot = await startSimulator();
    await using client = await connect(support.transferOptions(bot, folders));
    for (const [size, chunks] of SIZES) {
      const args = support.downloadArgs(generatedFile(size));
      const { file_path, terminal, ...rest } = resultOf(await client.callTool("invoke_action", args));
      const hash = generatedSha256(size);
      deepStrictEqual(rest, { file_size: size, sha256: hash, frame_count: chunks + 2 });
      strictEqual(file_path, join(folders.downloads, `${size}.bin`));
      strictEqual(await sha256(await Deno.readFile(file_path)), hash);
      const { message: _, ...told } = terminal;
      deepStrictEqual(told, {
        ...{ type: "response", data_type: "file_complete", file_name: `${size}.bin` },
        ...{ total_chunks: chunks, total_bytes: size },
      });
    }
    deepStrictEqual(await list(folders.downloads), SIZES.map(([size]) => `${size}.bin`).sort());
  });
}

Deno.test("a download takes files of unknown size, other chunk sizes, and the other actions that give files", async () => {
  verifies("download-whole", "download-result", "stream-chosen");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await support.transferServer(bot, folders);
  const calls = [
    ["download_file_stream", { file: generatedLink(300_000) }],
    ["download_file_stream", { file: generatedFile(300_000), chunk_size: 1000 }],
    ["download_file_stream", { file_id: generatedFile(300_000), chunk_size: 300_000 }],
    ["download_file_image_stream", { file: generatedFile(300_000) }],
    ["download_file_record_stream", { file: generatedFile(300_000) }],
  ] as const;
  const hash = generatedSha256(300_000);
  for (const [index, [action, params]] of calls.entries()) {
    const saved = resultOf(await server.call(index, "invoke_action", { action, params }, 20_000));
    deepStrictEqual(Object.keys(saved), ["file_path", "file_size", "sha256", "frame_count", "terminal"]);
    deepStrictEqual([saved.file_size, saved.sha256], [300_000, hash]);
    strictEqual(await sha256(await Deno.readFile(saved.file_path)), hash);
  }
  deepStrictEqual(bot.requests.map(({ params }) => params), calls.map(([, params]) => params));
});

Deno.test("a download is a .part file of mode 0600 in a folder of mode 0700 until it is whole", async () => {
  verifies("download-part", "download-whole", "download-folder");
  await using folders = await makeFolders();
  await using bot = new RawBot();
  const go = Promise.withResolvers<void>();
  bot.script(heldFile(go.promise, { name: "whole.bin", announced: 1000 }));
  await using server = await support.transferServer(bot, folders);
  strictEqual(await bits(folders.downloads), 0o700, "it is made at start");
  await begin(server, "held", support.downloadArgs("x"));
  const [part = ""] = await partFiles(folders.downloads, 1);
  const path = join(folders.downloads, part);
  await support.eventually(async () => (await Deno.stat(path)).size === 500 || undefined);
  match(part, /^\.onebot-[0-9a-f]{32}-1000\.part$/);
  strictEqual(await bits(path), 0o600);
  deepStrictEqual(await list(folders.downloads), [part]);
  go.resolve();
  const saved = resultOf(await server.receive(({ id }) => id === "held"));
  deepStrictEqual(await list(folders.downloads), ["whole.bin"]);
  strictEqual(await bits(saved.file_path), 0o600);
  deepStrictEqual(await Deno.readFile(saved.file_path), pattern(1000));
});

Deno.test("a download folder that is there keeps its mode, and one deep below is made", async () => {
  verifies("download-folder", "download-kept");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await Deno.mkdir(folders.downloads);
  await Deno.chmod(folders.downloads, 0o750);
  await Deno.writeTextFile(join(folders.downloads, "mine.txt"), "mine");
  for (const downloads of [folders.downloads, join(folders.downloads, "a", "b")]) {
    await using server = await support.transferServer(bot, { ...folders, downloads });
    resultOf(await download(server, "down", generatedFile(10)));
    deepStrictEqual((await list(downloads)).includes("10.bin"), true);
  }
  strictEqual(await bits(folders.downloads), 0o750);
  strictEqual(await bits(join(folders.downloads, "a", "b")), 0o700);
  strictEqual(await Deno.readTextFile(join(folders.downloads, "mine.txt")), "mine");
});
