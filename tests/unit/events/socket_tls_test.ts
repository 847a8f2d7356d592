import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createServer } from "node:https";
import { fromFileUrl } from "@std/path";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { Ear, EventBot, lifecycle, open, tidyTest } from "./support.ts";

const [CA, CERT, KEY] = ["ca", "cert", "key"].map((name) =>
  fromFileUrl(new URL(`../../support/tls/${name}.pem`, import.meta.url))
) as [string, string, string];

function tlsBot(): Promise<EventBot> {
  const server = createServer({ cert: Deno.readTextFileSync(CERT), key: Deno.readTextFileSync(KEY) });
  return EventBot.start((peer) => peer.send(lifecycle()), server);
}

tidyTest("openEventSocket() connects to no bot whose certificate is not trusted", async () => {
  verifies("events-url");
  await using bot = await tlsBot();
  const { kind, message } = await failureOf(() => open(bot.url, new Ear()));
  strictEqual(kind, "connect");
  ok(/UNABLE_TO_VERIFY|SELF_SIGNED|CERT/.test(message), message);
  strictEqual(bot.peers.length, 0);
});

tidyTest("openEventSocket() speaks wss with a certificate that is trusted, and needs two permissions", async () => {
  verifies("events-url");
  await using bot = await tlsBot();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check", `--cert=${CA}`],
      ...["--allow-net=127.0.0.1", "--allow-env=WS_NO_BUFFER_UTIL"],
      ...[fromFileUrl(new URL("./tls_child.ts", import.meta.url)), bot.url],
    ],
  });
  const { code, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  deepStrictEqual([code, decoder.decode(stdout)], [0, lifecycle()], decoder.decode(stderr));
});
