/**
 * A connection of its own for one request, made by Deno itself: it obeys no proxy variable, is never one that the
 * bot may be closing, and trusts what Deno trusts (`--cert`, `DENO_TLS_CA_STORE`). `node:https` would also need all
 * of `--allow-sys` to read its certificates.
 */
import { Duplex } from "node:stream";
import { ExchangeError } from "./exchange.ts";

/**
 * Connects, and over TLS shakes hands. Nothing of a request has left before this is done.
 *
 * @param url An `http:` or `https:` address.
 * @param timeoutMs Limit in milliseconds.
 * @throws {ExchangeError} that says nothing was sent.
 */
export async function openSocket(url: URL, timeoutMs: number, signal: AbortSignal): Promise<Duplex> {
  const stopped = Promise.withResolvers<never>();
  let timedOut = false;
  const stop = (): void => stopped.reject(signal.reason);
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  const connecting = connect(url);
  try {
    const conn = await Promise.race([connecting, stopped.promise]);
    return Duplex.fromWeb({ readable: conn.readable, writable: conn.writable });
  } catch (error) {
    connecting.then((late) => late.close(), () => {});
    if (signal.aborted) throw new ExchangeError("cancelled", false);
    if (timedOut) throw new ExchangeError("timeout", false, `${timeoutMs} ms`);
    const { code, message } = error as Error & { code?: string };
    throw new ExchangeError("connect", false, code ?? message.split("\n")[0]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

async function connect({ protocol, hostname, port }: URL): Promise<Deno.Conn> {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1"); // IPv6
  if (protocol === "http:") return await Deno.connect({ hostname: bare, port: Number(port || 80) });
  const conn = await Deno.connectTls({ hostname: bare, port: Number(port || 443) });
  try {
    await conn.handshake();
    return conn;
  } catch (error) {
    conn.close();
    throw error;
  }
}
