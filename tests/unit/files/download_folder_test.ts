import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { DownloadFolder } from "../../../lib/files/download_folder.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { bits, isRoot, list, startChild, tempFolder } from "./support.ts";

const NAMED = { isDefault: false, quotaBytes: 1000 };
const DEFAULT = { isDefault: true, quotaBytes: 1000 };

/** Opens a folder that has to be refused, and gives the message. */
async function refusal(path: string, options = NAMED): Promise<string> {
  const { kind, message, nextStep } = await failureOf(() => DownloadFolder.open(path, options));
  strictEqual(kind, "storage");
  match(message, /^Cannot use the download folder ".*": .*[^.]$/);
  match(nextStep, /SNOWLUMA_MCP_STREAM_DIR/);
  return message;
}

Deno.test("DownloadFolder.open() makes what is missing for its user alone, and leaves nothing in it", async () => {
  verifies("download-folder");
  await using temp = await tempFolder();
  const path = join(temp.path, "a", "b");
  strictEqual((await DownloadFolder.open(path, DEFAULT)).path, path);
  strictEqual(await bits(path), 0o700);
  strictEqual(await bits(join(temp.path, "a")), 0o700);
  strictEqual((await list(path)).length, 0);
  await Deno.writeTextFile(join(path, "kept.txt"), "kept");
  await DownloadFolder.open(path, DEFAULT);
  strictEqual((await list(path)).join(), "kept.txt");
});

Deno.test("DownloadFolder.open() refuses a folder that its group or others may write to", async () => {
  verifies("download-folder");
  await using temp = await tempFolder();
  for (const mode of [0o770, 0o702, 0o1777]) {
    await Deno.chmod(temp.path, mode);
    match(await refusal(temp.path), /its group or others may write to it$/);
  }
  for (const mode of [0o755, 0o700]) {
    await Deno.chmod(temp.path, mode);
    await DownloadFolder.open(temp.path, DEFAULT);
  }
});

Deno.test("DownloadFolder.open() follows a link only if the operator named it, and checks what it leads to", async () => {
  verifies("download-folder");
  await using temp = await tempFolder();
  const [real, link] = [join(temp.path, "real"), join(temp.path, "link")];
  await Deno.mkdir(real, { mode: 0o700 });
  await Deno.symlink(real, link);
  match(await refusal(link, DEFAULT), /it is a symbolic link$/);
  strictEqual((await DownloadFolder.open(link, NAMED)).path, real);
  await Deno.chmod(real, 0o770);
  match(await refusal(link), /may write to it$/);
  await Deno.remove(real);
  for (const options of [NAMED, DEFAULT]) await refusal(link, options);
});

Deno.test("DownloadFolder.open() refuses what is no directory", async () => {
  verifies("download-folder");
  await using temp = await tempFolder();
  const file = join(temp.path, "file");
  await Deno.writeTextFile(file, "");
  match(await refusal(file), /it is not a directory$/);
  match(await refusal(join(file, "below")), /Not a directory \(ENOTDIR\)$/);
});

Deno.test({
  name: "DownloadFolder.open() refuses somebody else's folder",
  ignore: !await isRoot(),
  fn: async () => {
    verifies("download-folder");
    await using temp = await tempFolder();
    await Deno.chown(temp.path, 12_345, null);
    match(await refusal(temp.path), /it belongs to another user$/);
    strictEqual((await list(temp.path)).length, 0);
  },
});

Deno.test("DownloadFolder.open() names the grants that are missing", async () => {
  verifies("download-folder", "no-prompt");
  await using temp = await tempFolder();
  const [real, link] = [join(temp.path, "real"), join(temp.path, "link")];
  await Deno.mkdir(real, { mode: 0o700 });
  await Deno.symlink(real, link);
  const told = async (path: string, ...grants: string[]): Promise<string> => {
    await using child = startChild("folder_child.ts", grants, [path, "1000"]);
    return await child.ask("reclaim");
  };
  const [none, half, whole, beyond] = await Promise.all([
    told(real),
    told(real, `--allow-read=${real}`),
    told(real, `--allow-read=${real}`, `--allow-write=${real}`),
    told(link, `--allow-read=${link}`, `--allow-write=${link}`),
  ]);
  ok(
    none?.includes(`add --allow-read=${real} --allow-write=${real}, or set SNOWLUMA_MCP_STREAM_DIR to a folder`),
    none,
  );
  ok(half?.includes(`add --allow-write=${real}, or set SNOWLUMA_MCP_STREAM_DIR to a folder`), half);
  strictEqual(whole, "0");
  match(beyond ?? "", /"storage".*it is a symbolic link/);
});

Deno.test("DownloadFolder.reserve() makes the folder again that was cleaned away, and refuses one that was exchanged", async () => {
  verifies("download-folder", "download-default");
  await using temp = await tempFolder();
  const path = join(temp.path, "downloads");
  const folder = await DownloadFolder.open(path, { isDefault: true, quotaBytes: 10 });
  await Deno.remove(path);
  await (await folder.reserve(1)).discard();
  strictEqual(await bits(path), 0o700);
  await Deno.remove(path);
  await Deno.symlink(temp.path, path);
  strictEqual((await failureOf(() => folder.reserve(1))).kind, "storage");
  deepStrictEqual(await list(temp.path), ["downloads"]);
});
