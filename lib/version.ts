/** What this program calls itself, and the protocol revisions it speaks. */
import config from "../deno.json" with { type: "json" };

/** The command's name, also the server's name in the MCP handshake. */
export const NAME = "snowluma-mcp";

/** The release, as `deno.json` has it. */
export const VERSION: string = config.version;

/** Stateless revisions (`server/discover`, per-request metadata), newest first. */
export const MODERN_REVISIONS: readonly string[] = ["2026-07-28"];
