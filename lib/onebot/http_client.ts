/**
 * One POST to the bot's HTTP endpoint and its whole answer.
 *
 * It has two steps, for what decides between "failed" and "unknown": while connecting nothing can have left, after
 * that everything may have. `fetch` hides the border, sends a POST again when a pooled connection breaks, follows
 * redirects unless told otherwise, and hands the token to a proxy that the environment names.
 */
import type { AgentOptions, ClientRequest, IncomingMessage } from "node:http";
import { ExchangeError, type ExchangeFault, type HttpAnswer, MAX_ANSWER_BYTES } from "./exchange.ts";

/** Where to send, and how to prove who is asking. */
export interface Endpoint {
  /** `http:` or `https:`, without credentials, query or fragment. */
  readonly url: string;
  /** Sent as `Authorization: Bearer …` and nowhere else. */
  readonly token?: string;
  /** Limit of one exchange in milliseconds, from the first attempt to connect to the last byte of the body. */
  readonly timeoutMs: number;
}

/** No proxy, even where NODE_USE_ENV_PROXY asks for one; `@types/node` does not know the option yet. */
const DIRECT = { keepAlive: false, proxyEnv: {} } as AgentOptions;

/**
 * Sends a JSON body and reads the answer. Never tries again.
 *
 * @param signal Ends the exchange at once, also while the body comes in.
 * @throws {ExchangeError} when there is no whole answer.
 * Needs `--allow-net` for the endpoint's host and port.
 */
export async function post(endpoint: Endpoint, json: Uint8Array, signal: AbortSignal): Promise<HttpAnswer> {
  if (signal.aborted) throw new ExchangeError("cancelled", false);
  const [{ Agent, request: send }, { openSocket }] = await Promise.all([import("node:http"), import("./socket.ts")]);
  const start = performance.now();
  const { hostname, host, pathname } = new URL(endpoint.url);
  const socket = await openSocket(new URL(endpoint.url), endpoint.timeoutMs, signal);
  if (signal.aborted) {
    socket.destroy();
    throw new ExchangeError("cancelled", false);
  }
  const agent = new Agent(DIRECT);
  agent.createConnection = () => socket;
  const restMs = Math.max(0, endpoint.timeoutMs - (performance.now() - start));
  return await new Promise((resolve, reject) => {
    const end = (fault: ExchangeFault, detail?: string): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      reject(new ExchangeError(fault, true, detail));
      request.destroy();
      socket.destroy();
    };
    const cancel = (): void => end("cancelled");
    const timer = setTimeout(() => end("timeout", `${endpoint.timeoutMs} ms`), restMs);
    signal.addEventListener("abort", cancel, { once: true });

    const request: ClientRequest = send({
      method: "POST",
      agent,
      hostname,
      path: pathname,
      headers: {
        host,
        "content-type": "application/json",
        "content-length": json.length,
        "accept-encoding": "identity",
        "connection": "close",
        ...(endpoint.token !== undefined && { authorization: `Bearer ${endpoint.token}` }),
      },
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      // HPE_… are the codes of the HTTP parser
      end(error.code?.startsWith("HPE_") ? "garbled" : "cut", error.code);
    });
    request.on("upgrade", () => end("garbled", "HTTP 101")); // nobody asked to switch protocols
    request.on("response", (response: IncomingMessage) => {
      const decoder = new TextDecoder("utf-8", { fatal: true });
      let text = "";
      let length = 0;
      response.on("data", (chunk: Uint8Array) => {
        length += chunk.length;
        if (length > MAX_ANSWER_BYTES) return end("too_large");
        try {
          text += decoder.decode(chunk, { stream: true });
        } catch {
          end("garbled");
        }
      });
      response.on("error", (error: NodeJS.ErrnoException) => end("cut", error.code));
      response.on("end", () => {
        if (!response.complete) return end("cut");
        try {
          text += decoder.decode();
        } catch {
          return end("garbled");
        }
        clearTimeout(timer);
        signal.removeEventListener("abort", cancel);
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    request.end(json);
  });
}
