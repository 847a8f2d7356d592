/** Commands for people: what they print is out, or they say that it is not; and signals end them. */
import { ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { GRANTS, serverCommand } from "../support/server_process.ts";

/** Runs a command line with its output led by a shell. */
async function runInto(redirection: string, args: readonly string[]): Promise<number> {
  const { command, args: words, env } = serverCommand({ args });
  const script = `"$0" "$@" ${redirection}`;
  const { code } = await new Deno.Command("sh", {
    args: ["-c", script, command, ...words],
    env,
    clearEnv: true,
    stdin: "null",
    stderr: "null",
    stdout: "null",
  }).output();
  return code;
}

Deno.test({
  name: "a command whose output is lost on a full disk exits 1, and one whose reader has gone 0",
  ignore: Deno.build.os !== "linux", // no /dev/full elsewhere
}, async (t) => {
  verifies("cli-usage");
  for (const args of [["--version"], ["--help"], ["permissions"], ["init", "cursor"], ["doctor"]]) {
    await t.step(args.join(" "), async () => {
      strictEqual(await runInto(">/dev/full", args), 1);
      strictEqual(await runInto("2>/dev/full >/dev/null", args), 0);
    });
  }
  strictEqual(await runInto("| :", ["--help"]), 0);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test({
    name: `doctor ends at ${signal}, also while a bot lets it wait`,
    ignore: Deno.build.os === "windows",
  }, async () => {
    verifies("sandbox-border");
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const endpoint = `http://127.0.0.1:${listener.addr.port}/`;
    const { command, args, env } = serverCommand({ args: ["doctor", "--endpoint", endpoint], grants: GRANTS });
    const child = new Deno.Command(command, {
      args,
      env,
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    })
      .spawn();
    using _asked = await listener.accept();
    const start = performance.now();
    child.kill(signal);
    const { code } = await child.status;
    ok(code !== 0, "it has not found out anything");
    ok(performance.now() - start < 2000);
  });
}
