/** The least a server on this SDK and runtime can be: one empty tool. The measure for start-up. */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "empty", version: "1.0.0" });
  server.registerTool("empty", { description: "Does nothing.", inputSchema: z.object({}) }, () => ({ content: [] }));
  return server;
});
