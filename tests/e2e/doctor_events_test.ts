/** doctor on the event address: whose events come, or why none do; never the token. */
import { match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { GRANTS } from "../support/server_process.ts";
import { deadEndpoint, type Finished, runCommand } from "./support.ts";

const TOKEN = "tok_CALLS+/=1";
const EVENTS_TOKEN = "tok_EVENTS+/=2";
const grants = [...GRANTS, "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE"];

/** Runs it on these addresses with both tokens set, unless told otherwise. */
async function doctor(endpoint: string, eventsUrl: string, env: Record<string, string> = {}): Promise<Finished> {
  const finished = await runCommand(["doctor", "--endpoint", endpoint, "--events-url", eventsUrl], {
    env: { SNOWLUMA_MCP_TOKEN: TOKEN, SNOWLUMA_MCP_EVENTS_TOKEN: EVENTS_TOKEN, ...env },
    grants,
  });
  for (const token of [TOKEN, EVENTS_TOKEN]) {
    for (const secret of [token, encodeURIComponent(token)]) ok(!finished.stdout.includes(secret), "a token is shown");
  }
  strictEqual(finished.stderr, "");
  ok(!/subscribe/i.test(finished.stdout), finished.stdout); // what clients do, not operators
  return finished;
}

/** The section "Events" of a report. */
function eventsOf(stdout: string): string {
  return stdout.split("\n\n").find((part) => part.startsWith("Events\n")) ?? stdout;
}

Deno.test("doctor shows the account whose events come", async () => {
  verifies("doctor", "events-token", "no-token");
  await using bot = await startSimulator({ token: TOKEN, wsPort: 0, wsToken: EVENTS_TOKEN });
  const { code, stdout } = await doctor(bot.url, bot.wsUrl ?? "");
  strictEqual(code, 0, stdout);
  strictEqual(eventsOf(stdout), "Events\n  account  10001");
  match(stdout, /EVENTS_URL +ws:\S+ \(flag\)/);
  match(stdout, /EVENTS_TOKEN +set, not shown \(environment\)/);
});

Deno.test("doctor says that the event address gets the token of calls when it has none of its own", async () => {
  verifies("doctor", "events-token");
  await using bot = await startSimulator({ token: TOKEN, wsPort: 0 });
  const { code, stdout } = await doctor(bot.url, bot.wsUrl ?? "", { SNOWLUMA_MCP_EVENTS_TOKEN: "" });
  strictEqual(code, 0, stdout);
  match(stdout, /EVENTS_TOKEN +that of SNOWLUMA_MCP_TOKEN \(default\)/);
});

Deno.test("doctor tries the events of the embedded simulator", async () => {
  verifies("doctor");
  const { code, stdout } = await doctor("simulator", "simulator");
  strictEqual(code, 0, stdout);
  strictEqual(eventsOf(stdout), "Events\n  account  10001");
});

for (const wsRefusal of ["close", "http"] as const) {
  Deno.test(`doctor exits 1 and names the setting when the event token is wrong (${wsRefusal})`, async () => {
    verifies("doctor", "events-token", "no-token");
    await using bot = await startSimulator({ token: TOKEN, wsPort: 0, wsToken: "another-token", wsRefusal });
    const { code, stdout } = await doctor(bot.url, bot.wsUrl ?? "");
    strictEqual(code, 1, stdout);
    match(stdout, /Problem: .*SNOWLUMA_MCP_EVENTS_TOKEN/);
    ok(!stdout.includes("another-token"), stdout);
  });
}

Deno.test("doctor exits 1 and names the setting when nothing listens at the event address, or no WebSocket", async () => {
  verifies("doctor", "events-url");
  await using bot = await startSimulator({ token: TOKEN });
  const dead = await doctor(bot.url, deadEndpoint().replace("http:", "ws:"));
  strictEqual(dead.code, 1, dead.stdout);
  match(dead.stdout, /Problem: .*ECONNREFUSED.*SNOWLUMA_MCP_EVENTS_URL/);
  const http = await doctor(bot.url, bot.url.replace("http:", "ws:"), { SNOWLUMA_MCP_EVENTS_TOKEN: "" });
  strictEqual(http.code, 1, http.stdout);
  match(http.stdout, /Problem: .*SNOWLUMA_MCP_EVENTS_URL/);
});

Deno.test("doctor exits 1 when the events are those of another account than answers calls", async () => {
  verifies("doctor");
  await using bot = await startSimulator({ token: TOKEN, wsPort: 0, wsToken: EVENTS_TOKEN });
  const envelope = { status: "ok", retcode: 0, data: { user_id: 10002, nickname: "another" } };
  bot.script({ kind: "envelope", action: "get_login_info", envelope });
  const { code, stdout } = await doctor(bot.url, bot.wsUrl ?? "");
  strictEqual(code, 1, stdout);
  strictEqual(eventsOf(stdout), "Events\n  account  no events");
  match(stdout, /Problem: .*10001 instead of 10002.*SNOWLUMA_MCP_EVENTS_URL/);
});

Deno.test("doctor shows whose events come also when calls are not answered", async () => {
  verifies("doctor");
  await using bot = await startSimulator({ wsPort: 0, wsToken: EVENTS_TOKEN });
  const { code, stdout } = await doctor(deadEndpoint(), bot.wsUrl ?? "");
  strictEqual(code, 1, stdout);
  strictEqual(eventsOf(stdout), "Events\n  account  10001");
});

Deno.test("doctor notes that nothing came, which is no problem by itself", async () => {
  verifies("doctor");
  await using bot = await startSimulator({ token: TOKEN, wsPort: 0, wsToken: EVENTS_TOKEN, wsRole: "api" });
  const { code, stdout } = await doctor(bot.url, bot.wsUrl ?? "");
  strictEqual(code, 0, stdout);
  strictEqual(eventsOf(stdout), "Events\n  account  nothing came yet");
  match(stdout, /Note: The event connection stands, but nothing came/);
});

Deno.test("doctor exits 1 for what is no bot, and shows its words as one harmless line without the token", async () => {
  verifies("doctor", "no-token");
  await using bot = await startSimulator({ token: TOKEN });
  const greetings = [(socket: WebSocket) => socket.send("hello"), (socket: WebSocket) => {
    socket.close(4000, `no\n\u001b[31m ${EVENTS_TOKEN}`);
  }];
  for (const greet of greetings) {
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
      const { socket, response } = Deno.upgradeWebSocket(request);
      socket.onopen = () => greet(socket);
      return response;
    });
    const { code, stdout } = await doctor(bot.url, `ws://127.0.0.1:${server.addr.port}/`);
    strictEqual(code, 1, stdout);
    match(stdout, /Problem: .*SNOWLUMA_MCP_EVENTS_URL is the OneBot v11 WebSocket server/);
    ok(!/[\p{Cf}\p{Cc}]/u.test(stdout.replaceAll("\n", "")), JSON.stringify(stdout));
    strictEqual(stdout.split("\n").filter((line) => line.startsWith("Problem:")).length, 1, stdout);
  }
});
