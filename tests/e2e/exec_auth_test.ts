/** Refusals of the token: many ways to say it, one kind, and never the token itself. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { answers, RawBot } from "../support/raw_bot.ts";
import { botEnv, type Diagnostics, failureOf, KINDS, passedOn, serverFor } from "./exec_support.ts";

const TOKEN = "tok_for-auth";

const envelope = (retcode: number): string => JSON.stringify({ status: "failed", retcode, data: null, wording: "no" });

/** `passed`: the answer is an envelope, so it is handed on without isError. */
const REFUSALS = [
  { name: "HTTP 401 without a body", http: "401 Unauthorized", body: "", passed: false },
  { name: "HTTP 403 without a body", http: "403 Forbidden", body: "", passed: false },
  { name: "HTTP 401 with HTML", http: "401 Unauthorized", body: "<h1>401</h1>", passed: false },
  { name: "HTTP 403 with other JSON", http: "403 Forbidden", body: '{"error":"forbidden"}', passed: false },
  {
    name: "HTTP 401 with half an envelope",
    http: "401 Unauthorized",
    body: envelope(1401).slice(0, 20),
    passed: false,
  },
  { name: "HTTP 401 and 1401", http: "401 Unauthorized", body: envelope(1401), passed: true },
  { name: "HTTP 403 and 1403", http: "403 Forbidden", body: envelope(1403), passed: true },
  { name: "HTTP 401 and another code", http: "401 Unauthorized", body: envelope(100), passed: true },
  { name: "1401 under HTTP 200", http: "200 OK", body: envelope(1401), passed: true },
  { name: "1403 under HTTP 200", http: "200 OK", body: envelope(1403), passed: true },
];

function checkAuth({ outcome, kind, next_step }: Diagnostics): void {
  deepStrictEqual({ outcome, kind }, { outcome: "failed", kind: "auth" });
  match(next_step, /SNOWLUMA_MCP_TOKEN/);
}

for (const connect of CLIENTS) {
  Deno.test(`every refusal of the token is kind auth and names the setting (${connect.name})`, async (t) => {
    verifies("auth", "eras-equal", "never-retry", "no-token");
    await using bot = new RawBot();
    await using client = await connect({ env: botEnv(bot, { token: TOKEN }) });
    for (const { tool, args } of Object.values(KINDS)) {
      for (const { name, http, body, passed } of REFUSALS) {
        await t.step(`${tool}: ${name}`, async () => {
          const before = bot.connections.length;
          bot.script(answers(body, { status: http }));
          const answer = await client.callTool(tool, args);
          checkAuth(passed ? passedOn(answer).diagnostics : failureOf(answer));
          ok(!JSON.stringify(answer).includes(TOKEN));
          strictEqual(bot.connections.length, before + 1);
        });
      }
    }
  });
}

/** Envelopes that lack a field, which leaves the outcome open (so a write is to be checked first) but not the reason. */
const TERSE = [
  { name: "1401 without status", http: "401 Unauthorized", body: '{"retcode":1401,"wording":"no"}' },
  { name: "1403 without status under HTTP 200", http: "200 OK", body: '{"retcode":1403}' },
  { name: "HTTP 403 with a status of its own", http: "403 Forbidden", body: '{"status":"error","error":"no"}' },
];

Deno.test("a refusal of the token in an incomplete envelope is still kind auth", async (t) => {
  verifies("auth");
  await using bot = new RawBot();
  await using server = await serverFor(bot, { token: TOKEN });
  for (const [index, { name, http, body }] of TERSE.entries()) {
    await t.step(name, async () => {
      bot.script(answers(body, { status: http }));
      const { kind, next_step } = passedOn(await server.call(index, KINDS.write.tool, KINDS.write.args)).diagnostics;
      strictEqual(kind, "auth");
      match(next_step, /SNOWLUMA_MCP_TOKEN/);
      match(next_step, /before calling it again/);
    });
  }
});

const TOKENS = [
  { name: "a wrong token", token: "wrong-token-1" },
  { name: "no token", token: undefined },
  { name: "the token in another case", token: TOKEN.toUpperCase() },
];

Deno.test("the bot's own door refuses a wrong or missing token, and takes the right one", async (t) => {
  verifies("auth", "one-post");
  await using simulator = await startSimulator({ token: TOKEN });
  for (const { name, token } of TOKENS) {
    await t.step(name, async () => {
      await using server = await serverFor(simulator, token === undefined ? {} : { token });
      checkAuth(passedOn(await server.call(1, KINDS.write.tool, KINDS.write.args)).diagnostics);
    });
  }
  strictEqual(simulator.requests.length, TOKENS.length);
  await using server = await serverFor(simulator, { token: TOKEN });
  strictEqual(passedOn(await server.call(1, KINDS.write.tool, KINDS.write.args)).diagnostics.outcome, "success");
});
