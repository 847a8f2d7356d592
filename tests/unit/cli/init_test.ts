import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { clientConfig } from "../../../lib/cli/init.ts";
import { type Config, resolveConfig } from "../../../lib/config/resolve.ts";
import { UsageError } from "../../../lib/errors.ts";
import { lastingCommand } from "../../../lib/cli/server_command.ts";
import { verifies } from "../../requirements.ts";

const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "cline"];
const TOKEN = "hush-hush-hush";

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
        deepStrictEqual(grants, ["--allow-env=SNOWLUMA_MCP_*", ...net]);
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
      },
      expected: {
        SNOWLUMA_MCP_ENDPOINT: "simulator",
        SNOWLUMA_MCP_MODE: "read",
        SNOWLUMA_MCP_LANG: "zh",
        SNOWLUMA_MCP_TIMEOUT_MS: "5000",
        SNOWLUMA_MCP_ALLOW: "get_cookies,set_restart",
        SNOWLUMA_MCP_LOG: "json",
      },
    },
  ];
  for (const { environment, expected } of cases) {
    await t.step(JSON.stringify(environment), () => {
      for (const client of CLIENTS) deepStrictEqual(entry(client, config(environment)).env, expected);
    });
  }
});

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

Deno.test("lastingCommand() goes by npx where Deno stands in npx's cache, and nowhere else", () => {
  verifies("init");
  const args = ["run", "main.ts"];
  const npx = { command: "npx", args: ["-y", `deno@${Deno.version.deno}`, ...args] };
  deepStrictEqual(lastingCommand({ command: "/home/me/.npm/_npx/7a40/node_modules/deno/deno", args }), npx);
  deepStrictEqual(lastingCommand({ command: "C:\\Users\\me\\npm-cache\\_npx\\7a40\\deno.exe", args }), npx);
  const lasting = { command: "/usr/local/bin/deno", args };
  deepStrictEqual(lastingCommand(lasting), lasting);
});
