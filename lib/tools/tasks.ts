/** Tools around durable tasks: transfers that go on while the client does something else. */
import * as z from "zod";
import type { Config } from "../config/resolve.ts";
import { Failure } from "../errors.ts";
import type { Executor } from "../executor.ts";
import { defineTool, type Tool } from "../mcp/define_tool.ts";
import { undoUnheard } from "../mcp/unheard.ts";
import { describeTask } from "../mcp/task_shape.ts";
import type { TaskRunner } from "../tasks/runner.ts";
import { DEFAULT_TASK_PAGE, MAX_TASK_PAGE } from "../tasks/task_page.ts";
import { callAction, INVOKE } from "./call.ts";

/**
 * `invoke_action_background`, `list_tasks`.
 *
 * @param executor Gives the executor, made on first use.
 * @param tasks Gives the tasks, opened on first use; absent when no task folder is set.
 */
export function taskTools(
  { mode, taskDir }: Config,
  executor: () => Promise<Executor>,
  tasks: (() => Promise<TaskRunner>) | undefined,
): Tool[] {
  const listed = mode === "write" && taskDir !== undefined;
  const runner = () => {
    if (tasks !== undefined) return tasks();
    throw new Failure(
      "not_configured",
      "Cannot use tasks: no task folder is set, or the server is not in write mode",
      "Ask the operator to set SNOWLUMA_MCP_TASK_DIR and SNOWLUMA_MCP_MODE=write, or use invoke_action.",
    );
  };
  return [
    defineTool({
      name: "invoke_action_background",
      title: "Transfer in the background",
      description: "Starts one stream action as a durable task and gives its handle at once, which the client polls " +
        "with tasks/get. Takes the arguments of invoke_action. A restart of the server leaves an unfinished task failed with an " +
        "unknown remote outcome: check before repeating.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      input: INVOKE,
      listed,
      needs: "tasks",
      async run(args, { trace, signal: call }) {
        const running = await executor();
        const action = running.admit("invoke", args.action, args.params, args.execution?.input_file);
        if (!action.stream) {
          throw new Failure(
            "invalid_arguments",
            `Cannot run ${action.name} in the background: it is no stream action`,
            "Call it with invoke_action; list_actions with stream true shows what can run in the background.",
          );
        }
        const tasks = await runner();
        if (call.aborted) {
          const message = `Cannot start ${action.name} as a task: the call was cancelled`;
          throw new Failure("cancelled", message, "Nothing was sent. Call it again if it is still wanted.");
        }
        const started = await tasks.start(
          { action: action.name, traceparent: trace.traceparent },
          (signal, onProgress) => callAction(running, "invoke", args, { signal, trace, onProgress }),
        );
        undoUnheard(call, () => tasks.cancel(started.taskId));
        return { resultType: "task", ...describeTask(started), taskId: started.taskId };
      },
    }),
    defineTool({
      name: "list_tasks",
      title: "List tasks",
      description: "Lists the tasks of this server's folder, newest first, without their results, and names files " +
        "that cannot be read.",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input: z.strictObject({
        cursor: z.string().max(128).optional().describe("nextCursor of the page before."),
        limit: z.int().min(1).max(MAX_TASK_PAGE).default(DEFAULT_TASK_PAGE),
      }),
      listed,
      needs: "tasks",
      async run({ cursor, limit }) {
        return { result: await (await runner()).list({ ...(cursor !== undefined && { cursor }), limit }) };
      },
    }),
  ];
}
