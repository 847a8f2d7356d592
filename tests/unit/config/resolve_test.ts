import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Config, type RawSettings, resolveConfig } from "../../../lib/config/resolve.ts";
import { type SettingName, SETTINGS, type SettingSpec } from "../../../lib/config/settings.ts";
import { verifies } from "../../requirements.ts";

/** Reads the settings; what is not given is empty. */
function resolve(raw: Partial<RawSettings>): Config {
  return resolveConfig({ flags: {}, environment: {}, ...raw });
}

/** Two acceptable texts per setting, and what they become. */
const VALUES: Readonly<Record<SettingName, readonly [text: string, value: unknown, other: string]>> = {
  endpoint: ["http://127.0.0.1:3000", "http://127.0.0.1:3000/", "http://127.0.0.1:1/"],
  token: ["secret-token-1", "secret-token-1", "secret-token-2"],
  mode: ["write", "write", "docs"],
  timeoutMs: ["1500", 1500, "2500"],
  lang: ["zh", "zh", "en"],
  allow: ["get_cookies, set_restart", ["get_cookies", "set_restart"], "get_rkey"],
  log: ["json", "json", "text"],
  streamDir: ["/var/tmp/downloads", "/var/tmp/downloads", "C:\\downloads"],
  uploadRoot: ["/home/me/share", "/home/me/share", "\\\\host\\share"],
  maxStreamBytes: ["1048576", 1_048_576, "4294967296"],
  eventsUrl: ["ws://127.0.0.1:3001", "ws://127.0.0.1:3001/", "wss://bot.example/event"],
  eventsToken: ["events-token-1", "events-token-1", "events-token-2"],
  taskDir: ["/home/me/tasks", "/home/me/tasks", "D:\\tasks"],
};
const NAMES = Object.keys(SETTINGS) as SettingName[];
/** Without an endpoint the mode would be docs whatever is asked for. */
const BOT = { SNOWLUMA_MCP_ENDPOINT: "http://127.0.0.1:9/" };

function spec(name: SettingName): SettingSpec<unknown> {
  return SETTINGS[name];
}

Deno.test("resolveConfig() takes every setting from flag, environment or file to the same effect", async (t) => {
  verifies("config-sources");
  for (const name of NAMES) {
    await t.step(name, () => {
      const [text, value] = VALUES[name];
      const { flag, fileFlag, env, key } = spec(name);
      const environment = name === "endpoint" ? {} : BOT;
      const ways: Array<[Config, string]> = [
        [resolve({ environment: { ...environment, [env]: text } }), "environment"],
        [resolve({ environment, file: { [key]: text } }), "file"],
      ];
      if (flag !== undefined) ways.push([resolve({ environment, flags: { [flag]: text } }), "flag"]);
      if (fileFlag !== undefined) ways.push([resolve({ environment, flagFiles: { [fileFlag]: `${text}\n` } }), "flag"]);
      for (const [config, source] of ways) {
        deepStrictEqual(config[name], value, source);
        strictEqual(config.sources[name], source);
      }
    });
  }
});

Deno.test("resolveConfig() prefers flag to environment, environment to file, file to default", async (t) => {
  verifies("config-sources");
  for (const name of NAMES) {
    await t.step(name, () => {
      const [text, value, other] = VALUES[name];
      const { flag, fileFlag, env, key } = spec(name);
      const base = name === "endpoint" ? {} : BOT;
      const file = { [key]: other };
      deepStrictEqual(resolve({ environment: { ...base, [env]: text }, file })[name], value);
      const environment = { ...base, [env]: other };
      if (flag !== undefined) deepStrictEqual(resolve({ flags: { [flag]: text }, environment, file })[name], value);
      if (fileFlag !== undefined) {
        deepStrictEqual(resolve({ flagFiles: { [fileFlag]: text }, environment, file })[name], value);
      }
    });
  }
});

Deno.test("resolveConfig() without anything gives the documented defaults", () => {
  verifies("config-docs");
  deepStrictEqual(resolve({}), {
    mode: "docs",
    timeoutMs: 30_000,
    lang: "en",
    allow: [],
    log: "text",
    maxStreamBytes: 4_294_967_296,
    sources: Object.fromEntries(NAMES.map((name) => [name, "default"])),
    notices: [],
  });
  strictEqual(resolve({ environment: BOT }).mode, "read");
});

Deno.test("resolveConfig() puts downloads below the system's temporary folder unless told otherwise", () => {
  verifies("download-default");
  const { streamDir, sources } = resolve({ tempDir: "/somewhere" });
  deepStrictEqual([streamDir, sources.streamDir], ["/somewhere/onebot-mcp-downloads", "default"]);
  strictEqual(resolve({ tempDir: "/somewhere", flags: { "stream-dir": "/srv/down" } }).streamDir, "/srv/down");
});

