/** Uploads that are cancelled, by either generation of clients or by the end of the server. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type RawScript, stalls } from "../support/raw_bot.ts";
import {
  begin,
  cancel,
  type Folders,
  makeFolders,
  pattern,
  resultOf,
  transferOptions,
  transferServer,
  uploadArgs,
} from "./transfer_support.ts";
import { UploadBot, type UploadScript } from "./upload_bot.ts";

const MIB = 1024 * 1024;

/** The bot says nothing any more after so many chunks. */
function silentFrom(index: number): UploadScript {
  return (call, right) => call.kind === "chunk" && call.index >= index ? stalls() : right;
}

async function foldersWithFile(): Promise<Folders> {
  const folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(8 * MIB));
  return folders;
}

for (const connect of CLIENTS) {
  Deno.test(`an upload that is cancelled midway is reset once and never completed (${connect.name})`, async () => {
    verifies("stream-cancel", "upload-reset", "eras-equal");
    await using folders = await foldersWithFile();
    let script = silentFrom(2);
    await using bot = new UploadBot((call, right) => script(call, right));
    await using client = await connect(transferOptions(bot, folders));
    const controller = new AbortController();
    const call = rejects(client.callTool("invoke_action", uploadArgs("file.bin"), controller.signal));
    await bot.came("chunk", 4);
    controller.abort();
    await call;
    await bot.came("reset");
    script = (_, right) => right;
    resultOf(await client.callTool("invoke_action", uploadArgs("file.bin")));
    deepStrictEqual([bot.of("reset").length, bot.of("final").length], [1, 1]);
    ok(bot.of("reset")[0]?.params.stream_id !== bot.of("final")[0]?.params.stream_id);
  });
}

for (const end of ["SIGTERM", "end of input"] as const) {
  Deno.test(`${end} in an upload resets it, and the process still ends in time`, async () => {
    verifies("shutdown", "upload-reset");
    await using folders = await foldersWithFile();
    await using bot = new UploadBot(silentFrom(2));
    await using server = await transferServer(bot, folders);
    await begin(server, "up", uploadArgs("file.bin"));
    await bot.came("chunk", 4);
    if (end === "SIGTERM") server.kill(end);
    else await server.closeInput();
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    ok(ms < 2000, `it took ${Math.round(ms)} ms`);
    deepStrictEqual([bot.of("reset").length, bot.of("final").length], [1, 0]);
    match(await server.stderr, /outcome=failed kind=cancelled/);
  });
}

Deno.test("SIGTERM in an upload whose reset is never answered ends in time all the same", async () => {
  verifies("shutdown", "upload-reset");
  await using folders = await foldersWithFile();
  await using bot = new UploadBot((call, right) => call.index === 0 ? right : stalls());
  await using server = await transferServer(bot, folders);
  await begin(server, "up", uploadArgs("file.bin"));
  await bot.came("chunk", 2);
  server.kill("SIGTERM");
  const { code, ms } = await server.exit();
  deepStrictEqual([code, bot.of("reset").length], [0, 1]);
  ok(ms < 2000, `it took ${Math.round(ms)} ms`);
});

Deno.test("an upload that is cancelled after its last call has left is in doubt and not reset", async () => {
  verifies("upload-unknown", "upload-reset", "stream-cancel");
  await using folders = await foldersWithFile();
  const left = Promise.withResolvers<void>();
  const silent: RawScript = async (connection) => {
    await connection.closed;
    left.resolve();
  };
  await using bot = new UploadBot((call, right) => call.kind === "final" ? silent : right);
  await using server = await transferServer(bot, folders);
  await begin(server, "up", uploadArgs("file.bin"));
  await bot.came("final");
  await cancel(server, "up");
  await left.promise;
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  strictEqual(bot.tally, "8/1/0");
  match(await server.stderr, /^warn: upload_file_stream may have taken effect.*kind=cancelled/m);
});
