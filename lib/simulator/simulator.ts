/** A running simulator as its users hold it. */
import type { AskedRequest } from "./ask.ts";
import type { Fault } from "./faults.ts";
import type { RecordedRequest } from "./recorder.ts";
import type { BotEvent } from "./world.ts";

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
  /** Where the WebSocket is: `ws://127.0.0.1:PORT` and its path; undefined when there is none. */
  readonly wsUrl: string | undefined;
  /** Open sockets that get events; 0 without a WebSocket. */
  readonly sockets: number;
  /**
   * Requests that arrived, upgrades (`UPGRADE`) and messages over sockets (`WS`) among them, oldest first, the list itself
   * and not a copy. It keeps the newest `MAX_RECORDED_REQUESTS` whose bodies together stay within
   * `MAX_RECORDED_BYTES`.
   */
  readonly requests: readonly RecordedRequest[];
  /**
   * Scripts faults for coming requests. A request takes the first rule in order that matches it, and only that
   * one; each rule is good for `times` requests. Requests turned away at the door (path, token, method, body) use
   * up none. Calls over a socket take the kinds `delay`, `cut`, `body` and `envelope`: a cut ends the socket, and as
   * messages are never half there, `midbody` lets whole frames through and nothing of the next one.
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
  /**
   * Lets somebody ask for friendship or membership, or invite the account to a group, and returns the flag.
   *
   * @throws Error if there is nothing to ask for, or if it was asked already and is pending.
   */
  ask(request: AskedRequest): string;
  /**
   * Sends one event to all sockets that get events, whatever it says: an event of another account, one that the world
   * knows nothing about. `time` and `self_id` are filled in unless given. A client for which more than 256 KiB are queued
   * gets no events, heartbeats included, until it is less than 128 KiB.
   *
   * @throws Error without a WebSocket; so do all the following.
   */
  emit(event: BotEvent): void;
  /**
   * Sends one frame to all sockets that get events, whatever is in it and however much is queued: malformed JSON,
   * megabytes, bytes that are no UTF-8.
   *
   * @param kind Of the frame; by default text for a string and binary for bytes.
   */
  sendRaw(payload: string | Uint8Array, kind?: "text" | "binary"): void;
  /**
   * Sends `count` events to all sockets that get events, as fast as the slowest takes them, so that none is dropped; one
   * that stops reading holds it up until it closes. By default each is another message in group 20001, which the world
   * does not keep.
   *
   * @param make The event at an index, from 0 on.
   */
  burst(count: number, make?: (index: number) => BotEvent): Promise<void>;
  /**
   * Closes all sockets. New ones may be opened.
   *
   * @param code Of the close frame. @default 1000
   * @param reason At most 123 bytes of UTF-8. @default ""
   * @throws RangeError if no close frame may carry that.
   */
  closeSockets(code?: number, reason?: string): void;
  /** Cuts the connections of all sockets without a close frame. New ones may be opened. */
  dropSockets(): void;
  /**
   * Closes sockets after a last `disable` (code 1012; a peer gets 500 ms to answer), cuts all connections, ends all waits
   * and frees the ports. Calling it again does nothing more.
   */
  close(): Promise<void>;
}
