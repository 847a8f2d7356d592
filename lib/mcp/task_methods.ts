/** `tasks/get`, `tasks/cancel`, `tasks/update` (MCP tasks extension, 2026-07-28). */
import { type McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod";
import { Failure } from "../errors.ts";
import type { TaskRunner } from "../tasks/runner.ts";
import { Peer } from "./peer.ts";
import { answerOf } from "./result.ts";
import { describeTask } from "./task_shape.ts";
import { missingTasks } from "./tool_methods.ts";

const ONE = z.looseObject({ taskId: z.string() });

/** Serves the methods, to clients that declare the extension. */
export function serveTasks({ server }: McpServer, tasks: () => Promise<TaskRunner>): void {
  const serve = (
    method: string,
    work: (runner: TaskRunner, taskId: string, request: ServerContext["mcpReq"]) => Promise<object>,
  ): void => {
    server.setRequestHandler(method, { params: ONE }, async ({ taskId }, { mcpReq }: ServerContext) => {
      if (!new Peer(server, true, mcpReq).hasTasks) throw missingTasks(method);
      return await asked(async () => await work(await tasks(), taskId, mcpReq)) as Record<string, unknown>;
    });
  };
  serve("tasks/get", async (runner, taskId) => {
    const record = await runner.get(taskId);
    if (record === undefined) throw unknownTask(taskId);
    const { answer, error, traceparent } = record;
    const _meta = traceparent === undefined ? {} : { _meta: { traceparent } };
    const result = answer && { ...answerOf(answer), ..._meta, resultType: "complete" };
    return { ...describeTask(record), ...(result && { result }), ...(error && { error }) };
  });
  serve("tasks/cancel", async (runner, taskId) => {
    if (!await runner.cancel(taskId)) throw unknownTask(taskId);
    return {};
  });
  serve("tasks/update", async (runner, taskId, { inputResponses, droppedInputResponseKeys = [] }) => {
    if (await runner.get(taskId) === undefined) throw unknownTask(taskId);
    if (inputResponses === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Cannot update the task: inputResponses is required");
    }
    const keys = [...Object.keys(inputResponses), ...droppedInputResponseKeys];
    if (keys.length === 0) return {};
    const names = keys.slice(0, 10).map((key) => JSON.stringify(key.slice(0, 64))).join(", ");
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Cannot take ${names}: task ${taskId} has no outstanding request for input`,
    );
  });
}

function unknownTask(taskId: string): ProtocolError {
  const id = JSON.stringify(taskId.slice(0, 64));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown task ${id}; list_tasks tells those of this folder`,
  );
}

/** A folder that cannot be used is an error of the server. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, message, nextStep } = error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${message}. ${nextStep}`, { kind });
  }
}
