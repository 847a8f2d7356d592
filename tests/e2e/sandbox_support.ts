/** What the tests of the sandbox share: the flags that are printed, folders and ports beside them, and runs with exactly those. */
import { fromFileUrl, join } from "@std/path";
import { BINARY, IS_BINARY } from "../support/binary.ts";
import { type Launch, launch } from "../support/launched.ts";
import { MAIN } from "../support/server_process.ts";
import { makeTaskFolders, type TaskFolders } from "./task_support.ts";

/** Folders of a test; all of them exist, and beside them lies what nobody may have. */
export async function makeSandboxFolders(): Promise<TaskFolders> {
  const folders = await makeTaskFolders();
  const { top, uploads, downloads, tasks } = folders;
  for (const folder of [downloads, tasks]) await Deno.mkdir(folder, { mode: 0o700 });
  await Deno.writeTextFile(join(top, "secret.txt"), "secret");
  await Deno.writeTextFile(join(top, "module.js"), "export default 1;");
  await Deno.writeTextFile(join(uploads, "inside.txt"), "inside");
  if (Deno.build.os !== "windows") await Deno.symlink(join(top, "secret.txt"), join(uploads, "link.txt"));
  return folders;
}

/** Settings that use all of the folders. */
export function writeEnv({ downloads, uploads, tasks }: TaskFolders, endpoint: string, eventsUrl?: string) {
  return {
    SNOWLUMA_MCP_ENDPOINT: endpoint,
    SNOWLUMA_MCP_MODE: "write",
    SNOWLUMA_MCP_STREAM_DIR: downloads,
    SNOWLUMA_MCP_UPLOAD_ROOT: uploads,
    SNOWLUMA_MCP_TASK_DIR: tasks,
    ...(eventsUrl !== undefined && { SNOWLUMA_MCP_EVENTS_URL: eventsUrl }),
  };
}

/** What tests of exact flags are ignored by: the binary has none, and Windows writes paths in other ways. */
export const EXACT_FLAGS: { readonly ignore: boolean } = { ignore: IS_BINARY || Deno.build.os === "windows" };

/** What Deno itself is started with. */
export const BASE_ENV: Readonly<Record<string, string>> = {
  NO_COLOR: "1",
  DENO_NO_UPDATE_CHECK: "1",
  ...Object.fromEntries(["HOME", "DENO_DIR", "PATH"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  })),
};

/** How `deno run` starts a program with these flags and no others. */
export function denoRun(
  flags: readonly string[],
  env: Launch["env"] = {},
  args: readonly string[] = [],
  main = MAIN,
): Launch {
  return { command: Deno.execPath(), args: ["run", ...flags, main, ...args], env: { ...BASE_ENV, ...env } };
}

/** The program under test, in either form; `deno run` gets these flags. */
export function program(
  args: readonly string[],
  env: Launch["env"] = {},
  flags: readonly string[] = ["--no-prompt", "--allow-env", "--allow-read"],
): Launch {
  return IS_BINARY ? { command: BINARY, args, env: { ...BASE_ENV, ...env } } : denoRun(flags, env, args);
}

/** The flags that `permissions` prints, as the shell would hand them over. */
export async function flagsFor(env: Launch["env"] = {}, args: readonly string[] = []): Promise<string[]> {
  const allowed = ["--no-prompt", "--allow-env", "--allow-read"];
  const { code, stdout, stderr } = await launch(denoRun(allowed, env, ["permissions", ...args]), "");
  if (code !== 0) throw new Error(stderr);
  return stdout.trimEnd().split("\n").map(unquote);
}

/** The word that a shell makes of a quoted one; that shells agree is the test of the command's own. */
export function unquote(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll(`'\\''`, "'");
  return word.startsWith('"') ? word.slice(1, -1) : word;
}

/** A file of tests/support. */
export function supportFile(name: string): string {
  return fromFileUrl(new URL(`../support/${name}`, import.meta.url));
}

/** Listens on 127.0.0.1 and counts who comes; each is turned away at once. */
export class Counter implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #accepting = this.#accept();
  count = 0;

  get port(): number {
    return this.#listener.addr.port;
  }

  async #accept(): Promise<void> {
    for await (const connection of this.#listener) {
      this.count++;
      connection.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting.catch(() => {});
  }
}

/** Every variable that could lead to a proxy, each set to this port. */
export function proxyEnv(port: number): Record<string, string> {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}`]));
}
