/** The manifest of the bundles, without a bundle. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import config from "../../deno.json" with { type: "json" };
import { parseCommandLine } from "../../lib/cli/flags.ts";
import { resolveConfig } from "../../lib/config/resolve.ts";
import { SETTINGS, type SettingSpec } from "../../lib/config/settings.ts";
import { NAME, VERSION } from "../../lib/version.ts";
import { AUTHOR, DESCRIPTION } from "../../release/about.ts";
import { entryPoint, type Manifest, manifestFor } from "../../release/manifest.ts";
import { runTool, steadyTools } from "../../release/mcpb.ts";
import { TARGETS } from "../../release/targets.ts";
import { verifies } from "../requirements.ts";

const SPECS: readonly SettingSpec<unknown>[] = Object.values(SETTINGS);

function manifests(): Manifest[] {
  return TARGETS.map((target) => manifestFor(target, [{ name: "a", description: "b" }]));
}

/** The command line and variables as a client makes them of its user's answers. */
function launch(manifest: Manifest, answer: (key: string) => string): { args: string[]; env: Record<string, string> } {
  const fill = (text: string): string => text.replace(/\$\{user_config\.(\w+)\}/g, (_, key) => answer(key));
  const { args, env } = manifest.server.mcp_config;
  return {
    args: args.map(fill),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
  };
}

Deno.test("the manifest of every target passes the format's own tool", async () => {
  verifies("mcpb-valid");
  const folder = await Deno.makeTempDir();
  const path = join(folder, "manifest.json");
  const write = (value: unknown): Promise<void> => Deno.writeTextFile(path, JSON.stringify(value));
  try {
    for (const target of TARGETS) {
      await write(manifestFor(target, await steadyTools()));
      await runTool(["validate", path], [folder]);
    }
    await write({ ...manifests()[0], server: { type: "binary" } });
    const refused = await runTool(["validate", path], [folder]).then(() => "", (error: Error) => error.message);
    ok(refused.includes("server.entry_point"), `the tool accepts anything: ${refused}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the manifest passes every setting as an argument, a secret alone by variable or file", () => {
  verifies("mcpb-arguments");
  for (const manifest of manifests()) {
    const { args, env } = launch(manifest, (key) => `<${key}>`);
    const { flags } = parseCommandLine(args);
    for (const { flag, fileFlag, key, env: variable, secret } of SPECS) {
      if (flag !== undefined) strictEqual(flags[flag], `<${key}>`);
      if (fileFlag !== undefined) strictEqual(flags[fileFlag], `<${key}_file>`);
      strictEqual(env[variable], secret ? `<${key}>` : undefined, variable);
    }
    const secrets = SPECS.filter(({ secret }) => secret);
    strictEqual(secrets.length, 2);
    deepStrictEqual(Object.keys(env), secrets.map((spec) => spec.env));
    for (const { key } of secrets) ok(!args.some((arg) => arg.includes(`<${key}>`)), `${key} is an argument`);
  }
});

Deno.test("the manifest asks for what it passes and nothing else, hides secrets, and requires nothing", () => {
  verifies("mcpb-arguments", "mcpb-valid");
  for (const manifest of manifests()) {
    const asked: string[] = [];
    launch(manifest, (key) => {
      asked.push(key);
      return "";
    });
    deepStrictEqual(asked.toSorted(), Object.keys(manifest.user_config).toSorted());
    for (const [key, option] of Object.entries(manifest.user_config)) {
      strictEqual(option.sensitive ?? false, SPECS.some((spec) => spec.key === key && spec.secret === true), key);
      strictEqual(option.required, false);
      strictEqual(option.default, "", "a client hands a placeholder without a default on as it is");
      ok(option.title.length > 0 && !option.description.includes("--"), `${key}: a field is no flag`);
    }
    const typed = (type: string): string[] =>
      Object.entries(manifest.user_config).filter(([, option]) => option.type === type).map(([key]) => key);
    deepStrictEqual(typed("directory"), ["stream_dir", "upload_root", "task_dir"]);
    deepStrictEqual(typed("file"), ["token_file", "events_token_file"]);
  }
});

Deno.test("the manifest with nothing filled in starts docs mode with every default", () => {
  verifies("mcpb-arguments");
  const [manifest] = manifests();
  const { args, env } = launch(manifest as Manifest, () => "");
  const given = resolveConfig({ flags: parseCommandLine(args).flags, environment: env });
  deepStrictEqual(given, resolveConfig({ flags: {}, environment: {} }));
  strictEqual(given.mode, "docs");
});

Deno.test("the manifest with its placeholders left in is the same as with nothing filled in", () => {
  verifies("mcpb-arguments");
  const [manifest] = manifests();
  const { args, env } = launch(manifest as Manifest, (key) => `\${user_config.${key}}`);
  ok(args.every((arg) => arg.includes("${")) && Object.values(env).every((value) => value.includes("${")));
  const given = resolveConfig({ flags: parseCommandLine(args).flags, environment: env });
  deepStrictEqual(given, resolveConfig({ flags: {}, environment: {} }));
});

Deno.test("the manifest names the program, this version and the target's system", () => {
  verifies("mcpb-valid");
  for (const [index, manifest] of manifests().entries()) {
    const target = TARGETS[index];
    ok(target !== undefined);
    deepStrictEqual([manifest.name, manifest.version, manifest.license], [NAME, VERSION, config.license]);
    const system = { linux: "linux", darwin: "darwin", windows: "win32" }[target.os];
    deepStrictEqual(manifest.compatibility.platforms, [system]);
    strictEqual(manifest.server.entry_point, entryPoint(target));
    strictEqual(manifest.server.mcp_config.command, `\${__dirname}/${entryPoint(target)}`);
    strictEqual(entryPoint(target).endsWith(".exe"), target.os === "windows");
  }
});

Deno.test("what bundles and registries say is what the project says", async () => {
  verifies("mcpb-valid", "server-json");
  const read = (name: string): Promise<string> => Deno.readTextFile(new URL(`../../${name}`, import.meta.url));
  ok((await read("LICENSE")).includes(AUTHOR));
  ok(DESCRIPTION.length <= 100, `${DESCRIPTION.length} characters`);
  const tools = await steadyTools();
  ok(tools.length > 5 && tools.every(({ name, description }) => name !== "" && description !== ""));
  ok(!tools.some(({ name }) => name.startsWith("call_")), "a tool that needs a bot is not always there");
});
