/** Servers of others: what they answer is read as `fetch` reads it. */
import { strictEqual } from "node:assert/strict";
import { fromFileUrl } from "@std/path";
import { verifies } from "../../requirements.ts";
import { compare, denoPeer, nodePeer } from "./real_peers.ts";

const [CA, CHILD] = ["../../support/tls/ca.pem", "./tls_child.ts"].map((path) =>
  fromFileUrl(new URL(path, import.meta.url))
) as [string, string];

Deno.test("openStream() reads from Deno.serve what fetch reads", async () => {
  verifies("passed-through", "stream-ends");
  await using peer = denoPeer();
  using client = Deno.createHttpClient({});
  await compare(peer, client);
});

Deno.test("openStream() reads from node:http what fetch reads", async () => {
  verifies("passed-through", "stream-ends");
  await using peer = await nodePeer();
  using client = Deno.createHttpClient({});
  await compare(peer, client);
});

Deno.test("openStream() and post() keep to all of it over TLS", async () => {
  verifies("passed-through", "cancel", "stream-cancel", "timeout-whole", "bad-answers");
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { // trust is given to a whole process
    args: [
      "test",
      "--no-check",
      "--sanitize-ops",
      "--sanitize-resources",
      "--no-prompt",
      "--allow-read",
      "--allow-net=127.0.0.1",
      `--cert=${CA}`,
      CHILD,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const told = new TextDecoder().decode(stdout);
  strictEqual(code, 0, told + new TextDecoder().decode(stderr));
  strictEqual(/ok \| (\d+) passed/.exec(told)?.[1], "6", told);
});
