import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { type RawSettings, resolveConfig } from "../../../lib/config/resolve.ts";
import { type SettingName, SETTINGS, type SettingSpec } from "../../../lib/config/settings.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** The one sentence with which these settings are refused. */
function refusal(raw: Partial<RawSettings>): string {
  try {
    resolveConfig({ flags: {}, environment: {}, ...raw });
  } catch (error) {
    ok(error instanceof UsageError);
    ok(!error.message.includes("\n"), "one sentence, one line");
    return error.message;
  }
  throw new Error(`accepted: ${JSON.stringify(raw)}`);
}

/** Addresses and tokens have tests of their own. */
type Addressed = "endpoint" | "token" | "eventsUrl" | "eventsToken";

const INVALID: Readonly<Record<Exclude<SettingName, Addressed>, readonly string[]>> = {
  mode: ["all", "READ", "readwrite", "0", "docs,read"],
  timeoutMs: ["0", "-1", "1.5", "1e3", "0x10", "2147483648", "99999999999", "30s", "NaN", "１００", "1 000"],
  lang: ["de", "EN", "zh-CN"],
  allow: ["get cookies", "get_cookies;set_restart", "a/b", "*", "x".repeat(65), "获取"],
  log: ["jsonl", "JSON", "none"],
  streamDir: ["downloads", "./downloads", "../up", "~/downloads", "/a,b", "C:downloads"],
  uploadRoot: ["share", ".", "~", "/a,/b"],
  maxStreamBytes: ["0", "-1", "1.5", "4294967297", "99999999999", "4GiB", "1e9"],
  taskDir: ["tasks", "./tasks", "../tasks", "~/tasks", "/a,b", "C:tasks"],
};

Deno.test("resolveConfig() refuses an invalid value with setting, value and what is accepted", async (t) => {
  verifies("config-invalid");
  for (const [name, texts] of Object.entries(INVALID)) {
    const { flag, env, key, accepts } = SETTINGS[name as SettingName] as SettingSpec<unknown>;
    for (const text of texts) {
      await t.step(`${name} ${text.slice(0, 20)}`, () => {
        for (
          const [message, as] of [
            [refusal({ environment: { [env]: text } }), env],
            [refusal({ flags: { [flag ?? ""]: text } }), `--${flag}`],
            [refusal({ file: { [key]: text } }), key],
          ] as const
        ) {
          ok(message.startsWith(as), message);
          ok(message.includes(JSON.stringify(text)), message);
          ok(message.includes(accepts), message);
        }
      });
    }
  }
});

Deno.test("resolveConfig() accepts the bounds themselves", () => {
  verifies("bounded");
  const { timeoutMs } = resolveConfig({ flags: { "timeout-ms": "2147483647" }, environment: {} });
  strictEqual(timeoutMs, 2_147_483_647);
  strictEqual(resolveConfig({ flags: { "timeout-ms": "1" }, environment: {} }).timeoutMs, 1);
  const bytes = (text: string): number =>
    resolveConfig({ flags: { "max-stream-bytes": text }, environment: {} }).maxStreamBytes;
  deepStrictEqual([bytes("1"), bytes("4294967296"), bytes("")], [1, 4_294_967_296, 4_294_967_296]);
  const token = "x".repeat(4096);
  strictEqual(resolveConfig({ flags: {}, environment: { SNOWLUMA_MCP_TOKEN: token } }).token, token);
});

Deno.test("resolveConfig() refuses a token without a word of it", async (t) => {
  verifies("config-invalid", "no-token", "events-token");
  const tokens = ["hush hush", "hüsh-hush", "hush\nhush", "hush\thush", "hush".repeat(1025), "hush\0hush", "令牌hush"];
  for (const token of tokens) {
    await t.step(JSON.stringify(token).slice(0, 30), () => {
      for (
        const raw of [
          { environment: { SNOWLUMA_MCP_TOKEN: token } },
          { file: { token } },
          { flagFiles: { "token-file": token } },
          { environment: { SNOWLUMA_MCP_EVENTS_TOKEN: token } },
          { file: { events_token: token } },
          { flagFiles: { "events-token-file": token } },
        ]
      ) {
        const message = refusal(raw);
        ok(!/hush|hüsh|令牌/.test(message), message);
        ok(message.includes(`${token.length} characters`), message);
        ok(message.includes("visible ASCII"), message);
      }
    });
  }
});

