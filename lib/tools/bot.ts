/** The tools that have to do with a bot; without one they tell why they refuse. */
import type { Tool } from "../mcp/define_tool.ts";
import type { ServerPorts } from "../mcp/ports.ts";
import { callTools } from "./call.ts";
import { completionTools } from "./complete.ts";
import { eventTools } from "./events.ts";
import { taskTools } from "./tasks.ts";

/** Tools that call, that watch and that transfer in the background. */
export function botTools({ config, executor, asking, events, tasks }: ServerPorts): Tool[] {
  return [
    ...callTools(config.mode, executor),
    ...completionTools(config, executor, asking),
    ...eventTools(config, events),
    ...taskTools(config, executor, tasks),
  ];
}
