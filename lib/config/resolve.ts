/**
 * From flags, environment and configuration file to one configuration. Pure: what was read is handed in.
 * Precedence: flag, environment, file, default. An empty value counts as absent everywhere, and so does the
 * placeholder of a field that a client's user left empty.
 */
import { UsageError } from "../errors.ts";
import type { Mode } from "../policy/gate.ts";
import { type SettingName, SETTINGS, type SettingSpec, SIMULATOR } from "./settings.ts";

/** Where a value came from. */
export type Source = "flag" | "environment" | "file" | "default";

/** What was read, before anything is judged. */
export interface RawSettings {
  /** By flag name. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** By variable name. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The parsed configuration file, or nothing. */
  readonly file?: unknown;
  /** The system's folder for temporary files, without a separator at its end; absent where none is known. */
  readonly tempDir?: string;
  /** What the files hold that flags like `--token-file` name, by flag name. */
  readonly flagFiles?: Readonly<Record<string, string | undefined>>;
}

/** The configuration the program runs with. Plain data, so that it can be handed to a worker. */
export interface Config {
  /** Absent without a bot, and then the mode is docs. */
  readonly endpoint?: string;
  /**
   * The endpoint as the operator set it: the word `simulator` stays, where `endpoint` becomes an address that changes
   * with every start. What outlives a process is bound to this.
   */
  readonly scopeEndpoint?: string;
  /** Access token of the endpoint. Secret, also in workers and logs. */
  readonly token?: string;
  /** How far calls may go. */
  readonly mode: Mode;
  /** Limit of one call, and of each wait for data in a stream, in milliseconds. */
  readonly timeoutMs: number;
  /** Language of the catalog's texts. */
  readonly lang: "en" | "zh";
  /**
   * Names of `secret` and `dangerous` actions that may be called all the same. Canonical ones: an alias allows nothing.
   */
  readonly allow: readonly string[];
  /** Form of log lines on standard error; embedded servers hand lines to their own log instead. */
  readonly log: "text" | "json";
  /** Folder for downloads; absent only where the system has no folder for temporary files. */
  readonly streamDir?: string;
  /** Folder from which files may be uploaded; without it none are. */
  readonly uploadRoot?: string;
  /** Largest file in bytes. */
  readonly maxStreamBytes: number;
  /** Address of the bot's events; to be used in read and write mode alone. */
  readonly eventsUrl?: string;
  /** What is sent to that address: its own token, or else that of calls. */
  readonly eventsToken?: string;
  /** Folder for background tasks; to be used in write mode alone. */
  readonly taskDir?: string;
  /** Where each setting came from. */
  readonly sources: Readonly<Record<SettingName, Source>>;
  /** What the operator should know, one sentence each. */
  readonly notices: readonly string[];
}

/** Name of the download folder where none is set. */
const DOWNLOADS = "onebot-mcp-downloads";

/** @param tempDir Without a separator at its end, so empty for the root. */
function downloadsIn(tempDir: string | undefined): string | undefined {
  return tempDir === undefined ? undefined : `${tempDir}/${DOWNLOADS}`;
}

interface Found {
  readonly text: string;
  readonly source: Source;
  /** How the operator spelt the setting there. */
  readonly as: string;
}

/**
 * Judges every setting; {@link SETTINGS} has them all. Reads nothing but what it is given, and needs no permission.
 *
 * @throws {UsageError} one sentence that names the setting, the value (masked if secret) and what is accepted.
 *
 * @example From a program's own options, as the configuration file would have them
 * ```ts
 * import { resolveConfig } from "@snowluma-deno/mcp";
 *
 * const config = resolveConfig({
 *   flags: {},
 *   environment: {},
 *   file: { endpoint: "http://127.0.0.1:3000/", mode: "write", allow: ["get_cookies"], timeout_ms: 10_000 },
 * });
 * console.log(config.mode, config.sources.mode); // write file
 * ```
 */
