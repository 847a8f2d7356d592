/** Peers at the event address that are no bot, or none in time: subscribe_events says so, ends, and can be tried again. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { hasOlderRuntime } from "../support/binary.ts";
import { CLIENTS } from "../support/clients.ts";
import { acceptance, ByteBot, drain, event, EventBot, until } from "../unit/events/support.ts";
import { collect, eventOptions, refusal, subscribe } from "./event_support.ts";
import { failureOf } from "./exec_support.ts";
import { deadEndpoint } from "./support.ts";

const TIMEOUT_MS = 1_000;
const env = { SNOWLUMA_MCP_TIMEOUT_MS: String(TIMEOUT_MS) };

type Script = (conn: Deno.Conn, head: string) => Promise<void>;

/** Sends these bytes, and then keeps still until the client leaves. */
const says = (text: string | ((head: string) => Promise<string>)): Script => async (conn, head) => {
  await conn.write(new TextEncoder().encode(typeof text === "string" ? text : await text(head)));
  await drain(conn);
};
/** The same, but leaves at once. */
const leaves = (text: string): Script => async (conn) => void await conn.write(new TextEncoder().encode(text));

/** What is told of a peer that leaves: an older runtime does not hear of it. */
const LEFT = await hasOlderRuntime() ? "timeout" : "connect";

const PEERS: Readonly<Record<string, [script: Script, kind: string]>> = {
  "says nothing": [drain, "timeout"],
  "says half of a handshake": [says("HTTP/1.1 101 Switching"), "timeout"],
  "leaves without a word": [() => Promise.resolve(), LEFT],
  "leaves amid the handshake": [leaves("HTTP/1.1 101 Switching Protocols\r\nUpgr"), LEFT],
  "is another program": [says("SSH-2.0-OpenSSH_9.6\r\n"), "connect"],
  "accepts with a wrong key": [
    says((head) => acceptance(head.replace(/(key: *)\S+/i, "$1AAAAAAAAAAAAAAAAAAAAAA=="))),
    "connect",
  ],
  "chooses a compression": [
    says(async (head) =>
      (await acceptance(head)).replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
    ),
    "connect",
  ],
  "chooses a protocol": [
    says(async (head) => (await acceptance(head)).replace("\r\n\r\n", "\r\nSec-WebSocket-Protocol: x\r\n\r\n")),
    "connect",
  ],
};

for (const connect of CLIENTS) {
  Deno.test(`${connect.name}: a peer that is no bot, or not in time, is told by subscribe_events`, async () => {
    verifies("events-path", "events-no-reconnect");
    let script: Script = drain;
    let connections = 0;
    await using peer = new ByteBot((conn, head) => {
      connections++;
      return script(conn, head);
    });
    await using client = await connect(eventOptions(peer.url, { env }));
    for (const [index, [name, [deed, kind]]] of Object.entries(PEERS).entries()) {
      script = deed;
      const start = performance.now();
      const failure = await refusal(client);
      deepStrictEqual([failure.kind, failure.outcome], [kind, "failed"], name);
      match(failure.message, /^Cannot open the event connection: /);
      match(failure.next_step, /SNOWLUMA_MCP_EVENTS_URL/);
      const ms = performance.now() - start;
      if (kind === "timeout") ok(ms > TIMEOUT_MS - 10 && ms < 10 * TIMEOUT_MS, `${name} took ${ms} ms`);
      strictEqual(connections, index + 1, name);
    }
  });

  Deno.test(`${connect.name}: an address at which nobody listens is told`, async () => {
    verifies("events-url");
    const address = deadEndpoint().replace("http:", "ws:");
    await using client = await connect(eventOptions(address));
    const { kind, message, next_step } = await refusal(client);
    deepStrictEqual([kind, /ECONNREFUSED/.test(message)], ["connect", true]);
    match(next_step, /Start the bot/);
  });

  Deno.test(`${connect.name}: cancelling subscribe_events ends the attempt, but not for others who wait for it`, async () => {
    verifies("events-release", "events-resources");
    await using bot = await EventBot.start(() => {});
    await using client = await connect(eventOptions(bot.url));
    const cancellable = (): () => Promise<void> => {
      const stop = new AbortController();
      const call = client.callTool("subscribe_events", { self_id: 10001 }, stop.signal).catch((error) => error);
      return async () => {
        stop.abort();
        ok(await call instanceof Error);
      };
    };
    const alone = cancellable();
    await until(() => bot.peers.length === 1);
    await alone();
    await until(() => bot.peer.readyState === 3);

    const first = cancellable();
    await until(() => bot.peers.length === 2);
    const second = subscribe(client);
    failureOf(await client.callTool("read_events", { uri: "x" })); // the second one has begun by now
    await first();
    await bot.send(event());
    strictEqual((await collect(client, await second, 1)).length, 1);
    const { resources } = await client.listResources();
    strictEqual(resources.filter(({ uri }: { uri: string }) => uri.includes("/events/")).length, 1);
    deepStrictEqual([bot.peers.length, bot.received], [2, []]);
  });
}
