/** A bundle around this machine's binary, unpacked and started as a client does it. */
import { getMcpConfigForManifest } from "@anthropic-ai/mcpb/browser";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { join } from "@std/path";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { entryPoint, manifestFor } from "../../release/manifest.ts";
import { packBundle, runTool, steadyTools } from "../../release/mcpb.ts";
import { binaryName, findTarget, TARGETS } from "../../release/targets.ts";
import { verifies } from "../requirements.ts";
import { BINARY, NEEDS_BINARY } from "../support/binary.ts";
import type { Message } from "../support/server_process.ts";

const TOKEN = "tok_TEST+/=1";

interface Launch {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** What the client's own code makes of the manifest and its user's answers. */
async function launchOf(folder: string, userConfig: Record<string, string>): Promise<Launch> {
  const manifest = JSON.parse(await Deno.readTextFile(join(folder, "manifest.json")));
  const launch = await getMcpConfigForManifest({
    manifest,
    extensionPath: folder,
    systemDirs: {},
    userConfig,
    pathSeparator: Deno.build.os === "windows" ? "\\" : "/",
  });
  ok(launch !== undefined, "a setting is required");
  return { command: launch.command, args: launch.args ?? [], env: launch.env ?? {} };
}

/** Starts what a client would start; gives what the server tells of itself. */
async function started({ command, args, env }: Launch): Promise<{ name?: string; tools: string[]; info: Message }> {
  const client = new Client({ name: "bundle-test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
  try {
    const { tools } = await client.listTools();
    const withBot = args.some((arg) => /^--endpoint=http/.test(arg));
    const answer = await client.callTool({ name: "get_runtime_info", arguments: { check_connection: withBot } });
    const name = client.getServerVersion()?.name;
    return {
      ...(name !== undefined && { name }),
      tools: tools.map((tool: Message) => tool.name),
      info: (answer.structuredContent as Message).result,
    };
  } finally {
    await client.close();
  }
}

Deno.test({
  name: "a bundle starts as a client starts it",
  ...NEEDS_BINARY,
}, async (t) => {
  verifies("mcpb-valid", "mcpb-arguments");
  const target = findTarget(Deno.build.target);
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "mcpb_test_" }));
  await using bot = await startSimulator({ token: TOKEN });
  try {
    await Deno.copyFile(BINARY, join(top, binaryName(target)));
    const bundle = await packBundle(target, top);
    const folder = join(top, "a folder 一个文件夹");
    await Deno.mkdir(folder);
    await runTool(["unpack", bundle, folder], [bundle], [folder]);
    const manifest = manifestFor(target, await steadyTools());
    const upload = join(top, "上传 folder");
    await Deno.mkdir(upload);
    const tokenFile = join(top, "token 文件");
    await Deno.writeTextFile(tokenFile, `${TOKEN}\n`);
    const answers = { endpoint: bot.url, mode: "read", lang: "zh", upload_root: upload };

    await t.step("with nothing filled in it serves docs mode", async () => {
      const { name, tools, info } = await started(await launchOf(folder, {}));
      strictEqual(name, manifest.name, "a client loses the calls of a bundle with another name");
      strictEqual(info.mode, "docs");
      deepStrictEqual(new Set(Object.values(info.settings)), new Set(["default"]));
      deepStrictEqual(tools, manifest.tools.map((tool) => tool.name));
    });
    await t.step("with the placeholders left in by a client, it serves docs mode, too", async () => {
      const { args, env } = manifest.server.mcp_config;
      const { info } = await started({ ...await launchOf(folder, {}), args: [...args], env: { ...env } });
      strictEqual(info.mode, "docs");
      deepStrictEqual(new Set(Object.values(info.settings)), new Set(["default"]));
    });
    await t.step("with the environment kept, the token reaches the bot by it", async () => {
      const launch = await launchOf(folder, { ...answers, token: TOKEN });
      strictEqual(launch.command, `${folder}/${entryPoint(target)}`);
      ok(!launch.args.some((arg) => arg.includes(TOKEN)), "other users can see the token");
      const { info, tools } = await started(launch);
      deepStrictEqual([info.mode, info.settings.endpoint, info.settings.token], ["read", "flag", "environment"]);
      deepStrictEqual([info.settings.lang, info.settings.upload_root], ["flag", "flag"]);
      deepStrictEqual(reached(info), ["success"]);
      ok(manifest.tools.every((tool) => tools.includes(tool.name)), "a listed tool is not there");
    });
    await t.step("with the environment lost, everything else is as it was, and a token file serves", async () => {
      const lost = { ...await launchOf(folder, { ...answers, token: TOKEN }), env: {} };
      const bare = (await started(lost)).info;
      deepStrictEqual([bare.mode, bare.settings.endpoint, bare.settings.token], ["read", "flag", "default"]);
      deepStrictEqual(reached(bare).filter((outcome) => outcome === "success"), []);
      const { info } = await started({ ...await launchOf(folder, { ...answers, token_file: tokenFile }), env: {} });
      strictEqual(info.settings.token, "flag");
      deepStrictEqual(reached(info), ["success"]);
    });
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});

/** How the bot answered, each way once. */
function reached(info: Message): string[] {
  return [...new Set((Object.values(info.checks ?? {}) as Message[]).map((check) => check.diagnostics.outcome))];
}

Deno.test("a bundle holds manifest and program, unchanged and executable, and comes out the same twice", async () => {
  verifies("mcpb-valid");
  const top = await Deno.makeTempDir({ prefix: "mcpb_test_" });
  try {
    for (const target of TARGETS.filter(({ arch }) => arch === "x86_64")) {
      const program = crypto.getRandomValues(new Uint8Array(50_000));
      await Deno.writeFile(join(top, binaryName(target)), program, { mode: 0o600 });
      const bundle = await packBundle(target, top);
      const bytes = await Deno.readFile(bundle);
      await new Promise((resolve) => setTimeout(resolve, 2100)); // the format counts time by two seconds
      await packBundle(target, top);
      deepStrictEqual(await Deno.readFile(bundle), bytes, "the bundle is another one");

      const folder = join(top, target.triple);
      await Deno.mkdir(folder);
      await runTool(["unpack", bundle, folder], [bundle], [folder]);
      const manifest = manifestFor(target, await steadyTools());
      deepStrictEqual(JSON.parse(await Deno.readTextFile(join(folder, "manifest.json"))), manifest);
      const unpacked = join(folder, manifest.server.entry_point);
      deepStrictEqual(await Deno.readFile(unpacked), program);
      if (Deno.build.os !== "windows") strictEqual(((await Deno.stat(unpacked)).mode ?? 0) & 0o777, 0o755);
      const left = await Array.fromAsync(Deno.readDir(top), ({ name }) => name);
      deepStrictEqual(left.filter((name) => name.startsWith(".")), []);
    }
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});

Deno.test("packBundle() says what to do where there is no binary, and leaves nothing behind", async () => {
  verifies("mcpb-valid");
  const folder = await Deno.makeTempDir();
  try {
    const [first] = TARGETS;
    ok(first !== undefined);
    const said = await packBundle(first, folder).then(() => "", (error: Error) => error.message);
    ok(said.includes(`deno task compile --target ${first.triple}`), said);
    deepStrictEqual(await Array.fromAsync(Deno.readDir(folder)), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
