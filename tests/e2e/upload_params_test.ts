/** What may stand beside `execution.input_file`, and where it may stand. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { verifies } from "../requirements.ts";
import { GRANTS, type Message, ServerProcess } from "../support/server_process.ts";
import { botEnv, failureOf } from "./exec_support.ts";
import * as support from "./transfer_support.ts";
import { UploadBot } from "./upload_bot.ts";

const { makeFolders, resultOf, transferServer, upload, uploadArgs } = support;
const FILE = { input_file: "file.bin" };

/** Of the specification, and values that a caller might give. */
const OWNED: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ["stream_id", "mine"],
  ["chunk_data", ""],
  ["chunk_index", 0],
  ["total_chunks", 1],
  ["file_size", 5],
  ["expected_sha256", null],
  ["is_complete", false],
  ["reset", true],
  ["verify_only", true],
];

Deno.test("parameters that the transfer sets are refused by name, one and all, and nothing is sent", async () => {
  verifies("upload-owned", "refusals-send-nothing");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), new Uint8Array(5));
  await using bot = new UploadBot();
  await using server = await transferServer(bot, folders);
  const all = Object.fromEntries(OWNED);
  for (const params of [...OWNED.map((entry) => Object.fromEntries([entry])), all]) {
    const names = Object.keys(params).join(", ");
    const { kind, outcome, message, next_step } = failureOf(await upload(server, names, "file.bin", params));
    deepStrictEqual([kind, outcome], ["invalid_params", "failed"]);
    ok(message.endsWith(`the transfer itself sets ${names}`), message);
    match(next_step, /filename and file_retention may stay/);
  }
  strictEqual(bot.received, "");
});

Deno.test("check_action misses none of them with execution.input_file, and all the same without", async () => {
  verifies("upload-owned", "check-action");
  await using server = new ServerProcess();
  await server.initialize();
  const check = async (id: string, params: Message, execution?: Message): Promise<Message> =>
    resultOf(
      await server.call(id, "check_action", { action: "upload_file_stream", params, ...execution && { execution } }),
    );
  deepStrictEqual((await check("bare", {}, FILE)).problems, []);
  deepStrictEqual((await check("named", { filename: "a.txt", file_retention: 0 }, FILE)).problems, []);
  const without: Message[] = (await check("without", {})).problems;
  ok(without.some(({ path }) => path.includes("stream_id")), JSON.stringify(without));
  for (const [name, value] of OWNED) {
    const problems: Message[] = (await check(name, { [name]: value }, FILE)).problems;
    ok(problems.some(({ path }) => path.includes(name)), `${name}: ${JSON.stringify(problems)}`);
  }
});

Deno.test("execution.input_file goes with upload_file_stream alone, and by invoke_action alone", async () => {
  verifies("upload-only", "unknown-arguments", "refusals-send-nothing", "aliases");
  await using folders = await makeFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), new Uint8Array(5));
  await using bot = new UploadBot();
  await using server = await transferServer(bot, folders);
  const refuse = async (tool: string, args: Message): Promise<string> => {
    const { kind, outcome, message, next_step } = failureOf(await server.call(JSON.stringify(args), tool, args));
    deepStrictEqual([kind, outcome], ["invalid_arguments", "failed"], message);
    return `${message}. ${next_step}`;
  };
  const others = ["send_group_msg", "upload_group_file", "download_file_stream", "test_download_stream", "get_status"];
  for (const action of others) {
    match(await refuse("invoke_action", { action, execution: FILE }), /only upload_file_stream takes it/);
  }
  match(await refuse("query_action", { ...uploadArgs("file.bin") }), /unknown argument "execution"/);
  for (const execution of [{}, { input_file: "" }, { input_file: 5 }, { input_file: "a", path: "b" }, "file.bin", []]) {
    match(await refuse("invoke_action", { action: "upload_file_stream", execution }), /execution/);
  }
  strictEqual(bot.received, "");
});

Deno.test("without an upload root an upload is refused with the setting's name, in read mode by the mode", async () => {
  verifies("upload-root", "gate-every-call", "refusals-send-nothing");
  await using bot = new UploadBot();
  for (const [mode, wanted] of [["write", "input_file"], ["read", "mode"]] as const) {
    await using server = new ServerProcess({ env: botEnv(bot, { mode }), grants: GRANTS });
    await server.initialize();
    const { kind, outcome, next_step } = failureOf(await upload(server, "up", "/etc/passwd"));
    deepStrictEqual([kind, outcome], [wanted, "failed"]);
    match(next_step, mode === "write" ? /SNOWLUMA_MCP_UPLOAD_ROOT/ : /SNOWLUMA_MCP_MODE/);
  }
  strictEqual(bot.received, "");
});
