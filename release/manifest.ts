/**
 * The manifest of a bundle for MCP clients (`.mcpb`): what a client asks of its user, and the command line it makes of
 * the answers. Everything about settings is read off their table.
 */
import { type SettingName, SETTINGS, type SettingSpec } from "../lib/config/settings.ts";
import { NAME, VERSION } from "../lib/version.ts";
import { AUTHOR, DESCRIPTION, LICENSE, TITLE } from "./about.ts";
import type { Target } from "./targets.ts";

/** Something that a client asks its user for. */
export interface UserOption {
  readonly type: "string" | "file" | "directory";
  readonly title: string;
  readonly description: string;
  readonly required: false;
  /** Always empty, which counts as absent: without a default, clients hand the placeholder itself to the program. */
  readonly default: "";
  /** To be hidden and kept in the system's keychain. */
  readonly sensitive?: true;
}

/** A tool, as a client may show it before it starts the program. */
export interface ToolEntry {
  readonly name: string;
  readonly description: string;
}

/** The manifest, as far as this program uses the format. */
export interface Manifest {
  readonly manifest_version: "0.2";
  readonly name: string;
  readonly display_name: string;
  readonly version: string;
  readonly description: string;
  readonly author: { readonly name: string };
  readonly license: string;
  readonly keywords: readonly string[];
  readonly server: {
    readonly type: "binary";
    readonly entry_point: string;
    readonly mcp_config: {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };
  };
  readonly tools: readonly ToolEntry[];
  /** There are more tools than listed, depending on the settings. */
  readonly tools_generated: true;
  readonly compatibility: { readonly platforms: readonly string[] };
  readonly user_config: Readonly<Record<string, UserOption>>;
}

/** Node's names of systems, which the format uses. */
const PLATFORMS = { linux: "linux", darwin: "darwin", windows: "win32" } as const;

/** Titles of the fields. */
const TITLES: Readonly<Record<SettingName, string>> = {
  endpoint: "Bot address",
  token: "Access token",
  mode: "Mode",
  timeoutMs: "Timeout in milliseconds",
  lang: "Language",
  allow: "Allowed actions",
  log: "Log format",
  streamDir: "Download folder",
  uploadRoot: "Upload folder",
  maxStreamBytes: "Largest file in bytes",
  eventsUrl: "Event address",
  eventsToken: "Event access token",
  taskDir: "Task folder",
};

const FOLDERS: readonly SettingName[] = ["streamDir", "uploadRoot", "taskDir"];

/** Where the program lies in the bundle. */
export function entryPoint({ os }: Target): string {
  return `server/${NAME}${os === "windows" ? ".exe" : ""}`;
}

/** The manifest of the bundle for one target. @param tools Those that are there whatever the settings are. */
export function manifestFor(target: Target, tools: readonly ToolEntry[]): Manifest {
  const specs: readonly SettingSpec<unknown>[] = Object.values(SETTINGS);
  // in one word with its flag: a client may leave out an argument that is empty, or leave the placeholder in it
  const args = specs.flatMap(({ flag, fileFlag, key }) => [
    ...flag === undefined ? [] : [`--${flag}=${placeholder(key)}`],
    ...fileFlag === undefined ? [] : [`--${fileFlag}=${placeholder(fileKey(key))}`],
  ]);
  // alone what no flag may carry: some clients lose a bundle's environment
  const secrets = specs.filter(({ flag }) => flag === undefined);
  return {
    // the oldest that has all of this; some clients refuse later ones
    manifest_version: "0.2",
    // as in the handshake: a client has been seen to lose the calls of a bundle with another name
    name: NAME,
    display_name: TITLE,
    version: VERSION,
    description: DESCRIPTION,
    author: { name: AUTHOR },
    license: LICENSE,
    keywords: ["onebot", "qq", "napcat", "snowluma", "chat"],
    server: {
      type: "binary",
      entry_point: entryPoint(target),
      mcp_config: {
        command: `\${__dirname}/${entryPoint(target)}`,
        args,
        env: Object.fromEntries(secrets.map(({ env, key }) => [env, placeholder(key)])),
      },
    },
    tools,
    tools_generated: true,
    compatibility: { platforms: [PLATFORMS[target.os]] },
    user_config: Object.fromEntries((Object.keys(SETTINGS) as SettingName[]).flatMap(optionsOf)),
  };
}

function optionsOf(name: SettingName): Array<[key: string, option: UserOption]> {
  const { key, help, accepts, otherwise, secret, fileFlag }: SettingSpec<unknown> = SETTINGS[name];
  const base = { title: TITLES[name], required: false, default: "" } as const;
  if (secret !== true) {
    const description = `${help}. Accepted: ${accepts}. Empty: ${otherwise}.`;
    return [[key, { type: FOLDERS.includes(name) ? "directory" : "string", ...base, description }]];
  }
  const [what = help] = help.split(";"); // what follows is about flags
  const own: UserOption = { type: "string", ...base, description: `${what}. Empty: ${otherwise}.`, sensitive: true };
  if (fileFlag === undefined) return [[key, own]];
  const description = `File that holds it, instead of the field "${base.title}"; the way out where a client does not ` +
    "hand that on. Empty: no file.";
  return [[key, own], [fileKey(key), { type: "file", ...base, title: `${base.title} file`, description }]];
}

function fileKey(key: string): string {
  return `${key}_file`;
}

function placeholder(key: string): string {
  return `\${user_config.${key}}`;
}
