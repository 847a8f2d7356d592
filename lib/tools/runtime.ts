/** The tool that tells how this server is set up and, on request, how the bot is. */
import * as z from "zod";
import { loadActions } from "../catalog/load.ts";
import { checkConnection } from "../connection_check.ts";
import { needsOf } from "../config/needs.ts";
import type { Config } from "../config/resolve.ts";
import { type SettingName, SETTINGS } from "../config/settings.ts";
import { Failure } from "../errors.ts";
import { findGranted } from "../granted.ts";
import type { Executor } from "../executor.ts";
import { MAX_ACTIVE_STREAMS, MAX_EVENT_RESOURCES, MAX_RUNNING_TASKS } from "../policy/gate.ts";
import { defineTool, type Tool } from "../mcp/define_tool.ts";

const NAMES = Object.keys(SETTINGS) as SettingName[];

/** `get_runtime_info`. */
export function runtimeTools(config: Config, executor: () => Promise<Executor>): Tool[] {
  const connected = config.mode !== "docs";
  return [
    defineTool({
      name: "get_runtime_info",
      title: "Show the server's setup",
      description: "Shows mode, catalog, limits and where each setting came from, without contacting the bot. " +
        "check_connection also asks the bot for account, status and version.",
      annotations: { readOnlyHint: true, openWorldHint: connected },
      input: z.strictObject({ check_connection: z.boolean().default(false) }),
      listed: true,
      async run({ check_connection }, { signal, trace }) {
        const { catalog, actions } = await loadActions();
        const overview = {
          mode: config.mode,
          execution_enabled: connected,
          write_enabled: config.mode === "write",
          catalog: { version: catalog.version, actions: actions.length },
          server_support: "unknown",
          transport: connected ? transport(config) : null,
          allowed_risky_actions: config.allow,
          sandbox: await sandbox(config),
          settings: Object.fromEntries(NAMES.map((name) => [SETTINGS[name].key, config.sources[name]])),
          connection_checked: check_connection,
        };
        if (!check_connection) return { result: overview };
        if (!connected) {
          throw new Failure(
            "mode",
            "Cannot check the connection: the server runs in docs mode and is connected to no bot",
            "Ask the operator to set SNOWLUMA_MCP_ENDPOINT.",
          );
        }
        return { result: { ...overview, checks: await checkConnection(await executor(), { signal, trace }) } };
      },
    }),
  ];
}

/** What the runtime lets the server do; how many hosts, but not which. */
async function sandbox(config: Config): Promise<object> {
  const { unlimited, ...granted } = await findGranted(needsOf(config, Deno.build.os));
  if (granted.enforced) return granted;
  const note =
    `This server runs without a sandbox: it was started with all of ${unlimited.join(", ")}. Ask the operator ` +
    "to start it with the flags that `snowluma-mcp permissions` prints, and to look where the folders of the settings lead.";
  return { ...granted, unlimited, note };
}

/** What limits calls, transfers, events and tasks, and where files come and go on this machine. */
function transport({ mode, timeoutMs, maxStreamBytes, streamDir, uploadRoot, eventsUrl, taskDir }: Config): object {
  return {
    timeout_ms: timeoutMs,
    max_stream_bytes: maxStreamBytes,
    download_quota_bytes: 2 * maxStreamBytes,
    max_active_streams: MAX_ACTIVE_STREAMS,
    download_dir: streamDir ?? null,
    upload_root: uploadRoot ?? null,
    upload_enabled: uploadRoot !== undefined,
    events_enabled: eventsUrl !== undefined,
    max_event_resources: MAX_EVENT_RESOURCES,
    task_dir: taskDir ?? null,
    tasks_enabled: mode === "write" && taskDir !== undefined,
    max_running_tasks: MAX_RUNNING_TASKS,
  };
}
