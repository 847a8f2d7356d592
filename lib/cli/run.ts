/** One run of the program: from arguments to an exit code. Commands are loaded only when they are asked for. */
import type { Config } from "../config/resolve.ts";
import { UsageError } from "../errors.ts";
import { keepStdoutClean, writeOut } from "../log.ts";
import { printable } from "../printable.ts";
import { NAME, VERSION } from "../version.ts";
import { openEndpoint } from "./endpoint.ts";
import { type CommandLine, parseCommandLine } from "./flags.ts";
import { loadConfig } from "./load_config.ts";

/** Exit codes of the program. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/**
 * Runs the program and tells with which code to exit: 0, 1 when a command found a problem, 2 when it could not
 * start as asked. Never throws.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return await dispatch(parseCommandLine(args));
  } catch (error) {
    if (error instanceof UsageError) {
      say(`${error.message}.`);
      return EXIT.usage;
    }
    say(`Unexpected failure: ${error instanceof Error ? error.message : String(error)}.`);
    return EXIT.failure;
  }
}

async function dispatch({ command, operands, flags }: CommandLine): Promise<number> {
  switch (command) {
    case "version":
      print(`${NAME} ${VERSION}`);
      return EXIT.ok;
    case "help":
      print((await import("./help.ts")).renderHelp());
      return EXIT.ok;
    case "init":
      return await init(operands, flags);
    case "demo":
      return await demo() ? EXIT.ok : EXIT.failure;
    case "doctor":
      return await (await import("./doctor.ts")).doctor(await loadConfig(flags), print) ? EXIT.ok : EXIT.failure;
    case "simulator":
      await (await import("./simulator.ts")).runSimulator(await loadConfig(flags), flags, stopSignal(), print);
      return EXIT.ok;
    case "serve":
      return await launch(await loadConfig(flags));
  }
}

/** The client's library reads the environment as soon as it is loaded. */
async function demo(): Promise<boolean> {
  const { state } = await Deno.permissions.query({ name: "env", variable: "PATH" });
  if (state !== "granted") throw new UsageError("The demo needs more permissions than serving: run `deno task demo`");
  return await (await import("./demo.ts")).demo(print);
}

async function init(operands: readonly string[], flags: CommandLine["flags"]): Promise<number> {
  const { clientConfig } = await import("./init.ts");
  const config = await loadConfig(flags);
  const { block, place, advice } = clientConfig(operands, config, flags);
  for (const notice of config.notices) say(notice);
  say(`Put this into ${place}, beside what is there, and restart the client. ${advice}`.trim());
  print(block);
  return EXIT.ok;
}

/** Prepares what serving needs from the process, then serves. */
async function launch(config: Config): Promise<number> {
  keepStdoutClean();
  const stop = stopSignal();
  if (Deno.stdin.isTerminal()) {
    say(`Serving MCP on standard input and output in ${config.mode} mode, waiting for a client; Ctrl+C ends it.`);
  }
  const notices = config.mode === "write" ? await (await import("../host/folders.ts")).prepareFolders(config) : [];
  const { serve } = await import("./serve.ts");
  await using endpoint = await openEndpoint(config);
  await serve({ ...endpoint.config, notices: [...config.notices, ...notices] }, stop);
  return EXIT.ok;
}

/** Aborts on the first SIGTERM, SIGINT or SIGHUP. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of signals) Deno.addSignalListener(signal, () => controller.abort());
  return controller.signal;
}

/** For people, on standard output; never while serving. */
function print(text: string): void {
  writeOut(`${text}\n`, Deno.stdout);
}

/** One line for the operator, on standard error. */
function say(text: string): void {
  writeOut(`${NAME}: ${printable(text)}\n`, Deno.stderr);
}
