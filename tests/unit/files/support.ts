/** What the tests of files share: folders of their own, and children that may touch nothing else. */
import { fromFileUrl } from "@std/path";
import { TextLineStream } from "@std/streams";

/** A folder with a real path that is removed with all it holds. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

/** Makes an empty folder for one test. */
export async function tempFolder(): Promise<TempFolder> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "files_test_" }));
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Whether the tests may give files away; makes somebody else's folders possible. */
export async function isRoot(): Promise<boolean> {
  await using folder = await tempFolder();
  return (await Deno.stat(folder.path)).uid === 0;
}

/** Names in a folder, sorted. */
export async function list(path: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(path), ({ name }) => name)).sort();
}

/** The permission bits of a path. */
export async function bits(path: string): Promise<number> {
  return ((await Deno.lstat(path)).mode ?? 0) & 0o7777;
}

/** A child process that is talked to line by line. */
export interface Child extends AsyncDisposable {
  /** Writes a line, and waits for the one that answers. */
  ask(line: string): Promise<string>;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
}

/**
 * Starts a script of this folder with these grants and no others.
 *
 * @param before What a shell is to do to the process before.
 */
export function startChild(script: string, grants: readonly string[], args: readonly string[], before = ""): Child {
  const path = fromFileUrl(new URL(`./${script}`, import.meta.url));
  const command = [Deno.execPath(), "run", "--quiet", "--no-prompt", ...grants, path, ...args];
  const [program = "", ...rest] = before === "" ? command : ["sh", "-c", `${before}; exec "$@"`, "sh", ...command];
  const process = new Deno.Command(program, {
    args: rest,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = process.stdin.getWriter();
  const lines = process.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream()).getReader();
  const kill = async (): Promise<void> => {
    try {
      process.kill("SIGKILL");
    } catch { /* it has ended */ }
    await process.status;
    await lines.cancel();
    await writer.close().catch(() => {});
  };
  return {
    ask: async (line) => {
      await writer.write(new TextEncoder().encode(`${line}\n`));
      const { value } = await lines.read();
      if (value === undefined) throw new Error(`${script} ended`);
      return value;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

/** In a child: answers each line of standard input. */
export async function answerLines(answer: (line: string) => Promise<unknown>): Promise<void> {
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) {
    await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(await answer(line))}\n`));
  }
}
