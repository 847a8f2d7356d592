/** What is refused as a task: everything invoke_action refuses, and what is no stream. Then there is no record. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { answerOf, makeTaskFolders, recordNames, refusalOf, START, TaskServer } from "./task_support.ts";
import { downloadArgs, pattern, uploadArgs } from "./transfer_support.ts";

const SEND = { action: "send_group_msg", params: { group_id: 20001, message: "x" } };

Deno.test("invoke_action_background refuses ordinary actions, reading and writing ones", async () => {
  verifies("tasks-streams-only", "refusals-send-nothing");
  await using folders = await makeTaskFolders();
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders, { allow: "get_cookies" });
  for (
    const args of [SEND, { action: "get_status" }, { action: "get_cookies" }, { action: "clean_cache" }]
  ) {
    const { outcome, kind, message, next_step } = refusalOf(await server.tool(START, args));
    deepStrictEqual([outcome, kind], ["failed", "invalid_arguments"], message);
    match(message, new RegExp(`^Cannot run ${args.action} in the background: it is no stream action$`));
    match(next_step, /invoke_action/);
  }
  deepStrictEqual([bot.requests.length, await recordNames(folders.tasks)], [0, []]);
  deepStrictEqual((await server.tasks()).tasks, []);
});

/** Calls, and the kind that they are refused with. */
const REFUSED: ReadonlyArray<readonly [kind: string, args: Message]> = [
  ["unknown_action", { action: "no_such_action" }],
  ["risk", { action: "get_cookies" }],
  ["risk", { action: "bot_exit" }],
  ["invalid_arguments", { ...SEND, execution: { input_file: "file.bin" } }],
  ["invalid_arguments", { ...downloadArgs("x"), execution: { input_file: "file.bin" } }],
  ["invalid_params", uploadArgs("file.bin", { stream_id: "mine" })],
  ["invalid_params", uploadArgs("file.bin", { reset: true })],
  ["invalid_arguments", {}],
  ["invalid_arguments", { action: "download_file_stream", parameters: {} }],
  ["invalid_params", { action: "download_file_stream", params: [] }],
  ["invalid_arguments", { action: "upload_file_stream", execution: { file: "file.bin" } }],
];

Deno.test("invoke_action_background passes the gates of invoke_action, and leaves no record of what they refuse", async (t) => {
  verifies("tasks-streams-only", "gate-every-call", "refusals-send-nothing");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.uploads, "file.bin"), pattern(10));
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  for (const [kind, args] of REFUSED) {
    await t.step(`${kind} for ${JSON.stringify(args)}`, async () => {
      const background = refusalOf(await server.tool(START, args));
      deepStrictEqual([background.outcome, background.kind], ["failed", kind], background.message);
      const foreground = refusalOf(await server.tool("invoke_action", args));
      strictEqual(foreground.kind, kind);
      strictEqual(background.message.replaceAll(START, "invoke_action"), foreground.message);
    });
  }
  deepStrictEqual([bot.requests.length, await recordNames(folders.tasks)], [0, []]);
});

Deno.test("a task takes the params of invoke_action, and tells later of a file that it may not send", async () => {
  verifies("tasks-streams-only", "tasks-get");
  await using folders = await makeTaskFolders();
  await Deno.writeFile(join(folders.top, "outside.bin"), pattern(10));
  await using bot = await startSimulator();
  await using server = TaskServer.for(bot, folders);
  for (const file of ["none.bin", "../outside.bin", join(folders.top, "outside.bin")]) {
    const task = await server.settled((await server.begin(uploadArgs(file))).taskId);
    const { isError, structuredContent } = answerOf(task);
    deepStrictEqual([isError, structuredContent.result], [true, null]);
    const { outcome, kind } = structuredContent.diagnostics;
    deepStrictEqual([outcome, kind], ["failed", "input_file"]);
  }
  strictEqual(bot.requests.length, 0);
  const { taskId } = await server.begin(downloadArgs(generatedFile(10), { chunk_size: 4 }));
  strictEqual(answerOf(await server.settled(taskId)).structuredContent.result.frame_count, 5);
  strictEqual(bot.requests[0]?.params.chunk_size, 4);
});
