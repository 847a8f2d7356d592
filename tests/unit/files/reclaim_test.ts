import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { Failure } from "../../../lib/errors.ts";
import { DownloadFolder } from "../../../lib/files/download_folder.ts";
import { type PartFile, partName, reservedBytes } from "../../../lib/files/part_file.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { list, startChild, tempFolder } from "./support.ts";

const OPTIONS = { isDefault: false, quotaBytes: 1000 };

Deno.test("partName() carries a reservation, and reservedBytes() knows no other names", () => {
  verifies("download-reclaim");
  for (const bytes of [0, 1, 8_589_934_592, 999_999_999_999_999]) strictEqual(reservedBytes(partName(bytes)), bytes);
  const hex = "0123456789abcdef".repeat(2);
  strictEqual(reservedBytes(`.onebot-${hex}-7.part`), 7);
  const foreign = [
    "movie.mp4.part",
    `.onebot-${hex}.part`,
    `.onebot-${hex}-07.part`,
    `.onebot-${hex}-7.PART`,
    `.onebot-${hex}-7.part.txt`,
    `.onebot-${hex.toUpperCase()}-7.part`,
    `.onebot-${hex}0-7.part`,
    `.onebot-${hex}-1000000000000000.part`,
    `x.onebot-${hex}-7.part`,
    `.onebot-${hex}-7.part\n`,
  ];
  for (const name of foreign) strictEqual(reservedBytes(name), undefined, name);
});

Deno.test("DownloadFolder.reclaim() removes what a killed process left, and nothing of a living one", async () => {
  verifies("download-reclaim", "download-part");
  await using temp = await tempFolder();
  const grants = [`--allow-read=${temp.path}`, `--allow-write=${temp.path}`];
  await using child = startChild("folder_child.ts", grants, [temp.path, "1000", "400"]);
  strictEqual(await child.ask("reserve 2"), "2");
  const folder = await DownloadFolder.open(temp.path, OPTIONS);
  await using _own = await folder.reserve(100);
  strictEqual(await folder.reclaim(), 0);
  strictEqual(await child.ask("reclaim"), "0");
  strictEqual((await list(temp.path)).length, 3);

  await failureOf(() => folder.reserve(500));
  await child.kill();
  await using _room = await folder.reserve(500); // what the dead one held is reclaimed for it
  strictEqual((await list(temp.path)).length, 2);
  strictEqual(await folder.reclaim(), 0);
});

Deno.test("DownloadFolder.reclaim() touches only regular files of its own naming", async () => {
  verifies("download-reclaim", "download-kept");
  await using temp = await tempFolder();
  const folder = await DownloadFolder.open(temp.path, OPTIONS);
  const kept = ["movie.mp4.part", ".onebot-x-1.part", "finished.bin", partName(1), partName(2), partName(3)];
  const [, , finished = "", link = "", directory = "", fifo = ""] = kept;
  for (const name of kept.slice(0, 3)) await Deno.writeTextFile(join(temp.path, name), name);
  await Deno.symlink(join(temp.path, finished), join(temp.path, link));
  await Deno.mkdir(join(temp.path, directory));
  await new Deno.Command("mkfifo", { args: [join(temp.path, fifo)] }).output();
  for (const name of [partName(0), partName(400)]) await Deno.writeTextFile(join(temp.path, name), "left over");
  strictEqual(await folder.reclaim(), 2);
  deepStrictEqual(await list(temp.path), kept.sort());
});

Deno.test("DownloadFolder.reserve() gives no part file that a starting process takes for a left-over", async () => {
  verifies("download-reclaim");
  await using temp = await tempFolder();
  const open = () => DownloadFolder.open(temp.path, OPTIONS);
  const [writer, starter] = await Promise.all([open(), open()]);
  let starting = true;
  const reclaiming = (async () => {
    while (starting) await starter.reclaim();
  })();
  try {
    for (let round = 0; round < 500; round++) {
      await using _part = await reserve(writer);
      strictEqual((await list(temp.path)).length, 1);
    }
  } finally {
    starting = false;
    await reclaiming;
  }
  deepStrictEqual(await list(temp.path), []);
});

/** Reserves as often as it takes: nobody starts as often as the test above. */
async function reserve(folder: DownloadFolder): Promise<PartFile> {
  try {
    return await folder.reserve(10);
  } catch (error) {
    if (error instanceof Failure && error.message.endsWith("each one is removed at once")) return await reserve(folder);
    throw error;
  }
}
