/**
 * POSTs to the bot's HTTP endpoint, each on a connection of its own and never tried again.
 *
 * An exchange has two steps, for what decides between "failed" and "unknown": while connecting nothing can have left,
 * after that everything may have. `fetch` hides the border, sends a POST again when a pooled connection breaks, follows
 * redirects unless told otherwise, and hands the token to a proxy that the environment names.
 */
import { ExchangeError, type HttpAnswer, type HttpStream, MAX_ANSWER_BYTES } from "./exchange.ts";
import { requestHead } from "./http_request.ts";
import { ResponseReader } from "./http_response.ts";
import { type Clock, Lifeline } from "./lifeline.ts";
import { openConnection } from "./socket.ts";

/** Where to send, and how to prove who is asking. */
export interface Endpoint {
  /** `http:` or `https:`, without credentials, query or fragment. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …` and nowhere else. */
  readonly token?: string;
  /** Limit in milliseconds, see {@link post} and {@link openStream}. */
  readonly timeoutMs: number;
}

/**
 * Sends a JSON body and reads the whole answer. The timeout covers everything, from the first attempt to connect to
 * the last byte.
 *
 * @param signal Ends the exchange at once, also while the answer comes in.
 * @param headers Beside those of every request.
 * @throws {ExchangeError} when there is no whole answer.
 * Needs `--allow-net` for the endpoint's host and port.
 */
export async function post(
  endpoint: Endpoint,
  json: Uint8Array,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const { status, body } = await exchange(endpoint, json, signal, headers, "whole");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    if (length > MAX_ANSWER_BYTES) throw new ExchangeError("too_large", true);
    text += decode(() => decoder.decode(bytes, { stream: true }));
  }
  return { status, text: text + decode(() => decoder.decode()) };
}

/**
 * Sends a JSON body and gives the answer as it comes in, at the pace of whoever reads it. The timeout limits the time
 * to the answer's head, and then each wait for further bytes. Leaving the body early closes the connection.
 *
 * @param signal Ends the exchange at once.
 * @param headers Beside those of every request.
 * @throws {ExchangeError} here and while reading.
 * Needs `--allow-net` for the endpoint's host and port.
 */
export function openStream(
  endpoint: Endpoint,
  json: Uint8Array,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpStream> {
  return exchange(endpoint, json, signal, headers, "idle");
}

async function exchange(
  { url: address, token, timeoutMs }: Endpoint,
  json: Uint8Array,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<HttpStream> {
  if (signal.aborted) throw new ExchangeError("cancelled", false);
  const startedAt = performance.now();
  const url = new URL(address);
  const head = requestHead({ url, token, headers, length: json.length });
  const conn = await openConnection(url, timeoutMs, signal);
  if (signal.aborted) {
    conn.close();
    throw new ExchangeError("cancelled", false);
  }
  const lifeline = new Lifeline(conn, { startedAt, timeoutMs, clock, signal });
  const reader = new ResponseReader((into) => conn.read(into));
  // an answer may come before the whole request has left, and then be the reason why it does not
  send(conn, head, json).catch(() => {});
  try {
    const status = await reader.head();
    lifeline.waiting();
    return { status, body: read(reader, lifeline) };
  } catch (error) {
    const failure = lifeline.explain(error);
    lifeline.close();
    throw failure;
  }
}

async function* read(reader: ResponseReader, lifeline: Lifeline): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of reader.body()) {
      if (lifeline.failure) throw lifeline.failure; // what has been read already does not meet the closed connection
      lifeline.working();
      yield bytes;
      lifeline.waiting();
    }
  } catch (error) {
    throw lifeline.explain(error);
  } finally {
    lifeline.close();
  }
}

async function send(conn: Deno.Conn, ...parts: readonly Uint8Array[]): Promise<void> {
  for (let part of parts) while (part.length > 0) part = part.subarray(await conn.write(part));
}

function decode(work: () => string): string {
  try {
    return work();
  } catch {
    throw new ExchangeError("garbled", true);
  }
}
