/** The command `permissions`: what it prints starts the server, by a shell and by a client. */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY } from "../support/binary.ts";
import { ASK_FOR_TOOLS, launch } from "../support/launched.ts";
import { MAIN, type Message } from "../support/server_process.ts";
import { BASE_ENV, denoRun, flagsFor, makeSandboxFolders, program, unquote, writeEnv } from "./sandbox_support.ts";
import { makeFolders } from "./transfer_support.ts";

const TOKEN = "tok_never-printed";
const IS_WINDOWS = Deno.build.os === "windows";
/** Asks what is granted. */
const ASK = `${ASK_FOR_TOOLS}${
  JSON.stringify({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "get_runtime_info", arguments: {} } })
}\n`;

function infoIn(stdout: string): Message {
  const answers = stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as Message);
  return answers.find(({ id }) => id === 3)?.result.structuredContent.result;
}

Deno.test({
  name: "what permissions prints starts the server through a shell, whatever folders are called",
  ignore: IS_WINDOWS,
}, async () => {
  verifies("sandbox-flags");
  await using folders = await makeFolders();
  const odd = join(folders.top, `it's "my" 文件夹 $HOME; \`x\` & \\ *`);
  const [downloads, uploads, tasks] = ["down", "up", "tasks"].map((name) => join(odd, name)) as [
    string,
    string,
    string,
  ];
  await Deno.mkdir(uploads, { recursive: true });
  const env = writeEnv({ ...folders, downloads, uploads, tasks }, "http://127.0.0.1:9/", "ws://[::1]:8/");
  const token = join(odd, "token");
  await Deno.writeTextFile(token, TOKEN);
  const { code, stdout, stderr } = await launch(program(["permissions", "--token-file", token], env), "");
  deepStrictEqual([code, stderr], [0, ""]);
  ok(stdout.split("\n").every((line) => /^['"]?--|^$/.test(line)), stdout);
  const script = `${Deno.execPath()} run ${stdout.trimEnd().replaceAll("\n", " ")} ${MAIN}`;
  const words = ["-c", `${script} --token-file "$0"`, token];
  const served = await launch({ command: "sh", args: words, env: { ...BASE_ENV, ...env } }, ASK);
  strictEqual(served.code, 0, served.stderr);
  const { sandbox } = infoIn(served.stdout);
  deepStrictEqual(sandbox, {
    enforced: true,
    read: [downloads, uploads, tasks],
    write: [downloads, tasks],
    net: 2,
  });
});

Deno.test("the block of permissions --json starts the server as a client does", async () => {
  verifies("sandbox-flags");
  await using folders = await makeSandboxFolders();
  await using simulator = await startSimulator({ wsPort: 0, token: TOKEN });
  const env = { ...writeEnv(folders, simulator.url, simulator.wsUrl), SNOWLUMA_MCP_TOKEN: TOKEN };
  const { code, stdout, stderr } = await launch(program(["permissions", "--json"], env), "");
  deepStrictEqual([code, stderr], [0, ""]);
  const { mcpServers: { snowluma: server } } = JSON.parse(stdout);
  if (IS_BINARY) deepStrictEqual([server.command, server.args], [BINARY, []]);
  const client = new Client({ name: "block", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  // clients add little of their own environment; the token is filled in by hand
  const filled = { ...server.env, SNOWLUMA_MCP_TOKEN: TOKEN };
  await client.connect(new StdioClientTransport({ ...server, env: { ...BASE_ENV, ...filled }, stderr: "ignore" }));
  try {
    const answer = await client.callTool({ name: "get_runtime_info", arguments: { check_connection: true } });
    const { result } = answer.structuredContent as Message;
    deepStrictEqual([result.mode, result.sandbox.enforced, result.sandbox.net], ["write", true, 2]);
    for (const { diagnostics } of Object.values<Message>(result.checks)) strictEqual(diagnostics.outcome, "success");
  } finally {
    await client.close();
  }
});

Deno.test("permissions prints the flags of deno run from both forms, with --no-prompt, and never all of a kind", async () => {
  verifies("sandbox-flags", "no-prompt");
  await using folders = await makeSandboxFolders();
  const env = writeEnv(folders, "http://127.0.0.1:9/");
  const flags = await flagsFor(env);
  const { stdout } = await launch(program(["permissions"], env), "");
  deepStrictEqual(stdout.trimEnd().split("\n").map(unquote), flags);
  strictEqual(flags[0], "--no-prompt");
  doesNotMatch(flags.join("\n"), /^(-A|--allow-all|--allow-\w+)$/m);
});

Deno.test("permissions names files absolutely, and contacts and makes nothing", async () => {
  verifies("sandbox-flags");
  await using folders = await makeFolders();
  await using simulator = await startSimulator({ token: TOKEN });
  await Deno.writeTextFile(join(folders.top, "token"), TOKEN);
  const env = {
    SNOWLUMA_MCP_ENDPOINT: simulator.url,
    SNOWLUMA_MCP_MODE: "write",
    SNOWLUMA_MCP_STREAM_DIR: folders.downloads,
  };
  for (const json of [[], ["--json"]]) {
    const launched = program(["permissions", ...json, "--token-file", "token"], env);
    const { code, stdout, stderr } = await launch({ ...launched, cwd: folders.top }, "");
    strictEqual(code, 0, stderr);
    if (!IS_BINARY || json.length === 0) {
      ok(stdout.includes(`--allow-read=${join(folders.top, "token")},${folders.downloads}`), stdout);
    } else ok(stdout.includes(JSON.stringify(join(folders.top, "token"))), stdout);
    ok(!`${stdout}${stderr}`.includes(TOKEN), "the token");
  }
  strictEqual(simulator.requests.length, 0);
  deepStrictEqual(await Array.fromAsync(Deno.readDir(folders.top), ({ name }) => name).then((names) => names.sort()), [
    "token",
    "up",
  ]);
});

Deno.test("permissions never prints a secret, wherever it comes from", async () => {
  verifies("sandbox-flags", "no-token");
  await using folders = await makeFolders();
  const file = join(folders.top, "config.json");
  await Deno.writeTextFile(
    file,
    JSON.stringify({ token: TOKEN, events_token: `${TOKEN}2`, endpoint: "http://127.0.0.1:9/" }),
  );
  const sources = [
    {
      env: {
        SNOWLUMA_MCP_ENDPOINT: "http://127.0.0.1:9/",
        SNOWLUMA_MCP_TOKEN: TOKEN,
        SNOWLUMA_MCP_EVENTS_TOKEN: TOKEN,
      },
      args: [],
    },
    { env: {}, args: ["--config", file] },
  ];
  for (const { env, args } of sources) {
    for (const json of [[], ["--json"]]) {
      const { code, stdout, stderr } = await launch(program(["permissions", ...json, ...args], env), "");
      strictEqual(code, 0, stderr);
      ok(stdout.length > 0 && !`${stdout}${stderr}`.includes(TOKEN), stdout);
    }
  }
});

Deno.test("permissions takes no words, and --json goes with it alone", async (t) => {
  verifies("sandbox-flags", "cli-usage");
  const cases: ReadonlyArray<readonly [readonly string[], RegExp]> = [
    [["permissions", "cursor"], /permissions takes no further words/],
    [["--json"], /--json goes with permissions alone/],
    [["serve", "--json"], /--json goes with permissions alone/],
    [["init", "cursor", "--json"], /--json goes with permissions alone/],
    [["doctor", "--json"], /--json goes with permissions alone/],
    [["permissions", "--token-file", "/a,b"], /--token-file cannot be "\/a,b"/],
    [["permissions", "--endpoint", "nowhere"], /--endpoint cannot be "nowhere"/],
  ];
  for (const [args, said] of cases) {
    await t.step(args.join(" "), async () => {
      const { code, stdout, stderr } = await launch(program(args), "");
      deepStrictEqual([code, stdout], [2, ""]);
      match(stderr, said);
      match(stderr, /^snowluma-mcp: [^\n]+\n$/);
    });
  }
});

Deno.test("permissions says which settings it could not see", async () => {
  verifies("sandbox-flags");
  if (IS_BINARY) return; // which may see them all
  const { code, stdout, stderr } = await launch(denoRun(["--no-prompt"], {}, ["permissions"]), "");
  deepStrictEqual([code, stdout.trimEnd().split("\n").map(unquote)], [0, [
    "--no-prompt",
    "--allow-env=SNOWLUMA_MCP_*",
  ]]);
  match(stderr, /^snowluma-mcp: Without permission to read SNOWLUMA_MCP_ENDPOINT/);
});
