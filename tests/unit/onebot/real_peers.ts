/** HTTP servers that others wrote, and a comparison of what we read from them with what `fetch` does. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { openStream } from "../../../lib/onebot/http_client.ts";
import { between, seeded } from "../support.ts";

/** Certificate and key of a TLS server, as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** A running server. */
export interface RealPeer extends AsyncDisposable {
  readonly url: string;
  /** What can be asked for. */
  readonly paths: readonly string[];
}

const RANDOM = seeded(11);
/** Bodies of an answer, by size. */
const [SMALL, LARGE] = [200, 1_000_000].map((length) => Uint8Array.from({ length }, () => RANDOM() * 256)) as [
  Uint8Array<ArrayBuffer>,
  Uint8Array<ArrayBuffer>,
];
const TEXT = '{"群":"😀"}'.repeat(5_000);

/** A body in pieces of any size, some in a turn of their own. */
async function* pieces(seed: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const random = seeded(seed);
  for (let at = 0; at < LARGE.length;) {
    yield LARGE.subarray(at, at += between(random, 1, 90_000));
    if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve));
  }
}

type Answers<T> = Readonly<Record<string, T>>;

const DENO_ANSWERS: Answers<(request: Request) => Response> = {
  "small": () => new Response(SMALL),
  "large": () => new Response(LARGE),
  "empty": () => new Response(""),
  "nothing": () => new Response(null, { status: 204 }),
  "not-modified": () => new Response(null, { status: 304 }),
  "refused": () => new Response("no", { status: 403 }),
  "failed": () => new Response(TEXT, { status: 500 }),
  "compressible": () => new Response(TEXT, { headers: { "content-type": "application/json" } }),
  "streamed": () => new Response(ReadableStream.from(pieces(1))),
  "streamed-length": () =>
    new Response(ReadableStream.from(pieces(2)), { headers: { "content-length": String(LARGE.length) } }),
  "streamed-compressible": () =>
    new Response(ReadableStream.from([TEXT, TEXT]).pipeThrough(new TextEncoderStream()), {
      headers: { "content-type": "text/plain" },
    }),
  "echo": (request) => new Response(request.body),
};

const NODE_ANSWERS: Answers<(response: ServerResponse, request: IncomingMessage) => unknown> = {
  "small": (response) => response.end(SMALL),
  "large": (response) => response.setHeader("content-length", LARGE.length).end(LARGE),
  "empty": (response) => response.end(),
  "nothing": (response) => response.writeHead(204).end(),
  "not-modified": (response) => response.writeHead(304, { "content-length": 5 }).end(),
  "refused": (response) => response.writeHead(401, "Who are you?").end(TEXT),
  "chunked": async (response) => {
    for await (const piece of pieces(3)) response.write(piece);
    response.addTrailers({ "x-sum": "1" });
    response.end();
  },
  "until-closed": async (response) => {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    for await (const piece of pieces(4)) response.write(piece);
    response.end();
  },
  "interim": (response) => {
    response.writeContinue();
    response.writeProcessing();
    response.end(SMALL);
  },
  "head-first": (response) => {
    response.flushHeaders();
    setTimeout(() => response.end(SMALL), 20);
  },
  "many-headers": (response) => {
    for (let i = 0; i < 90; i++) response.setHeader(`X-Header-${i}`, "value ".repeat(30));
    response.end(SMALL);
  },
  "echo": (response, request) => request.pipe(response),
};

/** `Deno.serve`, over TLS if it has an identity. */
export function denoPeer(identity?: Identity): RealPeer {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {}, automaticCompression: true, ...identity },
    async (request) => {
      const path = new URL(request.url).pathname.slice(1);
      if (path !== "echo") await request.body?.cancel();
      return DENO_ANSWERS[path]?.(request) ?? new Response("no such path", { status: 404 });
    },
  );
  return {
    url: `${identity ? "https" : "http"}://127.0.0.1:${server.addr.port}/`,
    paths: Object.keys(DENO_ANSWERS),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A server of `node:http`, or of `node:https` if it has an identity. */
export async function nodePeer(identity?: Identity): Promise<RealPeer> {
  const listener: RequestListener = (request, response) => {
    const path = request.url?.slice(1) ?? "";
    const answer = (): unknown => NODE_ANSWERS[path]?.(response, request);
    if (path === "echo") answer();
    else request.resume().on("end", answer);
  };
  const server = identity ? createTlsServer(identity, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `${identity ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    paths: Object.keys(NODE_ANSWERS),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Fails unless every path gives us the status and the bytes that it gives `fetch`. */
export async function compare({ url, paths }: RealPeer, client: Deno.HttpClient): Promise<void> {
  const request = LARGE.subarray(0, 300_001);
  for (const path of paths) {
    const other = await fetch(url + path, { method: "POST", body: request, client });
    const expected = new Uint8Array(await other.arrayBuffer());
    const endpoint = { url: url + path, timeoutMs: 20_000 };
    const { status, body } = await openStream(endpoint, request, new AbortController().signal);
    const read = new Uint8Array(await new Response(ReadableStream.from(copies(body))).arrayBuffer());
    deepStrictEqual([status, read.length], [other.status, expected.length], path);
    strictEqual(read.findIndex((byte, i) => byte !== expected[i]), -1, path);
  }
}

/** A piece is valid until the next one comes. */
async function* copies(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const bytes of body) yield bytes.slice();
}
