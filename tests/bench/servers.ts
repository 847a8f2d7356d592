/** The servers that are compared, each started the way its users start it. */
import { fromFileUrl } from "@std/path";
import type { ServerSpec } from "./driver.ts";

const path = (relative: string): string => fromFileUrl(new URL(relative, import.meta.url));

/** Files of the baseline that run; its dependencies are installed beside copies of them. */
const BASELINE_FILES = ["package.json", "package-lock.json", "server.mjs", "catalog.mjs", "search.mjs", "synonyms.mjs"];

/** Our server in docs mode in both languages, and one with a single empty tool on the same SDK, runtime and flags. */
export interface Servers {
  readonly ours: ServerSpec;
  readonly oursZh: ServerSpec;
  readonly empty: ServerSpec;
}

/** Asks `snowluma-mcp init` how clients are told to start the server, so that nothing else is measured. */
export async function findServers(): Promise<Servers> {
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-env=SNOWLUMA_MCP_*", path("../../main.ts"), "init", "claude-code"],
    env: { SNOWLUMA_MCP_ENDPOINT: "", NO_COLOR: "1" },
  }).output();
  if (!success) throw new Error(`init failed: ${new TextDecoder().decode(stderr)}`);
  const { command, args } = JSON.parse(new TextDecoder().decode(stdout)).mcpServers.snowluma as ServerSpec;
  const v8Flags = args.filter((arg) => arg.startsWith("--v8-flags="));
  return {
    ours: { name: "ours", command, args },
    oursZh: { name: "ours (zh)", command, args: [...args, "--lang", "zh"] },
    empty: { name: "empty server", command, args: ["run", "--no-prompt", ...v8Flags, path("./empty_server.ts")] },
  };
}

/** The Node.js baseline, installed in a folder of its own. Disposing it removes the folder. */
export interface Baseline extends AsyncDisposable {
  readonly spec: ServerSpec;
}

/** Installs the baseline. Gives the reason when Node.js or npm is missing, or the install fails. */
export async function installBaseline(): Promise<Baseline | string> {
  for (const program of ["node", "npm"]) {
    const missing = await run(program, ["--version"]);
    if (missing !== undefined) return missing;
  }
  const folder = await Deno.makeTempDir({ prefix: "node-baseline-" });
  const remove = (): Promise<void> => Deno.remove(folder, { recursive: true });
  for (const file of BASELINE_FILES) await Deno.copyFile(path(`./node_baseline/${file}`), `${folder}/${file}`);
  const problem = await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder);
  if (problem !== undefined) {
    await remove();
    return problem;
  }
  return {
    spec: {
      name: "node baseline",
      command: "node",
      // it warns of the listeners that the SDK adds for every waiting write
      args: ["--no-warnings", `${folder}/server.mjs`, path("../../catalog/catalog.json")],
    },
    [Symbol.asyncDispose]: remove,
  };
}

/** Runs a program to its end; gives what went wrong, if anything. */
async function run(program: string, args: string[], cwd?: string): Promise<string | undefined> {
  try {
    const output = await new Deno.Command(program, { args, ...(cwd && { cwd }), stdin: "null" }).output();
    if (output.success) return undefined;
    return `${program} ${args[0]} failed: ${new TextDecoder().decode(output.stderr).trim().slice(-300)}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `${program} is not installed`;
    throw error;
  }
}
