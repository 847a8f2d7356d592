/** What the tests of execution share: a server wired to a bot, and the two shapes a call can end in. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Message, ServerProcess } from "../support/server_process.ts";

/** How a server is set up against a bot. */
export interface BotOptions {
  readonly mode?: "docs" | "read" | "write";
  readonly token?: string;
  readonly timeoutMs?: number;
  readonly allow?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Environment of a server that talks to a bot; write mode unless told otherwise. */
export function botEnv(
  { url }: { readonly url: string },
  { mode = "write", token, timeoutMs, allow, env = {} }: BotOptions = {},
): Record<string, string> {
  return {
    SNOWLUMA_MCP_ENDPOINT: url,
    SNOWLUMA_MCP_MODE: mode,
    ...(token !== undefined && { SNOWLUMA_MCP_TOKEN: token }),
    ...(timeoutMs !== undefined && { SNOWLUMA_MCP_TIMEOUT_MS: String(timeoutMs) }),
    ...(allow !== undefined && { SNOWLUMA_MCP_ALLOW: allow }),
    ...env,
  };
}

/** A server process for that bot, after the handshake. */
export async function serverFor(bot: { readonly url: string }, options: BotOptions = {}): Promise<ServerProcess> {
  const server = new ServerProcess({ env: botEnv(bot, options) });
  await server.initialize();
  return server;
}

/** The two kinds of calls, each with an action that takes no harm from being answered anything. */
export const KINDS = {
  read: { tool: "query_action", args: { action: "get_status" }, action: "get_status" },
  write: {
    tool: "invoke_action",
    args: { action: "send_group_msg", params: { group_id: 20001, message: "hello" } },
    action: "send_group_msg",
  },
} as const;

/** One of the two. */
export type Kind = keyof typeof KINDS;

/** What a result says about itself. */
export interface Diagnostics {
  readonly outcome: string;
  readonly kind: string;
  readonly message: string;
  readonly next_step: string;
}

/** The diagnostics of a call that did not come through, after checking that it looks like one in every place. */
export function failureOf(answer: Message): Diagnostics {
  const { content, structuredContent, isError } = answer.result ?? answer;
  strictEqual(isError, true, `no isError: ${JSON.stringify(answer).slice(0, 500)}`);
  const { diagnostics } = structuredContent;
  deepStrictEqual(structuredContent, { result: null, diagnostics });
  deepStrictEqual(Object.keys(diagnostics).sort(), ["kind", "message", "next_step", "outcome"]);
  deepStrictEqual(content, [{ type: "text", text: `${diagnostics.message}. ${diagnostics.next_step}` }]);
  return diagnostics;
}

/** The envelope and diagnostics of a call whose answer was passed on, after checking that text and data agree. */
export function passedOn(answer: Message): { envelope: Message; diagnostics: Diagnostics } {
  const { content, structuredContent, isError } = answer.result ?? answer;
  ok(!isError, `isError: ${JSON.stringify(answer).slice(0, 500)}`);
  const { result, diagnostics } = structuredContent;
  strictEqual(content.length, 1);
  strictEqual(content[0].type, "text");
  ok(content[0].text === JSON.stringify(JSON.parse(content[0].text)), "the text is not compact JSON");
  deepStrictEqual(JSON.parse(content[0].text), result);
  return { envelope: result, diagnostics };
}

/** Checks that a server is alive and its bot is asked: one more read gets one more request. */
export async function goesOn(server: ServerProcess, id: string): Promise<void> {
  const answer = await server.call(id, KINDS.read.tool, KINDS.read.args);
  strictEqual(passedOn(answer).diagnostics.outcome, "success");
}

/** Sends many tool calls at once and gives their answers by id, once all have come. Each id may be answered once. */
export async function callAll(
  server: ServerProcess,
  calls: ReadonlyMap<string, { readonly tool: string; readonly args: Message }>,
  withinMs?: number,
): Promise<Map<string, Message>> {
  const answers = receiveAll(server, new Set(calls.keys()), withinMs);
  const lines = [...calls].map(([id, { tool, args }]) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } })
  );
  await server.send(`${lines.join("\n")}\n`);
  return await answers;
}

/** Waits for the answers to these ids. */
export async function receiveAll(
  server: ServerProcess,
  ids: ReadonlySet<string>,
  withinMs?: number,
): Promise<Map<string, Message>> {
  const answers = new Map<string, Message>();
  await server.receive((message) => {
    if (!ids.has(message.id)) return false;
    ok(!answers.has(message.id), `${message.id} was answered twice`);
    answers.set(message.id, message);
    return answers.size === ids.size;
  }, withinMs);
  return answers;
}
