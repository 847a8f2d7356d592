/** The grants that a configuration needs, as flags for Deno: exactly these, and never all. */
import { type Needs, needsOf, PROXY_VARIABLES } from "../config/needs.ts";
import { type Config, isGiven } from "../config/resolve.ts";
import { UsageError } from "../errors.ts";
import { resolve } from "@std/path";
import type { CommandLine } from "./flags.ts";

/** Flags that name files. */
const FILE_FLAGS = ["config", "token-file", "events-token-file"];

/** Settings, by name. */
const SETTINGS_PATTERN = "SNOWLUMA_MCP_*";

/** What one start needs, from reading its settings on. */
export interface Grants extends Needs {
  /** Files that settings are read from, absolute. */
  readonly files: readonly string[];
}

/**
 * What the program needs with these settings: what serving needs, and before that the files and variables that are
 * read at start.
 *
 * @param files Paths that are read at start, beside the folders.
 */
export function grantsOf(config: Config, files: readonly string[]): Grants {
  const needs = needsOf(config, Deno.build.os);
  const proxies = needs.net.length > 0 ? PROXY_VARIABLES : [];
  return { ...needs, files, env: [SETTINGS_PATTERN, ...tempVariables(config), ...needs.env, ...proxies] };
}

/** The files that flags name, which the next start reads too. Absolute, since it starts elsewhere. */
export function filesOf(flags: CommandLine["flags"]): Array<{ readonly flag: string; readonly path: string }> {
  return FILE_FLAGS.flatMap((flag) => isGiven(flags[flag]) ? [{ flag, path: resolve(flags[flag]) }] : []);
}

/**
 * Flags of `deno run`, each at most once.
 *
 * @throws {UsageError} for a file with a comma in its path: it would grant two others. Folders have none.
 */
export function flagsOf({ files, read, write, net, env }: Grants): string[] {
  const odd = files.find((path) => path.includes(","));
  if (odd !== undefined) {
    throw new UsageError(`${JSON.stringify(odd)} cannot be granted to Deno: name a file without a comma in its path`);
  }
  return [
    ...flag("env", env),
    ...flag("net", net),
    ...flag("read", [...files, ...read]),
    ...flag("write", write),
  ];
}

/** Where the default folder lies, a variable may say. */
function tempVariables({ mode, sources, streamDir }: Config): string[] {
  if (mode !== "write" || sources.streamDir !== "default" || streamDir === "/tmp/onebot-mcp-downloads") return [];
  return Deno.build.os === "windows" ? ["TEMP", "TMP"] : ["TMPDIR"];
}

function flag(kind: "env" | "net" | "read" | "write", values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`--allow-${kind}=${values.join(",")}`];
}
