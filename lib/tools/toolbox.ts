/** All tools, in the order clients see them. */
import type { Tool } from "../mcp/define_tool.ts";
import type { ServerPorts } from "../mcp/ports.ts";
import { browseTools } from "./browse.ts";
import { explainTools } from "./explain.ts";
import { previewTools } from "./preview.ts";
import { runtimeTools } from "./runtime.ts";

/** The tools of one server. In docs mode those around the bot, which only refuse, are not loaded before they are called. */
export class Toolbox {
  readonly #ports: ServerPorts;
  readonly #byName: Map<string, Tool>;
  /** All that are loaded. */
  readonly tools: readonly Tool[];

  private constructor(ports: ServerPorts, tools: readonly Tool[]) {
    this.#ports = ports;
    this.tools = tools;
    this.#byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  }

  /** Makes the tools for one configuration. */
  static async open(ports: ServerPorts): Promise<Toolbox> {
    const { config, executor } = ports;
    return new Toolbox(ports, [
      ...browseTools(config.lang),
      ...explainTools(config.lang),
      ...previewTools(config),
      ...config.mode === "docs" ? [] : await loadBotTools(ports),
      ...runtimeTools(config, executor),
    ]);
  }

  /** A tool that is loaded already. */
  find(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  /** Any other tool. */
  async load(name: string): Promise<Tool | undefined> {
    if (this.#ports.config.mode !== "docs") return undefined;
    return (await loadBotTools(this.#ports)).find(({ definition }) => definition.name === name);
  }
}

async function loadBotTools(ports: ServerPorts): Promise<Tool[]> {
  const { botTools } = await import("./bot.ts");
  return botTools(ports);
}
