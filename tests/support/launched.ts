/** A program that is started once with its whole input, for tests of where and how the binary starts. */
import { toText } from "@std/streams";

/** A command, and what surrounds it. */
export interface Launch {
  readonly command: string;
  readonly args?: readonly string[];
  /** The whole environment; empty unless given. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What it left. */
export interface Left {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
  /** From start to end, in milliseconds. */
  readonly ms: number;
}

/** Longest life, in milliseconds: what takes so long has failed. */
const PATIENCE_MS = 20_000;

/** The older generation's handshake, and a question for the tools (id 2). */
export const ASK_FOR_TOOLS: string = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");

/** Starts it on pipes, with nothing of this process's environment. */
export function spawnAlone({ command, args = [], env = {}, cwd }: Launch): Deno.ChildProcess {
  return new Deno.Command(command, {
    args: [...args],
    env: { ...env },
    ...(cwd !== undefined && { cwd }),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs it with that input to its end, and with nothing of this process's environment. */
export async function launch(how: Launch, input = ASK_FOR_TOOLS): Promise<Left> {
  const start = performance.now();
  const child = spawnAlone(how);
  const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  const write = async (): Promise<void> => {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input)).catch(() => {}); // it may have ended already
    await writer.close().catch(() => {});
  };
  const [stdout, stderr, { code, signal }] = await Promise.all([
    toText(child.stdout),
    toText(child.stderr),
    child.status,
    write(),
  ]);
  clearTimeout(timer);
  return { code, signal, stdout, stderr, ms: performance.now() - start };
}

/** Whether a program is there and does this without a complaint. */
export async function can(command: string, ...args: string[]): Promise<boolean> {
  try {
    return (await new Deno.Command(command, { args, stdin: "null" }).output()).success;
  } catch {
    return false; // there is none
  }
}
