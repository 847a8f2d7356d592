import { match, ok, rejects, strictEqual } from "node:assert/strict";
import { openEndpoint } from "../../../lib/cli/endpoint.ts";
import { netHost } from "../../../lib/config/needs.ts";
import { type Config, resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

const [BOT, EVENTS] = ["http://127.0.0.1:3000/", "wss://127.0.0.1/"];

function config(flags: Record<string, string>): Config {
  return resolveConfig({ flags, environment: {} });
}

/** Opens it and closes it again; gives the configuration it comes to. */
async function opened(flags: Record<string, string>): Promise<Config> {
  await using endpoint = await openEndpoint(config(flags));
  return endpoint.config;
}

async function refuses(flags: Record<string, string>, grant: string): Promise<void> {
  await rejects(() => opened(flags), (error: unknown) => {
    ok(error instanceof UsageError);
    ok(error.message.endsWith(`: add ${grant}`), error.message);
    return true;
  });
}

Deno.test("netHost() knows the ports that an address leaves out", () => {
  const hosts = ["http://a/", "https://a/", "ws://a/", "wss://a/", "ws://a:3001/", "wss://[::1]/"].map(netHost);
  strictEqual(hosts.join(" "), "a:80 a:443 a:80 a:443 a:3001 [::1]:443");
});

Deno.test({
  name: "openEndpoint() names the grant for the event address that it misses",
  permissions: { net: ["127.0.0.1:3000"] },
  async fn() {
    verifies("no-prompt", "events-url");
    await refuses({ endpoint: BOT, "events-url": EVENTS }, "--allow-net=127.0.0.1:443");
    strictEqual((await opened({ endpoint: BOT })).endpoint, BOT);
  },
});

Deno.test({
  name: "openEndpoint() names the variables that the WebSocket library could not read",
  permissions: { net: ["127.0.0.1"] },
  async fn() {
    verifies("no-prompt", "events-url");
    const grant = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
    await refuses({ endpoint: BOT, "events-url": EVENTS }, grant);
    await refuses({ endpoint: "simulator", "events-url": "simulator" }, grant);
  },
});

Deno.test({
  name: "openEndpoint() names only the variable that is missing",
  permissions: { net: ["127.0.0.1:3000", "127.0.0.1:443"], env: ["WS_NO_BUFFER_UTIL"] },
  fn: () => refuses({ endpoint: BOT, "events-url": EVENTS }, "--allow-env=WS_NO_UTF_8_VALIDATE"),
});

Deno.test({
  name: "openEndpoint() is content with exactly these grants, and connects to nothing",
  permissions: { net: ["127.0.0.1:3000", "127.0.0.1:443"], env: ["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"] },
  async fn() {
    verifies("exact-grants", "events-lazy");
    const { endpoint, eventsUrl } = await opened({ endpoint: BOT, "events-url": EVENTS });
    strictEqual(`${endpoint} ${eventsUrl}`, `${BOT} ${EVENTS}`);
  },
});

Deno.test({
  name: "openEndpoint() asks for nothing in docs mode",
  permissions: {},
  async fn() {
    verifies("events-url", "no-prompt");
    await opened({ "events-url": EVENTS });
    await opened({ endpoint: BOT, mode: "docs", "events-url": EVENTS });
    await opened({ endpoint: "simulator", mode: "docs", "events-url": "simulator" });
  },
});

Deno.test("openEndpoint() starts the simulated bot, its events only if they are wanted", async () => {
  verifies("events-url", "tasks-scope");
  const [calls, events] = [/^http:\/\/127\.0\.0\.1:[1-9][0-9]*\/$/, /^ws:\/\/127\.0\.0\.1:[1-9][0-9]*\/$/];
  const alone = await opened({ endpoint: "simulator" });
  match(alone.endpoint ?? "", calls);
  ok(!("eventsUrl" in alone));
  const both = await opened({ endpoint: "simulator", "events-url": "simulator" });
  match(both.endpoint ?? "", calls);
  match(both.eventsUrl ?? "", events);
  strictEqual(both.scopeEndpoint, "simulator");
  const other = await opened({ endpoint: "simulator", "events-url": "ws://127.0.0.1:3001/" });
  strictEqual(other.eventsUrl, "ws://127.0.0.1:3001/");
});
