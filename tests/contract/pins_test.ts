/** What others rely on, frozen as literals: a change here is a change for users, and needs a line in CHANGELOG.md. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { COMMANDS, OTHER_FLAGS } from "../../lib/cli/flags.ts";
import { EXIT } from "../../lib/cli/job.ts";
import { SETTINGS, SIMULATOR } from "../../lib/config/settings.ts";
import { FAILURE_KINDS } from "../../lib/errors.ts";
import { MODES } from "../../lib/policy/gate.ts";
import { MODERN_REVISIONS, NAME, VERSION } from "../../lib/version.ts";
import { V8_FLAGS } from "../../lib/cli/server_command.ts";
import { verifies } from "../requirements.ts";
import { ServerProcess } from "../support/server_process.ts";

const LOCK_URL = new URL("../../deno.lock", import.meta.url);

Deno.test("exit codes are 0, 1 and 2", () => {
  verifies("cli-usage");
  deepStrictEqual(EXIT, { ok: 0, failure: 1, usage: 2 });
});

Deno.test("the kinds of failures keep their names", () => {
  verifies("result-shape");
  deepStrictEqual(Object.keys(FAILURE_KINDS), [
    "invalid_arguments",
    "invalid_params",
    "unknown_action",
    "mode",
    "risk",
    "input_file",
    "not_configured",
    "input",
    "busy",
    "connect",
    "timeout",
    "cut",
    "cancelled",
    "too_large",
    "invalid_answer",
    "storage",
    "quota",
    "account",
    "invalid_event",
    "auth",
    "action_failed",
    "not_confirmed",
    "internal",
  ]);
});

Deno.test("settings keep their variables, flags and keys, and a token has no flag", () => {
  verifies("config-sources", "config-token-flag");
  deepStrictEqual(
    Object.values(SETTINGS).map((spec) => [spec.env, "flag" in spec ? spec.flag : null, spec.key, "secret" in spec]),
    [
      ["SNOWLUMA_MCP_ENDPOINT", "endpoint", "endpoint", false],
      ["SNOWLUMA_MCP_TOKEN", null, "token", true],
      ["SNOWLUMA_MCP_MODE", "mode", "mode", false],
      ["SNOWLUMA_MCP_TIMEOUT_MS", "timeout-ms", "timeout_ms", false],
      ["SNOWLUMA_MCP_LANG", "lang", "lang", false],
      ["SNOWLUMA_MCP_ALLOW", "allow", "allow", false],
      ["SNOWLUMA_MCP_LOG", "log", "log", false],
      ["SNOWLUMA_MCP_STREAM_DIR", "stream-dir", "stream_dir", false],
      ["SNOWLUMA_MCP_UPLOAD_ROOT", "upload-root", "upload_root", false],
      ["SNOWLUMA_MCP_MAX_STREAM_BYTES", "max-stream-bytes", "max_stream_bytes", false],
      ["SNOWLUMA_MCP_EVENTS_URL", "events-url", "events_url", false],
      ["SNOWLUMA_MCP_EVENTS_TOKEN", null, "events_token", true],
      ["SNOWLUMA_MCP_TASK_DIR", "task-dir", "task_dir", false],
    ],
  );
  deepStrictEqual(Object.keys(OTHER_FLAGS), ["config", "port", "ws-port"]);
  deepStrictEqual(Object.keys(COMMANDS), [
    "serve",
    "demo",
    "simulator",
    "doctor",
    "init",
    "permissions",
    "help",
    "version",
  ]);
  deepStrictEqual([MODES, SIMULATOR], [["docs", "read", "write"], "simulator"]);
});

Deno.test("names and revisions are those that clients were told", () => {
  verifies("modern");
  deepStrictEqual([NAME, VERSION, config.name], ["snowluma-mcp", config.version, "@snowluma-deno/mcp"]);
  deepStrictEqual(MODERN_REVISIONS, ["2026-07-28"]);
  ok(`mcp__plugin_snowluma_snowluma__get_runtime_info`.length <= 60);
});

Deno.test("JSON-RPC codes are those of the specifications", async () => {
  verifies("parse-error", "revision-refused", "bad-arguments");
  await using server = new ServerProcess();
  await server.send("{oops\n[]\n");
  await server.initialize();
  const meta = { "io.modelcontextprotocol/protocolVersion": "1999-01-01" };
  const codes = [
    ...server.lines.slice(0, 2).map((line) => JSON.parse(line).error.code),
    (await server.request(1, "no/such")).error.code,
    (await server.call(2, "no_such")).error.code,
    (await server.request(3, "tools/list", { _meta: meta })).error.code,
  ];
  deepStrictEqual(codes, [-32700, -32600, -32601, -32602, -32022]);
});

Deno.test("every dependency is pinned exactly, in deno.json and in the lock file", async () => {
  verifies("pins");
  const lock = JSON.parse(await Deno.readTextFile(LOCK_URL));
  for (const [name, target] of Object.entries(config.imports)) {
    const pinned = /^npm:\/?(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+\/?$/.test(target) || target.startsWith("./lib/");
    ok(pinned, `${name}: ${target}`);
  }
  const direct = Object.values(config.imports).filter((target) => target.startsWith("npm:"))
    .map((target) => target.replace(/^npm:\/?/, "").replace(/\/$/, ""));
  const locked: Record<string, string> = lock.specifiers;
  for (const name of direct) {
    ok(name.endsWith(`@${locked[`npm:${name}`]?.split("_")[0]}`), `${name} is not in the lock`);
  }
  for (const [name, { integrity }] of Object.entries(lock.npm as Record<string, { integrity?: string }>)) {
    ok(integrity?.startsWith("sha512-"), `${name} has no checksum`);
  }
});

Deno.test("the lock file is frozen and names no registry", async () => {
  verifies("pins");
  deepStrictEqual((config as { lock?: unknown }).lock, { frozen: true });
  const text = await Deno.readTextFile(LOCK_URL);
  strictEqual(/https?:\/\//.test(text), false);
});

Deno.test("the compiler is as strict as it was agreed", () => {
  verifies("pins");
  const { strict, noUncheckedIndexedAccess, exactOptionalPropertyTypes, noImplicitOverride } = config.compilerOptions;
  deepStrictEqual(
    [strict, noUncheckedIndexedAccess, exactOptionalPropertyTypes, noImplicitOverride],
    Array(4).fill(true),
  );
  ok(config.lint.rules.include.includes("no-console"));
});

Deno.test("the V8 flags are the same wherever users take them from", async () => {
  verifies("docs-current");
  for (const file of ["README.md", "deno.json"]) {
    const text = await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
    ok(text.includes(V8_FLAGS), `${file} lacks ${V8_FLAGS}`);
    strictEqual(text.split("--v8-flags").length, 2, `${file} has other V8 flags`);
  }
});

Deno.test("README installs exactly what is ours, in this version", async () => {
  verifies("docs-current", "library");
  const text = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const installs = [...text.matchAll(/(?:jsr|npm):@[\w./-]+(?:@[\w.-]+)?/g)].map(([specifier]) => specifier);
  deepStrictEqual(installs, [`jsr:${config.name}@${config.version}`, config.imports["@modelcontextprotocol/client"]]);
});

Deno.test("nothing that users type grants everything, and no task can prompt", async () => {
  verifies("exact-grants");
  for (const file of ["README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "deno.json"]) {
    const text = await Deno.readTextFile(new URL(`../../${file}`, import.meta.url));
    ok(!/(^|\s)-A\b|--allow-all/m.test(text), `${file} grants everything`);
  }
  for (const { command } of Object.values(config.tasks)) {
    for (const part of command.split("&&").filter((part) => /deno (run|test)/.test(part))) {
      ok(part.includes("--no-prompt"), part);
    }
  }
});
