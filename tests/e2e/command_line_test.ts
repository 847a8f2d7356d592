/** The command line: what it answers and what it refuses. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { verifies } from "../requirements.ts";
import { IS_BINARY } from "../support/binary.ts";
import { GRANTS } from "../support/server_process.ts";
import { runCommand } from "./support.ts";

const SECRET = "hunter2secret";
const COMMANDS = "serve, demo, simulator, doctor, init, permissions, help, version";

async function refusal(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args);
  strictEqual(code, 2, stderr);
  strictEqual(stdout, "");
  strictEqual(stderr.split("\n").length, 2, `not one line: ${stderr}`);
  return stderr;
}

Deno.test("--version and version print name, version, where it was made of, and the runtime", async () => {
  verifies("cli-usage", "binary-version");
  for (const args of [["--version"], ["version"], ["doctor", "--version"], ["--mode", "read", "--version"]]) {
    const { code, stdout, stderr } = await runCommand(args);
    deepStrictEqual([code, stderr], [0, ""]);
    const begin = `snowluma-mcp ${config.version} (`;
    ok(stdout.startsWith(begin), stdout);
    const rest = stdout.slice(begin.length);
    // the binary's runtime is another program's: tests/binary/version_test.ts knows more of it
    if (IS_BINARY) match(rest, /^commit [0-9a-f]{7,}(-dirty)?, Deno \d+\.\d+\.\d+, V8 \d+(\.\d+)+\S*\)\n$/);
    else strictEqual(rest, `from source, Deno ${Deno.version.deno}, V8 ${Deno.version.v8})\n`);
  }
});

Deno.test("--help and help print every command, setting and flag", async () => {
  verifies("cli-usage");
  const { code, stdout, stderr } = await runCommand(["--help"]);
  deepStrictEqual([code, stderr], [0, ""]);
  deepStrictEqual(await runCommand(["help"]), { code, stdout, stderr });
  for (const command of ["serve", "demo", "simulator", "doctor", "init", "permissions", "help", "version"]) {
    ok(stdout.includes(`\n  ${command} `), command);
  }
  const names = [
    "ENDPOINT",
    "TOKEN",
    "MODE",
    "TIMEOUT_MS",
    "LANG",
    "ALLOW",
    "LOG",
    "EVENTS_URL",
    "EVENTS_TOKEN",
    "TASK_DIR",
  ];
  for (const name of names) {
    ok(stdout.includes(`SNOWLUMA_MCP_${name}`), name);
  }
  const flags = ["endpoint", "mode", "timeout-ms", "lang", "allow", "log", "config", "token-file", "port"];
  for (const flag of [...flags, "events-url", "events-token-file", "task-dir", "ws-port"]) {
    ok(stdout.includes(`--${flag}`), flag);
  }
  ok(!/token VALUE/.test(stdout), "a flag for a token is offered");
});

Deno.test("unknown commands and words are refused with those that are known", async () => {
  verifies("cli-usage");
  for (const command of ["srve", "constructor", "no-such"]) {
    ok((await refusal([command])).endsWith(`Unknown command "${command}": known are ${COMMANDS}.\n`), command);
  }
  // what looks like no command may be a token that went astray
  for (const command of ["__proto__", "Doctor", "serve\nx", SECRET, "a".repeat(21)]) {
    ok((await refusal([command])).endsWith(`Unknown command: known are ${COMMANDS}.\n`), command);
  }
  for (const command of ["doctor", "serve", "demo", "simulator", "permissions", "version", "help"]) {
    const said = await refusal([command, SECRET]);
    ok(said.includes(command) && !said.includes(SECRET), said);
  }
  ok((await refusal(["x".repeat(5000)])).length < 300);
});

Deno.test("unknown flags are refused with the known ones, and without their value", async () => {
  verifies("cli-usage");
  const flags: Array<[flag: string, near: string]> = [
    ["--mdoe", "--mode"],
    ["--endpont", "--endpoint"],
    ["--timeout_ms", "--timeout-ms"],
    ["--tokenfile", "--token-file"],
    ["--hepl", "--help"],
    ["--zzzzzzzzzz", "--help"],
    ["--__proto__", "--help"],
    ["--constructor", "--help"],
    ["--no-mode", "--help"],
  ];
  for (const [flag, near] of flags) {
    const said = await refusal([`${flag}=${SECRET}`]);
    ok(said.includes(flag) && said.includes(near), said);
    ok(!said.includes(SECRET), said);
  }
  ok((await refusal([`--${"x".repeat(5000)}`])).length < 400);
  await refusal(["--two\nlines"]);
  await refusal(["--red\u001b[31m\u009b31m"]).then((said) =>
    ok(!/\p{Cc}(?!$)/u.test(said.trimEnd()), JSON.stringify(said))
  );
});

Deno.test("a token is never accepted as a flag, and its value is not repeated", async () => {
  verifies("config-token-flag", "no-token");
  const ways = [[`--token=${SECRET}`], ["--token", SECRET], ["doctor", "--token", SECRET], [
    "--token",
    SECRET,
    "--version",
  ]];
  for (const args of ways) {
    const said = await refusal(args);
    ok(said.includes("SNOWLUMA_MCP_TOKEN") && said.includes("--token-file"), said);
    ok(!said.includes(SECRET), said);
  }
  const said = await refusal([`--events-token=${SECRET}`]);
  ok(said.includes("SNOWLUMA_MCP_EVENTS_TOKEN") && said.includes("--events-token-file"), said);
  ok(!said.includes(SECRET), said);
});

Deno.test("simulator refuses a port that is no port, and one that is taken", async () => {
  verifies("cli-usage");
  for (const port of ["65536", "-1", "x", "1.5", "99999", "0x50"]) {
    const said = await refusal(["simulator", `--port=${port}`]);
    ok(said.includes("--port") && said.includes(`"${port}"`) && said.includes("65535"), said);
  }
  ok((await refusal(["simulator", "--ws-port=65536"])).includes('--ws-port cannot be "65536"'));
  ok((await refusal(["--ws-port=1"])).includes("--ws-port goes with simulator alone"));
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const said = await refusal(["simulator", "--port", String(listener.addr.port)]);
  ok(said.includes(String(listener.addr.port)) && said.includes("cannot be used"), said);
  const grants = [...GRANTS, "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE"];
  const { code, stdout, stderr } = await runCommand(["simulator", `--ws-port=${listener.addr.port}`], { grants });
  deepStrictEqual([code, stdout], [2, ""]);
  ok(stderr.includes(String(listener.addr.port)) && stderr.includes("cannot be used"), stderr);
});
