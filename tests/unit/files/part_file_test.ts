import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { DownloadFolder } from "../../../lib/files/download_folder.ts";
import { PartFile, partName } from "../../../lib/files/part_file.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { bits, list, startChild, tempFolder } from "./support.ts";

function open(path: string): Promise<DownloadFolder> {
  return DownloadFolder.open(path, { isDefault: false, quotaBytes: 100_000_000 });
}

/** A part file on a file system without hard links, as FAT and some network shares are. */
async function withoutLinks(folder: string): Promise<PartFile> {
  const path = join(folder, partName(100));
  const file = await Deno.open(path, { read: true, write: true, createNew: true, mode: 0o600 });
  await file.lock(true);
  const link = () => Promise.reject(new Deno.errors.PermissionDenied("Operation not permitted (os error 1)"));
  return new PartFile(file, path, 100, link);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("PartFile holds what is written under a hidden name until commit() publishes it", async () => {
  verifies("download-whole", "download-part", "download-name");
  await using temp = await tempFolder();
  await using part = await (await open(temp.path)).reserve(5_000_000);
  const [name = ""] = await list(temp.path);
  match(name, /^\.onebot-[0-9a-f]{32}-5000000\.part$/);
  strictEqual(await bits(join(temp.path, name)), 0o600);

  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  for (let n = 0; n < 80; n++) await part.write(bytes);
  await part.write(new Uint8Array(0));
  deepStrictEqual(await list(temp.path), [name]);
  const path = await part.commit("../a\u202e/b?.bin");
  strictEqual(path, join(temp.path, "b_.bin"));
  strictEqual(await bits(path), 0o600);
  const written = await Deno.readFile(path);
  strictEqual(written.length, 80 * 60_000);
  deepStrictEqual(written.subarray(-60_000), bytes);
  await part.discard();
  deepStrictEqual(await list(temp.path), ["b_.bin"], "what is committed stays");
});

Deno.test("PartFile.discard() removes the file, twice too, and never throws", async () => {
  verifies("download-part");
  await using temp = await tempFolder();
  const folder = await open(temp.path);
  const part = await folder.reserve(10);
  await part.write(bytesOf("half"));
  await part.discard();
  deepStrictEqual(await list(temp.path), []);
  await part.discard();
  strictEqual((await failureOf(() => part.write(bytesOf("more")))).kind, "storage");
  strictEqual((await failureOf(() => part.commit("a"))).kind, "storage");
  deepStrictEqual(await list(temp.path), []);

  const lost = await folder.reserve(10);
  await Deno.remove(join(temp.path, (await list(temp.path))[0] ?? ""));
  strictEqual((await failureOf(() => lost.commit("a"))).kind, "storage");
  await lost.discard();
  deepStrictEqual(await list(temp.path), []);
});

Deno.test("PartFile.write() takes what was reserved and not a byte more", async () => {
  verifies("download-quota");
  await using temp = await tempFolder();
  await using part = await (await open(temp.path)).reserve(10);
  await part.write(new Uint8Array(7));
  await part.write(new Uint8Array(3));
  const { kind, message } = await failureOf(() => part.write(new Uint8Array(1)));
  strictEqual(kind, "quota");
  match(message, /its reservation has 0 bytes left, and 1 came$/);
});

Deno.test({
  name: "PartFile.write() tells what the disk refuses in the system's words, and the file goes",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("download-part");
    await using temp = await tempFolder();
    const grants = [`--allow-read=${temp.path}`, `--allow-write=${temp.path}`];
    // files of this process end at a few KiB: one write is cut short, the next one fails
    const before = "trap '' XFSZ; ulimit -f 8";
    await using child = startChild("folder_child.ts", grants, [temp.path, "1000000", "100000"], before);
    const { kind, message, next } = JSON.parse(await child.ask("download a.bin"));
    strictEqual(kind, "storage");
    match(message, /^Cannot store the download: File too large/);
    match(next, /disk.*\.$/);
    deepStrictEqual(await list(temp.path), []);
  },
});