Deno.test("resolveConfig() takes an empty value for absent, in every place", async (t) => {
  verifies("config-empty");
  for (const name of NAMES) {
    await t.step(name, () => {
      const [text, value] = VALUES[name];
      const { flag, env, key } = spec(name);
      const base = name === "endpoint" ? {} : BOT;
      for (const empty of ["", " ", "\t\n"]) {
        const flags = flag === undefined ? {} : { [flag]: empty };
        const emptyEnvironment = { ...base, [env]: empty };
        deepStrictEqual(resolve({ flags, environment: { ...base, [env]: text } })[name], value);
        const file = { [key]: text };
        deepStrictEqual(resolve({ flags, environment: emptyEnvironment, file })[name], value);
        const absent = resolve({
          flags,
          environment: emptyEnvironment,
          file: { [key]: empty },
          flagFiles: { "token-file": empty, "events-token-file": empty },
        });
        strictEqual(absent.sources[name], "default");
      }
      for (const empty of [null, undefined, ...(spec(name).list ? [[]] : [])]) {
        strictEqual(resolve({ environment: base, file: { [key]: empty } }).sources[name], "default");
      }
    });
  }
});

Deno.test("resolveConfig() trims what surrounds a value", () => {
  const config = resolve({
    environment: { SNOWLUMA_MCP_ENDPOINT: "  http://127.0.0.1:3000/  ", SNOWLUMA_MCP_MODE: " write\r\n" },
    flagFiles: { "token-file": "  secret-token-1\r\n" },
  });
  strictEqual(config.endpoint, "http://127.0.0.1:3000/");
  strictEqual(config.mode, "write");
  strictEqual(config.token, "secret-token-1");
});

Deno.test("resolveConfig() without an endpoint runs in docs mode, with a notice if another was asked for", () => {
  verifies("config-docs");
  for (const mode of ["read", "write"]) {
    const { mode: effective, notices } = resolve({ flags: { mode } });
    strictEqual(effective, "docs");
    strictEqual(notices.length, 1);
    ok(notices[0]?.includes(mode) && notices[0].includes("SNOWLUMA_MCP_ENDPOINT"));
  }
  deepStrictEqual(resolve({ flags: { mode: "docs" } }).notices, []);
  deepStrictEqual(resolve({}).notices, []);
});

Deno.test("resolveConfig() stays in docs mode with an endpoint if that is asked for", () => {
  const { mode, endpoint, notices } = resolve({ environment: BOT, flags: { mode: "docs" } });
  deepStrictEqual({ mode, endpoint, notices }, { mode: "docs", endpoint: "http://127.0.0.1:9/", notices: [] });
});

Deno.test("resolveConfig() reads numbers and lists from the file as such", () => {
  verifies("config-sources");
  const { timeoutMs, allow } = resolve({ file: { timeout_ms: 5000, allow: ["get_cookies", "set_restart"] } });
  strictEqual(timeoutMs, 5000);
  deepStrictEqual(allow, ["get_cookies", "set_restart"]);
});

Deno.test("resolveConfig() reads a list without its blanks and empty places", () => {
  deepStrictEqual(resolve({ flags: { allow: ",get_cookies ,, .send_packet," } }).allow, [
    "get_cookies",
    ".send_packet",
  ]);
});

Deno.test("resolveConfig() gives plain data, fit to be handed to a worker", () => {
  const config = resolve({ environment: { ...BOT, SNOWLUMA_MCP_TOKEN: "secret-token-1" } });
  deepStrictEqual(structuredClone(config), config);
});

Deno.test("resolveConfig() sends the event address its own token, and without one that of calls", () => {
  verifies("events-token");
  const tokens = (environment: Record<string, string>): unknown[] => {
    const { token, eventsToken, sources } = resolve({ environment: { ...BOT, ...environment } });
    return [token, eventsToken, sources.eventsToken];
  };
  const [calls, events] = [{ SNOWLUMA_MCP_TOKEN: "of-calls" }, { SNOWLUMA_MCP_EVENTS_TOKEN: "of-events" }];
  deepStrictEqual(tokens({}), [undefined, undefined, "default"]);
  deepStrictEqual(tokens(calls), ["of-calls", "of-calls", "default"]);
  deepStrictEqual(tokens(events), [undefined, "of-events", "environment"]);
  deepStrictEqual(tokens({ ...calls, ...events }), ["of-calls", "of-events", "environment"]);
  deepStrictEqual(tokens({ ...calls, SNOWLUMA_MCP_EVENTS_TOKEN: " " }), ["of-calls", "of-calls", "default"]);
});

Deno.test("resolveConfig() never guesses the event address", () => {
  verifies("events-url");
  for (const endpoint of ["http://127.0.0.1:3000/", "https://bot.example/", "simulator"]) {
    ok(!("eventsUrl" in resolve({ flags: { endpoint, mode: "write" } })), endpoint);
  }
});

Deno.test("resolveConfig() says that without an endpoint there are no events either", () => {
  verifies("config-docs", "events-url");
  const flags = { "events-url": "ws://127.0.0.1:3001/" };
  const [notice = "", ...more] = resolve({ flags }).notices;
  ok(notice.includes("without events") && notice.includes("SNOWLUMA_MCP_ENDPOINT"), notice);
  deepStrictEqual(more, []);
  strictEqual(resolve({ flags: { ...flags, mode: "write" } }).notices.length, 1);
  deepStrictEqual(resolve({ flags: { ...flags, mode: "docs" }, environment: BOT }).notices, []);
});

Deno.test("resolveConfig() keeps the endpoint as it was set for what outlives the process", () => {
  verifies("tasks-scope");
  strictEqual(resolve({ flags: { endpoint: "simulator" } }).scopeEndpoint, "simulator");
  strictEqual(resolve({ flags: { endpoint: "HTTP://127.0.0.1:80" } }).scopeEndpoint, "http://127.0.0.1/");
});
