/** What the tests of completing missing parameters share: calls that lack one, answers to forms, rounds of each era. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { botEnv, type BotOptions, type Diagnostics, failureOf } from "./exec_support.ts";
import { envelope } from "./support.ts";
import { type Folders, transferOptions } from "./transfer_support.ts";

/** The tools that ask, by door. */
export const ASKING = { query: "query_action_with_input", invoke: "invoke_action_with_input" } as const;

/** Capabilities of a client that shows forms. */
export const FORMS = { elicitation: { form: {} } };

/** A call that lacks its message. */
export const SEND = { action: "send_group_msg", params: { group_id: 20001 } };

/** A form that was filled in, by default with what {@link SEND} lacks. */
export function accept(params_json: unknown = '{"message":"Hello"}'): Message {
  return { action: "accept", content: { params_json } };
}

/** One round of the modern generation. */
export interface Round {
  /** By default the tool that invokes. */
  readonly tool?: string;
  /** By default {@link SEND}. */
  readonly args?: Message;
  readonly capabilities?: Message;
  /** What an earlier round gave to keep. */
  readonly state?: unknown;
  /** Answers by the key of their question. */
  readonly responses?: unknown;
  /** More fields of `_meta`. */
  readonly meta?: Message;
}

let rounds = 0;

/** Makes a modern tool call and gives the JSON-RPC answer. */
export function round(
  server: ServerProcess,
  { tool = ASKING.invoke, args = SEND, capabilities = FORMS, state, responses, meta }: Round = {},
): Promise<Message> {
  return server.request(`round-${++rounds}`, "tools/call", {
    name: tool,
    arguments: args,
    ...(state !== undefined && { requestState: state }),
    ...(responses !== undefined && { inputResponses: responses }),
    _meta: { ...envelope({ clientCapabilities: capabilities }), ...meta },
  });
}

/** The first round, which has to ask; gives what the client keeps. */
export async function open(server: ServerProcess, fields: Round = {}): Promise<string> {
  const answer = await round(server, fields);
  strictEqual(answer.result?.resultType, "input_required", JSON.stringify(answer).slice(0, 500));
  return answer.result.requestState;
}

/** The second round: brings a state and the answer to its form, by default a good one. */
export function resume(
  server: ServerProcess,
  state: unknown,
  answer: Message = accept(),
  fields: Round = {},
): Promise<Message> {
  return round(server, { ...fields, state, responses: { params: answer } });
}

/** Checks that a call failed for reasons of its form, and gives what it said. */
export function refusalOf(answer: Message): Diagnostics {
  const diagnostics = failureOf(answer);
  deepStrictEqual([diagnostics.outcome, diagnostics.kind], ["failed", "input"], diagnostics.message);
  return diagnostics;
}

/** How a server is set up against a bot; with folders it has nothing to warn of when it starts. */
export interface InputOptions extends BotOptions {
  readonly folders?: Folders;
}

/** A server process for a bot that speaks the modern generation: nothing goes before the first call. */
export function modernServer(
  bot: { readonly url: string },
  { folders, ...options }: InputOptions = {},
): ServerProcess {
  return new ServerProcess(folders ? transferOptions(bot, folders, options) : { env: botEnv(bot, options) });
}

/** A server process for a bot, after a handshake with these capabilities. */
export async function legacyServer(
  bot: { readonly url: string },
  capabilities: Message = FORMS,
  options: InputOptions = {},
): Promise<ServerProcess> {
  const server = modernServer(bot, options);
  const clientInfo = { name: "raw", version: "1" };
  await server.request("init", "initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  await server.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return server;
}

/** Makes a legacy call and waits for the question that it leads to; gives the question. */
export async function askedBy(server: ServerProcess, id: string, args: Message = SEND): Promise<Message> {
  const earlier = new Set(server.lines.map((line) => JSON.parse(line).id));
  const params = { name: ASKING.invoke, arguments: args };
  await server.send({ jsonrpc: "2.0", id, method: "tools/call", params });
  return await server.receive(({ id, method }) => method === "elicitation/create" && !earlier.has(id));
}

/** Answers a question of the server. */
export function reply(server: ServerProcess, { id }: Message, result: Message = accept()): Promise<void> {
  return server.send({ jsonrpc: "2.0", id, result });
}
