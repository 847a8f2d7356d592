/**
 * A believable bot host on this machine: the HTTP side of the OneBot v11 API and, if asked for, the WebSocket, with all
 * actions of the catalog acting on one world in memory and that world reporting what happens in it. It serves demos,
 * people without a QQ account, and tests that need a bot to misbehave on cue.
 *
 * Account 10001 is friends with four people and a member of three groups: admin of 20001, plain member of
 * 20002, owner of 20003. Nothing leaves the machine; the host of every link it hands out ends in `.invalid`.
 *
 * Uploads live in memory, 64 MiB of them at most. Downloads give back uploads, or files that are generated while they
 * are read, so that they may have any size up to 4 GiB.
 *
 * @example
 * ```ts
 * import { startSimulator } from "@snowluma-deno/mcp/simulator";
 *
 * await using simulator = await startSimulator();
 * simulator.script({ kind: "delay", ms: 200, action: "get_status" });
 * await fetch(`${simulator.url}get_status`);
 * ```
 *
 * @example A gigabyte in frames
 * ```ts
 * import { generatedFile, generatedSha256, startSimulator } from "@snowluma-deno/mcp/simulator";
 *
 * await using simulator = await startSimulator();
 * const response = await fetch(`${simulator.url}download_file_stream?file=${generatedFile(2 ** 30)}`);
 * // The decoded chunks together have the digest generatedSha256(2 ** 30).
 * ```
 *
 * @example Events, which also need `--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE`
 * ```ts
 * import { startSimulator } from "@snowluma-deno/mcp/simulator";
 *
 * await using simulator = await startSimulator({ wsPort: 0, wsToken: "t" });
 * const socket = new WebSocket(`${simulator.wsUrl}?access_token=t`);
 * socket.onmessage = ({ data }) => console.log(data); // lifecycle, lifecycle, heartbeat, then what happens
 * await new Promise((resolve) => socket.onopen = resolve);
 * simulator.receive({ group_id: 20001, user_id: 12001, message: "Hello" });
 * await new Promise((resolve) => setTimeout(resolve, 200)); // it is on its way
 * ```
 *
 * @module
 */
import { ask } from "./ask.ts";
import { burstEvent } from "./burst_event.ts";
import { groupChat } from "./chat.ts";
import { FaultScript } from "./faults.ts";
import { readMessage } from "./message_input.ts";
import { checkOptions, type SimulatorOptions } from "./options.ts";
import { post } from "./post.ts";
import { Recorder } from "./recorder.ts";
import { Replies } from "./replies.ts";
import { seedWorld } from "./seed.ts";
import { HttpServer, type ServedParts } from "./server.ts";
import type { Simulator } from "./simulator.ts";
import type { SocketServer } from "./socket_server.ts";

export type { AskedRequest } from "./ask.ts";
export type {
  BodyFault,
  CutFault,
  DelayFault,
  DripFault,
  EnvelopeFault,
  Fault,
  FaultScope,
  HugeFault,
  StatusFault,
} from "./faults.ts";
export { generatedFile, generatedLink, generatedSha256 } from "./generated.ts";
export type { SimulatorOptions } from "./options.ts";
export { MAX_RECORDED_BYTES, MAX_RECORDED_REQUESTS, type RecordedRequest } from "./recorder.ts";
export { MAX_CONCURRENT_REQUESTS } from "./server.ts";
export type { ReceivedMessage, Simulator } from "./simulator.ts";
export type { BotEvent } from "./world.ts";

/** Between heartbeats as bots send them, in milliseconds. */
const HEARTBEAT_MS = 30_000;

/**
 * Starts a simulator on 127.0.0.1 in its start state.
 *
 * It answers at most {@link MAX_CONCURRENT_REQUESTS} requests at a time, those stalled by a fault included, and
 * turns further ones away with HTTP 503. Needs `--allow-net=127.0.0.1`, and for a WebSocket
 * `--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE`, which the module behind it reads when it is loaded; it is loaded
 * only then. At most 64 sockets are open at a time, and their messages hold 100 MiB at most.
 *
 * @throws Error if a port is taken; RangeError or TypeError if it is no port; RangeError if `heartbeatMs` is out of bounds.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  checkOptions(options);
  const world = seedWorld(options.now ?? Date.now);
  const parts: ServedParts = { world, faults: new FaultScript(), recorder: new Recorder() };
  const prefix = trimSlashes(options.path ?? "/");
  const server = new HttpServer({ prefix, token: options.token ?? "" }, parts);
  const port = await server.listen(options.port ?? 0);
  const socket = await openSocket(options, parts).catch(async (error) => {
    await server.close();
    throw error;
  });
  const replies = options.answers ?? socket !== undefined ? new Replies(world) : undefined;
  const sockets = (): SocketServer => {
    if (socket === undefined) throw new Error("Cannot reach a socket: the simulator was started without wsPort");
    return socket.server;
  };
  const close = async (): Promise<void> => {
    replies?.stop();
    await Promise.all([server.close(), socket?.server.close()]);
  };
  return {
    url: `http://127.0.0.1:${port}${prefix}/`,
    port,
    wsUrl: socket?.url,
    get sockets(): number {
      return socket?.server.size ?? 0;
    },
    requests: parts.recorder.requests,
    script: (...rules) => parts.faults.add(rules),
    clearFaults: () => parts.faults.clear(),
    receive({ group_id, user_id, message }): number {
      const chat = group_id === undefined ? world.friendChat(user_id) : groupChat(group_id);
      if (chat.kind === "group") world.member(world.group(chat.id), user_id);
      return post(world, chat, user_id, readMessage(world, { chat, senderId: user_id }, message));
    },
    ask: (request) => ask(world, request),
    emit: (event) => sockets().emit(world.dated(event)),
    sendRaw: (payload, kind = typeof payload === "string" ? "text" : "binary") =>
      void sockets().push(payload, kind === "binary"),
    async burst(count, make = (index) => burstEvent(world, index)): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        await sockets().push(JSON.stringify(world.dated(make(index))), false);
      }
    },
    closeSockets: (code = 1000, reason = "") => sockets().closeAll(code, reason),
    dropSockets: () => sockets().dropAll(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Starts the WebSocket server if there is to be one. */
async function openSocket(
  { wsPort, wsPath = "/", wsToken, token = "", wsRole = "universal", wsRefusal = "close", ...options }:
    SimulatorOptions,
  parts: ServedParts,
): Promise<{ server: SocketServer; url: string } | undefined> {
  if (wsPort === undefined) return undefined;
  // Not loaded without need: it reads the environment, which takes a permission.
  const { SocketServer } = await import("./socket_server.ts");
  const server = new SocketServer({
    path: wsPath,
    token: wsToken ?? token,
    role: wsRole,
    refusal: wsRefusal,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    reportSelf: options.reportSelf ?? false,
  }, parts);
  return { server, url: `ws://127.0.0.1:${await server.listen(wsPort)}${wsPath}` };
}

/** `/bot/` and `bot` become `/bot`, the root becomes "". */
function trimSlashes(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "" : `/${inner}`;
}