for (const [how, make] of [["a hard link", undefined], ["a placeholder", withoutLinks]] as const) {
  Deno.test(`PartFile.commit() by ${how} replaces nothing and numbers what is taken`, async () => {
    verifies("download-name", "download-kept");
    await using temp = await tempFolder();
    const folder = await open(temp.path);
    const publish = async (text: string): Promise<string> => {
      await using part = await (make?.(temp.path) ?? folder.reserve(100));
      await part.write(bytesOf(text));
      return await part.commit("a.txt");
    };
    await Deno.writeTextFile(join(temp.path, "a.txt"), "kept");
    await Deno.mkdir(join(temp.path, "a (2).txt"));
    await Deno.symlink("nowhere", join(temp.path, "a (3).txt"));
    strictEqual(await publish("first"), join(temp.path, "a (4).txt"));
    strictEqual(await publish("second"), join(temp.path, "a (5).txt"));
    strictEqual(await Deno.readTextFile(join(temp.path, "a.txt")), "kept");
    strictEqual(await Deno.readLink(join(temp.path, "a (3).txt")), "nowhere");
    strictEqual(await Deno.readTextFile(join(temp.path, "a (4).txt")), "first");
    strictEqual(await Deno.readTextFile(join(temp.path, "a (5).txt")), "second");
    strictEqual(await bits(join(temp.path, "a (5).txt")), 0o600);
    deepStrictEqual((await list(temp.path)).filter((name) => name.startsWith(".")), []);
  });

  Deno.test(`PartFile.commit() by ${how} gives many at once a file each`, async () => {
    verifies("download-name");
    await using temp = await tempFolder();
    const folder = await open(temp.path);
    const texts = Array.from({ length: 40 }, (_, n) => `file ${n}`);
    const paths = await Promise.all(texts.map(async (text) => {
      await using part = await (make?.(temp.path) ?? folder.reserve(100));
      await part.write(bytesOf(text));
      return await part.commit("same.txt");
    }));
    strictEqual(new Set(paths).size, texts.length);
    deepStrictEqual(await Promise.all(paths.map((path) => Deno.readTextFile(path))), texts);
    strictEqual((await list(temp.path)).length, texts.length);
  });
}

/** What may take the place of a part file; what is outside must not be harmed. */
const EXCHANGES: Readonly<Record<string, (part: string, outside: string) => Promise<void>>> = {
  "another file": async (part, outside) => {
    await Deno.copyFile(outside, `${part}.new`);
    await Deno.rename(`${part}.new`, part);
  },
  "a link to a file": async (part, outside) => {
    await Deno.remove(part);
    await Deno.symlink(outside, part);
  },
  "a link to nothing": async (part) => {
    await Deno.remove(part);
    await Deno.symlink("nowhere", part);
  },
  "a link to the part itself": async (part, outside) => {
    await Deno.rename(part, `${outside}.part`);
    await Deno.symlink(`${outside}.part`, part);
  },
  "a hard link": async (part, outside) => {
    await Deno.remove(part);
    await Deno.link(outside, part);
  },
};

for (const [what, exchange] of Object.entries(EXCHANGES)) {
  Deno.test(`PartFile.commit() publishes nothing when ${what} has taken the place of the part`, async () => {
    verifies("download-whole", "download-name");
    for (const make of [withoutLinks, async (path: string) => await (await open(path)).reserve(100)]) {
      await using temp = await tempFolder();
      const [folder, outside] = [join(temp.path, "down"), join(temp.path, "outside")];
      await Deno.mkdir(folder, { mode: 0o700 });
      await Deno.writeTextFile(outside, "not ours");
      await using part = await make(folder);
      await part.write(bytesOf("ours"));
      const [name = ""] = await list(folder);
      await exchange(join(folder, name), outside);
      const { kind, message } = await failureOf(() => part.commit("a.txt"));
      strictEqual(kind, "storage");
      match(message, /^Cannot store the download: .*exchanged/);
      deepStrictEqual((await list(folder)).filter((left) => left !== name), []);
      await part.discard();
      deepStrictEqual(await list(folder), []);
      strictEqual(await Deno.readTextFile(outside), "not ours");
    }
  });
}

Deno.test("PartFile.commit() without links and without a file to publish leaves no placeholder", async () => {
  verifies("download-whole");
  await using temp = await tempFolder();
  await using part = await withoutLinks(temp.path);
  await Deno.remove(join(temp.path, (await list(temp.path))[0] ?? ""));
  strictEqual((await failureOf(() => part.commit("a.txt"))).kind, "storage");
  deepStrictEqual(await list(temp.path), []);
});

Deno.test("PartFile.commit() chooses by chance after a thousand numbers", async () => {
  verifies("download-name");
  await using temp = await tempFolder();
  const taken = ["a.txt", ...Array.from({ length: 999 }, (_, n) => `a (${n + 2}).txt`)];
  await Promise.all(taken.map((name) => Deno.writeTextFile(join(temp.path, name), "")));
  await using part = await (await open(temp.path)).reserve(0);
  const path = await part.commit("a.txt");
  ok(/\/a \([0-9a-f]{16}\)\.txt$/.test(path.replaceAll("\\", "/")), path);
});
