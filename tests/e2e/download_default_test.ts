/** The default download folder, which nobody named: if it is no good, downloads fail and everything else goes on. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { ServerProcess } from "../support/server_process.ts";
import { botEnv, failureOf, goesOn } from "./exec_support.ts";
import { bits, download, isRoot, list, makeFolders, resultOf } from "./transfer_support.ts";

const NAME = "onebot-mcp-downloads";

/** A server whose temporary files are in `temp`. */
function serverIn(temp: string, bot: { readonly url: string }, granted = true): ServerProcess {
  const grants = ["--allow-net=127.0.0.1", "--allow-env=SNOWLUMA_MCP_*,TMPDIR"];
  if (granted) grants.push(`--allow-read=${temp}`, `--allow-write=${temp}`);
  return new ServerProcess({ env: { ...botEnv(bot), TMPDIR: temp }, grants });
}

Deno.test("without a setting, downloads go to a folder of mode 0700 in the system's temporary folder", async () => {
  verifies("download-default", "download-folder");
  await using folders = await makeFolders();
  await using bot = await startSimulator();
  await using server = serverIn(folders.top, bot);
  await server.initialize();
  strictEqual(await bits(join(folders.top, NAME)), 0o700);
  const { file_path } = resultOf(await download(server, "down", generatedFile(10)));
  strictEqual(file_path, join(folders.top, NAME, "10.bin"));
});

/** What may be in the way. */
const OBSTACLES: ReadonlyArray<{
  readonly name: string;
  readonly says: RegExp;
  readonly advice: RegExp;
  readonly prepare: (path: string) => Promise<unknown>;
  readonly granted?: false;
  readonly asRoot?: true;
}> = [
  {
    name: "belongs to somebody else",
    says: /it belongs to another user/,
    advice: /set SNOWLUMA_MCP_STREAM_DIR to a private folder/,
    prepare: async (path) => {
      await Deno.mkdir(path, { mode: 0o700 });
      await Deno.chown(path, 12_345, null);
    },
    asRoot: true,
  },
  {
    name: "is open to all",
    says: /its group or others may write to it/,
    advice: /set SNOWLUMA_MCP_STREAM_DIR to a private folder/,
    prepare: async (path) => {
      await Deno.mkdir(path);
      await Deno.chmod(path, 0o777);
    },
  },
  {
    name: "is a link",
    says: /it is a symbolic link/,
    advice: /set SNOWLUMA_MCP_STREAM_DIR to a private folder/,
    prepare: (path) => Deno.symlink("up", path),
  },
  {
    name: "is a file",
    says: /it is not a directory/,
    advice: /set SNOWLUMA_MCP_STREAM_DIR to a private folder/,
    prepare: (path) => Deno.writeTextFile(path, ""),
  },
  {
    name: "is not granted",
    says: /the permission is missing/,
    advice: /add --allow-read=\S+ --allow-write=\S+, or set SNOWLUMA_MCP_STREAM_DIR to a folder that is granted/,
    prepare: () => Promise.resolve(),
    granted: false,
  },
];

for (const { name, says, advice, prepare, granted = true, asRoot = false } of OBSTACLES) {
  Deno.test({
    name: `a default folder that ${name} is a warning at start, and downloads fail with advice before they begin`,
    ignore: Deno.build.os === "windows" || (asRoot && !await isRoot()) || (IS_BINARY && !granted),
    fn: async () => {
      verifies("download-default", "download-folder", "refusals-send-nothing");
      await using folders = await makeFolders();
      await prepare(join(folders.top, NAME));
      const before = await list(folders.top);
      await using bot = await startSimulator();
      await using server = serverIn(folders.top, bot, granted);
      await server.initialize();
      const { outcome, kind, message, next_step } = failureOf(await download(server, "down", generatedFile(10)));
      deepStrictEqual([outcome, kind], ["failed", "storage"]);
      ok(message.includes(JSON.stringify(join(folders.top, NAME))), message);
      match(message, says);
      match(next_step, advice);
      strictEqual(bot.requests.length, 0, "the bot was not asked for what could not be kept");
      await goesOn(server, "read");
      resultOf(await server.call("frames", "invoke_action", { action: "test_download_stream" }));
      await server.closeInput();
      strictEqual((await server.exit()).code, 0);
      const warnings = (await server.stderr).split("\n").filter((line) => line.startsWith("warn: "));
      strictEqual(warnings.length, 1, warnings.join("\n"));
      match(warnings[0] ?? "", says);
      match(warnings[0] ?? "", /SNOWLUMA_MCP_STREAM_DIR/);
      deepStrictEqual(await list(folders.top), before);
      deepStrictEqual(await list(folders.uploads), []);
    },
  });
}

Deno.test("a default folder that was made good is used without a new start", async () => {
  verifies("download-default");
  await using folders = await makeFolders();
  await Deno.writeTextFile(join(folders.top, NAME), "");
  await using bot = await startSimulator();
  await using server = serverIn(folders.top, bot);
  await server.initialize();
  strictEqual(failureOf(await download(server, "before", generatedFile(10))).kind, "storage");
  await Deno.remove(join(folders.top, NAME));
  resultOf(await download(server, "after", generatedFile(10)));
});
