/**
 * The library behind the `snowluma-mcp` server, for programs of your own: the catalog of OneBot v11 actions of a
 * SnowLuma or NapCat-style QQ bot, offline checks, gated calls with honest outcomes, transfers, live events, and the
 * whole MCP server on a transport of your choice.
 *
 * | For                              | Begin with                                     | Deno permissions                 |
 * | -------------------------------- | ---------------------------------------------- | -------------------------------- |
 * | finding and checking actions     | {@link loadActions}, {@link checkCall}         | none                             |
 * | calling a bot                    | {@link Executor}, {@link post}                 | `--allow-net` for the bot        |
 * | files that come and go           | {@link StreamPorts}, {@link openStream}        | the same, and those of folders   |
 * | live events                      | {@link EventHub}, {@link openEventSocket}      | the same, `--allow-env=WS_NO_*`  |
 * | an MCP server in your program    | {@link createServer}, {@link resolveConfig}    | those of what is configured      |
 *
 * It runs on Deno 2.9 or later. Nothing here reads arguments or the environment (but for two variables of the WebSocket
 * library), writes to a standard stream, listens to signals or ends the process, and nothing that is sent is ever sent
 * again. A call that did not come through is a {@link Failure}, whose `outcome` tells whether it may have taken effect
 * all the same.
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
 * const bot = { url: "http://127.0.0.1:3000/", token: "the access token", timeoutMs: 30_000 };
 * const executor = new Executor({
 *   actions: await loadActions(),
 *   permissions: { mode: "read", allow: new Set() },
 *   redactor: new Redactor([bot.token]),
 *   timeoutMs: bot.timeoutMs,
 *   post: (body, signal, headers) => post(bot, body, signal, headers),
 * });
 * const { result, diagnostics } = await executor.call("query", "get_status", {}, { signal: AbortSignal.timeout(60_000) });
 * console.log(diagnostics.outcome, result);
 * ```
 *
 * @example Let it save downloads and send files
 * ```ts
 * import { DownloadFolder, openInputFile, openStream, openUploadRoot, type StreamPorts } from "@snowluma-deno/mcp";
 *
 * const bot = { url: "http://127.0.0.1:3000/", timeoutMs: 30_000 };
 * const maxFileBytes = 2 ** 30;
 * const folder = await DownloadFolder.open("/home/me/downloads", { isDefault: false, quotaBytes: 2 * maxFileBytes });
 * const streams: StreamPorts = { // one of the executor's ports
 *   open: (body, signal, headers) => openStream(bot, body, signal, headers),
 *   downloads: () => Promise.resolve(folder),
 *   inputFile: async (path) => openInputFile(await openUploadRoot("/home/me/share"), path, maxFileBytes),
 *   maxFileBytes,
 * };
 * ```
 *
 * @example Serve MCP over any transport, with events through a hub that the program watches too
 * ```ts
 * import { createServer, EventHub, openEventSocket, Redactor, resolveConfig, type Transport } from "@snowluma-deno/mcp";
 *
 * const config = resolveConfig({
 *   flags: {},
 *   environment: {},
 *   file: { endpoint: "http://127.0.0.1:3000/", events_url: "ws://127.0.0.1:3001/", mode: "write" },
 * });
 * const address = { url: "ws://127.0.0.1:3001/", connectTimeoutMs: 30_000 };
 * const events = new EventHub({
 *   connect: (handlers, signal) => openEventSocket(address, handlers, signal),
 *   redactor: new Redactor([]),
 * });
 *
 * export async function serve(transport: Transport): Promise<void> {
 *   await using server = createServer(config, { events, log: (level, text) => console.error(level, text) });
 *   await server.connect(transport);
 *   await server.closed; // the client has gone
 * }
 * ```
 *
 * @module
 */
export { ActionIndex } from "./catalog/action_index.ts";
export { checkCall, type CheckReport, type Problem } from "./catalog/check.ts";
export {
  type ActionLine,
  type ActionPage,
  describeAction,
  describeLine,
  inputSchema,
  type Lang,
} from "./catalog/describe.ts";
export { loadActions } from "./catalog/load.ts";
export { type Filter, filterActions } from "./catalog/page.ts";
export type { Match } from "./catalog/search.ts";
export type * from "./catalog/types.ts";
export { type Config, type RawSettings, resolveConfig, type Source } from "./config/resolve.ts";
export { type SettingName, SETTINGS, type Settings, type SettingSpec } from "./config/settings.ts";
export { createServer, type EmbeddedServer, type EmbedderPorts } from "./create_server.ts";
export { Failure, FAILURE_KINDS, type FailureKind, UsageError } from "./errors.ts";
export { type BufferPage, type CursorEvent, MAX_EVENTS } from "./events/buffer.ts";
export { type EventFilter, FILTER_TYPES, type FilterType, MAX_FILTER_IDS } from "./events/filter.ts";
export { EventHub, type EventPage, type HubParts, type SubscribeOptions, type Subscription } from "./events/hub.ts";
export type { Connect } from "./events/link.ts";
export type { ReadOptions } from "./events/resource.ts";
export { type EventAddress, type EventHandlers, type EventSocket, openEventSocket } from "./events/socket.ts";
export type { EventEnd } from "./events/socket_end.ts";
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
export { TaskFolder } from "./host/task_folder.ts";
export type { JsonRpcMessage, SendOptions, Transport } from "./host/transport.ts";
export type { Fields, Level, Log } from "./log.ts";
export { type Draft, type Segment, type SendCall, sendCall } from "./onebot/draft.ts";
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
export { isRawNumber, parseJson } from "./onebot/lossless_json.ts";
export type { Diagnostics, Outcome } from "./outcome.ts";
export {
  type Door,
  MAX_ACTIVE_STREAMS,
  MAX_EVENT_RESOURCES,
  type Mode,
  MODES,
  type Permissions,
} from "./policy/gate.ts";
export { MIN_SECRET_LENGTH, Redactor } from "./redact.ts";
export { startTrace, type Trace, type TraceStart } from "./trace.ts";
export type { StreamPorts } from "./transfer/stream_call.ts";
export type { CallResult } from "./verdict.ts";
