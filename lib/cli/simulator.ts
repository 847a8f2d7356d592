/** `snowluma-mcp simulator`: the simulated bot alone, for trying clients without a QQ account. */
import type { Config } from "../config/resolve.ts";
import { UsageError } from "../errors.ts";
import { startSimulator } from "../simulator/mod.ts";
import { requireNet } from "./endpoint.ts";

/**
 * Runs until told to stop. Needs `--allow-net=127.0.0.1:PORT`, for port 0 `--allow-net=127.0.0.1`.
 *
 * @param port Text of `--port`; absent or "0" lets the system choose.
 * @throws {UsageError} for a port that is no port, not granted or not free.
 */
export async function runSimulator(
  { token }: Config,
  port = "0",
  stop: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65535) {
    throw new UsageError(`--port cannot be ${JSON.stringify(port)}: it must be a whole number from 0 to 65535`);
  }
  await requireNet(Number(port) === 0 ? "127.0.0.1" : `127.0.0.1:${Number(port)}`, "The simulated bot may not listen");
  await using simulator = await start(Number(port), token);
  print(
    `The simulated bot answers at ${simulator.url} ${token === undefined ? "without a token" : "with the set token"}.`,
  );
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
}

async function start(port: number, token: string | undefined): ReturnType<typeof startSimulator> {
  try {
    return await startSimulator({ port, ...(token !== undefined && { token }) });
  } catch (error) {
    const why = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    throw new UsageError(`Port ${port} of 127.0.0.1 cannot be used${why}: choose another, or 0 for a free one`);
  }
}
