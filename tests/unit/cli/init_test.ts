import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { clientConfig } from "../../../lib/cli/init.ts";
import { loadConfig } from "../../../lib/cli/load_config.ts";
import { type Config, resolveConfig } from "../../../lib/config/resolve.ts";
import { SETTINGS } from "../../../lib/config/settings.ts";
import { UsageError } from "../../../lib/errors.ts";
import { lastingCommand } from "../../../lib/cli/server_command.ts";
import { verifies } from "../../requirements.ts";

const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "cline"];
const TOKEN = "hush-hush-hush";
const VARIABLES = Object.values(SETTINGS).map(({ env }) => env as string);
const PROXIES = "HTTP_PROXY,http_proxy,HTTPS_PROXY,https_proxy,ALL_PROXY,all_proxy";

function config(environment: Record<string, string> = {}): Config {
  return resolveConfig({ flags: {}, environment });
}

const BOT = { SNOWLUMA_MCP_ENDPOINT: "http://192.0.2.1:3000/", SNOWLUMA_MCP_TOKEN: TOKEN };

/** The server entry of a block, wherever the client wants it. */
function entry(client: string, settings: Config): { command: string; args: string[]; env: Record<string, string> } {
  const { block } = clientConfig([client], settings);
  const parsed = JSON.parse(block);
  return (parsed.mcpServers ?? parsed.servers).snowluma;
}

Deno.test("clientConfig() gives each client a block of valid JSON and says where it goes", async (t) => {
  verifies("init");
  for (const client of CLIENTS) {
    await t.step(client, () => {
      const { block, place } = clientConfig([client], config(BOT));
      ok(place.length > 0);
      const parsed = JSON.parse(block);
      deepStrictEqual(Object.keys(parsed), client === "vscode" ? ["inputs", "servers"] : ["mcpServers"]);
      const { command, args } = entry(client, config(BOT));
      const npx = Deno.execPath().includes("_npx");
      strictEqual(command, npx ? "npx" : Deno.execPath());
      strictEqual(args[npx ? 2 : 0], "run");
      if (client === "vscode") strictEqual(parsed.servers.snowluma.type, "stdio");
    });
  }
});

Deno.test("clientConfig() gives exact grants, never all of them, and no prompt", async (t) => {
  verifies("init", "no-prompt");
  const cases = [
    { environment: {}, net: [] },
    { environment: { SNOWLUMA_MCP_ENDPOINT: "http://192.0.2.1:3000/" }, net: ["--allow-net=192.0.2.1:3000"] },
    { environment: { SNOWLUMA_MCP_ENDPOINT: "http://bot.example/api" }, net: ["--allow-net=bot.example:80"] },
    { environment: { SNOWLUMA_MCP_ENDPOINT: "https://bot.example/" }, net: ["--allow-net=bot.example:443"] },
    { environment: { SNOWLUMA_MCP_ENDPOINT: "http://[::1]:3000/" }, net: ["--allow-net=[::1]:3000"] },
    { environment: { SNOWLUMA_MCP_ENDPOINT: "simulator" }, net: ["--allow-net=127.0.0.1"] },
  ];
  for (const { environment, net } of cases) {
    await t.step(JSON.stringify(environment), () => {
      for (const client of CLIENTS) {
        const { args } = entry(client, config(environment));
        ok(args.includes("run") && args.includes("--no-prompt"));
        const grants = args.filter((arg) => arg.startsWith("--allow") || arg === "-A");
        deepStrictEqual(grants, [`--allow-env=SNOWLUMA_MCP_*${net.length > 0 ? `,${PROXIES}` : ""}`, ...net]);
      }
    });
  }
});

Deno.test("clientConfig() leaves a place for the token, never the token", async (t) => {
  verifies("init", "no-token");
  for (const client of CLIENTS) {
    await t.step(client, () => {
      const { block, place } = clientConfig([client], config(BOT));
      ok(!`${block}${place}`.includes(TOKEN));
      const { env } = entry(client, config(BOT));
      if (client !== "vscode") return strictEqual(env.SNOWLUMA_MCP_TOKEN, ""); // empty counts as absent
      const { inputs } = JSON.parse(block);
      strictEqual(env.SNOWLUMA_MCP_TOKEN, `\${input:${inputs[0].id}}`);
      strictEqual(inputs[0].password, true);
    });
  }
});

