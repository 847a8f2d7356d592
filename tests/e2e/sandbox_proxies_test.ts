/** Variables that would lead to a proxy: whoever listens there hears nothing. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fromFileUrl } from "@std/path";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY } from "../support/binary.ts";
import { CLIENTS } from "../support/clients.ts";
import { Counter, flagsFor, makeSandboxFolders, program, proxyEnv, writeEnv } from "./sandbox_support.ts";
import { launch } from "../support/launched.ts";
import { collect, subscribe } from "./event_support.ts";

const [CA, CERT, KEY] = ["ca", "cert", "key"].map((name) => new URL(`../support/tls/${name}.pem`, import.meta.url)) as [
  URL,
  URL,
  URL,
];

for (const connect of CLIENTS) {
  Deno.test(`calls and events go past every proxy (${connect.name})`, async () => {
    verifies("sandbox-proxies", IS_BINARY ? "sandbox-worker" : "sandbox-flags");
    await using folders = await makeSandboxFolders();
    await using simulator = await startSimulator({ wsPort: 0, token: "tok_not-for-proxies" });
    await using proxy = new Counter();
    const env = {
      ...writeEnv(folders, simulator.url, simulator.wsUrl),
      SNOWLUMA_MCP_TOKEN: "tok_not-for-proxies",
      ...proxyEnv(proxy.port),
    };
    const grants = (await flagsFor(env)).filter((flag) => flag !== "--no-prompt");
    await using client = await connect({ env, grants });
    const { structuredContent } = await client.callTool("query_action", { action: "get_status" });
    strictEqual(structuredContent.diagnostics.outcome, "success");
    const uri = await subscribe(client);
    simulator.receive({ group_id: 20001, user_id: 12001, message: "Hello" });
    strictEqual((await collect(client, uri, 1)).length, 1);
    strictEqual(proxy.count, 0);
  });
}

/** Takes TLS connections, and passes on what comes and goes to a port of this machine. */
class TlsFront implements AsyncDisposable {
  readonly #listener: Deno.TlsListener;
  readonly #accepting: Promise<void>;
  readonly #port: number;

  constructor(port: number) {
    const [cert, key] = [CERT, KEY].map((url) => Deno.readTextFileSync(url)) as [string, string];
    this.#listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
    this.#port = port;
    this.#accepting = this.#accept();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  async #accept(): Promise<void> {
    const passing: Promise<unknown>[] = [];
    for await (const front of this.#listener) {
      const back = await Deno.connect({ hostname: "127.0.0.1", port: this.#port });
      passing.push(Promise.allSettled([
        front.readable.pipeTo(back.writable),
        back.readable.pipeTo(front.writable),
      ]));
    }
    await Promise.all(passing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting.catch(() => {});
  }
}

Deno.test("calls and events over TLS go past every proxy", async () => {
  verifies("sandbox-proxies");
  await using simulator = await startSimulator({ wsPort: 0, token: "tok_not-for-proxies" });
  await using proxy = new Counter();
  await using calls = new TlsFront(simulator.port);
  await using events = new TlsFront(Number(new URL(simulator.wsUrl ?? "").port));
  const env = {
    SNOWLUMA_MCP_ENDPOINT: `https://127.0.0.1:${calls.port}/`,
    // the TLS that node:* has in Deno 2.7, which binaries may embed, does not take this certificate
    SNOWLUMA_MCP_EVENTS_URL: IS_BINARY ? simulator.wsUrl ?? "" : `wss://127.0.0.1:${events.port}/`,
    SNOWLUMA_MCP_TOKEN: "tok_not-for-proxies",
    DENO_CERT: fromFileUrl(CA), // read by the runtime itself, like the operator's own authority
    ...proxyEnv(proxy.port),
  };
  const { code, stdout } = await launch(program(["doctor"], env, await flagsFor(env)), "");
  deepStrictEqual([code, proxy.count], [0, 0], stdout);
  match(stdout, /\nEvents\n {2}account {2}10001\n/);
  strictEqual(simulator.requests.filter(({ action }) => action !== null).length, 3);
});

Deno.test({ name: "doctor and the simulated bot need no proxy either", ignore: !IS_BINARY }, async () => {
  verifies("sandbox-proxies");
  await using proxy = new Counter();
  const env = { SNOWLUMA_MCP_ENDPOINT: "simulator", SNOWLUMA_MCP_EVENTS_URL: "simulator", ...proxyEnv(proxy.port) };
  const { code, stdout } = await launch({ command: BINARY, args: ["doctor"], env }, "");
  deepStrictEqual([code, proxy.count], [0, 0], stdout);
});
