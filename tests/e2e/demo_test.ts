/** The demo as README gives it: the task, its grants, its transcript. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fromFileUrl } from "@std/path";
import { verifies } from "../requirements.ts";
import { NEEDS_BINARY, NEEDS_SOURCE } from "../support/binary.ts";
import { runCommand } from "./support.ts";

/** What the issue of the demo promises, in milliseconds. */
const LIMIT_MS = 15_000;

Deno.test({
  name: "deno task demo exits 0 in time, having shown each step and its proof",
  ...NEEDS_SOURCE,
}, async () => {
  verifies("demo", "demo-agent");
  const start = performance.now();
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "demo"],
    cwd: fromFileUrl(new URL("../../", import.meta.url)),
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stderr: "null",
  }).output();
  const transcript = new TextDecoder().decode(stdout);
  strictEqual(code, 0, transcript);
  ok(performance.now() - start < LIMIT_MS);
  for (
    const step of [
      "the best match is set_group_ban",
      "user_id is required",
      "the call is not valid",
      "the bot lists its groups",
      "refused, and nothing was sent",
      "the bot took it",
      "the text stayed literal",
      "the outcome is unknown, not failed",
      "it was sent once and not again",
      "the message had arrived",
      "somebody else answered",
      "the answer quotes the question",
      "nothing newer has come",
      "the connection is closed",
      "it stayed in the folder",
      "the handle came at once",
      "the upload is under way",
      "what was completed kept its result",
      "the outcome is told as unknown",
      "nothing was sent again",
    ]
  ) {
    match(transcript, new RegExp(`^✓ ${step}`, "m"));
  }
  match(transcript, /Every step did what it says\.\n$/);
});

Deno.test(
  { name: "the demo fails with code 1 and says where when a step does not hold", ...NEEDS_SOURCE },
  async () => {
    verifies("demo");
    const main = fromFileUrl(new URL("../../main.ts", import.meta.url));
    // without the grant to run a server, the first step cannot be done
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-net=127.0.0.1", "--allow-env", main, "demo"],
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
      stdin: "null",
      stderr: "null",
    }).output();
    strictEqual(code, 1);
    match(new TextDecoder().decode(stdout), /The demo stopped: /);
  },
);

Deno.test({ name: "the binary has no demo, and says where there is one", ...NEEDS_BINARY }, async () => {
  verifies("demo");
  const { code, stdout, stderr } = await runCommand(["demo"]);
  deepStrictEqual([code, stdout], [2, ""]);
  strictEqual(stderr, "snowluma-mcp: The binary has no demo: run `deno task demo` in a checkout.\n");
});
