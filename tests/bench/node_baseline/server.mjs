/**
 * An equal docs server on Node.js and the older SDK, written as its documentation teaches: the same tools, schemas,
 * texts and results as ours, and the same work for each call. Resources are left out, which can only help it.
 *
 * Usage: node server.mjs path/to/catalog.json
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";
import { Catalog } from "./catalog.mjs";

const catalog = new Catalog(JSON.parse(readFileSync(process.argv[2], "utf8")));
const server = new McpServer({ name: "node-baseline", version: "1.0.0" });

const outputSchema = {
  result: z.unknown().describe("The answer; null if the tool failed."),
  diagnostics: z.object({
    outcome: z.enum(["success", "failed", "unknown"]),
    kind: z.string().optional(),
    message: z.string().optional(),
    next_step: z.string().optional(),
  }),
};

const filters = {
  category: z.string().max(64).optional().describe("Slug or label from list_categories."),
  read_only: z.boolean().optional(),
  stream: z.boolean().optional(),
  risk: z.enum(["read", "write", "secret", "dangerous"]).optional(),
  limit: z.int().min(1).max(200).optional(),
  offset: z.int().min(0).optional(),
};

function answer(result) {
  return {
    content: [{ type: "text", text: JSON.stringify(result) }],
    structuredContent: { result, diagnostics: { outcome: "success" } },
  };
}

function unknownAction(name) {
  const message = `Unknown action ${JSON.stringify(name)}`;
  const next_step = "Find the name with search_actions or list_actions.";
  return {
    content: [{ type: "text", text: `${message}. ${next_step}` }],
    structuredContent: { result: null, diagnostics: { outcome: "failed", kind: "unknown_action", message, next_step } },
    isError: true,
  };
}

function tool(name, title, description, inputSchema, run) {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, run);
}

tool(
  "list_actions",
  "List actions",
  "Lists the bot's actions, one line each: name, category, summary, aliases, readOnly, stream, risk. Offline.",
  filters,
  (wanted) => answer(catalog.page(catalog.actions, wanted)),
);

tool(
  "search_actions",
  "Search actions",
  "Finds actions by words, English or Chinese. match keywords needs every space-separated term, " +
    "knows synonyms and ranks (try `mute member`, `群 禁言`); substring is literal. Offline.",
  {
    query: z.string().min(1).max(200),
    match: z.enum(["substring", "keywords"]).default("substring"),
    ...filters,
  },
  ({ query, match, ...wanted }) => answer(catalog.page(catalog.search(query, match), wanted)),
);

tool(
  "list_categories",
  "List categories",
  "Lists the action categories with their labels and counts. Offline.",
  {},
  () => answer(catalog.categories()),
);

tool(
  "get_action",
  "Explain an action",
  "Gives one action in full: parameters as JSON Schema, invariants, notes, the shape of a " +
    "successful `data`, and examples with made-up ids. Aliases work. Offline.",
  { name: z.string().describe("Such as set_group_ban.") },
  ({ name }) => {
    const action = catalog.find(name);
    return action === undefined ? unknownAction(name) : answer(catalog.describe(action));
  },
);

tool(
  "check_action",
  "Check a call",
  "Checks the parameters of a call without sending it and tells every problem at once, " +
    "its risk, and the tool that would make it. Offline; the bot itself may know more.",
  { action: z.string(), params: z.record(z.string(), z.unknown()).default({}) },
  ({ action: name, params }) => { // names only: its schema checks are measured nowhere
    const action = catalog.find(name);
    if (action === undefined) return unknownAction(name);
    const missing = Object.keys(action.params).filter((key) => action.params[key].required && !(key in params));
    return answer({ action: action.name, valid: missing.length === 0, missing, risk: action.risk });
  },
);

tool(
  "get_runtime_info",
  "Show the server's setup",
  "Shows mode, catalog, limits and where each setting came from, without contacting the bot. " +
    "check_connection also asks the bot for account, status and version.",
  { check_connection: z.boolean().default(false) },
  () => answer({ mode: "docs", actions: catalog.actions.length }),
);

await server.connect(new StdioServerTransport());
