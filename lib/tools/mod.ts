/** All tools, in the order clients see them. */
import type { Config } from "../config/resolve.ts";
import type { Executor } from "../executor.ts";
import type { Tool } from "../mcp/define_tool.ts";
import { browseTools } from "./browse.ts";
import { callTools } from "./call.ts";
import { explainTools } from "./explain.ts";
import { runtimeTools } from "./runtime.ts";

/**
 * The tools for one configuration.
 *
 * @param executor Gives the executor, made on first use.
 */
export function allTools(config: Config, executor: () => Promise<Executor>): Tool[] {
  return [
    ...browseTools(config.lang),
    ...explainTools(config.lang),
    ...callTools(config.mode, executor),
    ...runtimeTools(config, executor),
  ];
}
