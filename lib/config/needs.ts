/**
 * What serving a configuration needs of the runtime, and nothing beyond: the flags that users are given, the
 * permissions of the binary's worker, and what `get_runtime_info` shows all come from here.
 */
import type { Config } from "./resolve.ts";
import { SIMULATOR } from "./settings.ts";

/** Lists of one configuration. An empty list stands for nothing at all. */
export interface Needs {
  /** Paths, absolute. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Hosts, with a port unless every port is meant. */
  readonly net: readonly string[];
  /** Variables that are read while serving. */
  readonly env: readonly string[];
}

/** What docs mode serves with. */
const NOTHING: Needs = { read: [], write: [], net: [], env: [] };

/**
 * Variables that the WebSocket library reads while it is loaded, which is when events are first asked for; without the
 * grants it cannot be loaded.
 */
export const SOCKET_VARIABLES: readonly string[] = ["WS_NO_BUFFER_UTIL", "WS_NO_UTF_8_VALIDATE"];

/**
 * What the runtime's own clients obey, past every grant for the network: the token would go to the proxy. Nothing here
 * uses those clients, and the variables are removed all the same before anything is connected.
 */
export const PROXY_VARIABLES: readonly string[] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
  .flatMap((name) => [name, name.toLowerCase()]);

/**
 * What serving needs.
 *
 * @param os Of the machine: on macOS some folders are links into another one, and a grant has to name both.
 */
export function needsOf(config: Config, os: typeof Deno.build.os): Needs {
  const { mode, endpoint, eventsUrl, streamDir, uploadRoot, taskDir } = config;
  if (mode === "docs") return NOTHING;
  const folders = (...paths: ReadonlyArray<string | undefined>): string[] =>
    mode === "write" ? paths.filter((path) => path !== undefined).flatMap((path) => spellings(path, os)) : [];
  return {
    read: folders(streamDir, uploadRoot, taskDir),
    write: folders(streamDir, taskDir),
    net: [...new Set([endpoint, eventsUrl].filter((address) => address !== undefined).map(netHost))],
    env: eventsUrl === undefined ? [] : SOCKET_VARIABLES,
  };
}

/** Host and port of an address, as `--allow-net` wants them; of the simulated bot, which finds its own port, the host. */
export function netHost(address: string): string {
  if (address === SIMULATOR) return "127.0.0.1";
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" || protocol === "wss:" ? 443 : 80)}`;
}

function spellings(path: string, os: typeof Deno.build.os): string[] {
  return os === "darwin" && /^\/(tmp|var)\//.test(path) ? [path, `/private${path}`] : [path];
}
