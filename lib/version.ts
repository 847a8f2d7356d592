/** What this program calls itself, and the protocol revisions it speaks. */
import config from "../deno.json" with { type: "json" };

/** The command's name, also the server's name in the MCP handshake. */
export const NAME = "snowluma-mcp";

/** The release, as `deno.json` has it. */
export const VERSION: string = config.version;

/** Written in by `release/bundle.ts`. */
declare const SNOWLUMA_COMMIT: string;

/** The commit that a binary was built of; absent when the program runs from its source. */
export const COMMIT: string | undefined = typeof SNOWLUMA_COMMIT === "string" ? SNOWLUMA_COMMIT : undefined;

/** Stateless revisions (`server/discover`, per-request metadata), newest first. */
export const MODERN_REVISIONS: readonly string[] = ["2026-07-28"];
