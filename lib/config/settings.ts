/**
 * Every setting, in one table: the flags, the environment, the configuration file, `--help` and the
 * README's table are all read off it.
 */
import { type Mode, MODES } from "../policy/gate.ts";

/** What a setting's text must look like, and what it becomes. */
export interface SettingSpec<T> {
  /** Environment variable. */
  readonly env: string;
  /** Flag without dashes; absent when a flag must not carry the value. */
  readonly flag?: string;
  /** Flag that names a file with the value. */
  readonly fileFlag?: string;
  /** Key in the configuration file. */
  readonly key: string;
  /** Never shown, wherever it came from. */
  readonly secret?: true;
  /** The configuration file may hold it as a list of strings. */
  readonly list?: true;
  /** What is accepted, for messages and tables. */
  readonly accepts: string;
  /** What holds when it is absent, in words. */
  readonly otherwise: string;
  /** What it is for, in one sentence without a full stop. */
  readonly help: string;
  /** Reads a value that is not empty. `undefined` means it is not acceptable. */
  readonly parse: (text: string) => T | undefined;
}

/** Longest timeout: what a timer can count, in milliseconds (24.8 days). */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** Largest file of a transfer, in bytes: what bots take (4 GiB). */
const MAX_FILE_BYTES = 2 ** 32;
/** Most bytes of a token; HTTP servers refuse header lines far below this. */
const MAX_TOKEN_LENGTH = 4096;
/** A name as DNS has them, in ASCII; an address of IPv4 looks like one. Or one of IPv6. */
const HOST = /^(?=.{1,253}$)[\w-]{1,63}(\.[\w-]{1,63})*\.?$|^\[[0-9a-f:.]+\]$/i;
const TOKEN_CHARACTERS = `1 to ${MAX_TOKEN_LENGTH} visible ASCII characters`;

function setting<T>(spec: SettingSpec<T>): SettingSpec<T> {
  return spec;
}

/** Visible ASCII alone: nothing else can stand in a header as it is. */
function parseToken(text: string): string | undefined {
  return text.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

function oneOf<T extends string>(...values: readonly T[]): (text: string) => T | undefined {
  return (text) => values.find((value) => value === text);
}

/** Whether a path can be a setting, or be granted at all. Only absolute: a client's working directory is anybody's guess. A comma could not be granted to Deno. */
export function absolutePath(text: string): string | undefined {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)[^,\p{Cc}]*$/u.test(text) ? text : undefined;
}

/** The settings by name, each with what its value becomes. */
export interface Settings {
  /** OneBot HTTP address of the bot, or `simulator`. */
  readonly endpoint: SettingSpec<string>;
  /** Access token of calls. */
  readonly token: SettingSpec<string>;
  /** How far calls may go. */
  readonly mode: SettingSpec<Mode>;
  /** Limit of one call, in milliseconds. */
  readonly timeoutMs: SettingSpec<number>;
  /** Language of the catalog's texts. */
  readonly lang: SettingSpec<"en" | "zh">;
  /** Risky actions that may be called all the same. */
  readonly allow: SettingSpec<readonly string[]>;
  /** Form of log lines. */
  readonly log: SettingSpec<"text" | "json">;
  /** Folder of downloads. */
  readonly streamDir: SettingSpec<string>;
  /** Folder of files that may be uploaded. */
  readonly uploadRoot: SettingSpec<string>;
  /** Largest file of a transfer, in bytes. */
  readonly maxStreamBytes: SettingSpec<number>;
  /** OneBot WebSocket address of the bot, or `simulator`. */
  readonly eventsUrl: SettingSpec<string>;
  /** Access token of events. */
  readonly eventsToken: SettingSpec<string>;
  /** Folder of background tasks. */
  readonly taskDir: SettingSpec<string>;
}

