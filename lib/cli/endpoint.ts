/** The bot at the other end: checks that it may be reached, and starts it where it is the simulated one. */
import { netHost, SOCKET_VARIABLES } from "../config/needs.ts";
import type { Config } from "../config/resolve.ts";
import { SETTINGS, SIMULATOR } from "../config/settings.ts";
import { UsageError } from "../errors.ts";

/** A configuration whose endpoint and event address are addresses. Disposing it ends a simulated bot. */
export interface OpenEndpoint extends AsyncDisposable {
  readonly config: Config;
}

/**
 * Opens the configured endpoint, and makes sure that the event address can be; nothing happens in docs mode. Events are
 * connected later, when they are subscribed to.
 *
 * @throws {UsageError} when the permission for either is missing: better now than in the first call.
 */
export async function openEndpoint(config: Config): Promise<OpenEndpoint> {
  const { endpoint, mode, eventsUrl } = config;
  const opened = { config, [Symbol.asyncDispose]: () => Promise.resolve() };
  if (mode === "docs" || endpoint === undefined) return opened;
  await requireNet(netHost(endpoint));
  if (eventsUrl !== undefined) {
    if (eventsUrl !== SIMULATOR) await requireNet(netHost(eventsUrl), "The event address may not be reached");
    await requireSocket(`${SETTINGS.eventsUrl.env} cannot be used`);
  }
  return endpoint === SIMULATOR ? await openSimulator(config) : opened;
}

async function openSimulator(config: Config): Promise<OpenEndpoint> {
  const { token, eventsUrl, eventsToken } = config;
  const { startSimulator } = await import("../simulator/mod.ts");
  const simulator = await startSimulator({
    ...(token !== undefined && { token }),
    ...(eventsUrl === SIMULATOR && { wsPort: 0 }),
    ...(eventsToken !== undefined && { wsToken: eventsToken }),
  });
  const { url, wsUrl } = simulator;
  return {
    config: { ...config, endpoint: url, ...(wsUrl !== undefined && { eventsUrl: wsUrl }) },
    [Symbol.asyncDispose]: () => simulator.close(),
  };
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

/**
 * Makes sure that the WebSocket library can be loaded, without asking on a terminal.
 *
 * @param problem What cannot be done otherwise, for the message.
 * @throws {UsageError} that names the grants to add.
 */
export async function requireSocket(problem: string): Promise<void> {
  const missing: string[] = [];
  for (const variable of SOCKET_VARIABLES) {
    const { state } = await Deno.permissions.query({ name: "env", variable });
    if (state !== "granted") missing.push(variable);
  }
  if (missing.length > 0) throw new UsageError(`${problem}: add --allow-env=${missing.join(",")}`);
}
