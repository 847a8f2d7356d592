import { ok, strictEqual } from "node:assert/strict";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** The event address it becomes, or the refusal. */
function read(eventsUrl: string, endpoint = "http://127.0.0.1:3000/"): { url?: string; refusal?: string } {
  try {
    const config = resolveConfig({ flags: { endpoint, "events-url": eventsUrl }, environment: {} });
    return { url: config.eventsUrl ?? "" };
  } catch (error) {
    ok(error instanceof UsageError);
    return { refusal: error.message };
  }
}

Deno.test("resolveConfig() accepts ws and wss addresses of events", async (t) => {
  verifies("events-url");
  const cases = [
    ["ws://127.0.0.1:3001", "ws://127.0.0.1:3001/"],
    ["ws://127.0.0.1:3001/event", "ws://127.0.0.1:3001/event"],
    ["wss://bot.example:443", "wss://bot.example/"],
    ["WS://BOT.Example:80/Path", "ws://bot.example/Path"],
    ["ws://[::1]:3001/", "ws://[::1]:3001/"],
    [" ws://127.0.0.1:3001/\n", "ws://127.0.0.1:3001/"],
  ] as const;
  for (const [text, expected] of cases) await t.step(text, () => strictEqual(read(text).url, expected));
});

Deno.test("resolveConfig() refuses every other address of events", async (t) => {
  verifies("events-url", "config-invalid");
  const cases = [
    "http://127.0.0.1:3001/",
    "https://bot.example/",
    "127.0.0.1:3001",
    "//bot.example",
    "ws:",
    "ws://",
    "ws://bot.example:65536/",
    "ws://bot.example/?",
    "ws://bot.example/#",
    "ws://bot.example/?access_token=x",
    "ws://@bot.example/",
    "ws://user:pass@bot.example/",
    "ws://*/",
    "wss://a.example,b.example/",
    "Simulator",
  ];
  for (const text of cases) {
    await t.step(text, () => {
      const { refusal } = read(text);
      ok(refusal, "accepted");
      ok(refusal.startsWith("--events-url cannot be ") && refusal.includes("ws or wss address"), refusal);
    });
  }
});

Deno.test("resolveConfig() takes the simulator's events with the simulated bot alone", () => {
  verifies("events-url", "config-invalid");
  strictEqual(read("simulator", "simulator").url, "simulator");
  strictEqual(read("ws://127.0.0.1:3001/", "simulator").url, "ws://127.0.0.1:3001/");
  for (const endpoint of ["http://127.0.0.1:3000/", ""]) {
    const { refusal = "accepted" } = read("simulator", endpoint);
    ok(refusal.startsWith('SNOWLUMA_MCP_EVENTS_URL cannot be "simulator"'), refusal);
  }
});

Deno.test("resolveConfig() refuses credentials and a query of the event address without a word of either", async (t) => {
  verifies("events-url", "no-token");
  const cases = [
    "ws://hush-user:hush-pass@bot.example/",
    "wss://hush-token@bot.example/",
    "ws://bot.example/?access_token=hush-token",
    "wss://bot.example/#access_token=hush-token",
    "ws://bot.example/?access_token=hush@hush",
    "wss://hush:hu@hush@bot.example/",
    "ws:hush:hush@bot.example",
    "ws:\\\\hush:hush@bot.example",
    "http://hush:hush@bot.example/",
    "hush:hush@bot.example:3001",
  ];
  for (const text of cases) {
    await t.step(JSON.stringify(text), () => {
      const { refusal } = read(text);
      ok(refusal, "accepted");
      ok(!refusal.includes("hush"), refusal);
    });
  }
});

Deno.test("resolveConfig() shows what is no secret of a refused event address", () => {
  ok(read("ws://user:pass@bot.example/event").refusal?.includes('"ws://***@bot.example/event"'));
  ok(read("wss://user:pass@bot.example/event").refusal?.includes('"wss://***@bot.example/event"'));
  ok(read("wss://bot.example/?access_token=x").refusal?.includes('"wss://bot.example/?***"'));
});