export function resolveConfig(raw: RawSettings): Config {
  const file = checkFile(raw.file);
  const sources = {} as Record<SettingName, Source>;
  const read = <T>(name: SettingName, spec: SettingSpec<T>): T | undefined => {
    const found = find(spec, raw, file);
    sources[name] = found?.source ?? "default";
    if (found === undefined) return undefined;
    const value = spec.parse(found.text);
    if (value !== undefined) return value;
    throw new UsageError(`${found.as} cannot be ${show(spec, found.text)}: it must be ${spec.accepts}`);
  };

  const endpoint = read("endpoint", SETTINGS.endpoint);
  const token = read("token", SETTINGS.token);
  const streamDir = read("streamDir", SETTINGS.streamDir) ?? downloadsIn(raw.tempDir);
  const uploadRoot = read("uploadRoot", SETTINGS.uploadRoot);
  const asked = read("mode", SETTINGS.mode);
  const mode = endpoint === undefined ? "docs" : asked ?? "read";
  const eventsUrl = read("eventsUrl", SETTINGS.eventsUrl);
  if (eventsUrl === SIMULATOR && endpoint !== SIMULATOR) {
    const { env } = SETTINGS.eventsUrl;
    throw new UsageError(`${env} cannot be "${SIMULATOR}": that goes with the endpoint ${SIMULATOR} alone`);
  }
  const eventsToken = read("eventsToken", SETTINGS.eventsToken) ?? token;
  const taskDir = read("taskDir", SETTINGS.taskDir);
  const notices = [];
  if (asked !== undefined && asked !== mode) {
    notices.push(`No endpoint is set, so the server runs in docs mode instead of ${asked}: set SNOWLUMA_MCP_ENDPOINT.`);
  } else if (endpoint === undefined && eventsUrl !== undefined) {
    notices.push("No endpoint is set, so the server runs in docs mode, without events: set SNOWLUMA_MCP_ENDPOINT.");
  }
  return {
    ...(endpoint !== undefined && { endpoint, scopeEndpoint: endpoint }),
    ...(token !== undefined && { token }),
    mode,
    timeoutMs: read("timeoutMs", SETTINGS.timeoutMs) ?? 30_000,
    lang: read("lang", SETTINGS.lang) ?? "en",
    allow: read("allow", SETTINGS.allow) ?? [],
    log: read("log", SETTINGS.log) ?? "text",
    ...(streamDir !== undefined && { streamDir }),
    ...(uploadRoot !== undefined && { uploadRoot }),
    maxStreamBytes: read("maxStreamBytes", SETTINGS.maxStreamBytes) ?? 2 ** 32,
    ...(eventsUrl !== undefined && { eventsUrl }),
    ...(eventsToken !== undefined && { eventsToken }),
    ...(taskDir !== undefined && { taskDir }),
    sources,
    notices,
  };
}

/** What clients hand on of a bundle's field that nobody filled in. */
const PLACEHOLDER = /^\$\{user_config\.\w+\}$/;

/** Whether a value says anything: it is neither absent, nor empty, nor a placeholder. */
export function isGiven(text: string | undefined): text is string {
  const value = text?.trim() ?? "";
  return value !== "" && !PLACEHOLDER.test(value);
}

function find<T>(spec: SettingSpec<T>, raw: RawSettings, file: Record<string, unknown>): Found | undefined {
  const candidates: Found[] = [
    { text: (spec.flag && raw.flags[spec.flag]) ?? "", source: "flag", as: `--${spec.flag}` },
    { text: (spec.fileFlag && raw.flagFiles?.[spec.fileFlag]) ?? "", source: "flag", as: `--${spec.fileFlag}` },
    { text: raw.environment[spec.env] ?? "", source: "environment", as: spec.env },
    { text: fileText(spec, file[spec.key]), source: "file", as: `${spec.key} in the configuration file` },
  ];
  return candidates.map((found) => ({ ...found, text: found.text.trim() })).find(({ text }) => isGiven(text));
}

/** A value of the file as the text that a flag would carry. */
function fileText<T>(spec: SettingSpec<T>, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" && !spec.secret) return String(value); // a token's digits would be rounded
  if (spec.list && Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  const shown = show(spec, JSON.stringify(value));
  throw new UsageError(`${spec.key} in the configuration file cannot be ${shown}: it must be ${spec.accepts}`);
}

function checkFile(file: unknown): Record<string, unknown> {
  if (file === undefined) return {};
  if (typeof file !== "object" || file === null || Array.isArray(file)) {
    throw new UsageError("The configuration file must hold one JSON object");
  }
  const known = Object.values(SETTINGS).map(({ key }) => key as string);
  for (const key of Object.keys(file)) {
    if (!known.includes(key)) {
      throw new UsageError(`The configuration file has an unknown key ${show({}, key)}: known are ${known.join(", ")}`);
    }
  }
  return file as Record<string, unknown>;
}

/** A refused value, as far as it may be shown: no secrets, no credentials or query of an address. */
function show({ secret }: { secret?: true }, text: string): string {
  if (secret) return `the given value (${text.length} characters, not shown)`;
  const safe = text
    .replace(/^((?:https?|wss?):[/\\]*)?.*[?#].*@.*$/is, "$1***") // a password or a query: the two cannot be told apart
    .replace(/^((?:https?|wss?):[/\\]*)?.*@/is, "$1***@")
    .replace(/[?#].*$/s, (tail) => `${tail[0]}***`);
  return JSON.stringify(safe.length > 200 ? `${safe.slice(0, 200)}…` : safe);
}
