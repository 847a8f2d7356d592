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
 * @param flags Permission flags, as `flagsOf` gives them.
 */
export function serverCommand(flags: readonly string[]): ServerCommand {
  if (Deno.build.standalone) return { command: Deno.execPath(), args: [] };
  const main = Deno.mainModule.startsWith("file:") ? fromFileUrl(Deno.mainModule) : Deno.mainModule;
  return {
    command: Deno.execPath(),
    args: [
      "run",
      "--no-prompt",
      ...flags,
      V8_FLAGS,
      main,
    ],
  };
}

/**
 * The same for a client's configuration: by way of npx where Deno stands in npx's cache, which npm may clear.
 *
 * @param os On Windows npx is a script, which only a shell starts.
 */
export function lastingCommand({ command, args }: ServerCommand, os: typeof Deno.build.os): ServerCommand {
  if (!/[\\/]_npx[\\/]/.test(command)) return { command, args };
  const words = ["npx", "-y", `deno@${Deno.version.deno}`, ...args];
  const [program = "", ...rest] = os === "windows" ? ["cmd", "/c", ...words] : words;
  return { command: program, args: rest };
}
