/**
 * Serves MCP on standard input and output until the client goes away or the process is told to stop.
 *
 * It gets plain data and a signal and gives back when it is done: whoever runs it (the main thread, or a worker
 * with narrower permissions) owns arguments, environment, signals and the exit code.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Config } from "../config/resolve.ts";
import type { Executor } from "../executor.ts";
import { createLog, StderrLines } from "../log.ts";
import { createMcpServer } from "../mcp/server.ts";
import { type ByteStreams, StdioTransport } from "../mcp/stdio_transport.ts";
import { Redactor } from "../redact.ts";
import { openStdio } from "./stdio_streams.ts";

/**
 * After the end of input or a signal, calls under way get this long to finish before they are aborted, in
 * milliseconds; shutdown is promised within 2 s.
 */
const SETTLE_MS = 1000;
/** Aborted calls this long to end: streams take their files away and reset their uploads. In milliseconds. */
const ABORTED_MS = 500;
/** And the log this long to be written, in milliseconds. */
const LOG_MS = 200;

/**
 * Serves until the input ends or `stop` aborts, then settles.
 *
 * Needs `--allow-net` for the endpoint in read and write mode; nothing in docs mode.
 */
export async function serve(config: Config, stop: AbortSignal, streams: ByteStreams = openStdio()): Promise<void> {
  const redactor = new Redactor(config.token === undefined ? [] : [config.token]);
  const lines = new StderrLines(config.log);
  const log = createLog(config.log, redactor, lines.write);
  let executor: Promise<Executor> | undefined;
  const transport = new StdioTransport(streams);
  const ended = new Promise<void>((resolve) => {
    transport.onend = resolve;
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
  const handle = serveStdio(
    () => createMcpServer({ config, log, executor: () => executor ??= loadExecutor(config, redactor) }),
    { transport, onerror: ({ message }) => log("warn", message) },
  );
  for (const notice of config.notices) log("warn", notice);
  await ended;
  transport.ignoreInput();
  // after the end of input somebody may still read the answers; otherwise what has not been sent must not be sent now
  if (stop.aborted || transport.closed) (await executor)?.dismissWaiting();
  await within(SETTLE_MS, transport.whenIdle());
  await handle.close(); // aborts what is still running
  await within(ABORTED_MS, executor?.then((running) => running.settled()) ?? Promise.resolve());
  await new Promise((resolve) => setTimeout(resolve)); // one turn, in which aborted calls are logged
  await within(LOG_MS, lines.drained());
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => timer = setTimeout(resolve, ms))]);
  clearTimeout(timer);
}

/** What talks to the bot is loaded with the first call that is let through. */
async function loadExecutor(config: Config, redactor: Redactor): Promise<Executor> {
  const { makeExecutor } = await import("./make_executor.ts");
  return await makeExecutor(config, redactor);
}
