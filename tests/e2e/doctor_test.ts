/** doctor: settings with their sources, and whether the bot answers; never the token. */
import { ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { ServerOptions } from "../support/server_process.ts";
import { deadEndpoint, type Finished, runCommand } from "./support.ts";

const TOKEN = "tok_TEST+/=1";

async function doctor(options: ServerOptions = {}): Promise<Finished> {
  const finished = await runCommand(["doctor", ...options.args ?? []], options);
  for (const secret of [TOKEN, encodeURIComponent(TOKEN)]) {
    ok(!finished.stdout.includes(secret) && !finished.stderr.includes(secret), "the token is shown");
  }
  return finished;
}

/** What a sandboxed server may not do, by the kind of permission: nothing of it is listed as not refused. */
const FORBIDDEN = [
  "read a folder: refused",
  "write to a folder: refused",
  "connect to an address: refused",
  "read the variable PATH: refused",
  "start a program: refused",
  "ask for the host's name: refused",
];

/** The lines of the report's part on the sandbox, with what differs from machine to machine left out. */
function sandboxOf(stdout: string): string[] {
  const [, part = ""] = /\nSandbox\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  return part.split("\n").map((line) =>
    line.trim().replace(/ {2,}/, ": ").replace(/^(read|write to) \S*[\\/]\S*?:/, "$1 a folder:")
      .replace(/^connect to \S+:\d+:/, "connect to an address:")
  );
}

Deno.test("doctor exits 0 and shows settings, sources and account of a bot that answers", async () => {
  verifies("doctor", "no-token", "sandbox-quiet");
  await using bot = await startSimulator({ token: TOKEN });
  const env = { SNOWLUMA_MCP_TOKEN: TOKEN, SNOWLUMA_MCP_LANG: "zh" };
  const { code, stdout, stderr } = await doctor({ args: ["--endpoint", bot.url], env });
  strictEqual(code, 0, stdout + stderr);
  strictEqual(stderr, "");
  for (
    const row of [
      `ENDPOINT +${bot.url} \\(flag\\)`,
      "TOKEN +set, not shown \\(environment\\)",
      "LANG +zh \\(environment\\)",
    ]
  ) {
    ok(new RegExp(`SNOWLUMA_MCP_${row}`).test(stdout), `${row} is not in ${stdout}`);
  }
  ok(/MODE +read \(default\)/.test(stdout), stdout);
  ok(stdout.includes("user_id=10001") && stdout.includes("online=true"), stdout);
  ok(stdout.includes("No problem found."), stdout);
  strictEqual(sandboxOf(stdout).join("\n"), FORBIDDEN.join("\n"));
  for (const { headers, method } of bot.requests) {
    strictEqual(headers.authorization, `Bearer ${TOKEN}`);
    strictEqual(method, "POST");
  }
});

Deno.test("doctor exits 1 and names the setting when nothing listens", async () => {
  verifies("doctor", "no-token");
  const env = { SNOWLUMA_MCP_TOKEN: TOKEN };
  const { code, stdout } = await doctor({ args: ["--endpoint", deadEndpoint()], env });
  strictEqual(code, 1);
  ok(
    stdout.includes("Problem:") && stdout.includes("SNOWLUMA_MCP_ENDPOINT") && stdout.includes("ECONNREFUSED"),
    stdout,
  );
  ok(!stdout.includes("No problem found"), stdout);
});

Deno.test("doctor exits 1 and names the setting when the token is wrong or missing", async () => {
  verifies("doctor", "auth", "no-token");
  await using bot = await startSimulator({ token: "the-right-token" });
  for (const env of [{ SNOWLUMA_MCP_TOKEN: TOKEN }, { SNOWLUMA_MCP_TOKEN: "" }]) {
    const { code, stdout } = await doctor({ args: ["--endpoint", bot.url], env });
    strictEqual(code, 1);
    ok(/Problem: .*1401/.test(stdout) && stdout.includes("SNOWLUMA_MCP_TOKEN"), stdout);
    ok(!stdout.includes("the-right-token"));
  }
});

Deno.test("doctor exits 1 when the bot echoes the token in what it says, and still does not show it", async () => {
  verifies("doctor", "no-token");
  await using bot = await startSimulator();
  const envelope = { status: "failed", retcode: 100, data: null, wording: `bad ${TOKEN} ${encodeURIComponent(TOKEN)}` };
  bot.script({ kind: "envelope", envelope, times: Infinity });
  const { code, stdout } = await doctor({ args: ["--endpoint", bot.url], env: { SNOWLUMA_MCP_TOKEN: TOKEN } });
  strictEqual(code, 1);
  ok(stdout.includes("[redacted]"), stdout);
});

Deno.test("doctor exits 1 when the account is offline, and shows text of the bot as one harmless line", async () => {
  verifies("doctor");
  await using bot = await startSimulator();
  const nickname = "evil\n\u001b[31mNo problem found.\u202e";
  bot.script(
    {
      kind: "envelope",
      action: "get_status",
      envelope: { status: "ok", retcode: 0, data: { online: false, good: true } },
    },
    {
      kind: "envelope",
      action: "get_login_info",
      envelope: { status: "ok", retcode: 0, data: { user_id: 1, nickname } },
    },
  );
  const { code, stdout } = await doctor({ args: ["--endpoint", bot.url] });
  strictEqual(code, 1);
  ok(stdout.includes("offline"), stdout);
  ok(
    !/[\p{Cf}\p{Cc}]/u.test(stdout.replaceAll("\n", "")) && !stdout.split("\n").includes("No problem found."),
    JSON.stringify(stdout),
  );
});

Deno.test("doctor exits 1 for a mode that cannot hold, and notes a token that is too short", async () => {
  verifies("doctor", "config-docs");
  const docs = await doctor({ args: ["--mode", "write"] });
  strictEqual(docs.code, 1);
  ok(docs.stdout.includes("Problem: No endpoint is set"), docs.stdout);
  const short = await doctor({ args: ["--endpoint", "simulator"], env: { SNOWLUMA_MCP_TOKEN: "abc" } });
  strictEqual(short.code, 0); // it works all the same
  ok(short.stdout.includes("Note: A token of fewer than 8 characters"), short.stdout);
  const events = { SNOWLUMA_MCP_TOKEN: TOKEN, SNOWLUMA_MCP_EVENTS_TOKEN: "abc" };
  const { stdout } = await doctor({ args: ["--endpoint", "simulator"], env: events });
  ok(stdout.includes("Note: A token of fewer than 8 characters"), stdout);
});

Deno.test("doctor exits 0 in docs mode, without contacting anything", async () => {
  verifies("doctor", "events-url", "sandbox-docs");
  const env = { SNOWLUMA_MCP_ENDPOINT: deadEndpoint(), SNOWLUMA_MCP_EVENTS_URL: "ws://127.0.0.1:9/" };
  for (const args of [[], ["--mode", "docs"]]) {
    const grants = ["--allow-env=SNOWLUMA_MCP_*"];
    const { code, stdout } = await doctor({ args, grants, ...(args.length > 0 && { env }) });
    strictEqual(code, 0, stdout);
    strictEqual(stdout.split("not contacted").length, 3, stdout);
    ok(stdout.includes("179 actions"), stdout);
    strictEqual(sandboxOf(stdout).join("\n"), FORBIDDEN.join("\n"));
  }
});

Deno.test("doctor tells its reader what to check, without sending anybody to doctor", async () => {
  verifies("doctor");
  const { code, stdout } = await doctor({ args: ["--endpoint", deadEndpoint()] });
  strictEqual(code, 1);
  ok(stdout.includes("Start the bot, or check SNOWLUMA_MCP_ENDPOINT.\n"), stdout);
  ok(!/ask the operator|doctor command/.test(stdout), stdout);
});

Deno.test("doctor exits 2 for a setting it cannot read", async () => {
  verifies("doctor", "config-invalid");
  const { code, stdout, stderr } = await doctor({ args: ["--mode", "admin"] });
  strictEqual(code, 2);
  strictEqual(stdout, "");
  ok(stderr.includes('"admin"'), stderr);
});
