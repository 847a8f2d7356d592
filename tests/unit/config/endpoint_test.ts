import { ok, strictEqual } from "node:assert/strict";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** The endpoint it becomes, or the refusal. */
function read(endpoint: string): { endpoint?: string; refusal?: string } {
  try {
    const config = resolveConfig({ flags: { endpoint }, environment: {} });
    return { endpoint: config.endpoint ?? "" };
  } catch (error) {
    ok(error instanceof UsageError);
    return { refusal: error.message };
  }
}

Deno.test("resolveConfig() accepts http and https addresses", async (t) => {
  verifies("config-endpoint");
  const cases = [
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000/"],
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3000/"],
    ["http://bot.example/onebot/api", "http://bot.example/onebot/api"],
    ["https://bot.example", "https://bot.example/"],
    ["HTTP://BOT.Example:80/Path", "http://bot.example/Path"],
    ["HTTPS://bot.example:443", "https://bot.example/"],
    ["http://[::1]:3000/", "http://[::1]:3000/"],
    ["http://[2001:DB8::1]", "http://[2001:db8::1]/"],
    ["http://bot.example:65535/", "http://bot.example:65535/"],
    ["http://机器人.example/", "http://xn--gmqz0qc7o.example/"],
    ["  http://127.0.0.1:3000/ \n", "http://127.0.0.1:3000/"],
    ["simulator", "simulator"],
  ] as const;
  for (const [text, expected] of cases) {
    await t.step(text, () => strictEqual(read(text).endpoint, expected));
  }
});

Deno.test("resolveConfig() refuses every other address", async (t) => {
  verifies("config-endpoint", "config-invalid");
  const cases = [
    "127.0.0.1:3000",
    "localhost:3000",
    "bot.example",
    "//bot.example",
    "/onebot",
    "ws://127.0.0.1:3001",
    "wss://bot.example",
    "ftp://bot.example",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "http://",
    "http://:3000",
    "http://bot example/",
    "http://bot.example:65536/",
    "http://bot.example:port/",
    "http://[::1/",
    "http://300.1.2.3/",
    "http://bot.example/?",
    "http://bot.example/#",
    "http://bot.example/?a=b",
    "http://bot.example/#frag",
    "http://@bot.example/",
    "http://:@bot.example/",
    "http://bot.example,other.example/",
    "http://bot.example%2Cother.example/",
    "http://bot.example，other.example/",
    "http://*/",
    "http://*.example:3000/",
    "https://%2A.example/",
    "Simulator",
    "simulator:3000",
  ];
  for (const text of cases) {
    await t.step(text, () => {
      const { refusal } = read(text);
      ok(refusal, "accepted");
      ok(refusal.startsWith("--endpoint cannot be "), refusal);
      ok(refusal.includes("http or https address"), refusal);
    });
  }
});

Deno.test("resolveConfig() refuses credentials and a query without a word of either", async (t) => {
  verifies("config-endpoint", "no-token");
  const cases = [
    "http://hush-user:hush-pass@bot.example/",
    "http://hush-token@bot.example/",
    "http://:hush-token@bot.example/",
    "https://hush:hush@bot.example/?access_token=hush",
    "http://bot.example/?access_token=hush-token",
    "http://bot.example/#access_token=hush-token",
    "http://bot.example:99999/?access_token=hush-token",
    "ws://hush-user:hush-pass@bot.example/",
    "http://hush:hu@hush@bot.example/",
    "http://bot.example/?access_token=hush@hush",
    "http://hush:hush/hush@bot.example/",
    "http://hush:hush?hush@bot.example/",
    "http://hush:hush#hush@bot.example/",
    "http:hush:hush@bot.example",
    "http:/hush:hush@bot.example",
    "http:\\\\hush:hush@bot.example",
    "http://hush user:hush@bot.example/",
    "hush:hush@bot.example:3000",
    "hush@bot.example",
    "http://hush:hush\n@bot.example/?hush\nhush",
  ];
  for (const text of cases) {
    await t.step(JSON.stringify(text), () => {
      const { refusal } = read(text);
      ok(refusal, "accepted");
      ok(!refusal.replace("http or https", "").includes("hush"), refusal);
    });
  }
});

Deno.test("resolveConfig() shows what is no secret of a refused address", () => {
  ok(read("http://user:pass@bot.example/api").refusal?.includes('"http://***@bot.example/api"'));
  ok(read("http://bot.example/api?access_token=x").refusal?.includes('"http://bot.example/api?***"'));
  ok(read("ftp://bot.example/").refusal?.includes('"ftp://bot.example/"'));
});
