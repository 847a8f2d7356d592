/** `deno task compile`: what it writes, and what it says where it cannot. */
import { fromFileUrl, join } from "@std/path";
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { BuildError, CHECKSUMS, compileProgram, MAX_BINARY_BYTES } from "../../release/compile.ts";
import { binaryName, DIST, findTarget, TARGETS } from "../../release/targets.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY, NEEDS_BINARY } from "../support/binary.ts";
import { can } from "../support/launched.ts";

const HERE = findTarget(Deno.build.target);
const ELSEWHERE = TARGETS.find(({ triple }) => triple !== HERE.triple) ?? HERE;
const SCRIPT = fromFileUrl(new URL("../../release/compile.ts", import.meta.url));

/** Runs with these variables, `undefined` for absent ones, and puts back what there was. */
async function withEnv(
  variables: Readonly<Record<string, string | undefined>>,
  run: () => Promise<void>,
): Promise<void> {
  const set = (name: string, value: string | undefined): void =>
    value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value);
  const before = Object.keys(variables).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(variables)) set(name, value);
  try {
    await run();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "snowluma-compile-" });
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Builds into a folder of its own, which has to stay empty; gives the sentence. */
async function refusal(folder: string, target = HERE): Promise<string> {
  const output = join(folder, "out");
  await Deno.mkdir(output);
  let said = "";
  await rejects(compileProgram(target, join(output, "program")), (error) => {
    ok(error instanceof BuildError, String(error));
    said = error.message;
    return true;
  });
  deepStrictEqual((await Array.fromAsync(Deno.readDir(output))).map(({ name }) => name), [], "something is left");
  return said;
}

Deno.test({ name: "the binary has at most 105 MB", ...NEEDS_BINARY }, async () => {
  verifies("binary-built");
  const { size, isFile, mode } = await Deno.stat(BINARY);
  ok(isFile && size > 1_000_000 && size <= MAX_BINARY_BYTES && MAX_BINARY_BYTES === 105_000_000, `${size} bytes`);
  if (Deno.build.os !== "windows") strictEqual((mode ?? 0) & 0o111, 0o111, "it cannot be run by all");
});

Deno.test({
  name: "SHA256SUMS lists each binary once, as sha256sum checks it",
  ignore: !IS_BINARY || !await can("sha256sum", "--version"),
}, async () => {
  verifies("binary-built");
  const lines = (await Deno.readTextFile(join(DIST, CHECKSUMS))).trimEnd().split("\n");
  for (const line of lines) match(line, /^[0-9a-f]{64} {2}snowluma-mcp-[\w-]+(\.exe)?$/);
  const listed = lines.map((line) => line.slice(66));
  const known = TARGETS.map(binaryName);
  const there = (await Array.fromAsync(Deno.readDir(DIST))).map(({ name }) => name).filter((name) =>
    known.includes(name)
  );
  deepStrictEqual(listed, there.sort());
  ok(listed.includes(binaryName(HERE)));
  const { success, stdout, stderr } = await new Deno.Command("sha256sum", {
    args: ["--check", "--strict", CHECKSUMS],
    cwd: DIST,
  }).output();
  ok(success, new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr));
});

Deno.test({ name: "two builds of the same files are the same, byte for byte", ...NEEDS_BINARY }, async () => {
  verifies("binary-built");
  await inFolder(async (folder) => {
    const digests: string[] = [];
    for (const name of ["first", "second"]) {
      const path = join(folder, name, binaryName(HERE));
      await Deno.mkdir(join(folder, name));
      await compileProgram(HERE, path);
      digests.push(String(new Uint8Array(await crypto.subtle.digest("SHA-256", await Deno.readFile(path)))));
    }
    strictEqual(digests[0], digests[1]);
  });
});

Deno.test("an unknown target ends the task with all that are known", async () => {
  verifies("binary-built");
  for (const target of ["x86_64-unknown-linux-musl", "__proto__", ""]) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-read", "--allow-env", SCRIPT, `--target=${target}`],
      env: { NO_COLOR: "1" },
      stdin: "null",
    }).output();
    strictEqual(code, 1);
    strictEqual(stdout.length, 0);
    const known = TARGETS.map(({ triple }) => triple).join(", ");
    strictEqual(new TextDecoder().decode(stderr), `Unknown target ${JSON.stringify(target)}: known are ${known}\n`);
  }
});

Deno.test("without a runtime to embed the build fails with a sentence that says so", async () => {
  verifies("binary-runtime");
  await inFolder(async (folder) => {
    // a cache without a runtime, and nobody to download it from
    const unreachable = "http://127.0.0.1:9";
    const env = { DENORT_BIN: undefined, DENO_VERSION: undefined, DENO_DIR: folder, HTTPS_PROXY: unreachable };
    await withEnv({ ...env, https_proxy: unreachable, NO_PROXY: undefined, no_proxy: undefined }, async () => {
      const said = await refusal(folder);
      ok(said.startsWith(`Cannot compile for ${HERE.triple}: without a runtime to embed there is no binary. `), said);
      ok(said.includes("DENORT_BIN names one") && said.includes("DENO_VERSION"), said);
    });
  });
});

Deno.test("a runtime that DENORT_BIN names is for this system alone", async () => {
  verifies("binary-runtime");
  await inFolder((folder) =>
    withEnv({ DENORT_BIN: join(folder, "denort") }, async () => {
      const said = await refusal(folder, ELSEWHERE);
      strictEqual(said, `DENORT_BIN is for ${HERE.triple}: unset it to build for ${ELSEWHERE.triple}`);
    })
  );
});

Deno.test("a DENORT_BIN that is not there fails the build", async () => {
  verifies("binary-runtime");
  await inFolder((folder) =>
    withEnv({ DENORT_BIN: join(folder, "denort"), DENO_VERSION: undefined }, async () => {
      const said = await refusal(folder);
      ok(said.startsWith(`Cannot compile for ${HERE.triple}: `), said);
    })
  );
});

Deno.test({
  name: "a DENORT_BIN that is another program makes no binary, even if that one is content with any flag",
  ignore: Deno.build.os === "windows",
}, async () => {
  verifies("binary-runtime");
  const program = await Deno.realPath("/usr/bin/true");
  await inFolder((folder) =>
    withEnv({ DENORT_BIN: program, DENO_VERSION: undefined }, async () => {
      const said = await refusal(folder);
      ok(said.startsWith("The binary did not start: DENORT_BIN has to be of exactly"), said);
    })
  );
});

Deno.test({
  name: "a runtime of another version makes no binary, and the build says why",
  // a runtime is needed that is known to be another one, for a compiler that is there
  ignore: !IS_BINARY || Deno.env.get("DENORT_BIN") === undefined ||
    [undefined, Deno.version.deno].includes(Deno.env.get("DENO_VERSION")),
}, async () => {
  verifies("binary-runtime");
  await inFolder((folder) =>
    withEnv({ DENO_VERSION: Deno.version.deno }, async () => {
      const said = await refusal(folder);
      ok(said.startsWith("The binary did not start: DENORT_BIN has to be of exactly the compiler's version"), said);
    })
  );
});
