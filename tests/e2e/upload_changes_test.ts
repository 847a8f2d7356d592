/** Files that change while they are uploaded: a slow bot gives the time. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import type { RawScript } from "../support/raw_bot.ts";
import { ServerProcess } from "../support/server_process.ts";
import { failureOf } from "./exec_support.ts";
import {
  fileGrants,
  makeFolders,
  pattern,
  resultOf,
  transferOptions,
  transferServer,
  upload,
} from "./transfer_support.ts";
import { UploadBot, type UploadCall } from "./upload_bot.ts";

const MIB = 1024 * 1024;
const SECRET = new TextEncoder().encode("the secret of somebody else ".repeat(100_000)); // as long as the file

/** What befalls a file of `size` bytes when its first chunk has been read. */
const CHANGES: ReadonlyArray<readonly [name: string, change: (path: string, size: number) => Promise<unknown>]> = [
  ["grows", (path) => Deno.writeFile(path, new Uint8Array(1), { append: true })],
  ["shrinks", (path, size) => Deno.truncate(path, size - 1)],
  ["is emptied", (path) => Deno.truncate(path, 0)],
  ["is rewritten", (path, size) => Deno.writeFile(path, new Uint8Array(size))],
  ["is rewritten as of the same time", async (path, size) => {
    const { mtime } = await Deno.stat(path);
    await Deno.writeFile(path, new Uint8Array(size));
    await Deno.utime(path, mtime ?? 0, mtime ?? 0);
  }],
  ["is exchanged for another one", async (path) => {
    await Deno.writeFile(`${path}.new`, SECRET);
    await Deno.rename(`${path}.new`, path);
  }],
  ["is exchanged for a link", async (path) => {
    await Deno.symlink("../secret", `${path}.link`);
    await Deno.rename(`${path}.link`, path);
  }],
];

for (const size of [100, 2 * MIB + 1]) {
  Deno.test(`an upload of ${size} bytes fails and is reset if the file changes while it is read`, async (t) => {
    verifies("upload-steady", "upload-reset", "upload-fence");
    await using folders = await makeFolders();
    await Deno.writeFile(join(folders.top, "secret"), SECRET);
    const bytes = pattern(size);
    for (const [name] of CHANGES) await Deno.writeFile(join(folders.uploads, name), bytes);
    const written = Date.now();
    let change: () => Promise<unknown> = () => Promise.resolve();
    const changing = (right: RawScript): RawScript => async (connection) => {
      await change();
      await right(connection);
    };
    await using bot = new UploadBot((call, right) => call.index === 0 ? changing(right) : right);
    await using server = await transferServer(bot, folders);
    // Deno tells the time of the last change in whole seconds, and some of these show in nothing else
    const nextSecond = 1000 * (Math.floor(written / 1000) + 1);
    await new Promise((resolve) => setTimeout(resolve, nextSecond - Date.now() + 50));
    for (const [name, apply] of CHANGES) {
      await t.step(name, async () => {
        change = () => apply(join(folders.uploads, name), size);
        bot.calls.length = 0;
        const { outcome, kind, message, next_step } = failureOf(await upload(server, name, name));
        deepStrictEqual([outcome, kind], ["failed", "input_file"]);
        strictEqual(message, `Cannot upload ${JSON.stringify(name)}: it changed while it was read`);
        match(next_step, /Call again/);
        deepStrictEqual([bot.of("reset").length, bot.of("final").length], [1, 0]);
        if (name.startsWith("is exchanged")) ok(bot.of("chunk").every((call) => isPartOf(call, bytes)));
      });
    }
  });
}

/** Whether a chunk is of the file that was opened. */
function isPartOf({ index, bytes }: UploadCall, file: Uint8Array): boolean {
  return bytes.every((byte, at) => byte === file[index * MIB + at]);
}

/** What is swapped, the path that is asked for, and how far the grant to read reaches from the top folder. */
const SWAPS = [
  ["file", "file", ""], // our own fence has to hold
  ["folder", "folder/file", "up"], // as granted by the README: Deno's look at what was opened helps
] as const;

for (const [name, path, granted] of SWAPS) {
  Deno.test(`nothing outside the root gets out while a ${name} is swapped for a link over and over`, async () => {
    verifies("upload-fence");
    await using folders = await makeFolders();
    const { top, uploads, downloads } = folders;
    const bytes = pattern(1000);
    const outside = join(top, "outside");
    await Deno.mkdir(outside);
    await Deno.writeTextFile(join(outside, "file"), "the secret");
    await Deno.mkdir(join(uploads, "folder"), { mode: 0o755 });
    await Deno.writeFile(join(uploads, path), bytes);
    await using bot = new UploadBot();
    const grants = fileGrants([join(top, granted), downloads], [downloads]);
    await using server = new ServerProcess({ ...transferOptions(bot, folders), grants });
    await server.initialize();
    let swapping = true;
    const swaps = swap(uploads, name, name === "file" ? join(outside, name) : outside, () => swapping);
    const kinds = new Set<string>();
    for (let n = 0; n < 200; n++) {
      const { diagnostics } = (await upload(server, `${n}`, path)).result.structuredContent;
      kinds.add(diagnostics.kind ?? diagnostics.outcome);
    }
    swapping = false;
    await swaps;
    ok(bot.of("chunk").every((call) => isPartOf(call, bytes)));
    ok(kinds.has("input_file"), "no swap was in time to be seen");
    deepStrictEqual([...kinds].filter((kind) => kind !== "success" && kind !== "input_file"), []);
    resultOf(await upload(server, "after", path));
  });
}

/** Lets a link to what is outside take the place of what is inside, over and over; ends with what it began with. */
async function swap(folder: string, name: string, target: string, going: () => boolean): Promise<void> {
  const [path, own, link] = [join(folder, name), join(folder, `${name}.own`), join(folder, `${name}.link`)];
  await Deno.symlink(target, link);
  while (going()) {
    await Deno.rename(path, own);
    await Deno.rename(link, path);
    await Deno.rename(path, link);
    await Deno.rename(own, path);
  }
}
