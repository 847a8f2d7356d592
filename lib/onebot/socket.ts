/**
 * A connection of its own for one request, made by Deno itself: it obeys no proxy variable, is never one that the
 * bot may be closing, and trusts what Deno trusts (`--cert`, `DENO_TLS_CA_STORE`). `node:https` would also need all
 * of `--allow-sys` to read its certificates.
 */
import { ExchangeError } from "./exchange.ts";

/**
 * Connects, and over TLS shakes hands. Nothing of a request has left before this is done.
 *
 * @param url An `http:` or `https:` address.
 * @param timeoutMs Limit in milliseconds.
 * @throws {ExchangeError} that says nothing was sent.
 */
export async function openConnection(url: URL, timeoutMs: number, signal: AbortSignal): Promise<Deno.Conn> {
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  const giveUp = (): void => {
    stop.abort();
    stopped.reject(stop.signal.reason);
  };
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener("abort", giveUp, { once: true });
  const connecting = connect(url, stop.signal);
  try {
    return await Promise.race([connecting, stopped.promise]);
  } catch (error) {
    connecting.then((late) => late.close(), () => {});
    if (signal.aborted) throw new ExchangeError("cancelled", false);
    if (stop.signal.aborted) throw new ExchangeError("timeout", false, `${timeoutMs} ms`);
    const { code, message } = error as Error & { code?: string };
    throw new ExchangeError("connect", false, code ?? message.split("\n")[0]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** @param stop Ends an attempt, but not one over TLS: Deno keeps such a socket until the peer ends it. */
async function connect({ protocol, hostname, port }: URL, stop: AbortSignal): Promise<Deno.Conn> {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1"); // IPv6
  if (protocol === "http:") {
    const conn = await Deno.connect({ hostname: bare, port: Number(port || 80), signal: stop });
    conn.setNoDelay(); // the end of a body would wait until the peer has acknowledged what came before
    return conn;
  }
  const conn = await Deno.connectTls({ hostname: bare, port: Number(port || 443) });
  try {
    await conn.handshake();
    return conn;
  } catch (error) {
    conn.close();
    throw error;
  }
}