const EVENTS = { ...BOT, SNOWLUMA_MCP_EVENTS_URL: "ws://192.0.2.1:3001/", SNOWLUMA_MCP_EVENTS_TOKEN: `${TOKEN}-2` };
const SOCKET = "WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";

Deno.test("clientConfig() leaves a place for the events' own token, never that token", async (t) => {
  verifies("init", "no-token", "events-token");
  for (const client of CLIENTS) {
    await t.step(client, () => {
      const { block, place, advice } = clientConfig([client], config(EVENTS));
      ok(!`${block}${place}${advice}`.includes(TOKEN));
      const { env } = entry(client, config(EVENTS));
      if (client !== "vscode") {
        deepStrictEqual([env.SNOWLUMA_MCP_TOKEN, env.SNOWLUMA_MCP_EVENTS_TOKEN], ["", ""]);
        return ok(/SNOWLUMA_MCP_TOKEN.*SNOWLUMA_MCP_EVENTS_TOKEN/.test(advice), advice);
      }
      const { inputs } = JSON.parse(block);
      deepStrictEqual(
        [env.SNOWLUMA_MCP_TOKEN, env.SNOWLUMA_MCP_EVENTS_TOKEN],
        inputs.map(({ id }: { id: string }) => `\${input:${id}}`),
      );
      deepStrictEqual(inputs.map(({ password }: { password: boolean }) => password), [true, true]);
      strictEqual(new Set(inputs.map(({ id }: { id: string }) => id)).size, 2);
    });
  }
});

Deno.test("clientConfig() asks for no events' token that is not needed", () => {
  verifies("init");
  const simulated = { SNOWLUMA_MCP_ENDPOINT: "simulator", SNOWLUMA_MCP_EVENTS_URL: "simulator" };
  for (const environment of [BOT, simulated, { ...EVENTS, SNOWLUMA_MCP_ENDPOINT: "" }]) {
    ok(!("SNOWLUMA_MCP_EVENTS_TOKEN" in entry("cursor", config(environment)).env), JSON.stringify(environment));
  }
  const settings = resolveConfig({
    flags: {},
    environment: BOT,
    file: { events_url: "ws://[::1]/", events_token: "x" },
  });
  ok(!("SNOWLUMA_MCP_EVENTS_TOKEN" in entry("cursor", settings).env));
});

Deno.test("clientConfig() grants what events need, outside docs mode", async (t) => {
  verifies("init", "exact-grants", "events-url");
  const [http, ws] = ["SNOWLUMA_MCP_ENDPOINT", "SNOWLUMA_MCP_EVENTS_URL"];
  const cases: Array<[environment: Record<string, string>, variables: string, net: string[]]> = [
    [EVENTS, `,${SOCKET}`, ["--allow-net=192.0.2.1:3000,192.0.2.1:3001"]],
    [{ [http]: "https://bot.example/", [ws]: "wss://bot.example/" }, `,${SOCKET}`, ["--allow-net=bot.example:443"]],
    [{ [http]: "http://bot.example/", [ws]: "ws://bot.example/e" }, `,${SOCKET}`, ["--allow-net=bot.example:80"]],
    [{ [http]: "simulator", [ws]: "simulator" }, `,${SOCKET}`, ["--allow-net=127.0.0.1"]],
    [{ ...EVENTS, SNOWLUMA_MCP_MODE: "docs" }, "", []],
    [{ ...EVENTS, [http]: "" }, "", []],
  ];
  for (const [environment, variables, net] of cases) {
    await t.step(JSON.stringify(environment), () => {
      const grants = entry("cursor", config(environment)).args.filter((arg) => arg.startsWith("--allow"));
      const proxies = net.length > 0 ? `,${PROXIES}` : "";
      deepStrictEqual(grants, [`--allow-env=SNOWLUMA_MCP_*${variables}${proxies}`, ...net]);
    });
  }
});

