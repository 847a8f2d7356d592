/** The room in the download folder: twice the limit of a file, over all that is there and all that comes in. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, generatedLink, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import type { Message } from "../support/server_process.ts";
import { failureOf } from "./exec_support.ts";
import * as support from "./transfer_support.ts";

const { download, heldFile, list, makeFolders, partFiles, resultOf, transferServer } = support;
const MAX_BYTES = 1000;

function checkFull(answer: Message): void {
  const { outcome, kind, message, next_step } = failureOf(answer);
  deepStrictEqual([outcome, kind], ["failed", "quota"], message);
  match(message, /of 2000 bytes are taken/);
  match(next_step, /SNOWLUMA_MCP_MAX_STREAM_BYTES/);
}

Deno.test("downloads fill the folder to the last byte, then fail until the operator makes room", async () => {
  verifies("download-quota", "download-kept");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders, { maxBytes: MAX_BYTES });
  for (const size of [1000, 999]) resultOf(await download(server, `${size}`, generatedFile(size)));
  checkFull(await download(server, "two bytes", generatedFile(2)));
  resultOf(await download(server, "one byte", generatedFile(1)));
  checkFull(await download(server, "another byte", generatedFile(1, "b")));
  deepStrictEqual(await list(folders.downloads), ["1.bin", "1000.bin", "999.bin"], "nothing was deleted");
  await Deno.remove(join(folders.downloads, "999.bin"));
  resultOf(await download(server, "after", generatedFile(999, "b")));
});

Deno.test("a file of unknown size reserves the full limit, and takes its own size in the end", async () => {
  verifies("download-quota");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders, { maxBytes: MAX_BYTES });
  await Deno.writeFile(join(folders.downloads, "mine"), new Uint8Array(1001));
  checkFull(await download(server, "no room", generatedLink(10)));
  await Deno.truncate(join(folders.downloads, "mine"), 1000);
  resultOf(await download(server, "room", generatedLink(10)));
  resultOf(await download(server, "rest", generatedFile(990)));
  checkFull(await download(server, "full", generatedFile(1)));
});

Deno.test("a file above the limit is refused, whether it says so or not, and leaves no trace", async () => {
  verifies("frames-capped", "download-part");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = await transferServer(bot, folders, { maxBytes: MAX_BYTES });
  for (const source of [generatedFile(1001), generatedLink(1001)]) {
    const { kind, message } = failureOf(await download(server, source, source));
    strictEqual(kind, "too_large");
    match(message, /limit of 1000 \(SNOWLUMA_MCP_MAX_STREAM_BYTES\)/);
  }
  deepStrictEqual(await list(folders.downloads), []);
  resultOf(await download(server, "exact", generatedLink(1000)));
});

Deno.test("two servers share a folder and its quota, also what is still coming in", async () => {
  verifies("download-quota", "download-part");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using slow = new RawBot();
  const go = Promise.withResolvers<void>();
  slow.script(heldFile(go.promise, { bytes: support.pattern(600) }));
  await using one = await transferServer(slow, folders, { maxBytes: MAX_BYTES });
  await using other = await transferServer(bot, folders, { maxBytes: MAX_BYTES });
  await support.begin(one, "held", support.downloadArgs("x")); // of unknown size
  const [part = ""] = await partFiles(folders.downloads, 1);
  ok(part.endsWith("-1000.part"), part);
  resultOf(await download(other, "1000", generatedFile(1000)));
  checkFull(await download(other, "one byte", generatedFile(1)));
  go.resolve();
  strictEqual(resultOf(await one.receive(({ id }) => id === "held")).file_size, 600);
  resultOf(await download(other, "rest", generatedFile(400)));
  checkFull(await download(other, "another byte", generatedFile(1)));
  deepStrictEqual(await list(folders.downloads), ["1000.bin", "400.bin", "held.bin"]);
});

Deno.test("a download that is broken off or cancelled gives its room back", async () => {
  verifies("download-quota", "download-part", "stream-cancel");
  await using folders = await makeFolders();
  await using bot = new RawBot();
  await using server = await transferServer(bot, folders, { maxBytes: MAX_BYTES });
  await Deno.writeFile(join(folders.downloads, "mine"), new Uint8Array(1000)); // room for one
  for (const end of ["cancelled", "cut"]) {
    const cut = Promise.withResolvers<void>();
    bot.script((connection) => {
      cut.promise.then(() => connection.end());
      return heldFile(Promise.withResolvers().promise)(connection);
    });
    await support.begin(server, end, support.downloadArgs("x"));
    await partFiles(folders.downloads, 1);
    if (end === "cut") cut.resolve();
    else await support.cancel(server, end);
    await partFiles(folders.downloads, 0);
  }
  bot.script(heldFile(Promise.resolve(), { name: "whole" }));
  resultOf(await download(server, "after", "x"));
  deepStrictEqual(await list(folders.downloads), ["mine", "whole"]);
});
