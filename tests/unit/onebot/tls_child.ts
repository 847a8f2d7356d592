/** Tests that need a process which trusts our certificate; `http_peers_test.ts` runs them. */
import { ok, strictEqual } from "node:assert/strict";
import { openStream } from "../../../lib/onebot/http_client.ts";
import { type Ending, endingOf, faultOf } from "./exchange_support.ts";
import { rawPeer } from "./raw_peer.ts";
import { compare, denoPeer, type Identity, nodePeer } from "./real_peers.ts";

const [ca, cert, key] = ["ca.pem", "cert.pem", "key.pem"].map((name) =>
  Deno.readTextFileSync(new URL(`../../support/tls/${name}`, import.meta.url))
) as [string, string, string];
const IDENTITY: Identity = { cert, key };
const BODY = new TextEncoder().encode("{}");

interface TlsPeer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
}

/** A TLS peer with one connection: it reads the request's beginning, writes these parts, and does `then`. */
function tlsPeer(parts: readonly string[], then: (conn: Deno.TlsConn) => Promise<unknown>): TlsPeer {
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
  const served = (async () => {
    const conn = await listener.accept();
    try {
      await conn.read(new Uint8Array(1_000));
      for (const part of parts) await conn.write(new TextEncoder().encode(part));
      await then(conn);
    } finally {
      conn.close();
    }
  })();
  const { port } = listener.addr;
  return {
    url: `https://127.0.0.1:${port}/`,
    port,
    [Symbol.asyncDispose]: async () => {
      await served;
      listener.close();
    },
  };
}

/** Waits until the client is gone. */
async function gone(conn: Deno.TlsConn): Promise<void> {
  const buffer = new Uint8Array(65_536);
  try {
    while (await conn.read(buffer) !== null);
  } catch {
    // reset, or no orderly end of TLS
  }
}

Deno.test("Deno.serve", async () => {
  await using peer = denoPeer(IDENTITY);
  using client = Deno.createHttpClient({ caCerts: [ca], http2: false });
  await compare(peer, client);
});

Deno.test("node:https", async () => {
  await using peer = await nodePeer(IDENTITY);
  using client = Deno.createHttpClient({ caCerts: [ca], http2: false });
  await compare(peer, client);
});

const STALLS: Readonly<Record<string, readonly string[]>> = {
  "before the head": [],
  "within the head": ["HTTP/1.1 200 OK\r\nx"],
  "before the body": ["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n"],
  "within a chunk": ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{"],
};

Deno.test("post() ends at the timeout and when cancelled, and closes", async () => {
  await Promise.all(
    Object.entries(STALLS).map(async ([name, parts]) => {
      const reached = Promise.withResolvers<void>();
      await using silent = tlsPeer(parts, gone);
      strictEqual(await faultOf(silent.url, { timeoutMs: 300 }), "timeout, sent", name);
      await using other = tlsPeer(parts, (conn) => (reached.resolve(), gone(conn)));
      const controller = new AbortController();
      const ending = faultOf(other.url, { signal: controller.signal });
      await reached.promise;
      controller.abort();
      strictEqual(await ending, "cancelled, sent", name);
    }),
  );
});

Deno.test("post() ends while a large body goes to a peer that does not read", async () => {
  const body = new Uint8Array(32 * 1024 * 1024).fill(0x20);
  const left = Promise.withResolvers<void>();
  await using peer = tlsPeer([], (conn) => left.promise.then(() => gone(conn)));
  strictEqual(await faultOf(peer.url, { body, timeoutMs: 400 }), "timeout, sent");
  left.resolve();
});

Deno.test("post() takes an answer that comes before its body has left", async () => {
  const body = new Uint8Array(32 * 1024 * 1024).fill(0x20);
  const left = Promise.withResolvers<void>();
  await using peer = tlsPeer(
    ["HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\n[]"],
    (conn) => left.promise.then(() => gone(conn)),
  );
  const ending = await endingOf(peer.url, { body });
  strictEqual("status" in ending && ending.status, 413);
  left.resolve();
});

Deno.test("an end that TLS does not vouch for is no end of an answer", async () => {
  const cutNow = Promise.withResolvers<void>();
  await using peer = tlsPeer(["HTTP/1.1 200 OK\r\n\r\n{}"], gone);
  await using wire = rawPeer(async ({ conn }) => { // passes bytes on until it is cut
    using inner = await Deno.connect({ hostname: "127.0.0.1", port: peer.port });
    const pass = async (from: Deno.Conn, to: Deno.Conn): Promise<void> => {
      const buffer = new Uint8Array(65_536);
      try {
        for (let count; (count = await from.read(buffer)) !== null;) await to.write(buffer.subarray(0, count));
      } catch {
        // cut
      }
    };
    const passing = [pass(conn, inner), pass(inner, conn)];
    await cutNow.promise;
    conn.close();
    inner.close();
    await Promise.all(passing);
  });
  let text = "";
  let ending: Ending | undefined;
  const endpoint = { url: `https://127.0.0.1:${wire.port}/`, timeoutMs: 20_000 };
  try {
    const { status, body } = await openStream(endpoint, BODY, new AbortController().signal);
    for await (const bytes of body) {
      text += new TextDecoder().decode(bytes);
      cutNow.resolve();
    }
    ending = { status, text };
  } catch (error) {
    ok(error instanceof Error && "fault" in error);
    strictEqual(error.fault, "cut");
  }
  strictEqual(text, "{}");
  strictEqual(ending, undefined);
});
