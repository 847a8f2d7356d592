/** What a simulator is started with. */

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
  /** TCP port of the WebSocket on 127.0.0.1; 0 lets the system choose. Absent means that there is none. */
  readonly wsPort?: number;
  /** Path of the WebSocket, to the letter; others are refused with HTTP 400. @default "/" */
  readonly wsPath?: string;
  /** Access token of the WebSocket; "" asks for none. @default the `token` */
  readonly wsToken?: string;
  /** What sockets are for: `event` ones get events, `api` ones make calls, `universal` ones do both. @default "universal" */
  readonly wsRole?: "universal" | "event" | "api";
  /**
   * What becomes of an upgrade with a wrong token: older bots let it succeed and `close` the socket with code 1008, newer
   * ones answer it with `http` status 401.
   *
   * @default "close"
   */
  readonly wsRefusal?: "close" | "http";
  /** Between heartbeats of a socket, in milliseconds, 1 to 2147483647. @default 30000 */
  readonly heartbeatMs?: number;
  /** Whether messages of the account itself are reported, as `message_sent`. @default false */
  readonly reportSelf?: boolean;
  /**
   * Whether somebody answers what the account says: in a group who was mentioned or else the first member, in private the
   * friend. The answer comes after 200 ms of real time and quotes the message; 64 at most are on their way.
   *
   * @default true with a WebSocket, false without
   */
  readonly answers?: boolean;
}

/** Longest time between heartbeats, in milliseconds; a longer timer would fire at once. */
const MAX_HEARTBEAT_MS = 2_147_483_647;

/** @throws RangeError if `heartbeatMs` is out of bounds. */
export function checkOptions({ heartbeatMs = 1 }: SimulatorOptions): void {
  if (!(heartbeatMs >= 1 && heartbeatMs <= MAX_HEARTBEAT_MS)) {
    throw new RangeError(
      `Cannot start the simulator: heartbeatMs is ${heartbeatMs}, expected 1 to ${MAX_HEARTBEAT_MS}`,
    );
  }
}
