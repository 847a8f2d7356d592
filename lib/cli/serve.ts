/**
 * Serves MCP on standard input and output until the client goes away or the process is told to stop.
 *
 * It gets plain data and a signal and gives back when it is done: whoever runs it (the main thread, or a worker
 * with narrower permissions) owns arguments, environment, signals and the exit code.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Config } from "../config/resolve.ts";
import { createLog, StderrLines } from "../log.ts";
import { MAX_LISTENS } from "../mcp/listen.ts";
import { createMcpServer } from "../mcp/server.ts";
import { type ByteStreams, StdioTransport } from "../mcp/stdio_transport.ts";
import { Redactor } from "../redact.ts";
import { Services } from "./services.ts";
import { openStdio } from "./stdio_streams.ts";

/**
 * After the end of input or a signal, calls under way get this long to finish before they are aborted, in
 * milliseconds; shutdown is promised within 2 s.
 */
const SETTLE_MS = 1000;
/** Aborted calls this long to end: streams take their files away and reset their uploads. In milliseconds. */
const ABORTED_MS = 500;
/** And last words this long to be written, to the client and to the log, in milliseconds. */
const LAST_MS = 200;

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
  const services = new Services(config, redactor, log, () => transport.congested);
  const handle = serveStdio(
    ({ era }) => createMcpServer({ config, log, ...services.ports }, era === "modern"),
    { transport, onerror: ({ message }) => log("warn", message), maxSubscriptions: MAX_LISTENS },
  );
  for (const notice of config.notices) log("warn", notice);
  services.start();
  await ended;
  transport.ignoreInput();
  const closed = services.close(ABORTED_MS);
  // after the end of input somebody may still read the answers; otherwise what has not been sent must not be sent now
  if (stop.aborted || transport.closed) (await services.executor)?.dismissWaiting();
  await within(SETTLE_MS, transport.whenIdle());
  const ending = handle.close(); // tells who listens, then aborts what is still running
  await within(LAST_MS, ending);
  await transport.close(); // for a client that does not read, so that the rest of it goes on
  await within(ABORTED_MS, Promise.all([ending, services.executor?.then((running) => running.settled()), closed]));
  await new Promise((resolve) => setTimeout(resolve)); // one turn, in which aborted calls are logged
  await within(LAST_MS, lines.drained());
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => timer = setTimeout(resolve, ms))]);
  clearTimeout(timer);
}
