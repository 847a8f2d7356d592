/** What the tests of the simulator share: calling an action the way a client does. */
import { strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Simulator } from "../../../lib/simulator/mod.ts";

/** An answer as the client sees it. */
// deno-lint-ignore no-explicit-any -- tests look into answers of many shapes
export type Answer = { status: string; retcode: number; data: any; wording?: string; echo?: unknown };

/** Calls an action by JSON POST and returns the envelope. */
export async function call(simulator: Simulator, action: string, params: unknown = {}): Promise<Answer> {
  return await (await send(simulator, action, params)).json();
}

/** The HTTP response of the same call. */
export function send(
  simulator: Simulator,
  action: string,
  params: unknown = {},
  options: RequestInit & { client?: Deno.HttpClient } = {},
): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${simulator.url}${action}`, { method: "POST", headers, body: JSON.stringify(params), ...options });
}

/** Calls an action that must succeed and returns its data. */
export async function data(simulator: Simulator, action: string, params: unknown = {}): Promise<Answer["data"]> {
  const answer = await call(simulator, action, params);
  strictEqual(answer.retcode, 0, `${action}: ${answer.wording}`);
  return answer.data;
}

/** Calls an action that must fail and returns its wording. */
export async function refusal(simulator: Simulator, action: string, params: unknown, retcode: number): Promise<string> {
  const answer = await call(simulator, action, params);
  strictEqual(answer.status, "failed", `${action} ${JSON.stringify(params)} succeeded`);
  strictEqual(answer.retcode, retcode, answer.wording);
  strictEqual(answer.data, null);
  return answer.wording ?? "";
}

/** Calls a stream action and returns its frames. */
export async function frames(simulator: Simulator, action: string, params: unknown = {}): Promise<Answer[]> {
  return parseFrames(await (await send(simulator, action, params)).text());
}

/** Calls `upload_file_stream`, whose calls have exactly one frame each, and returns it. */
export async function upload(simulator: Simulator, params: Record<string, unknown>): Promise<Answer> {
  const answers = await frames(simulator, "upload_file_stream", params);
  strictEqual(answers.length, 1, "each call has exactly one frame");
  return answers[0] as Answer;
}

/** The text of `chunk_data`. */
export function base64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString("base64");
}

/** Frames of a whole body; each one, the last included, is followed by a blank line. */
export function parseFrames(body: string): Answer[] {
  const parts = body.split("\r\n\r\n");
  strictEqual(parts.pop(), "", "the body ends after a frame");
  return parts.map((part) => JSON.parse(part));
}

/** A client that keeps no connection: one that is cut on a reused connection would be sent again by `fetch`. */
export function freshConnections(): Deno.HttpClient {
  return Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
}
