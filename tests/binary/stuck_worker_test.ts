/** What the launcher does with a worker that is stuck. */
import { join } from "@std/path";
import { deepStrictEqual, ok } from "node:assert/strict";
import { compileProgram } from "../../release/compile.ts";
import { findTarget } from "../../release/targets.ts";
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { spawnAlone } from "../support/launched.ts";

Deno.test({
  name: "a binary whose worker does not answer ends with 1 about 5 s after a signal",
  ignore: !IS_BINARY || Deno.build.os === "windows",
}, async () => {
  verifies("sandbox-border");
  const folder = await Deno.makeTempDir({ prefix: "snowluma-stuck-" });
  try {
    const binary = join(folder, "stuck");
    const entries = { main: "main_binary.ts", worker: "tests/support/deaf_worker.ts" };
    await compileProgram(findTarget(Deno.build.target), binary, entries);
    const child = spawnAlone({ command: binary, args: ["--endpoint=http://127.0.0.1:9/"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 1500)); // the worker stands
    const start = performance.now();
    child.kill("SIGTERM");
    const { code, signal } = await child.status;
    const ms = performance.now() - start;
    clearTimeout(timer);
    await Promise.all([child.stdin.close().catch(() => {}), child.stdout.cancel(), child.stderr.cancel()]);
    deepStrictEqual([code, signal], [1, null]);
    ok(ms > 4500 && ms < 10_000, `${Math.round(ms)} ms`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
