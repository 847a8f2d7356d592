/** What the binary reads from and writes to: its end comes in time, and quietly, whatever these are. */
import { toText } from "@std/streams";
import { join } from "@std/path";
import { deepStrictEqual, doesNotMatch, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY, NEEDS_BINARY } from "../support/binary.ts";
import { ASK_FOR_TOOLS, can, launch, spawnAlone } from "../support/launched.ts";

const IS_POSIX = Deno.build.os !== "windows";
/** From the end of input, or of who reads the output, to that of the process; start-up included, in milliseconds. */
const PROMISED_MS = 2000;
/** Longest life of a child, in milliseconds: what takes so long has failed. */
const PATIENCE_MS = 20_000;
/** Both ways to serve: in the process itself, and in a worker. */
const WAYS: Readonly<Record<string, readonly string[]>> = { docs: [], read: ["--endpoint=simulator"] };

/** A shell that starts the binary under these redirections; what it writes to its own standard error is seen. */
function underShell(redirections: string, args: readonly string[], input?: string) {
  const script = `exec "$@" ${redirections}`;
  return launch({ command: "/bin/sh", args: ["-c", script, "sh", BINARY, ...args] }, input);
}

function isTools(stdout: string): void {
  const answers = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  deepStrictEqual(answers.map(({ id }) => id), [1, 2]);
  ok(answers[1].result.tools.length > 5);
}

for (const [mode, args] of Object.entries(WAYS)) {
  Deno.test(
    { name: `${mode} mode ends with code 0 when its input is at its end at once`, ...NEEDS_BINARY },
    async () => {
      verifies("binary-streams", "sandbox-border");
      const { code, stdout, stderr, ms } = await launch({ command: BINARY, args }, "");
      deepStrictEqual([code, stdout, stderr], [0, "", ""]);
      ok(ms < PROMISED_MS, `it took ${Math.round(ms)} ms`);
    },
  );

  Deno.test({
    name: `${mode} mode reads from nothing, a closed input, a file and a pipe`,
    ignore: !IS_BINARY || !IS_POSIX,
  }, async () => {
    verifies("binary-streams", "sandbox-border");
    for (const from of ["< /dev/null", "<&-"]) {
      const { code, signal, stdout, stderr, ms } = await underShell(from, args, "");
      deepStrictEqual([code, signal, stdout, stderr], [0, null, "", ""], from);
      ok(ms < PROMISED_MS, `${from}: it took ${Math.round(ms)} ms`);
    }
    const folder = await Deno.makeTempDir({ prefix: "snowluma-streams-" });
    try {
      const [input, output] = [join(folder, "in"), join(folder, "out")];
      await Deno.writeTextFile(input, ASK_FOR_TOOLS);
      const { code, stderr } = await underShell(`< ${input} > ${output}`, args, "");
      deepStrictEqual([code, stderr], [0, ""]);
      isTools(await Deno.readTextFile(output));
      const { stdout } = await underShell("| cat", args);
      isTools(stdout);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  Deno.test(
    { name: `${mode} mode ends by itself when nobody reads its answers any more`, ...NEEDS_BINARY },
    async () => {
      verifies("binary-streams", "sandbox-border");
      const child = spawnAlone({ command: BINARY, args });
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      const stderr = toText(child.stderr);
      const input = child.stdin.getWriter();
      const output = child.stdout.getReader();
      const ask = (id: number): string =>
        `${
          JSON.stringify({ jsonrpc: "2.0", id, method: "resources/read", params: { uri: "snowluma://onebot/actions" } })
        }\n`;
      // each answer has some 300 KB, and a pipe holds 64 KiB
      const questions = Array.from({ length: 5 }, (_, index) => ask(index + 10)).join("");
      await input.write(new TextEncoder().encode(ASK_FOR_TOOLS + questions));
      await output.read(); // it is at work
      const start = performance.now();
      await output.cancel();
      const { code, signal } = await child.status; // its input stays open
      const ms = performance.now() - start;
      clearTimeout(timer);
      await input.close().catch(() => {});
      const said = await stderr;
      deepStrictEqual([code, signal], [0, null], said);
      ok(ms < PROMISED_MS, `it took ${Math.round(ms)} ms`);
      doesNotMatch(said, /^\s+at |panicked|Uncaught/m);
      const lines = said.split("\n").filter((line) => line !== "" && !line.startsWith("info: "));
      ok(lines.length <= 1, said);
    },
  );

  Deno.test({
    name: `${mode} mode serves with standard error closed, and ends with code 0 when standard output is`,
    ignore: !IS_BINARY || !IS_POSIX,
  }, async () => {
    verifies("binary-streams");
    const unheard = await underShell("2>&-", args);
    strictEqual(unheard.code, 0);
    isTools(unheard.stdout);
    const full = await underShell(">&-", args);
    deepStrictEqual([full.code, full.signal], [0, null], full.stderr);
    doesNotMatch(full.stderr, /^\s+at |panicked|Uncaught/m);
  });

  Deno.test({
    name: `${mode} mode serves over a pair of sockets, as clients on Node.js give them`,
    ignore: !IS_BINARY || !IS_POSIX || !await can("node", "--version"),
  }, async () => {
    verifies("binary-streams");
    const script = 'const [, command, ...args] = process.argv, { readlinkSync } = require("node:fs");' +
      'const child = require("node:child_process").spawn(command, args, { env: {}, stdio: ["pipe", "pipe", "inherit"] });' +
      'if (process.platform === "linux") process.stderr.write(readlinkSync(`/proc/${child.pid}/fd/1`).slice(0, 7) + "\\n");' +
      "process.stdin.pipe(child.stdin); child.stdout.pipe(process.stdout);" +
      'child.on("exit", (code, signal) => process.exitCode = signal ? 99 : code);';
    const env = { PATH: Deno.env.get("PATH") ?? "" };
    const { code, stdout, stderr } = await launch({
      command: "node",
      args: ["-e", script, "--", BINARY, ...args],
      env,
    });
    strictEqual(code, 0, stderr);
    if (Deno.build.os === "linux") strictEqual(stderr, "socket:\n");
    isTools(stdout);
  });
}