Deno.test("clientConfig() tells the usual event address of a bot that has none yet", () => {
  verifies("init");
  const advice = (environment: Record<string, string>): string => clientConfig(["vscode"], config(environment)).advice;
  ok(advice(BOT).includes("--events-url") && advice(BOT).includes("ws://127.0.0.1:3001/"), advice(BOT));
  const others = [{}, EVENTS, { SNOWLUMA_MCP_ENDPOINT: "simulator" }, { ...BOT, SNOWLUMA_MCP_MODE: "docs" }];
  for (const environment of others) strictEqual(advice(environment), "", JSON.stringify(environment));
});

Deno.test("clientConfig() carries the settings of this run", async (t) => {
  verifies("init");
  const cases: Array<{ environment: Record<string, string>; expected: Record<string, string> }> = [
    { environment: {}, expected: {} },
    { environment: { SNOWLUMA_MCP_LANG: "zh" }, expected: { SNOWLUMA_MCP_LANG: "zh" } },
    {
      environment: { SNOWLUMA_MCP_ENDPOINT: "simulator", SNOWLUMA_MCP_MODE: "write" },
      expected: { SNOWLUMA_MCP_ENDPOINT: "simulator", SNOWLUMA_MCP_MODE: "write" },
    },
    {
      environment: {
        SNOWLUMA_MCP_ENDPOINT: "simulator",
        SNOWLUMA_MCP_LANG: "zh",
        SNOWLUMA_MCP_TIMEOUT_MS: "5000",
        SNOWLUMA_MCP_ALLOW: "get_cookies,set_restart",
        SNOWLUMA_MCP_LOG: "json",
        SNOWLUMA_MCP_EVENTS_URL: "simulator",
        SNOWLUMA_MCP_TASK_DIR: "/srv/tasks",
      },
      expected: {
        SNOWLUMA_MCP_ENDPOINT: "simulator",
        SNOWLUMA_MCP_MODE: "read",
        SNOWLUMA_MCP_LANG: "zh",
        SNOWLUMA_MCP_TIMEOUT_MS: "5000",
        SNOWLUMA_MCP_ALLOW: "get_cookies,set_restart",
        SNOWLUMA_MCP_LOG: "json",
        SNOWLUMA_MCP_EVENTS_URL: "simulator",
        SNOWLUMA_MCP_TASK_DIR: "/srv/tasks",
      },
    },
  ];
  for (const { environment, expected } of cases) {
    await t.step(JSON.stringify(environment), () => {
      for (const client of CLIENTS) deepStrictEqual(entry(client, config(environment)).env, expected);
    });
  }
});

Deno.test("clientConfig() leaves to a configuration file what it says, the mode too", () => {
  verifies("init");
  const file = { endpoint: "http://192.0.2.1:3000/", token: TOKEN, mode: "write", lang: "zh" };
  const flags = { config: "/etc/snowluma.json" };
  const envOf = (client: string, environment: Record<string, string>): Record<string, string> => {
    const settings = resolveConfig({ flags: {}, environment, file, tempDir: "/somewhere" });
    const parsed = JSON.parse(clientConfig([client], settings, flags).block);
    return (parsed.mcpServers ?? parsed.servers).snowluma.env;
  };
  for (const client of CLIENTS) {
    deepStrictEqual(envOf(client, {}), {}, client);
    deepStrictEqual(envOf(client, { SNOWLUMA_MCP_MODE: "read" }), { SNOWLUMA_MCP_MODE: "read" }, client);
  }
});

