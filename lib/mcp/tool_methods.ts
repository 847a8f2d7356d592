/**
 * `tools/list` and `tools/call`, answered here: the SDK's registry refuses calls of tools that are not listed, drops
 * unknown arguments, and answers argument errors without structured content.
 */
import {
  type CallToolResult,
  type McpServer,
  MissingRequiredClientCapabilityError,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Log } from "../log.ts";
import schemas from "../tools/input_schemas.json" with { type: "json" };
import type { Notify } from "../progress.ts";
import { startTrace } from "../trace.ts";
import type { Tool, ToolDefinition } from "./define_tool.ts";
import { PANEL_META } from "./panel_resource.ts";
import { Peer, TASKS_EXTENSION } from "./peer.ts";
import { OUTPUT_SCHEMA } from "./result.ts";

/** Each tool's arguments as JSON Schema. Made beforehand: zod would take 3 ms of every start for it. */
const SCHEMAS = schemas as Readonly<Record<string, { readonly type: "object" }>>;

/** Where tools come from. */
export interface ToolSource {
  /** All that may be listed. */
  readonly tools: readonly Tool[];
  /** A tool that is at hand. */
  readonly find: (name: string) => Tool | undefined;
  /** Any other one that is to answer. */
  readonly load: (name: string) => Promise<Tool | undefined>;
}

/**
 * Serves these tools.
 *
 * @param isModern Whether the instance speaks 2026-07-28.
 */
export function serveTools({ server }: McpServer, log: Log, toolbox: ToolSource, isModern: boolean): void {
  server.registerCapabilities({ tools: { listChanged: false } });
  server.setRequestHandler("tools/list", (_request, { mcpReq }) => {
    const peer = new Peer(server, isModern, mcpReq);
    const shown = toolbox.tools.filter(({ definition }) => definition.listed && suits(definition, peer));
    return {
      tools: shown.map(({ definition }) => ({
        name: definition.name,
        title: definition.title,
        description: definition.description,
        inputSchema: SCHEMAS[definition.name] ?? { type: "object" as const },
        outputSchema: OUTPUT_SCHEMA,
        annotations: definition.annotations,
        ...(definition.panel && peer.hasPanels && { _meta: PANEL_META }),
      })),
    };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { signal, _meta: meta } = mcpReq;
    const { trace, invalid } = startTrace(meta);
    if (invalid) log("warn", "Invalid trace metadata was ignored");
    const tool = toolbox.find(params.name) ?? await toolbox.load(params.name);
    if (tool === undefined) {
      const facts = { traceparent: trace.traceparent, outcome: "failed", kind: "invalid_arguments", duration_ms: 0 };
      log("info", "call", { tool: "unknown", ...facts });
      const known = toolbox.tools.filter(({ definition }) => definition.listed).map(({ definition }) =>
        definition.name
      );
      const name = JSON.stringify(params.name.slice(0, 64));
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${name}; known are ${known.join(", ")}`);
    }
    const peer = new Peer(server, isModern, mcpReq);
    if (!suits(tool.definition, peer)) {
      const facts = { traceparent: trace.traceparent, outcome: "failed", kind: "invalid_arguments", duration_ms: 0 };
      log("info", "call", { tool: tool.definition.name, ...facts });
      const instead = tool.definition.annotations.readOnlyHint
        ? ""
        : "; invoke_action makes the same transfers and waits for them";
      throw missingTasks(tool.definition.name, instead);
    }
    const token = meta?.progressToken;
    const notify = token === undefined ? {} : { notify: notifier(mcpReq, token) };
    const answer = await tool.call(params.arguments, { signal, trace, peer, ...notify }, log);
    answer._meta = { traceparent: trace.traceparent };
    return answer as CallToolResult; // or what stands for it: the SDK lets every `resultType` through
  });
}

function suits({ needs }: ToolDefinition, peer: Peer): boolean {
  return needs === undefined || peer.hasTasks;
}

/** The protocol's error for clients that do not say they know tasks. */
export function missingTasks(what: string, instead: string = ""): MissingRequiredClientCapabilityError {
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities },
    `Cannot use ${what}: the client does not declare ${TASKS_EXTENSION}${instead}`,
  );
}

/** Sends the progress of one call. */
function notifier(request: ServerContext["mcpReq"], progressToken: ProgressToken): Notify {
  return (progress, total) =>
    request.notify({
      method: "notifications/progress",
      params: { progressToken, progress, ...(total !== undefined && { total }) },
    });
}
