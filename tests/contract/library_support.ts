/** Both official clients on a connection in memory to an embedded server, which is all they know of it. */
import { Client as ModernClient, InMemoryTransport as ModernMemory } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as LegacyMemory } from "@modelcontextprotocol/sdk/inMemory.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Config, type EmbeddedServer, type Log, resolveConfig, type Transport } from "@snowluma-deno/mcp";

/** Longest wait for something that has to come, in milliseconds. */
export const SOON_MS = 10_000;

/** A tool's answer, as far as it is looked at. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly result: unknown;
  readonly diagnostics: { readonly outcome?: string; readonly kind?: string };
}

/** A client of an embedded server. */
export interface Embedder extends AsyncDisposable {
  readonly era: "modern" | "legacy";
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  resources(): Promise<string[]>;
  read(uri: string): Promise<string>;
  /** Gets told of updates of one resource. */
  watch(uri: string, onUpdated: (uri: string) => void): Promise<void>;
}

const EXTENSIONS = { "io.modelcontextprotocol/tasks": {} };

/** Connects the client that speaks 2026-07-28. */
export async function modern(server: EmbeddedServer): Promise<Embedder> {
  const [here, there] = ModernMemory.createLinkedPair();
  await server.connect(there);
  const client = new ModernClient({ name: "modern-embedder", version: "1" }, {
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    capabilities: { extensions: EXTENSIONS },
  });
  await client.connect(here);
  return {
    era: "modern",
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => answerOf(await client.callTool({ name, arguments: args }, { timeout: SOON_MS })),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    async watch(uri, onUpdated) {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => onUpdated(params.uri));
      await client.listen({ resourceSubscriptions: [uri] });
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Connects the client of the older generation. */
export async function legacy(server: EmbeddedServer): Promise<Embedder> {
  const [here, there] = LegacyMemory.createLinkedPair();
  await server.connect(there);
  const client = new LegacyClient({ name: "legacy-embedder", version: "1" });
  await client.connect(here);
  return {
    era: "legacy",
    tools: async () => (await client.listTools()).tools.map(({ name }: { name: string }) => name),
    call: async (name, args = {}) =>
      answerOf(await client.callTool({ name, arguments: args }, undefined, { timeout: SOON_MS })),
    resources: async () => (await client.listResources()).resources.map(({ uri }: { uri: string }) => uri),
    read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
    async watch(uri, onUpdated) {
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }: { params: { uri: string } }) => onUpdated(params.uri),
      );
      await client.subscribeResource({ uri });
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Both, for what must be the same. */
export const CLIENTS = [modern, legacy] as const;

/** A configuration as a program of its own would make it. */
export function configOf(file: Record<string, unknown> = {}, tempDir?: string): Config {
  return resolveConfig({ flags: {}, environment: {}, file, ...(tempDir !== undefined && { tempDir }) });
}

/** A folder for the time of a test, by its real path. */
export async function tempFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** A log that can be read. */
export function keepLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return { lines, log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`) };
}

/** A transport of somebody who knows none of the SDKs: what comes in is put in, what goes out is kept. */
export class OwnTransport implements Transport {
  onmessage?(message: Parameters<NonNullable<Transport["onmessage"]>>[0]): void;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly sent: Array<Parameters<Transport["send"]>[0]> = [];
  #waiting: Array<() => void> = [];

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: Parameters<Transport["send"]>[0]): Promise<void> {
    this.sent.push(message);
    for (const resolve of this.#waiting.splice(0)) resolve();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  /** Puts a message in, whatever it is. */
  put(message: unknown): void {
    this.onmessage?.(message as Parameters<Transport["send"]>[0]);
  }

  /** Waits for the answer to a request. */
  async answer(id: string | number | null): Promise<Parameters<Transport["send"]>[0]> {
    for (;;) {
      const found = this.sent.find((message) => message.method === undefined && message.id === id);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

/** What both SDKs, each with types of its own, have in the result of a tool. */
interface ToolResult {
  readonly isError?: boolean;
  readonly content?: ReadonlyArray<{ readonly text?: string }>;
  readonly structuredContent?: { readonly result?: unknown; readonly diagnostics?: Answer["diagnostics"] };
}

function answerOf(given: object): Answer {
  const { isError, content, structuredContent } = given as ToolResult;
  const { result, diagnostics } = structuredContent ?? {};
  return { isError: isError === true, text: content?.[0]?.text ?? "", result, diagnostics: diagnostics ?? {} };
}

function textOf(content: object | undefined): string {
  return (content as { text?: string } | undefined)?.text ?? "";
}
