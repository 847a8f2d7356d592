/**
 * What is done with a configuration, apart from the process that it is done in: arguments, environment, signals and the
 * exit code belong to whoever starts a job, on the main thread or in a worker of narrower permissions.
 */
import { type Needs, needsOf, netHost, SOCKET_VARIABLES } from "../config/needs.ts";
import type { Config } from "../config/resolve.ts";
import { SIMULATOR } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import { keepStdoutClean, writeOut } from "../log.ts";
import { printable } from "../printable.ts";
import { NAME } from "../version.ts";
import { openEndpoint } from "./endpoint.ts";
import type { CommandLine } from "./flags.ts";

/** Exit codes of the program. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** One of the commands that work with the bot. Plain data, so that it can be handed to a worker. */
export interface Job {
  readonly command: "serve" | "doctor" | "simulator";
  readonly config: Config;
  readonly flags: CommandLine["flags"];
}

/** What a job needs of the runtime; nothing, and then any grant can be given up, where it contacts nobody. */
export function needsOfJob({ command, config, flags }: Job): Needs | undefined {
  if (command === "simulator") {
    return { read: [], write: [], net: [netHost(SIMULATOR)], env: flags["ws-port"] ? SOCKET_VARIABLES : [] };
  }
  return config.mode === "docs" ? undefined : needsOf(config, Deno.build.os);
}

/** Does a job until it is done or `stop` aborts. @returns The exit code. */
export async function doJob({ command, config, flags }: Job, stop: AbortSignal): Promise<number> {
  switch (command) {
    case "serve":
      await serveHere(config, stop);
      return EXIT.ok;
    case "doctor":
      return await (await import("./doctor.ts")).doctor(config, print) ? EXIT.ok : EXIT.failure;
    case "simulator":
      await (await import("./simulator.ts")).runSimulator(config, flags, stop, print);
      return EXIT.ok;
  }
}

/** Prepares what serving needs from the process, then serves. */
async function serveHere(config: Config, stop: AbortSignal): Promise<void> {
  keepStdoutClean();
  if (Deno.stdin.isTerminal()) {
    say(`Serving MCP on standard input and output in ${config.mode} mode, waiting for a client; Ctrl+C ends it.`);
  }
  const notices = config.mode === "write" ? await (await import("../host/folders.ts")).prepareFolders(config) : [];
  const { serve } = await import("./serve.ts");
  await using endpoint = await openEndpoint(config);
  await serve({ ...endpoint.config, notices: [...config.notices, ...notices] }, stop);
}

/** Gives the exit code of some work, and tells the operator in one line what ended it before its time. Never throws. */
export async function exitCodeOf(work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) {
      say(`${error.message}.`);
      return EXIT.usage;
    }
    say(`Unexpected failure: ${error instanceof Error ? error.message : String(error)}.`);
    return EXIT.failure;
  }
}

/** For people, on standard output; never while serving. */
export function print(text: string): void {
  writeOut(`${text}\n`, Deno.stdout);
}

/** One line for the operator, on standard error, if there is one that takes it. */
export function say(text: string): void {
  try {
    writeOut(`${NAME}: ${printable(text)}\n`, Deno.stderr);
  } catch {
    // a full disk, say: the exit code tells as well
  }
}
