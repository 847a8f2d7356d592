/** The library as a stranger imports it: by its name, with nothing but what it exports. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as library from "@snowluma-deno/mcp";
import { startSimulator } from "@snowluma-deno/mcp/simulator";
import { verifies } from "../requirements.ts";

Deno.test("the library exports these names and no others", () => {
  verifies("library");
  deepStrictEqual(Object.keys(library).sort(), [
    "ActionIndex",
    "DownloadFolder",
    "EventHub",
    "ExchangeError",
    "Executor",
    "FAILURE_KINDS",
    "FILTER_TYPES",
    "Failure",
    "InputFile",
    "MAX_ACTIVE_STREAMS",
    "MAX_ANSWER_BYTES",
    "MAX_EVENTS",
    "MAX_EVENT_RESOURCES",
    "MAX_FILTER_IDS",
    "MAX_HELD_BYTES",
    "MAX_REQUEST_BYTES",
    "MAX_RUNNING_CALLS",
    "MAX_WAITING_CALLS",
    "MIN_SECRET_LENGTH",
    "MODES",
    "Redactor",
    "SETTINGS",
    "TaskFolder",
    "UsageError",
    "checkCall",
    "createServer",
    "describeAction",
    "describeLine",
    "filterActions",
    "inputSchema",
    "isEnvelope",
    "isRawNumber",
    "loadActions",
    "openEventSocket",
    "openInputFile",
    "openStream",
    "openUploadRoot",
    "outcomeOf",
    "parseJson",
    "post",
    "resolveConfig",
    "sendCall",
    "startTrace",
  ]);
});

Deno.test("the library finds, checks and calls an action, as its documentation shows", async () => {
  verifies("library");
  const actions = await library.loadActions();
  const [ban] = actions.search("mute member", "keywords");
  strictEqual(ban?.name, "set_group_ban");
  ok(!(await library.checkCall(ban, { group_id: 20001 }, "en")).valid);

  await using bot = await startSimulator();
  const executor = new library.Executor({
    actions,
    permissions: { mode: "read", allow: new Set() },
    redactor: new library.Redactor([]),
    timeoutMs: 10_000,
    post: (body, signal) => library.post({ url: bot.url, timeoutMs: 10_000 }, body, signal),
  });
  const { diagnostics } = await executor.call("query", "get_status", {}, { signal: AbortSignal.timeout(10_000) });
  strictEqual(diagnostics.outcome, "success");
});

Deno.test("the library saves a download and sends a file, as its documentation shows", async () => {
  verifies("library");
  const root = await Deno.realPath(await Deno.makeTempDir());
  await Deno.writeTextFile(`${root}/note.txt`, "a note");
  await using bot = await startSimulator();
  const maxFileBytes = 2 ** 20;
  const endpoint = { url: bot.url, timeoutMs: 10_000 };
  const folder = library.DownloadFolder.open(`${root}/downloads`, { isDefault: false, quotaBytes: 2 * maxFileBytes });
  const executor = new library.Executor({
    actions: await library.loadActions(),
    permissions: { mode: "write", allow: new Set() },
    redactor: new library.Redactor([]),
    timeoutMs: 10_000,
    post: (body, signal, headers) => library.post(endpoint, body, signal, headers),
    streams: {
      open: (body, signal, headers) => library.openStream(endpoint, body, signal, headers),
      downloads: () => folder,
      inputFile: async (path) => await library.openInputFile(await library.openUploadRoot(root), path, maxFileBytes),
      maxFileBytes,
    },
  });
  const options = { signal: AbortSignal.timeout(10_000) };
  const sent = await executor.call("invoke", "upload_file_stream", {}, { ...options, inputFile: "note.txt" });
  const { data } = sent.result as { data: { file_path: string } };
  const saved = await executor.call("invoke", "download_file_stream", { file: data.file_path }, options);
  const { file_path } = saved.result as { file_path: string };
  strictEqual(await Deno.readTextFile(file_path), "a note");
  await Deno.remove(root, { recursive: true });
});

Deno.test("the library reads a text that nobody can mistake for markup, and digits that no number holds", async () => {
  verifies("library");
  await using bot = await startSimulator();
  const executor = new library.Executor({
    actions: await library.loadActions(),
    permissions: { mode: "write", allow: new Set() },
    redactor: new library.Redactor([]),
    timeoutMs: 10_000,
    post: (body, signal) => library.post({ url: bot.url, timeoutMs: 10_000 }, body, signal),
  });
  const text = "[CQ:at,qq=all] hello";
  const { action, params } = library.sendCall({ message_type: "group", target_id: 20001, text });
  const sent = await executor.call("invoke", action, { ...params }, { signal: AbortSignal.timeout(10_000) });
  strictEqual(sent.diagnostics.outcome, "success");
  deepStrictEqual(bot.requests[0]?.params.message, [{ type: "text", data: { text } }]);
  const { id } = library.parseJson('{"id":12345678901234567890}') as { id: unknown };
  ok(library.isRawNumber(id));
  strictEqual(JSON.stringify({ id }), '{"id":12345678901234567890}');
});

Deno.test("resolveConfig() makes of a program's own options what the settings' table says of them", () => {
  verifies("library");
  const file = { endpoint: "http://127.0.0.1:3000/", mode: "write", timeout_ms: 10_000 };
  const config = library.resolveConfig({ flags: {}, environment: {}, file });
  deepStrictEqual([config.mode, config.timeoutMs, config.sources.mode, config.sources.lang], [
    "write",
    10_000,
    "file",
    "default",
  ]);
  deepStrictEqual(Object.keys(library.SETTINGS).sort(), Object.keys(config.sources).sort());
});
