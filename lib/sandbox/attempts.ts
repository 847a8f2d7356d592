/** Tries, for `doctor`, what a sandboxed server may not do. Serving never does any of it. */
import { join } from "@std/path";

/** One thing that was tried. */
export interface Attempt {
  readonly what: string;
  /** Whether the runtime said no. */
  readonly refused: boolean;
}

/** A port and an address of loopback at which nobody is expected (TCP "discard"). */
const ELSEWHERE = { hostname: "127.0.0.2", port: 9 } as const;
/** Longest wait for one that is not refused, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Reads a folder, makes one, connects, reads a variable and starts a program, each of them nowhere near what serving
 * needs, and harmless: what is made is taken away again.
 *
 * @param folder An existing folder of the system, which is nobody's download or upload folder.
 */
export async function tryForbidden(folder: string): Promise<Attempt[]> {
  const beside = join(folder, `.snowluma-mcp-${crypto.randomUUID()}`);
  const attempts: Record<string, () => unknown> = {
    [`read ${folder}`]: () => Deno.readDirSync(folder).next(),
    [`write to ${folder}`]: async () => {
      await Deno.mkdir(beside);
      await Deno.remove(beside);
    },
    [`connect to ${ELSEWHERE.hostname}:${ELSEWHERE.port}`]: async () =>
      (await Deno.connect({ ...ELSEWHERE, signal: AbortSignal.timeout(PATIENCE_MS) })).close(),
    "read the variable PATH": () => Deno.env.get("PATH"),
    "start a program": () => new Deno.Command(Deno.execPath(), { args: ["--version"] }).output(),
    "ask for the host's name": () => Deno.hostname(),
  };
  const results: Attempt[] = [];
  for (const [what, attempt] of Object.entries(attempts)) results.push({ what, refused: await isRefused(attempt) });
  return results;
}

async function isRefused(attempt: () => unknown): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable;
  }
}
