/** Settings from flag, environment and file: the same server, told where each came from. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, type ServerOptions, ServerProcess } from "../support/server_process.ts";
import { grantsToRead } from "./support.ts";
import { fileGrants, makeFolders } from "./transfer_support.ts";

const TOKEN = "tok_TEST+/=1";
const EVENTS_TOKEN = "tok_EVENTS+/=2";
/** Nothing listens there, and nobody is to ask. */
const EVENTS_URL = "ws://127.0.0.1:9/";
const ALLOW = "get_cookies,bot_exit";

/** What a client's block says beside `SNOWLUMA_MCP_*` where there are events. */
const SOCKET_GRANT = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";

async function overviewOf(options: ServerOptions, checkConnection = false): Promise<Message> {
  await using server = new ServerProcess(options);
  await server.initialize();
  const args = { check_connection: checkConnection };
  const { result } = await server.call(1, "get_runtime_info", args);
  const { result: shown, diagnostics } = result.structuredContent;
  strictEqual(diagnostics.outcome, "success", JSON.stringify(diagnostics));
  const { result: listed } = await server.call(2, "list_actions", { limit: 1 });
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  const everything = server.lines.join("\n") + await server.stderr;
  for (const token of [TOKEN, EVENTS_TOKEN]) {
    for (const secret of [token, encodeURIComponent(token)]) ok(!everything.includes(secret), "a token is shown");
  }
  return { ...shown, summary: listed.structuredContent.result.actions[0].summary };
}

async function withFiles(
  files: Record<string, string>,
  run: (paths: Record<string, string>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "snowluma 群 " }); // a path with a space and beyond ASCII
  try {
    const paths = Object.fromEntries(Object.keys(files).map((name) => [name, `${folder}/${name}`]));
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${name}`, text);
    await run(paths);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("flag, environment and file give the same server, and get_runtime_info says which it was", async () => {
  verifies("config-sources", "runtime-info", "events-url", "events-token", "events-lazy");
  await using bot = await startSimulator({ token: TOKEN });
  await using folders = await makeFolders();
  const tasks = `${folders.top}/tasks`;
  const settings = {
    ...{ endpoint: bot.url, mode: "write", timeout_ms: 1234, lang: "zh", allow: ALLOW, log: "json" },
    ...{ stream_dir: folders.downloads, upload_root: folders.uploads, max_stream_bytes: 5678 },
    ...{ events_url: EVENTS_URL, task_dir: tasks },
  };
  const tokens = { token: TOKEN, events_token: EVENTS_TOKEN };
  const env = Object.fromEntries(
    Object.entries({ ...settings, ...tokens }).map(([key, value]) => [`SNOWLUMA_MCP_${key.toUpperCase()}`, `${value}`]),
  );
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key.replaceAll("_", "-")}`, String(value)]);
  await withFiles(
    {
      "config.json": JSON.stringify({ ...settings, ...tokens }),
      "config-list.json": JSON.stringify({ ...settings, allow: ALLOW.split(","), timeout_ms: "1234", ...tokens }),
      token: `${TOKEN}\n`,
      events: `${EVENTS_TOKEN}\n`,
    },
    async ({ "config.json": file = "", "config-list.json": list = "", token = "", events = "" }) => {
      const { downloads, uploads } = folders;
      const grants = [...fileGrants([downloads, uploads, tasks], [downloads, tasks]), SOCKET_GRANT];
      const tokenFlags = ["--token-file", token, "--events-token-file", events];
      const ways: Array<[source: string, options: ServerOptions]> = [
        ["environment", { env, grants }],
        ["flag", { args: [...args, ...tokenFlags], grants: [...grants, `--allow-read=${token},${events}`] }],
        ["file", { args: ["--config", file], grants: [...grants, `--allow-read=${file}`] }],
        ["file", { args: [`--config=${list}`], grants: [...grants, `--allow-read=${list}`] }],
      ];
      const overviews: Message[] = [];
      for (const [source, options] of ways) {
        const { settings: sources, ...overview } = await overviewOf(options, true);
        deepStrictEqual(Object.keys(sources).sort(), [...Object.keys(settings), ...Object.keys(tokens)].sort());
        for (const [name, from] of Object.entries(sources)) strictEqual(from, source, name);
        overviews.push(overview);
      }
      for (const overview of overviews.slice(1)) deepStrictEqual(overview, overviews[0]);
      const [first] = overviews;
      deepStrictEqual(
        [first?.mode, first?.write_enabled, first?.allowed_risky_actions],
        ["write", true, ALLOW.split(",")],
      );
      deepStrictEqual(first?.transport, {
        timeout_ms: 1234,
        max_stream_bytes: 5678,
        download_quota_bytes: 11_356,
        max_active_streams: 4,
        download_dir: folders.downloads,
        upload_root: folders.uploads,
        upload_enabled: true,
        events_enabled: true,
        max_event_resources: 16,
        task_dir: tasks,
        tasks_enabled: true,
        max_running_tasks: 4,
      });
      for (const check of Object.values(first?.checks) as Message[]) strictEqual(check.diagnostics.outcome, "success");
      for (const url of [bot.url, EVENTS_URL]) ok(!JSON.stringify(first).includes(url), "an address is shown");
      for (const { headers } of bot.requests) strictEqual(headers.authorization, `Bearer ${TOKEN}`);
    },
  );
});

