/** The bot at the other end: checks that it may be reached, and starts it where it is the simulated one. */
import type { Config } from "../config/resolve.ts";
import { SIMULATOR } from "../config/settings.ts";
import { UsageError } from "../errors.ts";

/** A configuration whose endpoint is an address. Disposing it ends a simulated bot. */
export interface OpenEndpoint extends AsyncDisposable {
  readonly config: Config;
}

/**
 * Opens the configured endpoint; nothing happens in docs mode.
 *
 * @throws {UsageError} when the permission to reach it is missing: better now than in the first call.
 */
export async function openEndpoint(config: Config): Promise<OpenEndpoint> {
  const { endpoint, mode, token } = config;
  if (mode === "docs" || endpoint === undefined) return { config, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (endpoint !== SIMULATOR) {
    await requireNet(netHost(endpoint));
    return { config, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  await requireNet("127.0.0.1");
  const { startSimulator } = await import("../simulator/mod.ts");
  const simulator = await startSimulator(token === undefined ? {} : { token });
  return { config: { ...config, endpoint: simulator.url }, [Symbol.asyncDispose]: () => simulator.close() };
}

/** Host and port of an address, as `--allow-net` wants them. */
export function netHost(endpoint: string): string {
  const { hostname, port, protocol } = new URL(endpoint);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/**
 * Makes sure that a host may be reached, or listened on, without asking on a terminal.
 *
 * @param host As `--allow-net` wants it; without a port it stands for all of them.
 * @param problem What cannot be done otherwise, for the message.
 * @throws {UsageError} that names the grant to add.
 */
export async function requireNet(host: string, problem = "The endpoint may not be reached"): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "net", host });
  if (state !== "granted") throw new UsageError(`${problem}: add --allow-net=${host}`);
}
