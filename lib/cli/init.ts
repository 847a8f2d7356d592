/** `snowluma-mcp init`: the configuration block of an MCP client, for the way this program is run now. */
import { resolve } from "@std/path";
import type { Config } from "../config/resolve.ts";
import { type SettingName, SETTINGS, SIMULATOR } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import { netHost } from "./endpoint.ts";
import type { CommandLine } from "./flags.ts";
import { lastingCommand, serverCommand } from "./server_command.ts";

/** Where each client keeps its servers. */
const CLIENTS: Readonly<Record<string, string>> = {
  "claude-desktop": "claude_desktop_config.json (Settings, Developer, Edit Config)",
  "claude-code": ".mcp.json in the folder where you use Claude Code",
  cursor: "~/.cursor/mcp.json",
  vscode: ".vscode/mcp.json",
  cline: "cline_mcp_settings.json (MCP Servers, Configure)",
};

/** Flags that name files. */
const FILE_FLAGS = ["config", "token-file"];

/** VS Code asks for the token; the others have it filled in by hand. */
const TOKEN_INPUT = "${input:snowluma-token}";

/** A block to paste, and where. The token is never in it. */
export interface ClientConfig {
  readonly block: string;
  readonly place: string;
  /** What else is to be done. */
  readonly advice: string;
}

/**
 * Writes the block for a client, with the settings of this run.
 *
 * @param flags Those that name files are passed on, with the grants to read them.
 *
 * @throws {UsageError} for a client that is not known.
 */
export function clientConfig(
  [client = "", ...rest]: readonly string[],
  config: Config,
  flags: CommandLine["flags"] = {},
): ClientConfig {
  const place = Object.hasOwn(CLIENTS, client) ? CLIENTS[client] : undefined;
  if (place === undefined || rest.length > 0) {
    throw new UsageError(`init takes one client: ${Object.keys(CLIENTS).join(", ")}`);
  }
  const { endpoint, sources } = config;
  const files = FILE_FLAGS.flatMap((flag) => flags[flag] ? [{ flag, path: resolve(flags[flag]) }] : []);
  const fromFile = sources.token === "file" || files.some(({ flag }) => flag === "token-file");
  const needsToken = endpoint !== undefined && endpoint !== SIMULATOR && !fromFile;
  const chosen = (Object.keys(SETTINGS) as SettingName[])
    .filter((name) => name !== "token" && (sources[name] === "flag" || sources[name] === "environment"));
  const env = {
    ...Object.fromEntries(chosen.map((name) => [SETTINGS[name].env, String(config[name])])),
    ...(endpoint !== undefined && { [SETTINGS.mode.env]: config.mode }),
    ...(needsToken && { [SETTINGS.token.env]: client === "vscode" ? TOKEN_INPUT : "" }),
  };
  const { read, write, variables } = fileGrants(config);
  const grants = [
    ...netGrants(endpoint),
    ...grant("read", [...files.map(({ path }) => path), ...read]),
    ...grant("write", write),
  ];
  const { command, args } = lastingCommand(serverCommand(grants, variables));
  const server = { command, args: [...args, ...files.flatMap(({ flag, path }) => [`--${flag}`, path])], env };
  const block = client !== "vscode" ? { mcpServers: { snowluma: server } } : {
    ...(needsToken && {
      inputs: [{ id: "snowluma-token", type: "promptString", description: "Access token of the bot", password: true }],
    }),
    servers: { snowluma: { type: "stdio", ...server } },
  };
  const advice = needsToken && client !== "vscode"
    ? `Fill in ${SETTINGS.token.env}, or leave it empty if the bot wants no token; do not commit or share it.`
    : "";
  return { block: JSON.stringify(block, null, 2), place, advice };
}

/** What transfers need; only write mode has any. The default folder may lie where a variable says, if that may be read. */
function fileGrants(
  { mode, streamDir, uploadRoot, sources }: Config,
): Record<"read" | "write" | "variables", string[]> {
  if (mode !== "write") return { read: [], write: [], variables: [] };
  const [downloads, uploads] = [streamDir, uploadRoot].map((path) => path === undefined ? [] : spellings(path));
  const isElsewhere = sources.streamDir === "default" && streamDir !== "/tmp/onebot-mcp-downloads";
  const variables = Deno.build.os === "windows" ? ["TEMP", "TMP"] : ["TMPDIR"];
  return {
    read: [...downloads ?? [], ...uploads ?? []],
    write: downloads ?? [],
    variables: isElsewhere ? variables : [],
  };
}

/** On macOS these folders are links into another one, and a grant has to name both. */
function spellings(path: string): string[] {
  return Deno.build.os === "darwin" && /^\/(tmp|var)\//.test(path) ? [path, `/private${path}`] : [path];
}

function grant(kind: "read" | "write", paths: readonly string[]): string[] {
  return paths.length === 0 ? [] : [`--allow-${kind}=${paths.join(",")}`];
}

/** The grant that the endpoint needs; none without one. */
function netGrants(endpoint: string | undefined): string[] {
  if (endpoint === undefined) return [];
  return [`--allow-net=${endpoint === SIMULATOR ? "127.0.0.1" : netHost(endpoint)}`];
}
