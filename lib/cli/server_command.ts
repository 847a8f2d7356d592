/** The command that starts this server again, the way it runs now. */
import { fromFileUrl } from "@std/path";

/**
 * V8 flags of the server process: a small young generation (2 MiB) and an early collection of the old one (at 1.3 times
 * its live size) keep a long session flat, at no cost in speed; see ARCHITECTURE, "Numbers".
 */
export const V8_FLAGS = "--v8-flags=--max-semi-space-size=2,--heap-growing-percent=30";

/** An executable and its arguments, up to the server's own. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Gives the compiled binary, or Deno with exactly the grants the server needs.
 *
 * @param grants Permission flags beside those for the settings in the environment.
 * @param variables Of the environment, beside the settings.
 */
export function serverCommand(grants: readonly string[], variables: readonly string[] = []): ServerCommand {
  if (Deno.build.standalone) return { command: Deno.execPath(), args: [] };
  const main = Deno.mainModule.startsWith("file:") ? fromFileUrl(Deno.mainModule) : Deno.mainModule;
  return {
    command: Deno.execPath(),
    args: [
      "run",
      "--no-prompt",
      `--allow-env=${["SNOWLUMA_MCP_*", ...variables].join(",")}`,
      ...grants,
      V8_FLAGS,
      main,
    ],
  };
}

/** The same for a client's configuration: by way of npx where Deno stands in npx's cache, which npm may clear. */
export function lastingCommand({ command, args }: ServerCommand): ServerCommand {
  if (!/[\\/]_npx[\\/]/.test(command)) return { command, args };
  return { command: "npx", args: ["-y", `deno@${Deno.version.deno}`, ...args] };
}