Deno.test("resolveConfig() refuses wrong types in the file with setting, value and what is accepted", async (t) => {
  verifies("config-invalid");
  const cases: Array<{ file: Record<string, unknown>; shown: string }> = [
    { file: { mode: true }, shown: "true" },
    { file: { timeout_ms: { ms: 5 } }, shown: "ms" },
    { file: { timeout_ms: 1.5 }, shown: "1.5" },
    { file: { timeout_ms: 1e21 }, shown: "1e+21" },
    { file: { allow: ["get_cookies", 5] }, shown: "5" },
    { file: { lang: ["en", "zh"] }, shown: "zh" },
    { file: { lang: ["zh"] }, shown: "zh" },
    { file: { mode: ["write"] }, shown: "write" },
    { file: { endpoint: ["http://127.0.0.1:3000/"] }, shown: "127.0.0.1:3000" },
    { file: { timeout_ms: ["1500"] }, shown: "1500" },
    { file: { log: [] }, shown: "[]" },
    { file: { endpoint: 3000 }, shown: "3000" },
  ];
  for (const { file, shown } of cases) {
    await t.step(JSON.stringify(file), () => {
      const [key = ""] = Object.keys(file);
      const message = refusal({ file });
      const accepts = Object.values(SETTINGS).find((spec) => spec.key === key)?.accepts ?? "";
      for (const part of [key, shown, accepts]) ok(message.includes(part), message);
    });
  }
});

Deno.test("resolveConfig() does not show a token of a wrong type", () => {
  verifies("no-token", "config-invalid");
  const message = refusal({ file: { token: { value: "secret-token-1" } } });
  ok(message.includes("token") && !message.includes("secret-token-1"), message);
  ok(!refusal({ file: { events_token: { value: "secret-token-1" } } }).includes("secret-token-1"));
  for (const token of [["secret token 1"], ["secret-token-1"], ["secret", "token"]]) {
    const refused = refusal({ file: { token } });
    ok(refused.includes("token in the configuration file") && refused.includes("visible ASCII"), refused);
    ok(!refused.includes("secret"), refused);
  }
});

Deno.test("resolveConfig() refuses a file that is no object, and unknown keys by name with the known ones", () => {
  verifies("config-invalid");
  for (const file of [null, [], "text", 5, true]) ok(refusal({ file }).includes("one JSON object"));
  const message = refusal({ file: { mode: "read", timeout: 5 } });
  ok(message.includes('"timeout"') && message.includes("timeout_ms"), message);
  ok(refusal({ file: { SNOWLUMA_MCP_MODE: "read" } }).includes("SNOWLUMA_MCP_MODE"));
  ok(refusal({ file: JSON.parse('{"__proto__":{"mode":"write"}}') }).includes("__proto__"));
});

Deno.test("resolveConfig() cuts a long value", () => {
  ok(refusal({ flags: { mode: "m".repeat(100_000) } }).length < 500);
});

Deno.test("resolveConfig() refuses the stronger source even if a weaker one would do", () => {
  throws(() => resolveConfig({ flags: { lang: "xx" }, environment: { SNOWLUMA_MCP_LANG: "en" } }), /--lang/);
});

Deno.test("resolveConfig() refuses hosts that no grant can name, and port 0", async (t) => {
  verifies("config-invalid", "sandbox-exact");
  const long = "a".repeat(64);
  const hosts = [
    "h;x",
    ".example.com",
    "h..x",
    "a~b",
    "a$b",
    "a`b",
    long,
    `${"a.".repeat(127)}a`,
    "*.example.com",
    "a,b",
  ];
  for (const host of [...hosts, "127.0.0.1:0"]) {
    await t.step(host.slice(0, 20), () => {
      for (const [name, scheme] of [["endpoint", "http"], ["events_url", "ws"]] as const) {
        ok(refusal({ file: { endpoint: "http://127.0.0.1/", [name]: `${scheme}://${host}/` } }).startsWith(name));
      }
    });
  }
  for (const host of ["127.0.0.1", "[::1]:3000", "bot-1.example.com.", "my_bot", "xn--fsq.example", "a".repeat(63)]) {
    const { endpoint } = resolveConfig({ flags: {}, environment: {}, file: { endpoint: `http://${host}/` } });
    strictEqual(endpoint, `http://${host}/`);
  }
});
