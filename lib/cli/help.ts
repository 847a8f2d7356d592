/** The text of `--help`, from the tables of commands and settings. */
import { SETTINGS, type SettingSpec } from "../config/settings.ts";
import { NAME, VERSION } from "../version.ts";
import { COMMANDS, OTHER_FLAGS } from "./flags.ts";

/** All commands, flags and variables. */
export function renderHelp(): string {
  const settings: readonly SettingSpec<unknown>[] = Object.values(SETTINGS);
  return [
    `${NAME} ${VERSION}: an MCP server for the OneBot v11 actions of a QQ bot`,
    "",
    `Usage: ${NAME} [command] [flags]`,
    "",
    "Commands:",
    ...table(Object.entries(COMMANDS)),
    "",
    "Settings (flag before environment before configuration file; an empty value counts as absent):",
    ...settings.flatMap(({ flag, fileFlag, env, key, accepts, otherwise, help }) => [
      `  ${
        [flag && `--${flag} VALUE`, fileFlag && `--${fileFlag} PATH`, env].filter(Boolean).join(", ")
      } (in the file: ${key})`,
      `      ${help}.`,
      `      Accepts ${accepts}. Default: ${otherwise}.`,
    ]),
    "",
    "Other flags:",
    ...table([
      ...Object.entries(OTHER_FLAGS).map(([flag, text]): [string, string] => [`--${flag} VALUE`, text]),
      ["--help", "Show this help"],
      ["--version", "Show the version"],
    ]),
  ].join("\n");
}

function table(rows: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
