/** init: blocks that clients can paste, tried by starting what they say. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { MAIN, type Message, serverCommand } from "../support/server_process.ts";
import { runCommand } from "./support.ts";
import { makeFolders } from "./transfer_support.ts";

const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "cline"];
const TOKEN = "tok_TEST+/=1";
const PLACEHOLDERS = ["", "${input:snowluma-token}"]; // empty counts as absent

interface Launch {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

function serverOf(client: string, block: Message): Launch {
  const servers = client === "vscode" ? block.servers : block.mcpServers;
  deepStrictEqual(Object.keys(servers), ["snowluma"]);
  return servers.snowluma;
}

async function block(client: string, args: string[], env: Record<string, string> = {}): Promise<Message> {
  const { code, stdout, stderr } = await runCommand(["init", client, ...args], { env });
  strictEqual(code, 0, stderr);
  ok(stderr.length > 0, "it says where the block goes");
  for (const secret of [TOKEN, encodeURIComponent(TOKEN)]) {
    ok(!(stdout + stderr).includes(secret), "the token is shown");
  }
  return JSON.parse(stdout);
}

/** Starts exactly what a block says, with nothing else in the environment but what Deno itself needs. */
async function modeOf({ command, args, env }: Launch): Promise<Message> {
  const { env: own } = serverCommand();
  const client = new Client({ name: "init-test", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  await client.connect(new StdioClientTransport({ command, args, env: { ...own, ...env }, stderr: "ignore" }));
  try {
    const { structuredContent } = await client.callTool({
      name: "get_runtime_info",
      arguments: { check_connection: env.SNOWLUMA_MCP_ENDPOINT !== undefined },
    });
    return (structuredContent as Message).result;
  } finally {
    await client.close();
  }
}

for (const client of CLIENTS) {
  Deno.test(`init ${client} prints a block that starts a server`, async (t) => {
    verifies("init", "no-token");
    await using bot = await startSimulator({ token: TOKEN });
    const { host } = new URL(bot.url);
    await using folders = await makeFolders();
    const { downloads, uploads } = folders;
    const files = [`--allow-read=${downloads},${uploads}`, `--allow-write=${downloads}`];
    const cases: Array<[name: string, args: string[], env: Record<string, string>, grants: string[], mode: string]> = [
      ["docs mode", [], {}, [], "docs"],
      [
        "a bot with a token",
        ["--endpoint", bot.url, "--mode", "write", "--stream-dir", downloads, "--upload-root", uploads],
        { SNOWLUMA_MCP_TOKEN: TOKEN },
        [`--allow-net=${host}`, ...files],
        "write",
      ],
      ["the simulated bot", ["--endpoint", "simulator"], {}, ["--allow-net=127.0.0.1"], "read"],
    ];
    for (const [name, args, env, expected, mode] of cases) {
      await t.step(name, async () => {
        const printed = await block(client, args, env);
        const launch = serverOf(client, printed);
        deepStrictEqual(launch.args.at(-1), MAIN);
        const grants = launch.args.filter((arg) => /^(-A|--allow|-P|--permission)/.test(arg));
        deepStrictEqual(grants, ["--allow-env=SNOWLUMA_MCP_*", ...expected]);
        ok(launch.args.includes("--no-prompt"));
        if (client === "vscode") strictEqual((launch as Launch & { type?: string }).type, "stdio");
        if (launch.env.SNOWLUMA_MCP_TOKEN !== undefined) {
          ok(PLACEHOLDERS.includes(launch.env.SNOWLUMA_MCP_TOKEN));
          strictEqual(client === "vscode", printed.inputs?.[0]?.password === true);
        }
        const filled = {
          ...launch.env,
          ...(launch.env.SNOWLUMA_MCP_TOKEN !== undefined && { SNOWLUMA_MCP_TOKEN: TOKEN }),
        };
        const overview = await modeOf({ ...launch, env: filled });
        strictEqual(overview.mode, mode);
        if (mode === "write") strictEqual((await Deno.stat(downloads)).isDirectory, true, "no folder for downloads");
        for (const check of Object.values(overview.checks ?? {}) as Message[]) {
          strictEqual(check.diagnostics.outcome, "success", JSON.stringify(check));
        }
      });
    }
  });
}

Deno.test("init carries every setting that is not the default into the block", async () => {
  verifies("init");
  const args = ["--endpoint", "http://127.0.0.1:3000/", "--mode", "write", "--lang", "zh", "--timeout-ms", "5000"];
  const transfers = ["--stream-dir", "/srv/down", "--upload-root", "/srv/up", "--max-stream-bytes", "1000"];
  const printed = await block("cursor", [...args, "--allow", "get_cookies", "--log", "json", ...transfers]);
  const { SNOWLUMA_MCP_TOKEN: _, ...env } = serverOf("cursor", printed).env;
  deepStrictEqual(env, {
    SNOWLUMA_MCP_ENDPOINT: "http://127.0.0.1:3000/",
    SNOWLUMA_MCP_MODE: "write",
    SNOWLUMA_MCP_LANG: "zh",
    SNOWLUMA_MCP_TIMEOUT_MS: "5000",
    SNOWLUMA_MCP_ALLOW: "get_cookies",
    SNOWLUMA_MCP_LOG: "json",
    SNOWLUMA_MCP_STREAM_DIR: "/srv/down",
    SNOWLUMA_MCP_UPLOAD_ROOT: "/srv/up",
    SNOWLUMA_MCP_MAX_STREAM_BYTES: "1000",
  });
});

Deno.test("init keeps the language in docs mode too", async () => {
  verifies("init", "language");
  const { env } = serverOf("cline", await block("cline", ["--lang", "zh"]));
  deepStrictEqual(env, { SNOWLUMA_MCP_LANG: "zh" });
});

Deno.test("init refuses an unknown client, none, and two", async () => {
  verifies("init", "cli-usage");
  for (const words of [[], ["emacs"], ["constructor"], ["cursor", "cline"]]) {
    const { code, stdout, stderr } = await runCommand(["init", ...words]);
    strictEqual(code, 2);
    strictEqual(stdout, "");
    for (const client of CLIENTS) ok(stderr.includes(client), stderr);
  }
});
