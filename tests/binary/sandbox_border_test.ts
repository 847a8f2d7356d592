/** The border between the binary's main thread and its worker: exit codes, signals, the end of input, and output. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { toText } from "@std/streams";
import { deadEndpoint, runCommand, SilentBot } from "../e2e/support.ts";
import { makeTaskFolders, recordsOf, taskOptions, TaskServer } from "../e2e/task_support.ts";
import { downloadArgs, eventually, heldFile } from "../e2e/transfer_support.ts";
import { verifies } from "../requirements.ts";
import { BINARY, IS_BINARY, NEEDS_BINARY } from "../support/binary.ts";
import { ASK_FOR_TOOLS, launch } from "../support/launched.ts";
import { RawBot } from "../support/raw_bot.ts";
import { ServerProcess } from "../support/server_process.ts";

/** As long as an end may take, in milliseconds. */
const MOST_MS = 2000;
const IS_WINDOWS = Deno.build.os === "windows";
const SIGNALS: readonly Deno.Signal[] = IS_WINDOWS ? [] : ["SIGTERM", "SIGINT", "SIGHUP"];
const READ = { SNOWLUMA_MCP_ENDPOINT: "http://127.0.0.1:9/" }; // nobody is contacted

Deno.test({ name: "a binary ends with 0 at the end of its input, in every mode", ...NEEDS_BINARY }, async () => {
  verifies("sandbox-border");
  await using folders = await makeTaskFolders();
  for (const mode of ["docs", "read", "write"]) {
    const env = { ...READ, SNOWLUMA_MCP_MODE: mode, SNOWLUMA_MCP_STREAM_DIR: folders.downloads };
    const { code, signal, stdout, stderr } = await launch({ command: BINARY, env });
    deepStrictEqual([code, signal, stderr, stdout.split("\n").length], [0, null, "", 3], mode);
  }
});

for (const signal of SIGNALS) {
  Deno.test({ name: `a binary ends with 0 at ${signal}, with a call under way`, ...NEEDS_BINARY }, async () => {
    verifies("sandbox-border");
    await using bot = new SilentBot();
    await using server = new ServerProcess({ env: { SNOWLUMA_MCP_ENDPOINT: bot.url } });
    await server.initialize();
    const params = { name: "query_action", arguments: { action: "get_status" } };
    await server.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await bot.asked(1);
    server.kill(signal);
    const { code, ms } = await server.exit();
    strictEqual(code, 0, await server.stderr);
    ok(ms < MOST_MS, `${ms} ms`);
  });

  Deno.test({ name: `a binary records a running task at ${signal}`, ...NEEDS_BINARY }, async () => {
    verifies("sandbox-border", "tasks-closed");
    await using folders = await makeTaskFolders();
    await using bot = new RawBot(heldFile(new Promise(() => {})));
    await using server = TaskServer.for(bot, folders);
    const { taskId } = await server.begin(downloadArgs("held"));
    await bot.connection(0);
    server.kill(signal);
    const { code, ms } = await server.exit();
    strictEqual(code, 0, await server.stderr);
    ok(ms < MOST_MS, `${ms} ms`);
    const { status } = recordsOf(folders.tasks).get(taskId) ?? {};
    strictEqual(status, "failed");
  });
}

Deno.test({ name: "a binary exits with 2 for what only the worker can find", ...NEEDS_BINARY }, async (t) => {
  verifies("sandbox-border", "sandbox-missing");
  await using folders = await makeTaskFolders();
  const { top, downloads, uploads } = folders;
  await Deno.writeTextFile(join(top, "file"), "");
  const write = ["--endpoint", READ.SNOWLUMA_MCP_ENDPOINT, "--mode", "write", "--stream-dir", downloads];
  const cases: ReadonlyArray<readonly [readonly string[], RegExp]> = [
    [["--upload-root", join(top, "none")], /SNOWLUMA_MCP_UPLOAD_ROOT/],
    [["--upload-root", join(top, "file")], /SNOWLUMA_MCP_UPLOAD_ROOT/],
    [["--stream-dir", join(top, "file")], /SNOWLUMA_MCP_STREAM_DIR/],
    [["--task-dir", downloads], /SNOWLUMA_MCP_TASK_DIR/],
    ...IS_WINDOWS ? [] : [[["--task-dir", uploads], /SNOWLUMA_MCP_TASK_DIR/] as const],
  ];
  for (const [args, said] of cases) {
    await t.step(args.join(" ").replace(top, ""), async () => {
      const { code, stdout, stderr } = await runCommand([...write, ...args]);
      deepStrictEqual([code, stdout], [2, ""], stderr);
      match(stderr, /^snowluma-mcp: [^\n]+\n$/);
      match(stderr, said);
    });
  }
});

Deno.test({ name: "a binary exits with 2 for what the launcher finds", ...NEEDS_BINARY }, async () => {
  verifies("sandbox-border");
  for (const args of [["--endpoint", "nowhere"], ["--mode", "all"], ["dance"], ["--token-file", "/nowhere/token"]]) {
    const { code, stdout, stderr } = await runCommand(args);
    deepStrictEqual([code, stdout], [2, ""], stderr);
    match(stderr, /^snowluma-mcp: [^\n]+\n$/);
  }
});

Deno.test({ name: "doctor in a binary exits with 1 for a problem, its report whole", ...NEEDS_BINARY }, async () => {
  verifies("sandbox-border", "doctor");
  const { code, stdout, stderr } = await runCommand(["doctor", "--endpoint", deadEndpoint()]);
  deepStrictEqual([code, stderr], [1, ""]);
  match(stdout, /\nProblem: .*\n$/);
});

