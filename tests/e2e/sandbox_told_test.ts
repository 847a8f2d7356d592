/** What get_runtime_info tells of the sandbox, and what doctor finds when it tries. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { dirname } from "@std/path";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY, NEEDS_SOURCE } from "../support/binary.ts";
import { ASK_FOR_TOOLS, launch } from "../support/launched.ts";
import type { Message } from "../support/server_process.ts";
import { flagsFor, makeSandboxFolders, program, writeEnv } from "./sandbox_support.ts";
import { list } from "./transfer_support.ts";

const [CALLS, EVENTS] = ["http://127.0.0.1:9/", "ws://localhost:8/"]; // nobody is contacted
const KINDS = ["read", "write", "net", "env", "run", "sys", "ffi"];
const NOTHING = { enforced: true, read: [], write: [], net: 0 };
const DOCTOR = [
  "read",
  "write to",
  "connect to 127.0.0.2:9",
  "read the variable PATH",
  "start a program",
  "ask for the host's name",
];

/** The whole answer of get_runtime_info, of a server with these flags. */
async function info(env: Record<string, string>, flags: readonly string[]): Promise<Message> {
  const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "get_runtime_info", arguments: {} } };
  const { code, stdout, stderr } = await launch(program([], env, flags), `${ASK_FOR_TOOLS}${JSON.stringify(call)}\n`);
  strictEqual(code, 0, stderr);
  const answers = stdout.trimEnd().split("\n").map((line) => JSON.parse(line) as Message);
  return answers.find(({ id }) => id === 3)?.result;
}

Deno.test("get_runtime_info shows folders as paths and hosts as a count, in every mode", async (t) => {
  verifies("sandbox-told", "sandbox-docs", "sandbox-worker");
  await using folders = await makeSandboxFolders();
  const { uploads, downloads, tasks } = folders;
  const env = writeEnv(folders, CALLS, EVENTS);
  const modes = {
    docs: NOTHING,
    read: { ...NOTHING, net: 2 },
    write: { enforced: true, read: [downloads, uploads, tasks], write: [downloads, tasks], net: 2 },
  };
  for (const [mode, sandbox] of Object.entries(modes)) {
    await t.step(mode, async () => {
      const settings = { ...env, SNOWLUMA_MCP_MODE: mode };
      const answer = await info(settings, await flagsFor(settings));
      deepStrictEqual(answer.structuredContent.result.sandbox, sandbox);
      const text = JSON.stringify(answer);
      for (const address of ["127.0.0.1", "localhost:8", ":9/"]) ok(!text.includes(address), "an endpoint");
    });
  }
});

Deno.test({ name: "get_runtime_info says plainly what was given as a whole", ...NEEDS_SOURCE }, async (t) => {
  verifies("sandbox-told");
  await using folders = await makeSandboxFolders();
  const { uploads, downloads, tasks } = folders;
  const env = writeEnv(folders, CALLS, EVENTS);
  const exact = await flagsFor(env);
  const wide = (kind: string) => [...exact.filter((flag) => !flag.startsWith(`--allow-${kind}=`)), `--allow-${kind}`];
  const cases: ReadonlyArray<readonly [string, readonly string[], readonly string[]]> = [
    ...["read", "write", "net", "env"].map((kind) => [kind, wide(kind), [kind]] as const),
    ["the root folder", [...exact, "--allow-read=/"], ["read"]],
    ["sys beside the list", [...exact, "--allow-sys"], ["sys"]],
    ["all", ["--no-prompt", "-A"], KINDS],
  ];
  for (const [name, flags, unlimited] of cases) {
    await t.step(name, async () => {
      const { sandbox } = (await info(env, flags)).structuredContent.result;
      const { note, ...rest } = sandbox;
      const [read, write] = [[downloads, uploads, tasks], [downloads, tasks]];
      deepStrictEqual(rest, { enforced: false, read, write, net: 2, unlimited });
      match(note, /^This server runs without a sandbox: .*snowluma-mcp permissions/);
      ok(note.includes(`all of ${unlimited.join(", ")}.`), note);
    });
  }
  await t.step("in docs mode all is dropped, whatever was given", async () => {
    const answer = await info({ SNOWLUMA_MCP_MODE: "docs" }, ["--no-prompt", "-A"]);
    deepStrictEqual(answer.structuredContent.result.sandbox, NOTHING);
  });
});

Deno.test("doctor tries what is forbidden, and all of it is refused", async (t) => {
  verifies("sandbox-quiet", "sandbox-refuses", "doctor");
  await using folders = await makeSandboxFolders();
  await using simulator = await startSimulator({ wsPort: 0 });
  for (const mode of ["docs", "read", "write"]) {
    await t.step(mode, async () => {
      const env = { ...writeEnv(folders, simulator.url, simulator.wsUrl), SNOWLUMA_MCP_MODE: mode };
      const { code, stdout } = await launch(program(["doctor"], env, await flagsFor(env)), "");
      const part = /\nSandbox\n(.*?)\n\n/s.exec(stdout)?.[1]?.split("\n") ?? [];
      strictEqual(part.length, DOCTOR.length, stdout);
      for (const [index, line] of part.entries()) {
        ok(line.startsWith(`  ${DOCTOR[index]}`) && line.endsWith("  refused"), line);
      }
      ok(!stdout.includes("without a sandbox"));
      deepStrictEqual([code, /No problem found\.\n$/.test(stdout)], [0, true], stdout);
    });
  }
});

Deno.test(
  { name: "doctor under wide grants says what was not refused, and leaves nothing behind", ...NEEDS_SOURCE },
  async () => {
    verifies("sandbox-quiet", "sandbox-told", "doctor");
    await using folders = await makeSandboxFolders();
    await using simulator = await startSimulator({ wsPort: 0 });
    const place = dirname(IS_BINARY ? BINARY : Deno.execPath());
    const before = await list(place);
    const env = writeEnv(folders, simulator.url, simulator.wsUrl);
    const { code, stdout } = await launch(program(["doctor"], env, ["--no-prompt", "-A"]), "");
    const part = /\nSandbox\n(.*?)\n\n/s.exec(stdout)?.[1] ?? "";
    strictEqual(part.match(/ {2}NOT REFUSED$/gm)?.length, DOCTOR.length, stdout);
    match(stdout, /\nNote: The server runs without a sandbox, .*snowluma-mcp permissions/);
    strictEqual(code, 0);
    deepStrictEqual(await list(place), before);
  },
);
