import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ExchangeError } from "../../../lib/onebot/exchange.ts";
import { openStream } from "../../../lib/onebot/http_client.ts";
import { verifies } from "../../requirements.ts";
import { assertOneRequest, BODY } from "./exchange_support.ts";
import { answering, head, type PeerConnection, type RawPeer, rawPeer } from "./raw_peer.ts";

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
/** The timeout where it is to be met, and where it is not, in milliseconds. */
const [SILENCE_MS, TIMEOUT_MS] = [400, 1_000];

interface Options {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly headers?: Record<string, string>;
  /** Gets each piece; true lets go of the body. */
  readonly take?: (text: string) => Promise<boolean> | boolean;
}

/** Reads a stream as far as `take` wants it; tells what came, and how it ended. */
async function ending({ url }: RawPeer, options: Options = {}): Promise<string> {
  // a stream that never ends is told as cancelled after 8 s
  const { timeoutMs = 20_000, signal = AbortSignal.timeout(8_000), headers = {}, take = () => false } = options;
  const decoder = new TextDecoder();
  let text = "";
  try {
    const { status, body } = await openStream({ url, timeoutMs, token: "tok_TEST+/=1" }, BODY, signal, headers);
    for await (const bytes of body) {
      text += decoder.decode(bytes, { stream: true });
      if (await take(text)) return `${text}, left`;
    }
    return `${text}, HTTP ${status}`;
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    const { fault, sent, detail = "" } = error;
    return `${text}, ${fault}${sent ? "" : ", not sent"}${detail && ` (${detail})`}`;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** A peer that answers as told and then waits for the client to leave. */
function staying(answer: (connection: PeerConnection) => Promise<void>): RawPeer {
  return rawPeer(async (connection) => {
    await connection.request();
    await answer(connection);
    await connection.gone();
  });
}

Deno.test("openStream() makes one request with the token and the headers it is given", async () => {
  verifies("one-post", "trace-headers");
  await using peer = answering(head(2), "hi");
  strictEqual(await ending(peer, { headers: { traceparent: "00-x" } }), "hi, HTTP 200");
  assertOneRequest(peer);
  const received = peer.connections[0]?.received ?? "";
  const lines = received.split("\r\n").map((line) => line.toLowerCase());
  for (const line of ["traceparent: 00-x", "accept-encoding: identity", "connection: close"]) {
    ok(lines.includes(line), line);
  }
  ok(received.includes("Bearer tok_TEST+/=1"));
  ok(received.endsWith(new TextDecoder().decode(BODY)));
});

Deno.test("openStream() gives bytes as they come, before the answer is whole", async () => {
  verifies("frames-split");
  const [next, seen] = [Promise.withResolvers<void>(), [] as string[]];
  await using peer = staying(async (connection) => {
    await connection.write(`${CHUNKED}1\r\na\r\n`);
    await next.promise;
    await connection.write("1\r\nb\r\n0\r\n\r\n");
  });
  const take = (text: string): boolean => (seen.push(text), next.resolve(), false);
  strictEqual(await ending(peer, { take }), "ab, HTTP 200");
  deepStrictEqual(seen, ["a", "ab"]);
});

Deno.test("openStream() tells how a body ended, in every framing", async (t) => {
  verifies("stream-ends", "never-retry");
  const cases: Record<string, { parts: string[]; expected: string }> = {
    "chunked": { parts: [`${CHUNKED}2\r\nab\r\n0\r\n\r\n`], expected: "ab, HTTP 200" },
    "of known length": { parts: [head(2), "ab"], expected: "ab, HTTP 200" },
    "up to the end of the connection": { parts: ["HTTP/1.1 200 OK\r\n\r\n", "ab"], expected: "ab, HTTP 200" },
    "another status": { parts: ["HTTP/1.1 502 Bad\r\n\r\n", "ab"], expected: "ab, HTTP 502" },
    "no answer": { parts: [], expected: ", cut" },
    "cut within a chunk": { parts: [`${CHUNKED}9\r\nab`], expected: "ab, cut" },
    "cut between chunks": { parts: [`${CHUNKED}2\r\nab\r\n`], expected: "ab, cut" },
    "cut one byte early": { parts: [head(3), "ab"], expected: "ab, cut" },
    "not HTTP": { parts: ["220 mail.example\r\n"], expected: ", garbled (no HTTP/1.1 status line)" },
    "a chunk size that is none": { parts: [`${CHUNKED}zz\r\n`], expected: ", garbled (no chunk size)" },
  };
  for (const [name, { parts, expected }] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using peer = answering(...parts);
      strictEqual(await ending(peer), expected);
      await peer.connections[0]?.gone();
      assertOneRequest(peer);
    });
  }
});

