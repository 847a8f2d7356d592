/**
 * A believable bot host on this machine: the HTTP side of the OneBot v11 API, with all actions of the catalog
 * acting on one world in memory. It serves demos, people without a QQ account, and tests that need a bot to
 * misbehave on cue.
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
 * @module
 */
import { groupChat } from "./chat.ts";
import { type Fault, FaultScript } from "./faults.ts";
import { readMessage } from "./message_input.ts";
import { post } from "./post.ts";
import { type RecordedRequest, Recorder } from "./recorder.ts";
import { seedWorld } from "./seed.ts";
import { HttpServer } from "./server.ts";

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
export { MAX_RECORDED_BYTES, MAX_RECORDED_REQUESTS, type RecordedRequest } from "./recorder.ts";
export { MAX_CONCURRENT_REQUESTS } from "./server.ts";

/** How to start a simulator. */
export interface SimulatorOptions {
  /** TCP port on 127.0.0.1, 0 to 65535; 0 lets the system choose. @default 0 */
  readonly port?: number;
  /** Access token that requests must carry; "" asks for none. @default "" */
  readonly token?: string;
  /** Path prefix under which the API answers. @default "/" */
  readonly path?: string;
  /** Clock of the world, in milliseconds since 1970. Waits in faults use real time. @default Date.now */
  readonly now?: () => number;
}

/** A message that somebody else writes. */
export interface ReceivedMessage {
  /** Group it is written in; absent means a private chat with `user_id`. */
  readonly group_id?: number;
  /** Who writes: a member of the group, or a friend. */
  readonly user_id: number;
  /** Text with CQ codes, or segments, as in `send_msg`. */
  readonly message: unknown;
}

/** A running simulator. Disposing it closes it. */
export interface Simulator extends AsyncDisposable {
  /** Where the API answers: `http://127.0.0.1:PORT` and the prefix, with a slash at the end. */
  readonly url: string;
  /** TCP port on 127.0.0.1 that it listens on. */
  readonly port: number;
  /**
   * Requests that arrived, oldest first, the list itself and not a copy. It keeps the newest
   * {@link MAX_RECORDED_REQUESTS} whose bodies together stay within {@link MAX_RECORDED_BYTES}.
   */
  readonly requests: readonly RecordedRequest[];
  /**
   * Scripts faults for coming requests. A request takes the first rule in order that matches it, and only that
   * one; each rule is good for `times` requests. Requests turned away at the door (path, token, method, body) use
   * up none.
   *
   * @throws RangeError if a number in a fault is out of bounds; then none is added.
   */
  script(...faults: Fault[]): void;
  /** Forgets scripted faults. One that already plays goes on. */
  clearFaults(): void;
  /**
   * Lets somebody write a message, and returns its id.
   *
   * @throws Error if they are not in that group or no friend, or if the message is empty, malformed or too large.
   */
  receive(message: ReceivedMessage): number;
  /** Cuts all connections, ends all waits and frees the port. Calling it again does nothing more. */
  close(): Promise<void>;
}

/**
 * Starts a simulator on 127.0.0.1 in its start state.
 *
 * It answers at most {@link MAX_CONCURRENT_REQUESTS} requests at a time, those stalled by a fault included, and
 * turns further ones away with HTTP 503. Needs `--allow-net=127.0.0.1`.
 *
 * @throws Error if the port is taken; RangeError or TypeError if it is no port.
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const world = seedWorld(options.now ?? Date.now);
  const faults = new FaultScript();
  const recorder = new Recorder();
  const prefix = trimSlashes(options.path ?? "/");
  const server = new HttpServer({ prefix, token: options.token ?? "" }, { world, faults, recorder });
  const port = await server.listen(options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}${prefix}/`,
    port,
    requests: recorder.requests,
    script: (...rules) => faults.add(rules),
    clearFaults: () => faults.clear(),
    receive({ group_id, user_id, message }): number {
      const chat = group_id === undefined ? world.friendChat(user_id) : groupChat(group_id);
      if (chat.kind === "group") world.member(world.group(chat.id), user_id);
      return post(world, chat, user_id, readMessage(world, { chat, senderId: user_id }, message));
    },
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** `/bot/` and `bot` become `/bot`, the root becomes "". */
function trimSlashes(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "" : `/${inner}`;
}
