import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fromFileUrl } from "@std/path";
import { verifies } from "../../requirements.ts";
import { assertOneRequest } from "./exchange_support.ts";
import { answering, head } from "./raw_peer.ts";

const CHILD = fromFileUrl(new URL("./proxy_child.ts", import.meta.url));
const TOKEN = "tok_PROXY_0123456789";
const VARIABLES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/** Runs a script with every proxy variable set to this address, and all permissions, to give it every chance. */
async function runBehindProxy(script: readonly string[], proxy: string): Promise<{ stdout: string; stderr: string }> {
  const kept = ["PATH", "HOME", "DENO_DIR", "TMPDIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(VARIABLES.map((name) => [name, proxy])),
    NODE_USE_ENV_PROXY: "1",
    DENO_NO_UPDATE_CHECK: "1", // which would ask the proxy too
    NO_COLOR: "1",
  };
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...script],
    clearEnv: true,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  return { stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

Deno.test("post() obeys no proxy variable, not even with all permissions", async () => {
  verifies("no-proxy", "no-token");
  await using proxy = answering(head(5), "proxy");
  await using bot = answering(head(3), "bot");
  const { stdout, stderr } = await runBehindProxy(["run", "--no-prompt", "-A", CHILD, bot.url, TOKEN], proxy.url);
  ok(stdout !== "", stderr);
  deepStrictEqual(JSON.parse(stdout), { status: 200, text: "bot" });
  strictEqual(proxy.connections.length, 0);
  assertOneRequest(bot);
});

Deno.test("the proxy variables of this test do reach what obeys them", async () => {
  await using proxy = answering(head(5), "proxy");
  await using bot = answering(head(3), "bot");
  const script = `console.log(await (await fetch(${JSON.stringify(bot.url)})).text())`;
  const { stdout, stderr } = await runBehindProxy(["eval", script], proxy.url);
  strictEqual(stdout.trim(), "proxy", stderr);
  strictEqual(bot.connections.length, 0);
});
