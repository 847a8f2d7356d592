/** `snowluma-mcp simulator`: the simulated bot alone, for trying clients without a QQ account. */
import type { Config } from "../config/resolve.ts";
import { UsageError } from "../errors.ts";
import { type Simulator, startSimulator } from "../simulator/mod.ts";
import { requireNet, requireSocket } from "./endpoint.ts";

/** Texts of the flags that belong to this command. */
export interface SimulatorFlags {
  /** Absent or "0" lets the system choose. */
  readonly port?: string | undefined;
  /** "0" lets the system choose; absent or empty there is no WebSocket. */
  readonly "ws-port"?: string | undefined;
}

/**
 * Runs until told to stop. Needs `--allow-net=127.0.0.1:PORT` for each port, for port 0 `--allow-net=127.0.0.1`; with
 * a WebSocket also `--allow-env` for what its library reads.
 *
 * @throws {UsageError} for a port that is no port, not granted or not free.
 */
export async function runSimulator(
  { token, eventsToken }: Config,
  flags: SimulatorFlags,
  stop: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const port = readPort("port", flags.port || "0");
  const wsPort = flags["ws-port"] ? readPort("ws-port", flags["ws-port"]) : undefined;
  for (const each of wsPort === undefined ? [port] : [port, wsPort]) {
    await requireNet(each === 0 ? "127.0.0.1" : `127.0.0.1:${each}`, "The simulated bot may not listen");
  }
  if (wsPort !== undefined) await requireSocket("The simulated bot cannot send events");
  await using simulator = await start(port, wsPort, { token, wsToken: eventsToken });
  print(`The simulated bot answers at ${simulator.url} ${how(token)}.`);
  if (simulator.wsUrl !== undefined) print(`Its events come from ${simulator.wsUrl} ${how(eventsToken)}.`);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
}

function readPort(flag: string, text: string): number {
  if (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new UsageError(`--${flag} cannot be ${JSON.stringify(text)}: it must be a whole number from 0 to 65535`);
}

function how(token: string | undefined): string {
  return token === undefined ? "without a token" : "with the set token";
}

async function start(
  port: number,
  wsPort: number | undefined,
  tokens: { token: string | undefined; wsToken: string | undefined },
): Promise<Simulator> {
  try {
    return await startSimulator({
      port,
      token: tokens.token ?? "",
      wsToken: tokens.wsToken ?? "",
      ...(wsPort !== undefined && { wsPort }),
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && typeof error.code === "string")) throw error;
    const ports = wsPort === undefined ? `Port ${port}` : `Port ${port} or ${wsPort}`;
    throw new UsageError(`${ports} of 127.0.0.1 cannot be used (${error.code}): choose another, or 0 for a free one`);
  }
}