Deno.test("openStream() ends when nothing comes for as long as the timeout, wherever, and closes", async () => {
  verifies("stream-timeouts");
  const silences: ReadonlyArray<readonly [parts: string[], text: string]> = [
    [[], ""],
    [["HTTP/1.1 200 OK\r\ntransfer-"], ""],
    [[CHUNKED], ""],
    [[CHUNKED, "1\r\na\r\n"], "a"],
    [[CHUNKED, "1\r\na\r\n0\r\n"], "a"],
  ];
  await Promise.all(silences.map(async ([parts, text]) => {
    await using peer = staying(async (connection) => {
      for (const part of parts) await connection.write(part);
    });
    const start = performance.now();
    const expected = `${text}, timeout (nothing came for ${SILENCE_MS} ms)`;
    strictEqual(await ending(peer, { timeoutMs: SILENCE_MS }), expected, parts.join());
    ok(performance.now() - start > SILENCE_MS - 10);
    await peer.connections[0]?.gone();
  }));
});

Deno.test("openStream() starts the timeout again with the head and with every read", async () => {
  verifies("stream-timeouts");
  await using peer = staying(async (connection) => {
    await pause(0.35 * TIMEOUT_MS);
    await connection.write(CHUNKED);
    for (const share of [0.7, 0.35, 0.35, 0.35]) { // each is short, and two of them too long
      await pause(share * TIMEOUT_MS);
      await connection.write("1\r\na\r\n");
    }
    await connection.write("0\r\n\r\n");
  });
  strictEqual(await ending(peer, { timeoutMs: TIMEOUT_MS }), "aaaa, HTTP 200");
});

Deno.test("openStream() does not count the time its reader takes", async () => {
  verifies("stream-timeouts", "transfer-memory");
  const ready = Promise.withResolvers<void>();
  await using peer = staying(async (connection) => {
    await connection.write(`${CHUNKED}1\r\na\r\n`);
    await ready.promise;
    await connection.write("1\r\nb\r\n0\r\n\r\n");
  });
  const take = async (text: string): Promise<boolean> => {
    if (text === "a") await pause(1.3 * TIMEOUT_MS);
    ready.resolve();
    return false;
  };
  strictEqual(await ending(peer, { timeoutMs: TIMEOUT_MS, take }), "ab, HTTP 200");
});

Deno.test("openStream() lets the peer wait while nobody reads", async () => {
  verifies("transfer-memory");
  const piece = new Uint8Array(1024 * 1024).fill(0x61);
  let pieces = 0;
  await using peer = staying(async (connection) => {
    await connection.write("HTTP/1.1 200 OK\r\n\r\n");
    for (; pieces < 200; pieces++) await connection.write(piece);
  });
  await ending(peer, { take: () => pause(400).then(() => true) });
  await peer.connections[0]?.gone();
  ok(pieces < 50, `${pieces} MiB were taken`);
});

Deno.test("openStream() closes the connection when its reader leaves or the call is cancelled", async (t) => {
  verifies("stream-cancel");
  const part = `${CHUNKED}1\r\na\r\n`;
  await t.step("left", async () => {
    await using peer = staying((connection) => connection.write(part));
    strictEqual(await ending(peer, { take: () => true }), "a, left");
    await peer.connections[0]?.gone();
  });
  for (const [name, answer, text] of [["before the head", "", ""], ["within the body", part, "a"]] as const) {
    await t.step(`cancelled ${name}`, async () => {
      const controller = new AbortController();
      await using peer = staying(async (connection) => {
        await connection.write(answer);
        if (answer === "") controller.abort();
      });
      const take = (): boolean => (setTimeout(() => controller.abort(), 20), false);
      strictEqual(await ending(peer, { signal: controller.signal, take }), `${text}, cancelled`);
      await peer.connections[0]?.gone();
    });
  }
  await t.step("cancelled while its reader is busy", async () => {
    const controller = new AbortController();
    await using peer = staying((connection) => connection.write(part));
    const take = async (): Promise<boolean> => {
      controller.abort();
      await peer.connections[0]?.gone();
      return false;
    };
    strictEqual(await ending(peer, { signal: controller.signal, take }), "a, cancelled");
  });
  await t.step("cancelled before", async () => {
    await using peer = staying(async () => {});
    strictEqual(await ending(peer, { signal: AbortSignal.abort() }), ", cancelled, not sent");
    strictEqual(peer.connections.length, 0);
  });
});
