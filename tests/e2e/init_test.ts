/** init: blocks that clients can paste, tried by starting what they say. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY } from "../support/binary.ts";
import { MAIN, type Message, serverCommand } from "../support/server_process.ts";
import { grantsToRead, runCommand } from "./support.ts";
import { makeFolders } from "./transfer_support.ts";

const CLIENTS = ["claude-desktop", "claude-code", "cursor", "vscode", "cline"];
/** By variable; `init` never shows them. */
const TOKENS = { SNOWLUMA_MCP_TOKEN: "tok_TEST+/=1", SNOWLUMA_MCP_EVENTS_TOKEN: "tok_EVENTS+/=2" };
const PLACEHOLDERS = ["", "${input:snowluma-token}", "${input:snowluma-events-token}"]; // empty counts as absent
const SOCKET = ",WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
/** Granted to be removed, before anything is connected. */
const PROXIES = ",HTTP_PROXY,http_proxy,HTTPS_PROXY,https_proxy,ALL_PROXY,all_proxy";

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
  strictEqual(stderr.includes("if you move it, run init again"), IS_BINARY, stderr);
  for (const token of Object.values(TOKENS)) {
    for (const secret of [token, encodeURIComponent(token)]) {
      ok(!(stdout + stderr).includes(secret), "a token is shown");
    }
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
    verifies("init", "no-token", "exact-grants", "events-token", "init-clients", "sandbox-told");
    const { SNOWLUMA_MCP_TOKEN: token, SNOWLUMA_MCP_EVENTS_TOKEN: wsToken } = TOKENS;
    await using bot = await startSimulator({ token, wsPort: 0, wsToken });
    const { url, wsUrl = "" } = bot;
    const hosts = [url, wsUrl].map((address) => new URL(address).host);
    await using folders = await makeFolders();
    const { downloads, uploads } = folders;
    const tasks = `${folders.top}/tasks`;
    const transfers = ["--stream-dir", downloads, "--upload-root", uploads];
    const write = ["--endpoint", url, "--mode", "write", ...transfers];
    const files = [`--allow-read=${downloads},${uploads}`, `--allow-write=${downloads}`];
    const allFiles = [`--allow-read=${downloads},${uploads},${tasks}`, `--allow-write=${downloads},${tasks}`];
    const services = ["--events-url", wsUrl, "--task-dir", tasks];
    const simulated = ["--endpoint", "simulator"];
    const cases: Array<[name: string, args: string[], env: Partial<typeof TOKENS>, grants: string[], mode: string]> = [
      ["docs mode", [], {}, [""], "docs"],
      [
        "a bot with a token",
        write,
        { SNOWLUMA_MCP_TOKEN: token },
        [PROXIES, `--allow-net=${hosts[0]}`, ...files],
        "write",
      ],
      [
        "a bot with events and tasks",
        [...write, ...services],
        TOKENS,
        [SOCKET + PROXIES, `--allow-net=${hosts.join(",")}`, ...allFiles],
        "write",
      ],
      ["the simulated bot", simulated, {}, [PROXIES, "--allow-net=127.0.0.1"], "read"],
      [
        "its events",
        [...simulated, "--events-url", "simulator"],
        {},
        [SOCKET + PROXIES, "--allow-net=127.0.0.1"],
        "read",
      ],
    ];
    for (const [name, args, env, [variables, ...expected], mode] of cases) {
      await t.step(name, async () => {
        const printed = await block(client, args, env);
        const launch = serverOf(client, printed);
        if (IS_BINARY) deepStrictEqual([launch.command, launch.args], [BINARY, []]);
        else {
          deepStrictEqual(launch.args.at(-1), MAIN);
          const grants = launch.args.filter((arg) => /^(-A|--allow|-P|--permission)/.test(arg));
          deepStrictEqual(grants, [`--allow-env=SNOWLUMA_MCP_*${variables}`, ...expected]);
          ok(launch.args.includes("--no-prompt"));
        }
        if (client === "vscode") strictEqual((launch as Launch & { type?: string }).type, "stdio");
        const left = Object.keys(launch.env).filter((variable) => variable in TOKENS);
        deepStrictEqual(left, Object.keys(env));
        for (const variable of left) ok(PLACEHOLDERS.includes(launch.env[variable] ?? ""), variable);
        if (client === "vscode") strictEqual(printed.inputs?.length ?? 0, left.length);
        const overview = await modeOf({ ...launch, env: { ...launch.env, ...env } });
        strictEqual(overview.mode, mode);
        strictEqual(overview.transport?.events_enabled ?? false, args.includes("--events-url"));
        strictEqual(overview.transport?.tasks_enabled ?? false, args.includes(tasks));
        if (mode === "write") strictEqual((await Deno.stat(downloads)).isDirectory, true, "no folder for downloads");
        strictEqual(overview.sandbox.enforced, true, JSON.stringify(overview.sandbox));
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
  const services = ["--events-url", "ws://127.0.0.1:3001/", "--task-dir", "/srv/tasks"];
  const printed = await block("cursor", [
    ...args,
    "--allow",
    "get_cookies",
    "--log",
    "json",
    ...transfers,
    ...services,
  ]);
  const { SNOWLUMA_MCP_TOKEN: _, SNOWLUMA_MCP_EVENTS_TOKEN: _own, ...env } = serverOf("cursor", printed).env;
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
    SNOWLUMA_MCP_EVENTS_URL: "ws://127.0.0.1:3001/",
    SNOWLUMA_MCP_TASK_DIR: "/srv/tasks",
  });
});

Deno.test("init leaves the mode to the configuration file that says it, also when that changes later", async () => {
  verifies("init");
  await using folders = await makeFolders();
  const path = `${folders.top}/snowluma.json`;
  const say = (mode: string): Promise<void> =>
    Deno.writeTextFile(path, JSON.stringify({ endpoint: "simulator", mode }));
  const launchOf = async (mode: string): Promise<Launch> => {
    await say(mode);
    const args = ["init", "cursor", "--config", path];
    const { code, stdout, stderr } = await runCommand(args, { grants: grantsToRead(path) });
    strictEqual(code, 0, stderr);
    return serverOf("cursor", JSON.parse(stdout));
  };
  const launch = await launchOf("read");
  deepStrictEqual(launch.env, {});
  if (IS_BINARY) deepStrictEqual(launch.args, ["--config", path]);
  for (const mode of ["docs", "read"]) {
    await say(mode);
    strictEqual((await modeOf(launch)).mode, mode);
  }
  // a block that was made in docs mode grants nothing beyond that, so the mode that needs more ends start-up
  const { command, args, env } = await launchOf("docs");
  ok(!args.some((arg) => arg.startsWith("--allow-net")), args.join(" "));
  await say("read");
  const { code, stderr } = await new Deno.Command(command, { args, env, stdin: "null" }).output();
  strictEqual(code, IS_BINARY ? 0 : 2);
  if (!IS_BINARY) {
    match(new TextDecoder().decode(stderr), /^snowluma-mcp: Proxy variables .*: add --allow-env=HTTP_PROXY,/);
  }
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