Deno.test("a flag goes before the environment, the environment before the file", async () => {
  verifies("config-sources");
  await withFiles(
    { "config.json": JSON.stringify({ timeout_ms: 3, lang: "zh", endpoint: "simulator" }) },
    async (paths) => {
      const file = paths["config.json"] ?? "";
      const grants = grantsToRead(file);
      const env = { SNOWLUMA_MCP_TIMEOUT_MS: "2", SNOWLUMA_MCP_LANG: "en" };
      const all = await overviewOf({ args: ["--timeout-ms", "1", "--config", file], env, grants });
      deepStrictEqual([all.transport.timeout_ms, all.settings.timeout_ms, all.settings.lang], [
        1,
        "flag",
        "environment",
      ]);
      ok(!/\p{Script=Han}/u.test(all.summary), all.summary);
      const two = await overviewOf({ args: ["--config", file], env, grants });
      deepStrictEqual([two.transport.timeout_ms, two.settings.timeout_ms], [2, "environment"]);
      const one = await overviewOf({ args: ["--config", file], grants });
      deepStrictEqual([one.transport.timeout_ms, one.settings.timeout_ms, one.settings.endpoint], [3, "file", "file"]);
      ok(/\p{Script=Han}/u.test(one.summary), one.summary);
    },
  );
});

Deno.test("an empty value counts as absent, wherever it stands", async () => {
  verifies("config-empty");
  const empty = {
    ...{ endpoint: "", mode: " ", timeout_ms: "", lang: "", allow: "", log: "", token: null },
    ...{ stream_dir: "", upload_root: " ", max_stream_bytes: null, events_url: "", events_token: " ", task_dir: null },
  };
  await withFiles({ "config.json": JSON.stringify(empty) }, async (paths) => {
    const file = paths["config.json"] ?? "";
    const env = Object.fromEntries(
      Object.keys(empty).map((name) => [`SNOWLUMA_MCP_${name.toUpperCase()}`, ""]),
    );
    const flags = Object.keys(empty).map((name) => name.endsWith("token") ? `${name}-file` : name);
    const args = flags.map((name) => `--${name.replaceAll("_", "-")}=`);
    const plain = await overviewOf({});
    for (const from of Object.values(plain.settings)) strictEqual(from, "default");
    deepStrictEqual(await overviewOf({ env }), plain);
    deepStrictEqual(await overviewOf({ args }), plain);
    deepStrictEqual(await overviewOf({ args: [...args, "--config", file], env, grants: grantsToRead(file) }), plain);
    // an empty flag does not hide what the environment says
    const shown = await overviewOf({ args: ["--lang="], env: { SNOWLUMA_MCP_LANG: "zh" } });
    strictEqual(shown.settings.lang, "environment");
  });
});

Deno.test("without an endpoint the mode is docs; with one it is read unless asked otherwise", async () => {
  verifies("config-docs", "runtime-info");
  const docs = await overviewOf({});
  deepStrictEqual([docs.mode, docs.execution_enabled, docs.write_enabled, docs.transport], [
    "docs",
    false,
    false,
    null,
  ]);
  const read = await overviewOf({ args: ["--endpoint", "simulator"] });
  deepStrictEqual([read.mode, read.execution_enabled, read.write_enabled], ["read", true, false]);
  const { download_dir, ...transport } = read.transport;
  match(download_dir, /[\\/]onebot-mcp-downloads$/);
  deepStrictEqual(transport, {
    timeout_ms: 30_000,
    max_stream_bytes: 2 ** 32,
    download_quota_bytes: 2 ** 33,
    max_active_streams: 4,
    upload_root: null,
    upload_enabled: false,
    events_enabled: false,
    max_event_resources: 16,
    task_dir: null,
    tasks_enabled: false,
    max_running_tasks: 4,
  });
  for (const { catalog, server_support, connection_checked } of [docs, read]) {
    deepStrictEqual([catalog.actions, server_support, connection_checked], [179, "unknown", false]);
  }
});

Deno.test("tasks are for write mode: in read mode their folder is neither made nor used", async () => {
  verifies("runtime-info");
  await using folders = await makeFolders();
  const tasks = `${folders.top}/tasks`;
  const { transport } = await overviewOf({ args: ["--endpoint", "simulator", "--task-dir", tasks] });
  deepStrictEqual([transport.task_dir, transport.tasks_enabled], [tasks, false]);
  await rejects(() => Deno.lstat(tasks), Deno.errors.NotFound);
});

Deno.test("an event address in docs mode is no error, needs no grant, and is told of", async () => {
  verifies("events-url", "config-docs");
  await using server = new ServerProcess({
    args: ["--events-url", EVENTS_URL],
    grants: ["--allow-env=SNOWLUMA_MCP_*"],
  });
  await server.initialize();
  strictEqual((await server.call(1, "get_runtime_info")).result.structuredContent.result.transport, null);
  await server.closeInput();
  strictEqual((await server.exit()).code, 0);
  match(await server.stderr, /No endpoint is set.*without events/);
});