/** The table. Its order is the order of help and README. */
export const SETTINGS: Settings = {
  endpoint: setting({
    env: "SNOWLUMA_MCP_ENDPOINT",
    flag: "endpoint",
    key: "endpoint",
    accepts: "an http or https address without credentials, query or fragment, or the word simulator",
    otherwise: "docs mode",
    help: "OneBot HTTP address of the bot, such as http://127.0.0.1:3000/; simulator starts a simulated bot",
    parse: address("http:", "https:"),
  }),
  token: setting({
    env: "SNOWLUMA_MCP_TOKEN",
    fileFlag: "token-file",
    key: "token",
    secret: true,
    accepts: TOKEN_CHARACTERS,
    otherwise: "no token is sent",
    help: "Access token of the bot's HTTP server; never a flag, but --token-file names a file that holds it",
    parse: parseToken,
  }),
  mode: setting<Mode>({
    env: "SNOWLUMA_MCP_MODE",
    flag: "mode",
    key: "mode",
    accepts: "docs, read or write",
    otherwise: "read with an endpoint, docs without",
    help: "How far calls may go: documentation only, read-only actions, or all actions",
    parse: oneOf(...MODES),
  }),
  timeoutMs: setting({
    env: "SNOWLUMA_MCP_TIMEOUT_MS",
    flag: "timeout-ms",
    key: "timeout_ms",
    accepts: `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
    otherwise: "30000",
    help:
      "Limit of one call to the bot, from connecting to the last byte, and of its wait for a turn before that; in " +
      "a stream the limit of each wait for data",
    parse: (text) => /^[0-9]{1,10}$/.test(text) && +text >= 1 && +text <= MAX_TIMEOUT_MS ? +text : undefined,
  }),
  lang: setting<"en" | "zh">({
    env: "SNOWLUMA_MCP_LANG",
    flag: "lang",
    key: "lang",
    accepts: "en or zh",
    otherwise: "en",
    help: "Language of the catalog's texts",
    parse: oneOf("en", "zh"),
  }),
  allow: setting<readonly string[]>({
    env: "SNOWLUMA_MCP_ALLOW",
    flag: "allow",
    key: "allow",
    list: true,
    accepts: "action names separated by commas",
    otherwise: "none",
    help: "Secret and dangerous actions that may be called all the same, such as get_cookies",
    parse: (text) => {
      const names = text.split(",").map((name) => name.trim()).filter((name) => name !== "");
      return names.every((name) => /^[.\w]{1,64}$/.test(name)) ? names : undefined;
    },
  }),
  log: setting<"text" | "json">({
    env: "SNOWLUMA_MCP_LOG",
    flag: "log",
    key: "log",
    accepts: "text or json",
    otherwise: "text",
    help: "Form of the log lines on standard error while serving",
    parse: oneOf("text", "json"),
  }),
  streamDir: setting({
    env: "SNOWLUMA_MCP_STREAM_DIR",
    flag: "stream-dir",
    key: "stream_dir",
    accepts: "an absolute path without commas",
    otherwise: "onebot-mcp-downloads in the system's folder for temporary files",
    help: "Folder for downloads, on this machine; made if absent, for this user alone",
    parse: absolutePath,
  }),
  uploadRoot: setting({
    env: "SNOWLUMA_MCP_UPLOAD_ROOT",
    flag: "upload-root",
    key: "upload_root",
    accepts: "an absolute path without commas",
    otherwise: "no file is uploaded",
    help: "Existing folder, on this machine, from which files may be uploaded",
    parse: absolutePath,
  }),
  maxStreamBytes: setting({
    env: "SNOWLUMA_MCP_MAX_STREAM_BYTES",
    flag: "max-stream-bytes",
    key: "max_stream_bytes",
    accepts: `a whole number of bytes from 1 to ${MAX_FILE_BYTES}`,
    otherwise: String(MAX_FILE_BYTES),
    help: "Largest file of an upload or download; the download folder may hold twice as much",
    parse: (text) => /^[0-9]{1,10}$/.test(text) && +text >= 1 && +text <= MAX_FILE_BYTES ? +text : undefined,
  }),
  eventsUrl: setting({
    env: "SNOWLUMA_MCP_EVENTS_URL",
    flag: "events-url",
    key: "events_url",
    accepts: "a ws or wss address without credentials, query or fragment, or the word simulator",
    otherwise: "no live events",
    help:
      "OneBot WebSocket address of the bot for live events, such as ws://127.0.0.1:3001/; simulator goes with the " +
      "simulated bot",
    parse: address("ws:", "wss:"),
  }),
  eventsToken: setting({
    env: "SNOWLUMA_MCP_EVENTS_TOKEN",
    fileFlag: "events-token-file",
    key: "events_token",
    secret: true,
    accepts: TOKEN_CHARACTERS,
    otherwise: "that of SNOWLUMA_MCP_TOKEN",
    help: "Access token of the bot's WebSocket server, for which bots make one of its own; never a flag, but " +
      "--events-token-file names a file that holds it",
    parse: parseToken,
  }),
  taskDir: setting({
    env: "SNOWLUMA_MCP_TASK_DIR",
    flag: "task-dir",
    key: "task_dir",
    accepts: "an absolute path without commas",
    otherwise: "no background tasks",
    help: "Private folder, on this machine, for background tasks in write mode; made if absent, for this user alone",
    parse: absolutePath,
  }),
};

/** Name of a setting in code. */
export type SettingName = keyof Settings;

/** The address, of calls or of events, that stands for the embedded simulator. */
export const SIMULATOR = "simulator";

/** An address of these protocols, which are written with their colon. */
function address(...protocols: readonly string[]): (text: string) => string | undefined {
  return (text) => {
    if (text === SIMULATOR) return text;
    const url = URL.parse(text);
    if (url === null || !protocols.includes(url.protocol)) return undefined;
    // an empty query or fragment leaves no trace in the parsed parts, so the text is asked
    if (url.username !== "" || url.password !== "" || /[?#@]/.test(text)) return undefined;
    // a grant to reach another one would be one to reach several, or none
    if (!HOST.test(url.hostname) || url.port === "0") return undefined;
    return url.href;
  };
}
