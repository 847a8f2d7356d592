/** TLS: what fails before the handshake is done cannot have left; what succeeds is an exchange like any other. */
import { ok, rejects, strictEqual } from "node:assert/strict";
import { fromFileUrl } from "@std/path";
import type { ExchangeError } from "../../../lib/onebot/exchange.ts";
import { post } from "../../../lib/onebot/http_client.ts";
import { verifies } from "../../requirements.ts";

const CA = new URL("../../support/tls/ca.pem", import.meta.url);
const CERT = new URL("../../support/tls/cert.pem", import.meta.url);
const KEY = new URL("../../support/tls/key.pem", import.meta.url);
const BODY = new TextEncoder().encode("{}");

/** A TLS peer that counts the requests it gets. */
async function tlsPeer(): Promise<{ url: string; requests: () => number } & AsyncDisposable> {
  let requests = 0;
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: await Deno.readTextFile(CERT),
    key: await Deno.readTextFile(KEY),
    onListen: () => {},
  }, async (request) => {
    requests++;
    await request.body?.cancel();
    return new Response('{"status":"ok","retcode":0}');
  });
  const url = `https://127.0.0.1:${server.addr.port}/`;
  return { url, requests: () => requests, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("post() says that nothing left when the certificate is not trusted", async () => {
  verifies("outcome-refused");
  await using peer = await tlsPeer();
  await rejects(
    post({ url: peer.url, timeoutMs: 5000 }, BODY, new AbortController().signal),
    ({ fault, sent, detail }: ExchangeError) => {
      strictEqual(fault, "connect");
      strictEqual(sent, false);
      ok(detail?.includes("certificate"), `the certificate is named: ${detail}`);
      return true;
    },
  );
  strictEqual(peer.requests(), 0);
});

Deno.test("post() says that nothing left when the peer does not speak TLS", async () => {
  verifies("outcome-refused");
  await using peer = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, () => new Response("x"));
  await rejects(
    post({ url: `https://127.0.0.1:${peer.addr.port}/`, timeoutMs: 5000 }, BODY, new AbortController().signal),
    ({ fault, sent }: ExchangeError) => fault === "connect" && !sent,
  );
});

Deno.test("post() exchanges over TLS with a certificate that is trusted", async () => {
  await using peer = await tlsPeer();
  const script = `
    import { post } from ${JSON.stringify(new URL("../../../lib/onebot/http_client.ts", import.meta.url).href)};
    const answer = await post({ url: Deno.args[0], timeoutMs: 5000 }, new TextEncoder().encode("{}"), new AbortController().signal);
    console.log(answer.status, answer.text);`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", `--cert=${fromFileUrl(CA)}`, script, peer.url],
  }).output();
  ok(new TextDecoder().decode(stdout).includes('200 {"status":"ok","retcode":0}'), new TextDecoder().decode(stderr));
  strictEqual(peer.requests(), 1);
});
