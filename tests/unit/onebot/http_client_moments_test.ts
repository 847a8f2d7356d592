/** Faults at each moment of an exchange: it ends once, as what it is, and leaves nothing open. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { MAX_REQUEST_BYTES } from "../../../lib/onebot/exchange.ts";
import { openStream } from "../../../lib/onebot/http_client.ts";
import { verifies } from "../../requirements.ts";
import { BODY, endingOf, faultOf, type PostOptions } from "./exchange_support.ts";
import { head, rawPeer } from "./raw_peer.ts";

/** The timeout where it is to be met, in milliseconds. */
const SHORT_MS = 300;
const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Options of a call that is cancelled after a while, and of one that meets its timeout; with how each ends. */
function endings(): ReadonlyArray<readonly [options: PostOptions, fault: string]> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), SHORT_MS / 2);
  return [[{ signal: controller.signal }, "cancelled"], [{ timeoutMs: SHORT_MS }, "timeout"]];
}

/** A test that fails on what is left open or under way, which Deno does not look for by itself. */
function clean(name: string, fn: (t: Deno.TestContext) => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: true, sanitizeResources: true });
}

clean("post() ends while nobody answers its attempt to connect, and gives it up", async () => {
  if (Deno.build.os !== "linux") return; // elsewhere a queue of none is not one
  verifies("timeout-whole", "cancel", "outcome-refused");
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 0 });
  const { port } = listener.addr;
  using _only = await Deno.connect({ hostname: "127.0.0.1", port }); // fills the queue
  await Promise.all(
    endings().map(async ([options, fault]) => {
      strictEqual(await faultOf(`http://127.0.0.1:${port}/`, options), `${fault}, not sent`);
    }),
  );
});

clean("post() ends while the peer is silent in the TLS handshake", async () => {
  verifies("timeout-whole", "cancel", "outcome-refused");
  const done = Promise.withResolvers<void>();
  await using peer = rawPeer(() => done.promise); // Deno itself keeps such a socket until the peer closes it
  await Promise.all(
    endings().map(async ([options, fault]) => {
      strictEqual(await faultOf(`https://127.0.0.1:${peer.port}/`, options), `${fault}, not sent`);
    }),
  );
  strictEqual(peer.connections.length, 2);
  done.resolve();
});

clean("post() ends while a large body goes to a peer that does not read", async () => {
  verifies("timeout-whole", "cancel");
  const body = new Uint8Array(32 * 1024 * 1024).fill(0x20);
  const done = Promise.withResolvers<void>();
  await using peer = rawPeer(async (connection) => {
    await done.promise;
    await connection.gone();
    ok(connection.received.length < body.length);
  });
  await Promise.all(
    endings().map(async ([options, fault]) => {
      strictEqual(await faultOf(peer.url, { ...options, body }), `${fault}, sent`);
    }),
  );
  done.resolve();
});

clean("post() ends while interim answers never end", async () => {
  verifies("timeout-whole", "cancel", "bad-answers");
  const many = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(500);
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    for (;;) await connection.write(many);
  });
  await Promise.all(
    endings().map(async ([options, fault]) => {
      strictEqual(await faultOf(peer.url, options), `${fault}, sent`);
    }),
  );
});

clean("openStream() cancelled gives nothing more, not even what has come already", async (t) => {
  verifies("stream-cancel");
  for (const moment of ["before the body", "within the body"]) {
    await t.step(moment, async () => {
      await using peer = rawPeer(async (connection) => {
        await connection.request();
        await connection.write(`${CHUNKED}1\r\na\r\n1\r\nb\r\n0\r\n\r\n`);
        await connection.gone();
      });
      const controller = new AbortController();
      const { body } = await openStream({ url: peer.url, timeoutMs: 20_000 }, BODY, controller.signal);
      if (moment === "before the body") controller.abort();
      let text = "";
      try {
        for await (const bytes of body) {
          text += new TextDecoder().decode(bytes);
          controller.abort();
        }
        text += ", whole";
      } catch (error) {
        text += `, ${error instanceof Error && "fault" in error ? error.fault : error}`;
      }
      strictEqual(text, moment === "before the body" ? ", cancelled" : "a, cancelled");
    });
  }
});

