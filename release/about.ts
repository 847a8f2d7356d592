/** What bundles and registries say of this program. */
import config from "../deno.json" with { type: "json" };

/** The name that people see. */
export const TITLE = "SnowLuma MCP";

/** One line, at most the 100 characters that the MCP registry takes. */
export const DESCRIPTION =
  "Look up, check and, behind gates, call the OneBot v11 actions of a SnowLuma or NapCat-style QQ bot";

/** Who made it, as LICENSE has it. */
export const AUTHOR = "The snowluma-mcp authors";

/** SPDX identifier, as deno.json has it. */
export const LICENSE: string = config.license;
