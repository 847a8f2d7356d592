/** Names that bots give to files: they are hints, whatever they hold. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { generatedFile, generatedSha256, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { download, list, makeFolders, resultOf, sha256, transferServer } from "./transfer_support.ts";

/** What a bot says, and what becomes of it. */
const NAMES: ReadonlyArray<readonly [hint: string, name: string]> = [
  ["../../evil.txt", "evil.txt"],
  ["/etc/passwd", "passwd"],
  ["..\\..\\boot.ini", "boot.ini"],
  ["C:\\Windows\\win.ini", "win.ini"],
  ["..", "download"],
  ["", "download (2)"],
  ["/", "download (3)"],
  ["nul\0byte.txt", "nul_byte.txt"],
  ["two\nlines.txt", "two_lines.txt"],
  [".bashrc", "bashrc"],
  ["CON.txt", "_CON.txt"],
  ["a:stream.txt", "a_stream.txt"],
  ["dot. ", "dot"],
  ["movie.part", "movie_part"],
  [`.onebot-${"0".repeat(32)}-5.part`, `onebot-${"0".repeat(32)}-5_part`],
  ["gpj\u202Egnp.exe", "gpjgnp.exe"],
  ["图片 – 1.png", "图片 – 1.png"],
  [`${"x".repeat(1000)}.jpeg`, `${"x".repeat(195)}.jpeg`],
];

Deno.test("a remote name never leads out of the folder, and keeps its meaning", async (t) => {
  verifies("download-name");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders);
  for (const [hint, name] of NAMES) {
    await t.step(name, async () => {
      const { file_path } = resultOf(await download(server, hint, generatedFile(100, hint)));
      strictEqual(dirname(file_path), folders.downloads);
      strictEqual(basename(file_path), name);
      strictEqual((await Deno.lstat(file_path)).size, 100);
    });
  }
  deepStrictEqual(await list(folders.downloads), NAMES.map(([, name]) => name).sort());
  deepStrictEqual(await list(folders.top), ["down", "up"]);
});

Deno.test("a download takes another name where its own is taken, by whatever it is, and replaces nothing", async () => {
  verifies("download-name", "download-kept");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders);
  const at = (name: string): string => join(folders.downloads, name);
  const target = join(folders.top, "target");
  await Deno.writeTextFile(at("a.txt"), "mine");
  await Deno.mkdir(at("a (2).txt"));
  await Deno.writeTextFile(target, "elsewhere");
  await Deno.symlink(target, at("a (3).txt"));
  await Deno.symlink("nowhere", at("a (4).txt"));
  const paths: string[] = [];
  for (const size of [1, 2, 3]) {
    paths.push(resultOf(await download(server, `down ${size}`, generatedFile(size, "a.txt"))).file_path);
  }
  deepStrictEqual(paths, [at("a (5).txt"), at("a (6).txt"), at("a (7).txt")]);
  for (const [index, path] of paths.entries()) {
    strictEqual(await sha256(await Deno.readFile(path)), generatedSha256(index + 1));
  }
  deepStrictEqual([await Deno.readTextFile(at("a.txt")), await Deno.readTextFile(target)], ["mine", "elsewhere"]);
  ok((await Deno.lstat(at("a (2).txt"))).isDirectory);
  strictEqual(await Deno.readLink(at("a (4).txt")), "nowhere");
  deepStrictEqual(await list(folders.top), ["down", "target", "up"]);
});

Deno.test("four downloads of one name at once get four names", async () => {
  verifies("download-name");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders);
  const sizes = [1000, 2000, 3000, 4000];
  const saved = await Promise.all(
    sizes.map(async (size) => resultOf(await download(server, `${size}`, generatedFile(size, "same.bin")))),
  );
  for (const [index, { file_path }] of saved.entries()) {
    strictEqual(await sha256(await Deno.readFile(file_path)), generatedSha256(sizes[index] ?? 0));
  }
  const names = ["same (2).bin", "same (3).bin", "same (4).bin", "same.bin"];
  deepStrictEqual(await list(folders.downloads), names);
});
