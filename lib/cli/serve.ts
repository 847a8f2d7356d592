/**
 * Serves MCP on standard input and output until the client goes away or the process is told to stop.
 *
 * It gets plain data and a signal and gives back when it is done: whoever runs it (the main thread, or a worker
 * with narrower permissions) owns arguments, environment, signals and the exit code.
 */
import type { Config } from "../config/resolve.ts";
import { LAST_MS, Services, within } from "../host/services.ts";
import { createLog, StderrLines } from "../log.ts";
import { type ByteStreams, StdioTransport } from "../mcp/stdio_transport.ts";
import { Redactor } from "../redact.ts";
import { openStdio } from "./stdio_streams.ts";

/**
 * Serves until the input ends or `stop` aborts, then settles.
 *
 * Needs, in read and write mode, `--allow-net` for the endpoint and the event address, and in write mode the grants of
 * the configured folders; nothing in docs mode.
 */
export async function serve(config: Config, stop: AbortSignal, streams: ByteStreams = openStdio()): Promise<void> {
  const redactor = new Redactor([config.token, config.eventsToken].filter((secret) => secret !== undefined));
  const lines = new StderrLines(config.log);
  const log = createLog(config.log, redactor, lines.write);
  const transport = new StdioTransport(streams);
  const ended = new Promise<void>((resolve) => {
    transport.onend = resolve;
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  const end = new Services(config, redactor, log, () => transport.congested).serve(transport);
  await ended;
  // after the end of input somebody may still read the answers; otherwise what has not been sent must not be sent now
  await end(stop.aborted || transport.closed);
  await within(LAST_MS, lines.drained());
}
