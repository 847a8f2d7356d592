/** Everything that is not on the list, tried from inside of a binary: in its worker, and in docs mode in its only thread. */
import { match, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { toText } from "@std/streams";
import { checkIntrusion, INTRUDED_MODES } from "../e2e/sandbox_intrusion.ts";
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { CARRIER, CONTROLS, pack, reportIn } from "../support/intruder.ts";
import { launch } from "../support/launched.ts";

const ENTRIES = { main: "tests/support/intruder_main.ts", worker: "tests/support/intruder_worker.ts" };

/** What Deno 2.7 does in binaries, where others may refuse, as `deno run` does. */
const DIFFERS = {
  // It is read without asking. The program computes no path of a module, which a test of the sources holds.
  "import a file": "done",
  // Nothing is fetched: only what was compiled in can be found.
  "import from a code host": "ERR_MODULE_NOT_FOUND",
  "import from elsewhere": "ERR_MODULE_NOT_FOUND",
  // Somebody listens there, whom no connection reaches: so the runtime calls its own refusal.
  "connect elsewhere by node:net": "ECONNREFUSED",
};

Deno.test({
  name: "a binary refuses an intruder all but what the mode needs",
  ignore: !IS_BINARY || Deno.build.os === "windows",
}, async (t) => {
  verifies("sandbox-refuses", "sandbox-worker", "sandbox-docs", "sandbox-links");
  const { compileProgram } = await import("../../release/compile.ts");
  const { binaryName, findTarget } = await import("../../release/targets.ts");
  const folder = await Deno.makeTempDir({ prefix: "sandbox_test_" });
  try {
    const target = findTarget(Deno.build.target);
    const binary = join(folder, binaryName(target));
    await compileProgram(target, binary, ENTRIES);
    const { stdout: version } = await launch({ command: binary, args: ["--version"] }, "");
    const start = () => Promise.resolve({ command: binary });
    for (const mode of INTRUDED_MODES) {
      await t.step(`in ${mode} mode`, async () => {
        const { stderr } = await checkIntrusion(mode, start, { differs: DIFFERS });
        if (!version.includes("Deno 2.7.")) return;
        const report = reportIn(stderr);
        for (const [what, how] of Object.entries(DIFFERS)) {
          strictEqual(report[what], how, "a comment here is out of date");
        }
      });
    }
    await t.step("in the simulated bot, which has loopback alone", async () => {
      verifies("sandbox-border");
      const nowhere = { top: folder, uploads: folder, downloads: folder, tasks: folder, bot: 9, elsewhere: 9 };
      const child = new Deno.Command(binary, {
        args: ["simulator"],
        env: { [CARRIER]: pack(nowhere) },
        clearEnv: true,
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const [stderr, output] = [toText(child.stderr), child.stdout.getReader()];
      await output.read(); // the address, which comes after the intruder
      child.kill("SIGTERM");
      strictEqual((await child.status).code, 0, await stderr);
      await output.cancel();
      const report = reportIn(await stderr);
      strictEqual(report["listen"], "done");
      for (
        const what of [
          "listen on every address",
          "connect to the bot as localhost",
          "read /etc/passwd",
          CONTROLS.download,
        ]
      ) {
        strictEqual(report[what], "NotCapable", what);
      }
    });
    for (const fails of ["error", "rejection"] as const) {
      await t.step(`and ends with 1 at its uncaught ${fails}`, async () => {
        const { code, stderr } = await checkIntrusion("write", start, { differs: DIFFERS, fails });
        strictEqual(code, 1);
        match(stderr, /by the intruder/);
      });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