Deno.test({
  name: "the simulated bot in a binary listens until SIGTERM, which ends it with 0",
  ignore: !IS_BINARY || IS_WINDOWS,
}, async () => {
  verifies("sandbox-border");
  await using server = new ServerProcess({ args: ["simulator", "--ws-port", "0"] });
  await eventually(() => Promise.resolve(server.lines.length === 2 || undefined));
  const [, url = ""] = /at (http:\S+)/.exec(server.lines[0] ?? "") ?? [];
  strictEqual((await (await fetch(`${url}get_status`)).json()).retcode, 0);
  server.kill("SIGTERM");
  const { code, ms } = await server.exit();
  strictEqual(code, 0, await server.stderr);
  ok(ms < MOST_MS, `${ms} ms`);
});

Deno.test(
  { name: "a binary takes a signal at any moment of its start", ignore: !IS_BINARY || IS_WINDOWS },
  async () => {
    verifies("sandbox-border");
    const ends = await Promise.all(Array.from({ length: 24 }, async (_, index) => {
      await using server = new ServerProcess({ env: READ });
      await new Promise((resolve) => setTimeout(resolve, index * 12));
      server.kill("SIGTERM");
      const { code, signal, ms } = await server.exit();
      return { code, signal, ms, stderr: await server.stderr };
    }));
    for (const { code, signal, ms, stderr } of ends) {
      ok(code === 0 || signal === "SIGTERM", `${code}: ${stderr}`); // the latter before anybody listens for it
      ok(ms < 2 * MOST_MS, `${ms} ms`); // two dozen of them at once
      strictEqual(stderr, "");
    }
  },
);

Deno.test({
  name: "a killed binary leaves nobody behind, since nobody was started",
  ignore: !IS_BINARY || Deno.build.os !== "linux",
}, async () => {
  verifies("sandbox-border");
  await using server = new ServerProcess({ env: READ });
  await server.initialize();
  const children = `/proc/${server.pid}/task/${server.pid}/children`; // which Deno itself may not read without all grants
  const { code, stdout } = await launch({ command: "/bin/cat", args: [children] }, "");
  deepStrictEqual([code, stdout], [0, ""]);
  server.kill("SIGKILL");
  strictEqual((await server.exit()).signal, "SIGKILL");
});

Deno.test({ name: "8 MiB that were answered before the end arrive whole", ...NEEDS_BINARY }, async (t) => {
  verifies("sandbox-border", "binary-streams");
  const params = { name: "list_actions", arguments: { limit: 200 } };
  const calls = Array.from({ length: 250 }, (_, id) => ({ jsonrpc: "2.0", id: id + 10, method: "tools/call", params }));
  const input = ASK_FOR_TOOLS + calls.map((call) => `${JSON.stringify(call)}\n`).join("");
  for (const mode of ["docs", "read"]) {
    await t.step(mode, async () => {
      const env = { ...READ, SNOWLUMA_MCP_MODE: mode };
      const { code, stdout } = await launch({ command: BINARY, env }, input);
      ok(stdout.length > 8 * 1024 * 1024, String(stdout.length));
      const ids = stdout.trimEnd().split("\n").map((line) => JSON.parse(line).id);
      deepStrictEqual([code, new Set(ids).size, ids.length], [0, 252, 252]);
    });
  }
});

Deno.test({ name: "a binary ends well whatever its input is", ignore: !IS_BINARY || IS_WINDOWS }, async () => {
  verifies("sandbox-border", "binary-streams");
  await using folders = await makeTaskFolders();
  const file = join(folders.top, "input");
  await Deno.writeTextFile(file, ASK_FOR_TOOLS);
  for (const [input, lines] of [[`<'${file}'`, 2], ["</dev/null", 0], ["<&-", 0]] as const) {
    const args = ["-c", `exec "$0" ${input}`, BINARY];
    const { code, stdout, stderr, ms } = await launch({ command: "sh", args, env: READ }, "");
    deepStrictEqual([code, stdout.split("\n").length - 1], [0, lines], `${input}: ${stderr}`);
    doesNotMatch(stderr, /panicked|Uncaught/);
    ok(ms < MOST_MS, `${input}: ${ms} ms`);
  }
});

Deno.test({ name: "a binary whose output is closed ends by itself", ...NEEDS_BINARY }, async () => {
  verifies("sandbox-border", "binary-streams");
  const child = new Deno.Command(BINARY, {
    env: READ,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  })
    .spawn();
  const stderr = toText(child.stderr);
  await child.stdout.cancel();
  const input = child.stdin.getWriter();
  const start = performance.now();
  await input.write(new TextEncoder().encode(ASK_FOR_TOOLS)).catch(() => {});
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  const { code } = await child.status;
  clearTimeout(timer);
  await input.close().catch(() => {});
  ok(performance.now() - start < MOST_MS, "it went on");
  strictEqual(code, 0);
  ok((await stderr).split("\n").length <= 2, await stderr);
});

Deno.test(
  { name: "a task folder is used from the worker, and nothing beside it is written", ...NEEDS_BINARY },
  async () => {
    verifies("sandbox-worker");
    await using folders = await makeTaskFolders();
    await using bot = new RawBot(heldFile(Promise.resolve()));
    await using server = new TaskServer(taskOptions(bot, folders));
    const { taskId } = await server.begin(downloadArgs("held"));
    strictEqual((await server.settled(taskId)).status, "completed");
    await server.finish();
    deepStrictEqual((await Array.fromAsync(Deno.readDir(folders.top), ({ name }) => name)).sort(), [
      "down",
      "tasks",
      "up",
    ]);
  },
);
