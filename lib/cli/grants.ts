/** The grants that a configuration needs, as flags for Deno: exactly these, and never all. */
import type { Config } from "../config/resolve.ts";
import { SIMULATOR } from "../config/settings.ts";
import { netHost, SOCKET_VARIABLES } from "./endpoint.ts";

/** Flags, and what belongs into the one flag for the environment. */
export interface Grants {
  /** `--allow-net`, `--allow-read` and `--allow-write`, each at most once. */
  readonly grants: readonly string[];
  /** Variables to read, beside the settings. */
  readonly variables: readonly string[];
}

/**
 * What serving needs with these settings.
 *
 * @param files Paths that are read at start, beside the folders.
 */
export function grantsOf(config: Config, files: readonly string[]): Grants {
  const { read, write, variables } = folderGrants(config);
  const usesEvents = config.mode !== "docs" && config.eventsUrl !== undefined;
  return {
    grants: [
      ...grant("net", hosts(config)),
      ...grant("read", [...files, ...read]),
      ...grant("write", write),
    ],
    variables: [...variables, ...usesEvents ? SOCKET_VARIABLES : []],
  };
}

/** What transfers and tasks need; only write mode has any. Where the default folder lies, a variable may say. */
function folderGrants(
  { mode, streamDir, uploadRoot, taskDir, sources }: Config,
): Record<"read" | "write" | "variables", string[]> {
  if (mode !== "write") return { read: [], write: [], variables: [] };
  const isElsewhere = sources.streamDir === "default" && streamDir !== "/tmp/onebot-mcp-downloads";
  const variables = Deno.build.os === "windows" ? ["TEMP", "TMP"] : ["TMPDIR"];
  return {
    read: [streamDir, uploadRoot, taskDir].flatMap(spellings),
    write: [streamDir, taskDir].flatMap(spellings),
    variables: isElsewhere ? variables : [],
  };
}

/** On macOS some folders are links into another one, and a grant has to name both. */
function spellings(path: string | undefined): string[] {
  if (path === undefined) return [];
  return Deno.build.os === "darwin" && /^\/(tmp|var)\//.test(path) ? [path, `/private${path}`] : [path];
}

/** What is connected to: the endpoint, and in other than docs mode the event address. */
function hosts({ mode, endpoint, eventsUrl }: Config): string[] {
  const addresses = [endpoint, mode === "docs" ? undefined : eventsUrl].filter((address) => address !== undefined);
  return [...new Set(addresses.map((address) => address === SIMULATOR ? "127.0.0.1" : netHost(address)))];
}

function grant(kind: "net" | "read" | "write", values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`--allow-${kind}=${values.join(",")}`];
}
