import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { runSimulator, type SimulatorFlags } from "../../../lib/cli/simulator.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** What it prints when it is told to stop at once. */
async function printed(flags: SimulatorFlags = {}, environment: Record<string, string> = {}): Promise<string[]> {
  const lines: string[] = [];
  const config = resolveConfig({ flags: {}, environment });
  await runSimulator(config, flags, AbortSignal.abort(), (line) => lines.push(line));
  return lines;
}

const [PORT, WS_PORT] = freePorts();
const OTHER = PORT === 3999 ? 4000 : 3999;

/** Two ports that were free a moment ago. */
function freePorts(): [number, number] {
  using one = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  using two = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return [one.addr.port, two.addr.port];
}

async function refuses(flags: SimulatorFlags, grant: string): Promise<void> {
  await rejects(() => printed(flags), (error: unknown) => {
    ok(error instanceof UsageError);
    ok(error.message.endsWith(`: add ${grant}`), error.message);
    return true;
  });
}

Deno.test({
  name: "runSimulator() names the grant it misses",
  permissions: { net: false },
  async fn() {
    verifies("no-prompt");
    await refuses({ port: "3999" }, "--allow-net=127.0.0.1:3999");
    await refuses({ port: "03999" }, "--allow-net=127.0.0.1:3999");
    for (const port of [undefined, "0", "00", ""]) await refuses({ port }, "--allow-net=127.0.0.1");
  },
});

Deno.test({
  name: "runSimulator() is content with a grant for its port, which is none for any other",
  permissions: { net: [`127.0.0.1:${PORT}`] },
  async fn() {
    verifies("no-prompt");
    deepStrictEqual(
      await printed({ port: String(PORT) }),
      [`The simulated bot answers at http://127.0.0.1:${PORT}/ without a token.`],
    );
    await refuses({ port: String(OTHER) }, `--allow-net=127.0.0.1:${OTHER}`);
    await refuses({}, "--allow-net=127.0.0.1");
    await refuses({ port: String(PORT), "ws-port": String(WS_PORT) }, `--allow-net=127.0.0.1:${WS_PORT}`);
  },
});

Deno.test({
  name: "runSimulator() names the variables that a WebSocket needs",
  permissions: { net: ["127.0.0.1"] },
  async fn() {
    verifies("no-prompt");
    await refuses({ "ws-port": "0" }, "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE");
    strictEqual((await printed({ "ws-port": "" })).length, 1); // empty is absent
  },
});

Deno.test({
  name: "runSimulator() prints both addresses, and with which token",
  permissions: {
    net: [`127.0.0.1:${PORT}`, `127.0.0.1:${WS_PORT}`],
    env: ["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"],
  },
  async fn() {
    verifies("exact-grants", "no-token");
    const [calls, events] = [`http://127.0.0.1:${PORT}/`, `ws://127.0.0.1:${WS_PORT}/`];
    const ports = { port: String(PORT), "ws-port": String(WS_PORT) };
    const cases = [
      [{}, "without a token", "without a token"],
      [{ SNOWLUMA_MCP_TOKEN: "of-calls" }, "with the set token", "with the set token"],
      [{ SNOWLUMA_MCP_EVENTS_TOKEN: "of-events" }, "without a token", "with the set token"],
    ] as const;
    for (const [environment, forCalls, forEvents] of cases) {
      deepStrictEqual(await printed(ports, environment), [
        `The simulated bot answers at ${calls} ${forCalls}.`,
        `Its events come from ${events} ${forEvents}.`,
      ]);
    }
  },
});

Deno.test("runSimulator() takes free ports by itself", async () => {
  const [calls = "", events = "", ...more] = await printed({ "ws-port": "0" });
  match(calls, /^The simulated bot answers at http:\/\/127\.0\.0\.1:[1-9][0-9]*\/ without a token\.$/);
  match(events, /^Its events come from ws:\/\/127\.0\.0\.1:[1-9][0-9]*\/ without a token\.$/);
  deepStrictEqual(more, []);
});
