import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { makeExecutor } from "../../../lib/host/make_executor.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import type { Fields } from "../../../lib/log.ts";
import { createMcpServer } from "../../../lib/mcp/server.ts";
import { Redactor } from "../../../lib/redact.ts";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";

/** A client that takes answers and refuses every notification. */
class DeafToProgress implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #answers = new Map<unknown, PromiseWithResolvers<JSONRPCMessage>>();
  refused = 0;

  start(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message) {
      this.refused++;
      return Promise.reject(new Error("nobody listens"));
    }
    this.#answers.get(message.id)?.resolve(message);
    return Promise.resolve();
  }

  /** Sends a request and waits for its answer. */
  ask(id: number, method: string, params: Record<string, unknown>): Promise<JSONRPCMessage> {
    const answer = Promise.withResolvers<JSONRPCMessage>();
    this.#answers.set(id, answer);
    this.onmessage?.({ jsonrpc: "2.0", id, method, params });
    return answer.promise;
  }
}

Deno.test("createMcpServer() tells of progress that could not be delivered, beside a whole result", async () => {
  verifies("progress-failed");
  await using simulator = await startSimulator();
  const config = resolveConfig({ flags: { endpoint: simulator.url, mode: "write" }, environment: {} });
  const logged: Array<Fields | undefined> = [];
  const server = await createMcpServer({
    config,
    log: (_level, _message, fields) => logged.push(fields),
    executor: () => makeExecutor(config, new Redactor([])),
    asking: () => Promise.reject(new Error("nobody is asked")),
  }, false);
  const client = new DeafToProgress();
  await server.connect(client);
  const clientInfo = { name: "deaf", version: "1" };
  await client.ask(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const answer = await client.ask(2, "tools/call", {
    name: "invoke_action",
    arguments: { action: "test_download_stream" },
    _meta: { progressToken: 1 },
  });
  ok("result" in answer);
  const { isError, structuredContent } = answer.result as Record<string, Record<string, Record<string, unknown>>>;
  strictEqual(isError, undefined);
  strictEqual(structuredContent?.["result"]?.["frame_count"], 11);
  const { outcome, message } = structuredContent["diagnostics"] ?? {};
  strictEqual(outcome, "success");
  match(String(message), /^Progress could not be delivered/);
  strictEqual(client.refused, 1, "none is tried after a failure");
  deepStrictEqual(logged.map((fields) => [fields?.["outcome"], fields?.["progress"]]), [["success", "undelivered"]]);
  await server.close();
});
