/**
 * `deno task mcpb [--target T]`: packs the binary of a target into a bundle for MCP clients, with the format's own
 * command line tool, which also judges the manifest.
 */
import { dirname, fromFileUrl, join } from "@std/path";
import { parseArgs } from "node:util";
import config from "../deno.json" with { type: "json" };
import { resolveConfig } from "../lib/config/resolve.ts";
import { Toolbox } from "../lib/tools/toolbox.ts";
import { entryPoint, manifestFor, type ToolEntry } from "./manifest.ts";
import { binaryName, DIST, findTarget, type Target } from "./targets.ts";
import { resetTimes } from "./zip_times.ts";

const TOOL = config.imports["@anthropic-ai/mcpb"];

/** The bundle's file for a target. */
export function bundleName({ triple }: Target): string {
  return `snowluma-mcp-${triple}.mcpb`;
}

/** The tools that are there whatever the settings are. */
export async function steadyTools(): Promise<ToolEntry[]> {
  const none = (): Promise<never> => Promise.reject(new Error("no bot"));
  const docs = resolveConfig({ flags: {}, environment: {} });
  const { tools } = await Toolbox.open({ config: docs, log: () => {}, executor: none, asking: none });
  return tools.map(({ definition }) => definition)
    .filter(({ listed, needs }) => listed && needs === undefined)
    .map(({ name, description }) => ({ name, description }));
}

/**
 * Packs one bundle, the same bytes for the same binary.
 *
 * Needs reading and writing of the folder, and running Deno, which downloads the tool where it is not there yet.
 *
 * @param folder Holds the binary, and gets the bundle.
 * @returns The bundle's path.
 * @throws {Error} where the binary is missing, or the tool refuses.
 */
export async function packBundle(target: Target, folder: string): Promise<string> {
  const binary = join(folder, binaryName(target));
  const bundle = join(folder, bundleName(target));
  const stage = await Deno.makeTempDir({ dir: folder, prefix: ".mcpb-" });
  try {
    const program = join(stage, entryPoint(target));
    await Deno.mkdir(dirname(program));
    try {
      await Deno.copyFile(binary, program);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new Error(
        `Cannot pack ${JSON.stringify(binary)}: there is no such file; run deno task compile --target ${target.triple}`,
      );
    }
    if (Deno.build.os !== "windows") await Deno.chmod(program, 0o755);
    const manifest = manifestFor(target, await steadyTools());
    await Deno.writeTextFile(join(stage, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await runTool(["validate", join(stage, "manifest.json")], [stage]);
    await runTool(["pack", stage, bundle], [stage], [folder]);
    await Deno.writeFile(bundle, resetTimes(await Deno.readFile(bundle)));
    return bundle;
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/**
 * Runs the format's tool, which may reach these folders and no network.
 *
 * @throws {Error} with what it said, where it fails.
 */
export async function runTool(
  args: readonly string[],
  reads: readonly string[],
  writes: readonly string[] = [],
): Promise<void> {
  const own = join(dirname(fromFileUrl(import.meta.resolve("@anthropic-ai/mcpb"))), "..");
  const grants = [
    `--allow-read=${[own, ...reads, ...writes].join(",")}`,
    ...writes.length === 0 ? [] : [`--allow-write=${writes.join(",")}`],
    "--allow-env", // one of its packages lists all variables as it loads
  ];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...grants, TOOL, ...args],
    cwd: fromFileUrl(new URL("..", import.meta.url)), // for the lock file
    stdin: "null", // it asks where something is missing
    stdout: "piped",
    stderr: "piped",
  }).output();
  if (code === 0) return;
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim()).filter((text) => text !== "");
  throw new Error(`Cannot ${args[0]} the bundle: ${said.join(" ")}`);
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ args: Deno.args, options: { target: { type: "string" } } });
    const bundle = await packBundle(findTarget(values.target ?? Deno.build.target), DIST);
    await Deno.stdout.write(new TextEncoder().encode(`${bundle}\n`));
  } catch (error) {
    await Deno.stderr.write(new TextEncoder().encode(`${error instanceof Error ? error.message : error}.\n`));
    Deno.exit(1);
  }
}