clean("openStream() closes at the timeout a body that nobody begins to read", async () => {
  verifies("stream-timeouts");
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    await connection.write(head(2));
    await connection.gone();
  });
  const { status } = await openStream({ url: peer.url, timeoutMs: SHORT_MS }, BODY, new AbortController().signal);
  strictEqual(status, 200);
  await peer.connections[0]?.gone();
});

clean("post() takes an answer that comes before its body has left", async (t) => {
  verifies("never-retry", "bad-answers");
  const body = new Uint8Array(16 * 1024 * 1024).fill(0x20);
  const refusal = "HTTP/1.1 413 Payload Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
  await t.step("and the peer stays", async () => {
    const left = Promise.withResolvers<void>();
    await using peer = rawPeer(async (connection) => {
      await connection.conn.read(new Uint8Array(1));
      await connection.write(refusal);
      await left.promise; // reads no further before the client has its answer
      await connection.gone();
    });
    deepStrictEqual(await endingOf(peer.url, { body }), { status: 413, text: "[]" });
    left.resolve();
  });
  await t.step("and the peer resets the connection", async () => {
    const seen = new Set<string>();
    await using peer = rawPeer(async (connection) => {
      await connection.conn.read(new Uint8Array(1));
      await connection.write(refusal);
    });
    for (let i = 0; i < 10; i++) seen.add(await faultOf(peer.url, { body }));
    seen.delete("cut, sent"); // a reset may overtake the answer
    ok(seen.size === 0 || (seen.size === 1 && seen.has("HTTP 413")), [...seen].join());
    strictEqual(peer.connections.length, 10);
  });
});

clean("post() goes by the end of a connection also where only one side has ended", async () => {
  verifies("bad-answers");
  for (
    const [answer, expected] of [["HTTP/1.1 200 OK\r\n\r\n{}", "HTTP 200"], [head(3) + "{}", "cut, sent"]] as const
  ) {
    await using peer = rawPeer(async (connection) => {
      await connection.request();
      await connection.write(answer);
      await connection.conn.closeWrite();
      await connection.gone(); // the client has closed too
    });
    strictEqual(await faultOf(peer.url), expected);
  }
  await using silent = rawPeer(async (connection) => {
    await connection.conn.closeWrite();
    await connection.gone();
  });
  strictEqual(await faultOf(silent.url), "cut, sent");
});

clean("post() closes once, whatever else happens afterwards", async () => {
  verifies("cancel");
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    await connection.write(`${head(2)}{}`);
    await connection.gone();
  });
  const controller = new AbortController();
  deepStrictEqual(await endingOf(peer.url, { signal: controller.signal, timeoutMs: SHORT_MS }), {
    status: 200,
    text: "{}",
  });
  controller.abort();
  await new Promise((resolve) => setTimeout(resolve, 2 * SHORT_MS)); // nothing of it is thrown into the void
});

clean("post() sends a body of 64 MiB byte for byte", async () => {
  verifies("bounded", "one-post");
  const body = new Uint8Array(MAX_REQUEST_BYTES);
  for (let at = 0; at < body.length; at += 4_093) body[at] = at; // a prime's distance, against lost or doubled parts
  let [seen, different] = [0, 0];
  await using peer = rawPeer(async ({ conn }) => {
    const buffer = new Uint8Array(1024 * 1024);
    let text = "";
    let count = 0;
    let start = -1;
    while (start === -1) { // a head and perhaps some of the body
      count = await conn.read(buffer) ?? 0;
      const before = text.length;
      text += new TextDecoder("latin1").decode(buffer.subarray(0, count));
      if (text.includes("\r\n\r\n")) start = text.indexOf("\r\n\r\n") + 4 - before;
    }
    for (let from = start;; from = 0) {
      for (let i = from; i < count; i++, seen++) if (buffer[i] !== body[seen]) different++;
      if (seen >= body.length) break;
      count = await conn.read(buffer) ?? 0;
      if (count === 0) break;
    }
    await conn.write(new TextEncoder().encode(`${head(2)}{}`));
  });
  deepStrictEqual(await endingOf(peer.url, { body }), { status: 200, text: "{}" });
  deepStrictEqual([seen, different], [body.length, 0]);
});
