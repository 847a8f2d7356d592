import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../../requirements.ts";
import { assertOneRequest, BODY, endingOf } from "./exchange_support.ts";
import { answering, head, type RawPeer, rawPeer } from "./raw_peer.ts";

const TOKEN = "tok_TEST+/=1~!";

/** Request line, headers by lower-case name, and body, of the one request a peer got. */
function requestOf(peer: RawPeer): { line: string; headers: Record<string, string>; body: string } {
  const text = peer.connections[0]?.received ?? "";
  const [top = "", body = ""] = [text.slice(0, text.indexOf("\r\n\r\n")), text.slice(text.indexOf("\r\n\r\n") + 4)];
  const [line = "", ...fields] = top.split("\r\n");
  const headers = fields.map((field): [string, string] => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  strictEqual(new Set(headers.map(([name]) => name)).size, headers.length, "no header twice");
  return { line, headers: Object.fromEntries(headers), body };
}

Deno.test("post() sends one POST with these headers, the token in one of them, and the body byte for byte", async () => {
  verifies("one-post", "never-retry");
  await using peer = answering(head(2), "{}");
  deepStrictEqual(await endingOf(`${peer.url}bot/api`, { token: TOKEN }), { status: 200, text: "{}" });
  const { line, headers, body } = requestOf(peer);
  strictEqual(line, "POST /bot/api HTTP/1.1");
  deepStrictEqual(headers, {
    "content-type": "application/json",
    "content-length": String(BODY.length),
    "accept-encoding": "identity",
    "connection": "close",
    "authorization": `Bearer ${TOKEN}`,
    "host": `127.0.0.1:${peer.port}`,
  });
  strictEqual(body, new TextDecoder().decode(BODY));
  assertOneRequest(peer);
});

Deno.test("post() sends no authorization without a token", async () => {
  await using peer = answering(head(2), "{}");
  await endingOf(peer.url);
  ok(!("authorization" in requestOf(peer).headers));
});

Deno.test("post() sends a large body whole", async () => {
  verifies("one-post");
  const body = new TextEncoder().encode(JSON.stringify("群".repeat(2_000_000)));
  await using peer = answering(head(2), "{}");
  deepStrictEqual(await endingOf(peer.url, { body }), { status: 200, text: "{}" });
  strictEqual(new TextEncoder().encode(requestOf(peer).body).length, body.length);
});

Deno.test("post() gives any HTTP status with its text; it judges none", async (t) => {
  verifies("envelope-judged");
  for (const status of [200, 201, 400, 401, 403, 404, 405, 413, 500, 503]) {
    await t.step(String(status), async () => {
      await using peer = answering(`HTTP/1.1 ${status} Any\r\ncontent-length: 2\r\n\r\n[]`);
      deepStrictEqual(await endingOf(peer.url), { status, text: "[]" });
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() puts together an answer that comes in any pieces", async (t) => {
  verifies("passed-through");
  const text = '{"text":"群😀"}';
  const bytes = new TextEncoder().encode(text);
  const single = Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));
  const chunk = (part: Uint8Array): Uint8Array[] => {
    const encode = (line: string): Uint8Array => new TextEncoder().encode(line);
    return [encode(`${part.length.toString(16)}\r\n`), part, encode("\r\n")];
  };
  const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  const cases: Record<string, Array<string | Uint8Array>> = {
    "known length, byte by byte": [head(bytes.length), ...single],
    "chunked, byte by byte": [chunked, ...single.flatMap(chunk), "0\r\n\r\n"],
    "until the end of the connection": ["HTTP/1.1 200 OK\r\n\r\n", ...single],
    "HTTP/1.0": ["HTTP/1.0 200 OK\r\n\r\n", bytes],
    "after 100 Continue": ["HTTP/1.1 100 Continue\r\n\r\n", head(bytes.length), bytes],
    "with a byte order mark": [head(bytes.length + 3), new Uint8Array([0xef, 0xbb, 0xbf]), bytes],
    "with bytes after its end": [head(bytes.length), bytes, "HTTP/1.1 500 No\r\n\r\n"],
  };
  for (const [name, parts] of Object.entries(cases)) {
    await t.step(name, async () => {
      await using peer = answering(...parts);
      deepStrictEqual(await endingOf(peer.url), { status: 200, text });
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() does not wait for the peer to close after a whole answer", async () => {
  const left = Promise.withResolvers<void>();
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    await connection.write(`${head(2)}{}`);
    await connection.gone();
    left.resolve();
  });
  deepStrictEqual(await endingOf(peer.url), { status: 200, text: "{}" });
  await left.promise; // the client has closed its side too
});

Deno.test("post() follows no redirect and takes the token nowhere", async (t) => {
  verifies("no-redirect", "never-retry", "no-token");
  for (const status of [300, 301, 302, 303, 307, 308]) {
    await t.step(String(status), async () => {
      await using elsewhere = answering(head(2), "{}");
      await using peer = answering(
        `HTTP/1.1 ${status} Moved\r\nlocation: ${elsewhere.url}\r\ncontent-length: 5\r\n\r\nmoved`,
      );
      deepStrictEqual(await endingOf(peer.url, { token: TOKEN }), { status, text: "moved" });
      assertOneRequest(peer);
      strictEqual(elsewhere.connections.length, 0);
    });
  }
});

Deno.test("post() takes an answer as it is, whatever content-encoding it claims", async () => {
  await using peer = answering(head(2, "content-encoding: gzip"), "{}");
  deepStrictEqual(await endingOf(peer.url), { status: 200, text: "{}" });
});

Deno.test("post() makes a connection of its own for every call", async () => {
  verifies("one-post");
  await using peer = answering(head(2, "connection: keep-alive", "keep-alive: timeout=60"), "{}");
  for (let i = 0; i < 3; i++) await endingOf(peer.url);
  strictEqual(peer.connections.length, 3);
  for (const { received } of peer.connections) strictEqual(received.match(/POST /g)?.length, 1);
});