Deno.test("clientConfig() grants the folders of transfers and tasks in write mode, and no others", async (t) => {
  verifies("init", "exact-grants");
  const write = { ...BOT, SNOWLUMA_MCP_MODE: "write" };
  const folders = { SNOWLUMA_MCP_STREAM_DIR: "/srv/down", SNOWLUMA_MCP_UPLOAD_ROOT: "/srv/up" };
  const tasks = { SNOWLUMA_MCP_TASK_DIR: "/srv/tasks" };
  const [variable] = Deno.build.os === "windows" ? ["TEMP,TMP"] : ["TMPDIR"];
  const byDefault = "/somewhere/onebot-mcp-downloads";
  const cases: Array<[environment: Record<string, string>, variables: string, files: string[]]> = [
    [{ ...BOT, ...folders, ...tasks }, "SNOWLUMA_MCP_*", []],
    [{ ...write, ...folders }, "SNOWLUMA_MCP_*", ["--allow-read=/srv/down,/srv/up", "--allow-write=/srv/down"]],
    [write, `SNOWLUMA_MCP_*,${variable}`, [`--allow-read=${byDefault}`, `--allow-write=${byDefault}`]],
    [
      { ...write, ...folders, ...tasks },
      "SNOWLUMA_MCP_*",
      ["--allow-read=/srv/down,/srv/up,/srv/tasks", "--allow-write=/srv/down,/srv/tasks"],
    ],
  ];
  for (const [environment, variables, files] of cases) {
    await t.step(files.join(" ") || "read mode", () => {
      const settings = resolveConfig({ flags: {}, environment, tempDir: "/somewhere" });
      const grants = entry("cursor", settings).args.filter((arg) => arg.startsWith("--allow"));
      deepStrictEqual(grants, [`--allow-env=${variables},${PROXIES}`, "--allow-net=192.0.2.1:3000", ...files]);
    });
  }
});

for (
  const [how, tempDir, folder] of [
    ["set", "/srv/temp", "/srv/temp"],
    ["set with separators at its end", "/srv/temp//", "/srv/temp"],
    ["set to the root", "/", ""],
    ["set to a folder below /tmp", "/tmp/mine", "/tmp/mine"],
    ["set to /tmp itself", "/tmp", undefined],
    ["relative", "srv/temp", undefined],
    ["empty", "", undefined],
    ["absent", undefined, undefined],
  ] as const
) {
  Deno.test({
    name: `clientConfig() grants the default folder that TMPDIR means when it is ${how}`,
    ignore: Deno.build.os === "windows",
    permissions: { read: "inherit", env: ["TMPDIR", ...VARIABLES] },
    fn: () => withTempDir(tempDir, () => checkFolder(folder)),
  });
}

Deno.test({
  name: "clientConfig() grants /tmp's folder, and no TMPDIR, when that may not be read",
  ignore: Deno.build.os === "windows",
  permissions: { read: "inherit", env: VARIABLES },
  fn: () => checkFolder(undefined),
});

/** Runs with this TMPDIR; afterwards it is as before. */
async function withTempDir(tempDir: string | undefined, run: () => Promise<void>): Promise<void> {
  const before = Deno.env.get("TMPDIR");
  const set = (value: string | undefined): void =>
    value === undefined ? Deno.env.delete("TMPDIR") : Deno.env.set("TMPDIR", value);
  set(tempDir);
  try {
    await run();
  } finally {
    set(before);
  }
}

/** Checks the grants of a block for this folder of temporary files; without it /tmp serves, and TMPDIR is not granted. */
async function checkFolder(tempDir: string | undefined): Promise<void> {
  verifies("init", "exact-grants", "download-default");
  const settings = await loadConfig({ endpoint: "http://192.0.2.1:3000/", mode: "write" });
  const grants = entry("cursor", settings).args.filter((arg) => arg.startsWith("--allow"));
  const path = `${tempDir ?? "/tmp"}/onebot-mcp-downloads`;
  const paths = Deno.build.os === "darwin" && path.startsWith("/tmp/") ? `${path},/private${path}` : path;
  deepStrictEqual(grants, [
    `--allow-env=SNOWLUMA_MCP_*${tempDir === undefined ? "" : ",TMPDIR"},${PROXIES}`,
    "--allow-net=192.0.2.1:3000",
    `--allow-read=${paths}`,
    `--allow-write=${paths}`,
  ]);
}

