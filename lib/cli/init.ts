/** `snowluma-mcp init`: the configuration block of an MCP client, for the way this program is run now. */
import type { Config } from "../config/resolve.ts";
import { type SettingName, SETTINGS, type SettingSpec, SIMULATOR } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import type { CommandLine } from "./flags.ts";
import { filesOf, flagsOf, grantsOf } from "./grants.ts";
import { lastingCommand, serverCommand } from "./server_command.ts";

/** Where each client keeps its servers. */
const CLIENTS: Readonly<Record<string, string>> = {
  "claude-desktop": "claude_desktop_config.json (Settings, Developer, Edit Config)",
  "claude-code": ".mcp.json in the folder where you use Claude Code",
  cursor: Deno.build.os === "windows" ? "%USERPROFILE%\\.cursor\\mcp.json" : "~/.cursor/mcp.json",
  vscode: ".vscode/mcp.json",
  cline: "cline_mcp_settings.json (MCP Servers, Configure)",
};

/** What VS Code asks for; in the others' blocks it is filled in by hand. */
const INPUTS = {
  token: { id: "snowluma-token", description: "Access token of the bot" },
  eventsToken: { id: "snowluma-events-token", description: "Access token of the bot's events; empty for the same" },
} as const;

const FILL_IN = {
  token: `Fill in ${SETTINGS.token.env}, or leave it empty if the bot wants no token; do not commit or share it.`,
  eventsToken: `Fill in ${SETTINGS.eventsToken.env}, or leave it empty if it is the same token.`,
} as const;

/** A block to paste, and where. The tokens are never in it. */
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
  const isVscode = client === "vscode";
  const files = filesOf(flags);
  const tokens = neededTokens(config, flags);
  const chosen = (Object.keys(SETTINGS) as SettingName[]).filter((name) =>
    !(SETTINGS[name] as SettingSpec<unknown>).secret && (sources[name] === "flag" || sources[name] === "environment")
  );
  const env = {
    ...Object.fromEntries(chosen.map((name) => [SETTINGS[name].env, String(config[name])])),
    ...(endpoint !== undefined && sources.mode !== "file" && { [SETTINGS.mode.env]: config.mode }),
    ...Object.fromEntries(
      tokens.map((name) => [SETTINGS[name].env, isVscode ? `\${input:${INPUTS[name].id}}` : ""]),
    ),
  };
  const grants = grantsOf(config, files.map(({ path }) => path));
  const { command, args } = lastingCommand(serverCommand(flagsOf(grants)), Deno.build.os);
  const server = { command, args: [...args, ...files.flatMap(({ flag, path }) => [`--${flag}`, path])], env };
  const block = !isVscode ? { mcpServers: { snowluma: server } } : {
    ...(tokens.length > 0 && {
      inputs: tokens.map((name) => ({ ...INPUTS[name], type: "promptString", password: true })),
    }),
    servers: { snowluma: { type: "stdio", ...server } },
  };
  const advice = [
    ...isVscode ? [] : tokens.map((name) => FILL_IN[name]),
    ...Deno.build.standalone ? ["The client starts this file where it is now; if you move it, run init again."] : [],
    ...eventsAdvice(config),
  ].join(" ");
  return { block: JSON.stringify(block, null, 2), place, advice };
}

/** The tokens that the client has to be given: those of real bots that come from no file. */
function neededTokens(
  { endpoint, eventsUrl, sources }: Config,
  flags: CommandLine["flags"],
): Array<keyof typeof INPUTS> {
  if (endpoint === undefined) return [];
  const fits = (name: keyof typeof INPUTS, address: string | undefined): boolean =>
    address !== undefined && address !== SIMULATOR && sources[name] !== "file" && !flags[SETTINGS[name].fileFlag ?? ""];
  return [
    ...fits("token", endpoint) ? ["token" as const] : [],
    ...fits("eventsToken", eventsUrl) ? ["eventsToken" as const] : [],
  ];
}

function eventsAdvice({ endpoint, eventsUrl, mode }: Config): string[] {
  if (mode === "docs" || endpoint === SIMULATOR || eventsUrl !== undefined) return [];
  return [`For live events, run init again with --${SETTINGS.eventsUrl.flag}, usually ws://127.0.0.1:3001/.`];
}
