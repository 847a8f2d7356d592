import { ok, strictEqual } from "node:assert/strict";
import { verifies } from "../../requirements.ts";
import { assertOneRequest, faultOf } from "./exchange_support.ts";
import { head, type PeerConnection, rawPeer } from "./raw_peer.ts";

/** Long enough for noise, far below every timeout here. */
const AT_ONCE_MS = 2_000;

Deno.test("post() with an aborted signal makes no connection", async () => {
  verifies("cancel");
  await using peer = rawPeer((connection) => connection.gone());
  strictEqual(await faultOf(peer.url, { signal: AbortSignal.abort() }), "cancelled, not sent");
  strictEqual(peer.connections.length, 0);
});

Deno.test("post() cancelled in the turn of its call sends no request", async () => {
  verifies("cancel");
  await using peer = rawPeer((connection) => connection.gone());
  const controller = new AbortController();
  const ending = faultOf(peer.url, { signal: controller.signal });
  controller.abort();
  strictEqual(await ending, "cancelled, not sent");
  for (const connection of peer.connections) {
    await connection.gone();
    strictEqual(connection.received, "");
  }
});

Deno.test("post() cancelled closes the connection at once, wherever the exchange stands", async (t) => {
  verifies("cancel", "never-retry");
  const cases: Record<string, (connection: PeerConnection) => Promise<void>> = {
    "waiting for an answer": async () => {},
    "within the headers": (connection) => connection.write("HTTP/1.1 200 OK\r\ncontent-"),
    "after the headers": (connection) => connection.write(head(10)),
    "within the body": (connection) => connection.write(`${head(1_000_000)}{"status":`),
    "within a chunk": (connection) => connection.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"),
  };
  for (const [name, begin] of Object.entries(cases)) {
    await t.step(name, async () => {
      const reached = Promise.withResolvers<void>();
      const left = Promise.withResolvers<number>();
      await using peer = rawPeer(async (connection) => {
        await connection.request();
        await begin(connection);
        reached.resolve();
        await connection.gone();
        left.resolve(performance.now());
      });
      const controller = new AbortController();
      const ending = faultOf(peer.url, { signal: controller.signal, timeoutMs: 60_000 });
      await reached.promise;
      const cancelledAt = performance.now();
      controller.abort();
      strictEqual(await ending, "cancelled, sent");
      ok(performance.now() - cancelledAt < AT_ONCE_MS, "the caller hears of it at once");
      ok(await left.promise - cancelledAt < AT_ONCE_MS, "the peer sees it at once");
      assertOneRequest(peer);
    });
  }
});

Deno.test("post() cancelled while its own body goes out closes the connection at once", async () => {
  verifies("cancel");
  const reached = Promise.withResolvers<PeerConnection>();
  const done = Promise.withResolvers<void>();
  await using peer = rawPeer(async (connection) => {
    await connection.conn.read(new Uint8Array(1));
    reached.resolve(connection);
    await done.promise; // reads no further, so that the client cannot finish writing
  });
  const controller = new AbortController();
  const body = new Uint8Array(48 * 1024 * 1024).fill(0x20);
  const ending = faultOf(peer.url, { signal: controller.signal, body, timeoutMs: 60_000 });
  const connection = await reached.promise;
  const cancelledAt = performance.now();
  controller.abort();
  strictEqual(await ending, "cancelled, sent");
  await connection.gone(); // what was on its way, then the end
  ok(performance.now() - cancelledAt < AT_ONCE_MS);
  ok(connection.received.length < body.length, "the rest of the body never left");
  done.resolve();
});

Deno.test("post() leaves nothing at the signal after an answer", async () => {
  await using peer = rawPeer(async (connection) => {
    await connection.request();
    await connection.write(`${head(2)}{}`);
  });
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    listeners--;
    remove(...args);
  };
  strictEqual(await faultOf(peer.url, { signal }), "HTTP 200");
  strictEqual(listeners, 0);
});

Deno.test("post() leaves no timer behind: a process that has its answer can end", async () => {
  await using peer = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => new Response("{}"));
  const client = new URL("../../../lib/onebot/http_client.ts", import.meta.url).href;
  const script = `import { post } from ${JSON.stringify(client)};
    await post({ url: Deno.args[0], timeoutMs: 60_000 }, new Uint8Array(2), new AbortController().signal);`;
  const start = performance.now();
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script, `http://127.0.0.1:${peer.addr.port}/`],
    stderr: "null",
  }).output();
  strictEqual(code, 0);
  ok(performance.now() - start < 30_000);
});
