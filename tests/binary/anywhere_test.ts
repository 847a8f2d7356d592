/** Where the binary starts: without environment, home, network or a folder to write to, from any path, as anybody. */
import { join } from "@std/path";
import { deepStrictEqual, doesNotMatch, ok, rejects, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY, NEEDS_BINARY } from "../support/binary.ts";
import { can, type Launch, launch } from "../support/launched.ts";

const IS_WINDOWS = Deno.build.os === "windows";
/** Nobody's user and group, and none of the groups of whoever starts it. */
const AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const CAN_BE_NOBODY = await can("setpriv", ...AS_NOBODY.slice(1), "true");
const CAN_LEAVE_NETWORK = Deno.build.os === "linux" && await can("unshare", "--net", "true");
const CAN_MOUNT = Deno.build.os === "linux" && await can("unshare", "--mount", "true");

/** Where the program stands, with a folder for files. */
interface Place {
  /** The binary under test, somewhere in `top`. */
  readonly binary: string;
  /** A folder for anything else; anybody can look into it. */
  readonly top: string;
}

/** Gives what a test needs a folder for, and takes it away. */
async function inFolder(use: (place: Place) => Promise<void>, name = "snowluma-mcp"): Promise<void> {
  const top = await Deno.makeTempDir({ prefix: "snowluma-anywhere-" });
  try {
    await Deno.chmod(top, 0o755).catch(() => {}); // not on Windows
    const binary = join(top, IS_WINDOWS ? `${name}.exe` : name);
    await Deno.copyFile(BINARY, binary);
    await use({ binary, top });
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

/** What write mode is asked for; nobody listens there, and nobody is contacted. */
const WRITE = ["--endpoint=http://127.0.0.1:9/", "--mode=write"];

/** Starts it and lets it tell its tools, in docs and in write mode. */
async function startsInBothModes(of: (args: readonly string[], mode: string) => Launch): Promise<void> {
  for (const [mode, args, tool] of [["docs", [], "get_action"], ["write", WRITE, "invoke_action"]] as const) {
    const { code, signal, stdout, stderr } = await launch(of(args, mode));
    deepStrictEqual([code, signal], [0, null], `${mode}: ${stderr}`);
    const answers = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    deepStrictEqual(answers.map(({ id }) => id), [1, 2], mode);
    const names: string[] = answers[1].result.tools.map(({ name }: { name: string }) => name);
    ok(names.includes(tool) && names.includes("get_runtime_info"), `${mode}: ${names}`);
    strictEqual(names.includes("invoke_action"), mode === "write");
    doesNotMatch(stderr, /panicked|Uncaught|Unexpected|error:/, mode);
    if (mode === "docs") strictEqual(stderr, "");
  }
}

/** A download folder of its own, so that the default one, which all users share, is left alone. */
function streamDir(folder: string, args: readonly string[]): string[] {
  return args.length === 0 ? [] : [...args, `--stream-dir=${join(folder, "downloads")}`];
}

Deno.test({ name: "the binary starts with an empty environment", ...NEEDS_BINARY }, async () => {
  verifies("binary-anywhere");
  await inFolder(({ binary, top }) =>
    startsInBothModes((args) => ({ command: binary, args: streamDir(top, args), cwd: top }))
  );
});

Deno.test({ name: "the binary starts where HOME, DENO_DIR and TMPDIR lead nowhere", ...NEEDS_BINARY }, async () => {
  verifies("binary-anywhere");
  await inFolder(async ({ binary, top }) => {
    const [nowhere, temp] = [join(top, "none", "such"), join(top, "temp", "such")];
    const env = { HOME: nowhere, XDG_CACHE_HOME: nowhere, DENO_DIR: nowhere, TMPDIR: temp, TEMP: temp, TMP: temp };
    await startsInBothModes((args) => ({ command: binary, args, env, cwd: top }));
    // write mode makes its download folder
    deepStrictEqual((await Array.fromAsync(Deno.readDir(temp))).map(({ name }) => name), ["onebot-mcp-downloads"]);
    await rejects(Deno.stat(join(top, "none")), Deno.errors.NotFound);
  });
});

Deno.test({ name: "the binary leaves an empty DENO_DIR empty", ...NEEDS_BINARY }, async () => {
  verifies("binary-anywhere", "binary-own-code");
  await inFolder(async ({ binary, top }) => {
    const cache = join(top, "cache");
    await Deno.mkdir(cache);
    const env = { DENO_DIR: cache, HOME: cache };
    await startsInBothModes((args) => ({ command: binary, args: streamDir(top, args), env }));
    deepStrictEqual(await Array.fromAsync(Deno.readDir(cache)), []);
  });
});

for (const name of ["with spaces", `it's "quoted" $HOME`, "机器人 服务", "100%20#?&"]) {
  const onlyPosix = /["?]/.test(name);
  Deno.test({
    name: `the binary starts from a path like ${JSON.stringify(name)}`,
    ignore: !IS_BINARY || (IS_WINDOWS && onlyPosix),
  }, async () => {
    verifies("binary-anywhere");
    await inFolder(async ({ binary, top }) => {
      const folder = join(top, name);
      await Deno.mkdir(folder);
      await Deno.rename(binary, join(folder, name));
      await startsInBothModes((args) => ({ command: join(folder, name), args: streamDir(folder, args), cwd: folder }));
    });
  });
}

Deno.test({
  name: "the binary starts through a chain of links, also relative to the working directory",
  ignore: !IS_BINARY || IS_WINDOWS,
}, async () => {
  verifies("binary-anywhere");
  await inFolder(async ({ top }) => {
    await Deno.symlink("snowluma-mcp", join(top, "first"));
    await Deno.mkdir(join(top, "bin"));
    await Deno.symlink("../first", join(top, "bin", "second"));
    for (const command of [join(top, "bin", "second"), "./bin/second"]) {
      await startsInBothModes((args) => ({
        command: "/bin/sh", // looks for relative commands in its own working directory
        args: ["-c", 'exec env -i "$@"', "sh", command, ...streamDir(top, args)],
        cwd: top,
      }));
    }
  });
});

Deno.test({ name: "the binary starts by its name alone, from PATH", ignore: !IS_BINARY || IS_WINDOWS }, async () => {
  verifies("binary-anywhere");
  await inFolder(({ top }) =>
    startsInBothModes((args) => ({
      command: "/bin/sh",
      args: ["-c", 'exec snowluma-mcp "$@"', "sh", ...streamDir(top, args)],
      env: { PATH: top },
      cwd: "/",
    }))
  );
});

Deno.test({
  name: "the binary starts as another user from folders that nobody may write to",
  ignore: !IS_BINARY || !CAN_BE_NOBODY,
}, async () => {
  verifies("binary-anywhere");
  await inFolder(async ({ binary, top }) => {
    await Deno.chmod(binary, 0o555);
    const home = join(top, "home");
    await Deno.mkdir(home);
    for (const folder of [home, top]) await Deno.chmod(folder, 0o555);
    const [command = "", ...options] = AS_NOBODY;
    const env = { TMPDIR: home, HOME: home };
    // the default download folder would lie in TMPDIR: without it there are no downloads, and everything else goes
    await startsInBothModes((args) => ({ command, args: [...options, binary, ...args], env, cwd: home }));
    deepStrictEqual(await Array.fromAsync(Deno.readDir(home)), []);
  });
});

Deno.test({ name: "the binary starts without any network", ignore: !IS_BINARY || !CAN_LEAVE_NETWORK }, async () => {
  verifies("binary-anywhere");
  await inFolder(({ binary, top }) =>
    startsInBothModes((args) => ({ command: "unshare", args: ["--net", binary, ...streamDir(top, args)] }))
  );
});

Deno.test({ name: "the binary starts from a read-only file system", ignore: !IS_BINARY || !CAN_MOUNT }, async () => {
  verifies("binary-anywhere");
  const script = 'set -e; mount --bind "$TOP" "$TOP"; mount -o remount,bind,ro "$TOP"; cd "$TOP"; ' +
    '! touch x 2>/dev/null; exec env -i TMPDIR="$TOP" HOME="$TOP" "$@"';
  await inFolder(({ binary, top }) =>
    startsInBothModes((args) => ({
      command: "unshare",
      args: ["--mount", "sh", "-c", script, "sh", binary, ...args],
      env: { TOP: top, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    }))
  );
});

for (
  const [what, make] of [
    ["no /tmp", ":"],
    ["a full /tmp", "mkdir -p tmp; mount -t tmpfs -o size=4k none tmp; head -c 4096 /dev/zero > tmp/x"],
  ] as const
) {
  Deno.test({
    name: `the binary starts in a system with ${what} and nothing beyond its own libraries`,
    ignore: !IS_BINARY || !CAN_MOUNT,
  }, async () => {
    verifies("binary-anywhere", "binary-own-code");
    const script = `set -e; cd "$TOP"; for each in lib lib64 usr proc; do [ ! -d /$each ] || ` +
      `{ mkdir -p $each; mount --rbind /$each $each; }; done; ${make}; ! echo more 2>/dev/null > tmp/y; ` +
      'exec chroot . /usr/bin/env -i /snowluma-mcp "$@"';
    await inFolder(({ top }) =>
      startsInBothModes((args) => ({
        command: "unshare",
        args: ["--mount", "sh", "-c", script, "sh", ...args],
        env: { TOP: top, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      }))
    );
  });
}