Deno.test("clientConfig() gives vscode no question for a token that is not needed", () => {
  for (const environment of [{}, { SNOWLUMA_MCP_ENDPOINT: "simulator" }]) {
    ok(!("inputs" in JSON.parse(clientConfig(["vscode"], config(environment)).block)));
  }
});

Deno.test("clientConfig() starts the program that runs now", () => {
  const { args } = entry("cursor", config());
  ok(Deno.mainModule.endsWith(args.at(-1)?.split(/[\\/]/).at(-1) ?? "?"), args.at(-1));
});

Deno.test("clientConfig() refuses what is not exactly one known client, and names them", () => {
  verifies("cli-usage");
  for (const operands of [[], ["emacs"], [""], ["cursor", "vscode"], ["toString"], ["__proto__"], ["Cursor"]]) {
    throws(() => clientConfig(operands, config()), (error: unknown) => {
      ok(error instanceof UsageError);
      for (const client of CLIENTS) ok(error.message.includes(client), error.message);
      return true;
    });
  }
});

Deno.test("clientConfig() passes on the files that flags name, with the grant to read them", () => {
  verifies("init");
  const { block } = clientConfig(["cursor"], config({ ...BOT, SNOWLUMA_MCP_TOKEN: "" }), {
    "token-file": "token.txt",
    config: "/etc/snowluma.json",
  });
  const { args, env } = JSON.parse(block).mcpServers.snowluma;
  const path = `${Deno.cwd()}/token.txt`;
  ok(args.includes(`--allow-read=/etc/snowluma.json,${path}`), args.join(" "));
  deepStrictEqual(args.slice(-4), ["--config", "/etc/snowluma.json", "--token-file", path]);
  ok(!("SNOWLUMA_MCP_TOKEN" in env));
});

Deno.test("clientConfig() tells the two token files apart", () => {
  verifies("init", "events-token");
  const env = (flags: Record<string, string>): string[] => {
    const { args, env } = JSON.parse(clientConfig(["cursor"], config(EVENTS), flags).block).mcpServers.snowluma;
    const [[flag, path] = ["", ""]] = Object.entries(flags);
    ok(args.includes(`--allow-read=${path}`), args.join(" "));
    deepStrictEqual(args.slice(-2), [`--${flag}`, path]);
    return Object.keys(env).filter((name) => name.endsWith("TOKEN"));
  };
  deepStrictEqual(env({ "token-file": "/t" }), ["SNOWLUMA_MCP_EVENTS_TOKEN"]);
  deepStrictEqual(env({ "events-token-file": "/t" }), ["SNOWLUMA_MCP_TOKEN"]);
});

Deno.test("lastingCommand() goes by npx where Deno stands in npx's cache, and nowhere else", () => {
  verifies("init", "init-clients");
  const args = ["run", "main.ts"];
  const npx = { command: "npx", args: ["-y", `deno@${Deno.version.deno}`, ...args] };
  deepStrictEqual(lastingCommand({ command: "/home/me/.npm/_npx/7a40/node_modules/deno/deno", args }, "linux"), npx);
  const lasting = { command: "/usr/bin/deno", args };
  deepStrictEqual(lastingCommand(lasting, "linux"), lasting);
});

Deno.test("lastingCommand() lets Windows start npx by its shell, and a program without, spaces or not", () => {
  verifies("init-windows");
  const args = ["run", "C:\\Bot Tools\\\u4e00\\main.ts"];
  const command = "C:\\Users\\me\\npm-cache\\_npx\\7a40\\deno.exe";
  deepStrictEqual(lastingCommand({ command, args }, "windows"), {
    command: "cmd",
    args: ["/c", "npx", "-y", `deno@${Deno.version.deno}`, ...args],
  });
  const lasting = { command: "C:\\Program Files\\deno.exe", args };
  deepStrictEqual(lastingCommand(lasting, "windows"), lasting);
});
