/** What the binary says it was made of. */
import { fromFileUrl } from "@std/path";
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { verifies } from "../requirements.ts";
import { BINARY, NEEDS_BINARY } from "../support/binary.ts";
import { launch } from "../support/launched.ts";

const ROOT = fromFileUrl(new URL("../../", import.meta.url));

Deno.test({ name: "--version names version, commit, Deno and V8 of the binary", ...NEEDS_BINARY }, async () => {
  verifies("binary-version");
  const { code, stdout, stderr } = await launch({ command: BINARY, args: ["--version"] }, "");
  deepStrictEqual([code, stderr], [0, ""]);
  const [, version, commit, deno, v8 = ""] =
    /^snowluma-mcp (\S+) \(commit (\S+), Deno (\S+), V8 (\S+)\)\n$/.exec(stdout) ?? [];
  strictEqual(version, config.version, stdout);
  strictEqual(commit, await described());
  // the runtime that was embedded, which need not be this one
  const wanted = Deno.env.get("DENO_VERSION") ?? Deno.version.deno;
  strictEqual(deno, wanted);
  if (wanted === Deno.version.deno) strictEqual(v8, Deno.version.v8);
  else match(v8, /^\d+(\.\d+){3}\S*$/);
});

/** The commit of this checkout, as the task that has just built the binary saw it. */
async function described(): Promise<string> {
  const args = ["describe", "--always", "--dirty", "--exclude=*"];
  const { stdout } = await new Deno.Command("git", { args, cwd: ROOT }).output();
  return new TextDecoder().decode(stdout).trim();
}
