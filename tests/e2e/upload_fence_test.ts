/** What may not be uploaded is refused by the running server, and not a byte of it reaches the bot. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { failureOf } from "./exec_support.ts";
import { fileGrants, makeFolders, resultOf, transferOptions, transferServer, upload } from "./transfer_support.ts";
import { ServerProcess } from "../support/server_process.ts";
import { UploadBot } from "./upload_bot.ts";

const OUTSIDE = 'it leads out of the upload root, or has ".." in it';
const LINK = "it is, or is reached through, a link";
const NOT_REGULAR = "it is not a regular file";

/** Paths, `UP` being the root and `TOP` the folder around it, and why they are refused. */
const REFUSED: ReadonlyArray<readonly [path: string, why: string]> = [
  ["TOP/secret.txt", OUTSIDE],
  ["TOP/no such file", OUTSIDE],
  ["../secret.txt", OUTSIDE],
  ["folder/../../secret.txt", OUTSIDE],
  ["folder/../plain.txt", OUTSIDE],
  ["UP/../secret.txt", OUTSIDE],
  ["UP-beside/secret.txt", OUTSIDE],
  ["/etc/passwd", OUTSIDE],
  ["link.txt", LINK],
  ["inner-link.txt", LINK],
  ["dangling.txt", LINK],
  ["linked-folder/secret.txt", LINK],
  ["folder/deep-link/secret.txt", LINK],
  ["hard.txt", "it has another name, by a hard link"],
  ["pipe", NOT_REGULAR],
  ["folder", NOT_REGULAR],
  ["UP", NOT_REGULAR],
  ["open-to-all/file.txt", "others may write to a folder that it is in"],
  [".hidden", "hidden files are not uploaded"],
  ["id_rsa", "files of keys and passwords are not uploaded"],
  ["large.bin", "it has 1001 bytes, and 1000 are allowed"],
  ["plain\0.txt", "it is not a path"],
  ["no such file", "No such file or directory (ENOENT)"],
];

async function fill(top: string, up: string): Promise<void> {
  await Deno.mkdir(join(up, "folder"), { mode: 0o755 });
  await Deno.mkdir(join(up, "open-to-all"));
  await Deno.chmod(join(up, "open-to-all"), 0o777);
  await Deno.mkdir(`${up}-beside`);
  const files = ["plain.txt", "folder/plain.txt", "open-to-all/file.txt", ".hidden", "id_rsa", "large.bin"];
  for (const name of files) await Deno.writeFile(join(up, name), new Uint8Array(name === "large.bin" ? 1001 : 1000));
  for (const path of [join(top, "secret.txt"), `${up}-beside/secret.txt`]) await Deno.writeTextFile(path, "secret");
  await Deno.symlink(join(top, "secret.txt"), join(up, "link.txt"));
  await Deno.symlink("plain.txt", join(up, "inner-link.txt"));
  await Deno.symlink("nowhere", join(up, "dangling.txt"));
  await Deno.symlink(top, join(up, "linked-folder"));
  await Deno.symlink("../..", join(up, "folder", "deep-link"));
  await Deno.link(join(top, "secret.txt"), join(up, "hard.txt"));
  await new Deno.Command("mkfifo", { args: [join(up, "pipe")] }).output();
}

Deno.test({
  name: "what is not plainly a file of the upload root is refused, and nothing is sent",
  ignore: Deno.build.os === "windows",
  fn: async (t) => {
    verifies("upload-fence", "refusals-send-nothing");
    await using folders = await makeFolders();
    await fill(folders.top, folders.uploads);
    await using bot = new UploadBot();
    await using server = await transferServer(bot, folders, { maxBytes: 1000 });
    for (const [pattern, why] of REFUSED) {
      await t.step(pattern, async () => {
        const path = pattern.replace("TOP", folders.top).replace("UP", folders.uploads);
        const { outcome, kind, message, next_step } = failureOf(await upload(server, pattern, path));
        deepStrictEqual([outcome, kind], ["failed", "input_file"], message);
        strictEqual(message, `Cannot upload ${JSON.stringify(path)}: ${why}`);
        match(next_step, why.includes("allowed") ? /SNOWLUMA_MCP_MAX_STREAM_BYTES/ : /SNOWLUMA_MCP_UPLOAD_ROOT/);
      });
    }
    strictEqual(bot.received, "");
    for (const path of ["plain.txt", "folder/plain.txt", join(folders.uploads, "plain.txt")]) {
      resultOf(await upload(server, `good ${path}`, path));
    }
    await Deno.remove(join(folders.top, "secret.txt")); // then the hard link is the file's only name
    resultOf(await upload(server, "one name", "hard.txt"));
  },
});

Deno.test({
  name: "an upload root that is a link is taken for what it leads to, by either spelling",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("upload-root", "upload-fence");
    await using folders = await makeFolders();
    await fill(folders.top, folders.uploads);
    const link = join(folders.top, "root-link");
    await Deno.symlink(folders.uploads, link);
    await using bot = new UploadBot();
    const options = transferOptions(bot, { ...folders, uploads: link });
    const grants = fileGrants([folders.downloads, folders.uploads, link], [folders.downloads]);
    await using server = new ServerProcess({ ...options, grants });
    await server.initialize();
    for (const path of ["plain.txt", join(link, "plain.txt"), join(folders.uploads, "plain.txt")]) {
      resultOf(await upload(server, path, path));
    }
    strictEqual(failureOf(await upload(server, "link", join(link, "link.txt"))).kind, "input_file");
    ok(!bot.received.includes(folders.top));
  },
});
