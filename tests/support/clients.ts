/** Both official clients, over real stdio, behind one small face. */
import { Client as ModernSdkClient, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacySdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Message } from "./server_process.ts";
import { serverCommand, type ServerOptions } from "./server_process.ts";

/** What a call may come with, beside its arguments. */
export interface CallExtras {
  /** Fields of `_meta`, such as `traceparent`. */
  readonly meta?: Message;
  /** Asks for progress, and gets it. */
  readonly onProgress?: (progress: ReportedProgress) => void;
}

/** A notification of progress, as the clients hand it on. */
export interface ReportedProgress {
  readonly progress: number;
  readonly total?: number | undefined;
}

/** How to start a server and its client. */
export interface ClientOptions extends ServerOptions {
  /** Answers forms; without it the client says that it shows none. */
  readonly elicit?: (params: Message) => Message | Promise<Message>;
  /** Extensions that the client says it knows, by id. */
  readonly extensions?: Message;
}

/** The extension for panels, of a client that shows those that there are. */
export const SHOWS_PANELS: Message = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };

/** What tests need of a client. */
export interface TestClient extends AsyncDisposable {
  readonly era: "modern" | "legacy";
  listTools(): Promise<Message>;
  callTool(name: string, args?: Message, signal?: AbortSignal, extras?: CallExtras): Promise<Message>;
  listResources(): Promise<Message>;
  listResourceTemplates(): Promise<Message>;
  readResource(uri: string): Promise<Message>;
  /** Gets told of updates of a resource, each by its uri, until what it gives is called. */
  watch(uri: string, onUpdated: (uri: string) => void): Promise<() => Promise<unknown>>;
}

/** The 2026-07-28 client, which refuses to fall back. */
export async function modernClient(options: ClientOptions = {}): Promise<TestClient> {
  const { elicit } = options;
  const client = new ModernSdkClient({ name: "modern-test", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    capabilities: capabilitiesOf(options),
  });
  if (elicit) {
    client.setRequestHandler("elicitation/create", async ({ params }) => await elicit(params) as ElicitResult);
  }
  await client.connect(new ModernStdio({ ...serverCommand(options), stderr: "ignore", maxBufferSize: 2 ** 27 }));
  return {
    era: "modern",
    listTools: () => client.listTools(),
    callTool: (name, args = {}, signal, extras = {}) =>
      client.callTool(callParams(name, args, extras), callOptions(signal, extras)),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    async watch(uri, onUpdated) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => onUpdated(params.uri));
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      return () => subscription.close();
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The older generation's client: `initialize`. */
export async function legacyClient(options: ClientOptions = {}): Promise<TestClient> {
  const { elicit } = options;
  const capabilities = capabilitiesOf(options);
  const client = new LegacySdkClient({ name: "legacy-test", version: "1" }, { capabilities });
  if (elicit) client.setRequestHandler(ElicitRequestSchema, async ({ params }: Message) => await elicit(params));
  await client.connect(new LegacyStdio({ ...serverCommand(options), stderr: "ignore" }));
  return {
    era: "legacy",
    listTools: () => client.listTools(),
    callTool: (name, args = {}, signal, extras = {}) =>
      client.callTool(callParams(name, args, extras), undefined, callOptions(signal, extras)),
    listResources: () => client.listResources(),
    listResourceTemplates: () => client.listResourceTemplates(),
    readResource: (uri) => client.readResource({ uri }),
    async watch(uri, onUpdated) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }: Message) => onUpdated(params.uri));
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function capabilitiesOf({ elicit, extensions }: ClientOptions) {
  return { ...(elicit && { elicitation: { form: {} } }), ...(extensions && { extensions }) };
}

function callParams(name: string, args: Message, { meta }: CallExtras) {
  return { name, arguments: args, ...(meta && { _meta: meta }) };
}

function callOptions(signal: AbortSignal | undefined, { onProgress }: CallExtras) {
  return { timeout: 20_000, ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
}

/** Both, for behaviour that must be the same. */
export const CLIENTS = [modernClient, legacyClient] as const;
