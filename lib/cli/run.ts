/** One run of the program: from arguments to an exit code. Commands are loaded only when they are asked for. */
import type { Needs } from "../config/needs.ts";
import { UsageError } from "../errors.ts";
import { shellWord } from "../printable.ts";
import { dropGrants, forgetProxies, forgetRegistries } from "../sandbox/prepare.ts";
import { COMMIT, NAME, VERSION } from "../version.ts";
import { type CommandLine, parseCommandLine } from "./flags.ts";
import { doJob, EXIT, exitCodeOf, type Job, needsOfJob, print, say } from "./job.ts";
import { loadConfig } from "./load_config.ts";

/** Does a job under no more permissions than it needs. @returns The exit code. */
export type Elsewhere = (job: Job, needs: Needs, stop: AbortSignal) => Promise<number>;

/** What only one of the two programs has: the one that Deno runs, and the binary. */
export interface Form {
  /** Where jobs that need any permission are done; here, unless it is given. */
  readonly elsewhere?: Elsewhere;
  /** Loads the demo, which brings a client with it. */
  readonly demo?: () => Promise<typeof import("./demo.ts")>;
}

/**
 * Runs the program and tells with which code to exit: 0, 1 when a command found a problem, 2 when it could not
 * start as asked. Never throws.
 */
export function run(args: readonly string[], form: Form): Promise<number> {
  return exitCodeOf(() => dispatch(parseCommandLine(args), form));
}

async function dispatch({ command, operands, flags }: CommandLine, form: Form): Promise<number> {
  switch (command) {
    case "version":
      print(`${NAME} ${VERSION} (${COMMIT === undefined ? "from source" : `commit ${COMMIT}`}, ${runtime()})`);
      return EXIT.ok;
    case "help":
      print((await import("./help.ts")).renderHelp());
      return EXIT.ok;
    case "init":
      return await init(operands, flags);
    case "permissions":
      return await permissions(flags);
    case "demo":
      return await demo(form) ? EXIT.ok : EXIT.failure;
    case "doctor":
    case "simulator":
    case "serve": {
      // `doctor` has nothing to settle, so that signals end it as they end any program
      const stop = command === "doctor" ? new AbortController().signal : stopSignal();
      const job: Job = { command, config: await loadConfig(flags), flags };
      const needs = needsOfJob(job);
      if (needs === undefined) {
        await dropGrants();
        return await doJob(job, stop);
      }
      await forgetRegistries();
      if (command !== "simulator") await forgetProxies();
      return await (form.elsewhere ?? here)(job, needs, stop);
    }
  }
}

/** The permissions are those of the process, which `deno run` was given. */
function here(job: Job, _needs: Needs, stop: AbortSignal): Promise<number> {
  return doJob(job, stop);
}

function runtime(): string {
  return `Deno ${Deno.version.deno}, V8 ${Deno.version.v8}`;
}

/** The client's library reads the environment as soon as it is loaded. */
async function demo({ demo: load }: Form): Promise<boolean> {
  if (load === undefined) throw new UsageError("The binary has no demo: run `deno task demo` in a checkout");
  const { state } = await Deno.permissions.query({ name: "env", variable: "PATH" });
  if (state !== "granted") throw new UsageError("The demo needs more permissions than serving: run `deno task demo`");
  return await (await load()).demo(print);
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

/** Prints the flags that serving needs, one a line and ready for a shell, or a client's block that has them. */
async function permissions({ json, ...flags }: CommandLine["flags"]): Promise<number> {
  const config = await loadConfig(flags);
  for (const notice of config.notices) say(notice);
  if (json) {
    print((await import("./init.ts")).clientConfig(["claude-desktop"], config, flags).block);
    return EXIT.ok;
  }
  const { filesOf, flagsOf, grantsOf } = await import("./grants.ts");
  const files = filesOf(flags).map(({ path }) => path);
  for (const flag of ["--no-prompt", ...flagsOf(grantsOf(config, files))]) print(shellWord(flag));
  return EXIT.ok;
}

/** Aborts on the first SIGTERM, SIGINT or SIGHUP. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT", "SIGBREAK"] : ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of signals) Deno.addSignalListener(signal, () => controller.abort());
  return controller.signal;
}
