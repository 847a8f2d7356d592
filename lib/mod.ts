/**
 * The library behind the `snowluma-mcp` server: the catalog of OneBot v11 actions of a SnowLuma or NapCat-style
 * bot, offline checks, and gated calls with honest outcomes.
 *
 * @example Find an action and check a call of it, without any network
 * ```ts
 * import { checkCall, loadActions } from "@snowluma-deno/mcp";
 *
 * const actions = await loadActions();
 * const [ban] = actions.search("mute member", "keywords");
 * if (ban) console.log(await checkCall(ban, { group_id: 20001 }, "en"));
 * ```
 *
 * @example Call a bot
 * ```ts
 * import { Executor, loadActions, post, Redactor } from "@snowluma-deno/mcp";
 *
 * const executor = new Executor({
 *   actions: await loadActions(),
 *   permissions: { mode: "read", allow: new Set() },
 *   redactor: new Redactor([]),
 *   timeoutMs: 30_000,
 *   post: (body, signal, headers) => post({ url: "http://127.0.0.1:3000/", timeoutMs: 30_000 }, body, signal, headers),
 * });
 * const { result, diagnostics } = await executor.call("query", "get_status", {}, { signal: AbortSignal.timeout(60_000) });
 * console.log(diagnostics.outcome, result);
 * ```
 *
 * @example Let it save downloads
 * ```ts
 * import { DownloadFolder, openInputFile, openStream, openUploadRoot, type StreamPorts } from "@snowluma-deno/mcp";
 *
 * const maxFileBytes = 2 ** 30;
 * const folder = DownloadFolder.open("/home/me/downloads", { isDefault: false, quotaBytes: 2 * maxFileBytes });
 * const streams: StreamPorts = {
 *   open: (body, signal, headers) =>
 *     openStream({ url: "http://127.0.0.1:3000/", timeoutMs: 30_000 }, body, signal, headers),
 *   downloads: () => folder,
 *   inputFile: async (path) => openInputFile(await openUploadRoot("/home/me/share"), path, maxFileBytes),
 *   maxFileBytes,
 * };
 * ```
 *
 * @module
 */
export { ActionIndex } from "./catalog/action_index.ts";
export { checkCall, type CheckReport, MAX_PROBLEMS, type Problem } from "./catalog/check.ts";
export {
  type ActionLine,
  type ActionPage,
  describeAction,
  describeLine,
  inputSchema,
  type Lang,
} from "./catalog/describe.ts";
export {
  type Filter,
  filterActions,
  MAX_PAGE,
  MAX_QUERY_LENGTH,
  type Page,
  type PageRequest,
  paginate,
} from "./catalog/page.ts";
export { loadActions } from "./catalog/load.ts";
export type { Match } from "./catalog/search.ts";
export type * from "./catalog/types.ts";
export { Failure, FAILURE_KINDS, type FailureKind } from "./errors.ts";
export {
  type CallOptions,
  Executor,
  type ExecutorPorts,
  MAX_HELD_BYTES,
  MAX_RUNNING_CALLS,
  MAX_WAITING_CALLS,
} from "./executor.ts";
export { DownloadFolder } from "./files/download_folder.ts";
export { InputFile, openInputFile, openUploadRoot, type UploadRoot } from "./files/input_file.ts";
export type { PartFile } from "./files/part_file.ts";
export { type Envelope, isEnvelope, outcomeOf } from "./onebot/envelope.ts";
export {
  ExchangeError,
  type ExchangeFault,
  type HttpAnswer,
  type HttpStream,
  MAX_ANSWER_BYTES,
  MAX_REQUEST_BYTES,
} from "./onebot/exchange.ts";
export { type Endpoint, openStream, post } from "./onebot/http_client.ts";
export type { Diagnostics, Outcome } from "./outcome.ts";
export { type Door, MAX_ACTIVE_STREAMS, type Mode, MODES, type Permissions } from "./policy/gate.ts";
export { MIN_SECRET_LENGTH, Redactor } from "./redact.ts";
export { startTrace, type Trace, type TraceStart } from "./trace.ts";
export type { StreamPorts } from "./transfer/stream_call.ts";
export type { CallResult } from "./verdict.ts";
