/** Both official clients, over real stdio, behind one small face. */
import { Client as ModernSdkClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacySdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { Message } from "./server_process.ts";
import { serverCommand, type ServerOptions } from "./server_process.ts";

/** What tests need of a client. */
export interface TestClient extends AsyncDisposable {
  readonly era: "modern" | "legacy";
  listTools(): Promise<Message>;
  callTool(name: string, args?: Message, signal?: AbortSignal): Promise<Message>;
  listResources(): Promise<Message>;
  listResourceTemplates(): Promise<Message>;
  readResource(uri: string): Promise<Message>;
}

/** The 2026-07-28 client, which refuses to fall back. */
export async function modernClient(options: ServerOptions = {}): Promise<TestClient> {
  const client = new ModernSdkClient({ name: "modern-test", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  await client.connect(new ModernStdio({ ...serverCommand(options), stderr: "ignore", maxBufferSize: 2 ** 27 }));
  return {
    era: "modern",
    listTools: () => client.listTools(),
    callTool: (name, args = {}, signal) =>
      client.callTool({ name, arguments: args }, { timeout: 20_000, ...(signal && { signal }) }),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The older generation's client: `initialize`. */
export async function legacyClient(options: ServerOptions = {}): Promise<TestClient> {
  const client = new LegacySdkClient({ name: "legacy-test", version: "1" });
  await client.connect(new LegacyStdio({ ...serverCommand(options), stderr: "ignore" }));
  return {
    era: "legacy",
    listTools: () => client.listTools(),
    callTool: (name, args = {}, signal) =>
      client.callTool({ name, arguments: args }, undefined, { timeout: 20_000, ...(signal && { signal }) }),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Both, for behaviour that must be the same. */
export const CLIENTS = [modernClient, legacyClient] as const;
