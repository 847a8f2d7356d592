import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_ANSWER_BYTES } from "../../../lib/onebot/exchange.ts";
import { verifies } from "../../requirements.ts";
import { assertOneRequest, endingOf, faultOf } from "./exchange_support.ts";
import { answering, head, rawPeer } from "./raw_peer.ts";

const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

Deno.test("post() tells a refused connection from one that was made", async () => {
  verifies("outcome-refused");
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  deepStrictEqual(await endingOf(`http://127.0.0.1:${port}/`), {
    fault: "connect",
    sent: false,
    detail: "ECONNREFUSED",
  });
});

Deno.test("post() tells how an answer failed to come through, after one request", async (t) => {
  verifies("never-retry", "bad-answers");
  const gzip = async (text: string): Promise<Uint8Array> => {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const zipped = await gzip('{"status":"ok","retcode":0}');
  const cases: Record<string, { parts: Array<string | Uint8Array>; expected: string }> = {
    "cut before the headers": { parts: [], expected: "cut, sent" },
    "cut within the headers": { parts: ["HTTP/1.1 200 OK\r\ncontent-le"], expected: "cut, sent" },
    "cut after the headers": { parts: [head(100)], expected: "cut, sent" },
    "cut within the body": { parts: [head(100), '{"status":"ok"'], expected: "cut, sent" },
    "cut one byte early": { parts: [head(3), "{}"], expected: "cut, sent" },
    "cut within a chunk": { parts: [CHUNKED, "a\r\n{"], expected: "cut, sent" },
    "cut between chunks": { parts: [CHUNKED, "2\r\n{}\r\n"], expected: "cut, sent" },
    "cut within the last chunk's end": { parts: [CHUNKED, "2\r\n{}\r\n0\r\n"], expected: "cut, sent" },
    "not UTF-8": { parts: [head(4), new Uint8Array([0x22, 0xc3, 0x28, 0x22])], expected: "garbled, sent" },
    "a character cut off at the end": { parts: [head(2), new Uint8Array([0xe7, 0xbe])], expected: "garbled, sent" },
    "UTF-16": { parts: [head(4), new Uint8Array([0xff, 0xfe, 0x7b, 0x00])], expected: "garbled, sent" },
    "gzip though identity was asked for": {
      parts: [head(zipped.length, "content-encoding: gzip"), zipped],
      expected: "garbled, sent",
    },
    "not HTTP": { parts: ["220 mail.example ESMTP\r\n"], expected: "garbled, sent" },
    "not HTTP, binary": { parts: [new Uint8Array([0x15, 3, 3, 0, 2, 2, 70])], expected: "garbled, sent" },
    "headers without end": { parts: [`HTTP/1.1 200 OK\r\nx: ${"x".repeat(300_000)}`], expected: "garbled, sent" },
    "a chunk size that is none": { parts: [CHUNKED, "zz\r\n{}\r\n0\r\n\r\n"], expected: "garbled, sent" },
  };
  for (const [name, { parts, expected }] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using peer = answering(...parts);
      strictEqual(await faultOf(peer.url), expected);
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() refuses at once to switch protocols", async () => {
  verifies("bad-answers");
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    await connection.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n");
    await connection.gone();
  });
  strictEqual(await faultOf(peer.url), "garbled, sent");
  assertOneRequest(peer);
});

Deno.test("post() reads an answer of exactly 16 MiB and refuses one byte more, announced or not", async (t) => {
  verifies("answer-cap", "bounded");
  strictEqual(MAX_ANSWER_BYTES, 16_777_216);
  const filled = (length: number): Uint8Array => new Uint8Array(length).fill(0x61);
  const cases = [
    { name: "16 MiB, announced", framing: head, length: MAX_ANSWER_BYTES, expected: "HTTP 200" },
    { name: "one more, announced", framing: head, length: MAX_ANSWER_BYTES + 1, expected: "too_large, sent" },
    {
      name: "16 MiB, unannounced",
      framing: () => "HTTP/1.1 200 OK\r\n\r\n",
      length: MAX_ANSWER_BYTES,
      expected: "HTTP 200",
    },
    {
      name: "one more, unannounced",
      framing: () => "HTTP/1.1 200 OK\r\n\r\n",
      length: MAX_ANSWER_BYTES + 1,
      expected: "too_large, sent",
    },
  ];
  for (const { name, framing, length, expected } of cases) {
    await t.step(name, async () => {
      await using peer = answering(framing(length), filled(length));
      strictEqual(await faultOf(peer.url), expected);
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() counts bytes, not characters, and lets go of an endless answer", async () => {
  verifies("answer-cap");
  const piece = new TextEncoder().encode("群".repeat(20_000));
  let pieces = 0;
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    await connection.write("HTTP/1.1 200 OK\r\n\r\n");
    for (; pieces < 10_000; pieces++) await connection.write(piece);
  });
  strictEqual(await faultOf(peer.url), "too_large, sent");
  await peer.connections[0]?.gone();
  ok(pieces * piece.length < 2 * MAX_ANSWER_BYTES, `the peer could write ${pieces} pieces`);
});

Deno.test("post() ends at the timeout wherever the answer stalls, and closes the connection", async (t) => {
  verifies("timeout-whole", "never-retry");
  const forever = new Promise<void>(() => {});
  const cases: Record<string, string[]> = {
    "before the headers": [],
    "within the headers": ["HTTP/1.1 200 OK\r\ncontent-"],
    "before the body": [head(10)],
    "within the body": [head(10), "{"],
    "before the last chunk": [CHUNKED, "2\r\n{}\r\n"],
  };
  for (const [name, parts] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using peer = rawPeer(async (connection) => {
        await connection.request();
        for (const part of parts) await connection.write(part);
        await Promise.race([connection.gone(), forever]);
      });
      const start = performance.now();
      strictEqual(await faultOf(peer.url, { timeoutMs: 300 }), "timeout, sent");
      const took = performance.now() - start;
      ok(took >= 290 && took < 5_000, `${took} ms`);
      await peer.connections[0]?.gone();
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() counts the timeout from the start, however steadily bytes drip in", async (t) => {
  verifies("timeout-whole");
  for (const [name, first] of [["headers", "HTTP/1.1 200 OK\r\nx: "], ["body", head(1_000_000)]] as const) {
    await t.step(name, async () => {
      await using peer = rawPeer(async (connection) => {
        await connection.request();
        await connection.write(first);
        const gone = connection.gone().then(() => true);
        for (let i = 0; i < 500; i++) {
          await connection.write("x");
          const pause = Promise.withResolvers<boolean>();
          const timer = setTimeout(() => pause.resolve(false), 20);
          const left = await Promise.race([gone, pause.promise]);
          clearTimeout(timer);
          if (left) return;
        }
      });
      const start = performance.now();
      strictEqual(await faultOf(peer.url, { timeoutMs: 400 }), "timeout, sent");
      ok(performance.now() - start < 5_000);
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() does not send the token in the clear when an https address answers without TLS", async () => {
  verifies("no-token");
  await using peer = rawPeer(async (connection) => {
    await connection.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    await connection.gone();
  });
  const url = `https://127.0.0.1:${peer.port}/`;
  const ending = await endingOf(url, { token: "tok_TEST+/=1", timeoutMs: 10_000 });
  ok("fault" in ending, JSON.stringify(ending));
  ok(!peer.connections[0]?.received.includes("tok_TEST"));
  ok(!peer.connections[0]?.received.includes("POST"));
});
