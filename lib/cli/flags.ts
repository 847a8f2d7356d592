/** The command line: a command, its operands, and flags. */
import { parseArgs } from "node:util";
import { SETTINGS, type SettingSpec } from "../config/settings.ts";
import { UsageError } from "../errors.ts";

/** What a command line says. */
export interface CommandLine {
  readonly command: Command;
  readonly operands: readonly string[];
  readonly flags: Readonly<Record<string, string | undefined>>;
}

/** The commands; `serve` is meant when none is named. */
export const COMMANDS = {
  serve: "Serve MCP on standard input and output (the default)",
  demo: "Show a whole session against a simulated bot; only in a checkout, by `deno task demo`",
  simulator: "Run the simulated bot alone on 127.0.0.1 (--port N, --ws-port N for events, tokens from the settings)",
  doctor: "Show the configuration and where it came from, and try the bot",
  init: "Print the configuration block for a client: claude-desktop, claude-code, cursor, vscode or cline",
  permissions:
    "Print the exact flags of `deno run` for the settings given (a binary sets its own), or with --json a client's block",
  help: "Show this help",
  version: "Show the version",
} as const;

/** A command of the command line. */
export type Command = keyof typeof COMMANDS;

/** Flags that are no settings. */
export const OTHER_FLAGS = {
  config: "JSON file with settings, by the keys in the table",
  port: "Port of the simulator; 0, the default, lets the system choose",
  "ws-port": "Port of the simulator's WebSocket; 0 lets the system choose, and without it there is none",
} as const;

/** Reads the arguments. @throws {UsageError} for what is not known; values are never repeated in it. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const specs: readonly SettingSpec<unknown>[] = Object.values(SETTINGS);
  const valued = [
    ...specs.flatMap(({ flag, fileFlag }) => [flag ?? [], fileFlag ?? []].flat()),
    ...Object.keys(OTHER_FLAGS),
  ];
  const options = {
    ...Object.fromEntries(valued.map((flag) => [flag, { type: "string" as const }])),
    json: { type: "boolean" as const },
    help: { type: "boolean" as const },
    version: { type: "boolean" as const },
  };
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false, // its own messages would repeat values
    tokens: true,
    allowPositionals: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (!Object.hasOwn(options, token.name)) throw unknownFlag(token.name, Object.keys(options));
    const missing = token.value === undefined || (!token.inlineValue && token.value.startsWith("--"));
    if (valued.includes(token.name) && missing) throw new UsageError(`--${token.name} needs a value`);
  }
  const asked = values.help ? "help" : values.version ? "version" : undefined; // `doctor --help` asks for help, too
  const [command = "serve", ...operands] = asked === undefined ? positionals : [asked];
  if (!Object.hasOwn(COMMANDS, command)) {
    const known = Object.keys(COMMANDS).join(", ");
    const shown = /^[a-z-]{1,20}$/.test(command) ? ` ${JSON.stringify(command)}` : ""; // anything else may be a token
    throw new UsageError(`Unknown command${shown}: known are ${known}`);
  }
  if (command !== "init" && operands.length > 0) throw new UsageError(`${command} takes no further words`);
  const misplaced = command === "simulator"
    ? undefined
    : ["port", "ws-port"].find((flag) => values[flag] !== undefined);
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} goes with simulator alone`);
  if (values.json && command !== "permissions") throw new UsageError("--json goes with permissions alone");
  return { command: command as Command, operands, flags: values as CommandLine["flags"] };
}

function unknownFlag(flag: string, known: readonly string[]): UsageError {
  const specs: readonly SettingSpec<unknown>[] = Object.values(SETTINGS);
  const token = specs.find(({ fileFlag }) => fileFlag === `${flag}-file`);
  if (token !== undefined) {
    return new UsageError(
      `A token is never a flag, since other users can see it: set ${token.env} or use --${token.fileFlag}`,
    );
  }
  const flags = known.map((name) => `--${name}`).join(", ");
  return new UsageError(`Unknown flag --${flag.slice(0, 32)}: known are ${flags}`);
}
