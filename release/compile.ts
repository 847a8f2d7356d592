/**
 * `deno task compile [--target T]`: builds the standalone binary for a system, this one's unless another is named, and
 * lists the checksums of all that were built.
 *
 * The compiler embeds a runtime, `denort`, which it downloads. Where it cannot, `DENORT_BIN` names one for this system;
 * it has to be of exactly the compiler's version, so with another one `DENO_VERSION` says which compiler to fetch from
 * npm.
 */
import { encodeHex } from "@std/encoding";
import { fromFileUrl, join } from "@std/path";
import { parseArgs } from "node:util";
import { V8_FLAGS } from "../lib/cli/server_command.ts";
import { NAME, VERSION } from "../lib/version.ts";
import { bundleProgram } from "./bundle.ts";
import { binaryName, DIST, findTarget, type Target } from "./targets.ts";

/** Most that a binary may take, in bytes. */
export const MAX_BINARY_BYTES = 105_000_000;
/** A file of sha256sum's form, over the binaries in {@link DIST}. */
export const CHECKSUMS = "SHA256SUMS";

/** What the program itself consists of. */
export const ENTRIES: Readonly<Record<string, string>> = { main: "main_binary.ts", worker: "lib/sandbox/worker.ts" };

/**
 * What the launcher may do; the work itself is done with less. Reading and writing, since which folders it will be is
 * known only at start. A prompt never.
 */
const GRANTS = ["--no-prompt", "--allow-read", "--allow-write", "--allow-net", "--allow-env"];

/** What ends a build, in one sentence. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/**
 * Builds one binary.
 *
 * Needs everything but the network: the compiler is a program of its own.
 *
 * @param entries What it consists of; tests build others.
 * @throws {BuildError}
 */
export async function compileProgram(
  target: Target,
  path: string,
  entries: Readonly<Record<string, string>> = ENTRIES,
): Promise<void> {
  const runtime = Deno.env.get("DENORT_BIN");
  if (runtime !== undefined && target.triple !== Deno.build.target) {
    throw new BuildError(`DENORT_BIN is for ${Deno.build.target}: unset it to build for ${target.triple}`);
  }
  const folder = await Deno.makeTempDir();
  try {
    await bundleProgram({ folder, commit: await currentCommit(), entries });
    // their times are embedded too, and two builds of one commit are to be the same
    for await (const { name } of Deno.readDir(folder)) await Deno.utime(join(folder, name), 0, 0);
    await compile(folder, target, path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const { size } = await Deno.stat(path);
  if (size > MAX_BINARY_BYTES) throw new BuildError(`${path} has ${size} bytes, more than ${MAX_BINARY_BYTES}`);
  if (target.triple === Deno.build.target) await tryOut(path);
}

async function compile(folder: string, target: Target, path: string): Promise<void> {
  const [command = "", ...args] = compiler();
  const { success, stderr } = await new Deno.Command(command, {
    args: [
      ...args,
      "compile",
      "--quiet",
      "--no-check",
      "--no-lock",
      "--no-config",
      "--unstable-worker-options",
      "--no-code-cache", // it would be kept, and run, in a folder that others may write to
      ...GRANTS,
      V8_FLAGS,
      `--target=${target.triple}`,
      `--include=${join(folder, "worker.js")}`,
      `--output=${path}`,
      join(folder, "main.js"),
    ],
    stdin: "null",
  }).output();
  if (success) return;
  const [reason = ""] = new TextDecoder().decode(stderr).trim().split("\n");
  throw new BuildError(
    `Cannot compile for ${target.triple}: without a runtime to embed there is no binary. Either the compiler can ` +
      `download it, or DENORT_BIN names one (and DENO_VERSION its version). The compiler said: ${reason}`,
  );
}

/** The compiler that goes with the runtime. */
function compiler(): string[] {
  const version = Deno.env.get("DENO_VERSION") ?? Deno.version.deno;
  return version === Deno.version.deno ? [Deno.execPath()] : ["npx", "-y", `deno@${version}`];
}

/** What `DENORT_BIN` names may be no runtime; one of another version than the compiler's makes a file that does not start. */
async function tryOut(path: string): Promise<void> {
  const { stdout, stderr } = await new Deno.Command(path, { args: ["--version"], stdin: "null" }).output();
  if (new TextDecoder().decode(stdout).startsWith(`${NAME} ${VERSION} (`)) return;
  await Deno.remove(path);
  const reason = new TextDecoder().decode(stderr).trim();
  throw new BuildError(
    `The binary did not start: DENORT_BIN has to be of exactly the compiler's version, which DENO_VERSION sets. ` +
      `It said: ${reason}`,
  );
}

/** Short, and marked where the files differ from it. */
async function currentCommit(): Promise<string> {
  const { success, stdout } = await new Deno.Command("git", {
    args: ["describe", "--always", "--dirty", "--exclude=*"],
    cwd: fromFileUrl(new URL("../", import.meta.url)),
  }).output();
  if (!success) throw new BuildError("Cannot tell the commit: the binary is built in a git checkout");
  return new TextDecoder().decode(stdout).trim();
}

/** Lists the checksums of the binaries that are there. */
async function writeChecksums(): Promise<void> {
  const lines: string[] = [];
  const names = (await Array.fromAsync(Deno.readDir(DIST))).map(({ name }) => name)
    .filter((name) => /^snowluma-mcp-[^.]+(\.exe)?$/.test(name)).sort();
  for (const name of names) {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(join(DIST, name)));
    lines.push(`${encodeHex(new Uint8Array(digest))}  ${name}\n`);
  }
  await Deno.writeTextFile(join(DIST, CHECKSUMS), lines.join(""));
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ args: Deno.args, options: { target: { type: "string" } } });
    const target = findTarget(values.target ?? Deno.build.target);
    await Deno.mkdir(DIST, { recursive: true });
    await compileProgram(target, join(DIST, binaryName(target)));
    await writeChecksums();
  } catch (error) {
    await Deno.stderr.write(new TextEncoder().encode(`${error instanceof Error ? error.message : error}\n`));
    Deno.exit(1);
  }
}
