/** What the tests of the HTTP client share: one post, and how it ended. */
import { ok, strictEqual } from "node:assert/strict";
import { ExchangeError } from "../../../lib/onebot/exchange.ts";
import { post } from "../../../lib/onebot/http_client.ts";
import type { RawPeer } from "./raw_peer.ts";

/** A body that holds more than ASCII. */
export const BODY: Uint8Array = new TextEncoder().encode('{"action":"get_status","params":{"text":"群"}}');

/** How a post ended: the HTTP answer, or the fault, whether the request may have left, and the system's word. */
export type Ending =
  | { readonly status: number; readonly text: string }
  | { readonly fault: string; readonly sent: boolean; readonly detail?: string };

/** How to post; long enough a timeout that only tests about it meet it. */
export interface PostOptions {
  readonly token?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly body?: Uint8Array;
}

/** Posts once. Anything but an answer or an `ExchangeError` fails the test. */
export async function endingOf(url: string, options: PostOptions = {}): Promise<Ending> {
  const { token, timeoutMs = 20_000, signal = new AbortController().signal, body = BODY } = options;
  try {
    return await post({ url, timeoutMs, ...(token !== undefined && { token }) }, body, signal);
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const { fault, sent, detail } = error;
    return { fault, sent, ...(detail !== undefined && { detail }) };
  }
}

/** Fault and `sent` alone, where the system's word does not matter. */
export async function faultOf(url: string, options: PostOptions = {}): Promise<string> {
  const ending = await endingOf(url, options);
  return "fault" in ending ? `${ending.fault}, ${ending.sent ? "sent" : "not sent"}` : `HTTP ${ending.status}`;
}

/** Fails unless the peer got one connection with exactly one request on it. */
export function assertOneRequest(peer: RawPeer): void {
  strictEqual(peer.connections.length, 1, "connections");
  const received = peer.connections[0]?.received ?? "";
  strictEqual(received.match(/POST /g)?.length, 1, "requests");
  ok(/^POST \/\S* HTTP\/1\.1\r\n/.test(received), "a path, not the whole address as for a proxy");
}
