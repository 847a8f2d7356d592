/** What the tests of live events share: a server with an event address, and reading what it gives in both ways. */
import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import type { TestClient } from "../support/clients.ts";
import type { Message, ServerOptions } from "../support/server_process.ts";
import { SELF } from "../unit/events/support.ts";
import { type Diagnostics, failureOf } from "./exec_support.ts";

/** The grants that users are told to give, to the letter. */
export const EVENT_GRANTS: readonly string[] = [
  "--allow-env=SNOWLUMA_MCP_*,WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE",
  "--allow-net=127.0.0.1",
];

/** An address for calls at which nothing listens: whoever asked it would be told so. */
const NOBODY = "http://127.0.0.1:1/";

/** Environment beside the event address. */
export interface EventSetup {
  readonly mode?: "docs" | "read" | "write";
  /** Where calls go; nobody is there unless given. */
  readonly endpoint?: string;
  /** More variables; they come last. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How to start a server for that event address; read mode unless told otherwise. */
export function eventOptions(
  wsUrl: string | undefined,
  { mode = "read", endpoint = NOBODY, env = {} }: EventSetup = {},
): ServerOptions {
  return {
    env: {
      SNOWLUMA_MCP_ENDPOINT: endpoint,
      SNOWLUMA_MCP_MODE: mode,
      ...(wsUrl !== undefined && { SNOWLUMA_MCP_EVENTS_URL: wsUrl }),
      ...env,
    },
    grants: EVENT_GRANTS,
  };
}

/** Whoever can call a tool: an official client, or raw pipes. */
export type Caller = Pick<TestClient, "callTool">;

/** A page of events, as promised. */
export interface Page {
  readonly uri: string;
  readonly status: string;
  readonly reason?: { readonly kind: string; readonly message: string; readonly next_step: string };
  readonly events: ReadonlyArray<{ readonly cursor: string; readonly event: Message }>;
  readonly next_cursor: string;
  readonly oldest_cursor: string | null;
  readonly dropped_events: number;
  readonly gap: boolean;
  readonly notification_failed: boolean;
  readonly untrusted: string;
}

/** The canonical address of an event resource. */
export const EVENT_URI = /^snowluma:\/\/onebot\/events\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Subscribes to a bot that has said something, and gives the resource's address. */
export async function subscribe(client: Caller, args: Message = {}): Promise<string> {
  const { result, diagnostics } = resultOf(await client.callTool("subscribe_events", { self_id: SELF, ...args }));
  match(result.uri, EVENT_URI);
  deepStrictEqual(result, { uri: result.uri, self_id: args.self_id ?? SELF, next_cursor: "0", confirmed: true });
  deepStrictEqual(diagnostics, { outcome: "success" });
  return result.uri;
}

/** Why subscribing did not work. */
export async function refusal(client: Caller, args: Message = {}): Promise<Diagnostics> {
  return failureOf(await client.callTool("subscribe_events", { self_id: SELF, ...args }));
}

/** Releases a resource. */
export async function release(client: Caller, uri: string): Promise<void> {
  const { result } = resultOf(await client.callTool("unsubscribe_events", { uri }));
  deepStrictEqual(result, { uri, released: true });
}

/** Reads by tool. */
export async function readEvents(client: Caller, uri: string, args: Message = {}): Promise<Page> {
  const { result } = resultOf(await client.callTool("read_events", { uri, ...args }));
  return checked(result, uri);
}

/** Reads the resource; `query` is what follows its address. */
export async function readResource(client: TestClient, uri: string, query = ""): Promise<Page> {
  const { contents } = await client.readResource(uri + query);
  strictEqual(contents.length, 1);
  deepStrictEqual({ ...contents[0], text: "" }, { uri: uri + query, mimeType: "application/json", text: "" });
  return checked(JSON.parse(contents[0].text), uri);
}

/** Reads on by cursor until so many events have come, whole and in order; 20 s at most. */
export async function collect(client: Caller, uri: string, count: number): Promise<Page["events"]> {
  const events: Array<Page["events"][number]> = [];
  const deadline = performance.now() + 20_000;
  for (let after = "0"; events.length < count;) {
    ok(performance.now() < deadline, `only ${events.length} of ${count} events came`);
    const page = await readEvents(client, uri, { after, wait_ms: 5_000 });
    ok(page.events.length > 0 || page.status === "connected", JSON.stringify(page));
    events.push(...page.events);
    after = page.next_cursor;
  }
  strictEqual(events.length, count);
  return events;
}

/** Waits by tool until the connection of a resource has ended, and gives the page that says so. */
export async function ended(client: Caller, uri: string): Promise<Page> {
  const deadline = performance.now() + 20_000;
  for (let after = "0";;) {
    const page = await readEvents(client, uri, { after, wait_ms: 5_000 });
    if (page.status !== "connected") return await readEvents(client, uri);
    ok(performance.now() < deadline, "the connection has not ended");
    after = page.next_cursor;
  }
}

/** Checks that reading this is refused as an error of the protocol, and gives its message. */
export async function unreadable(client: TestClient, uri: string): Promise<string> {
  let message = "";
  await rejects(() => client.readResource(uri), (error: Error & { code?: number }) => {
    strictEqual(error.code, -32602, error.message);
    message = error.message;
    return true;
  });
  return message;
}

/** Result and diagnostics of a call that came through, after checking that text and data agree. */
export function resultOf(answer: Message): { result: Message; diagnostics: Message } {
  const { content, structuredContent, isError } = answer;
  ok(!isError, JSON.stringify(answer).slice(0, 500));
  strictEqual(content.length, 1);
  deepStrictEqual(JSON.parse(content[0].text), structuredContent.result);
  return structuredContent;
}

/** Checks the form of a page. */
function checked(page: Message, uri: string): Page {
  const fields = ["uri", "status", "events", "next_cursor", "oldest_cursor", "dropped_events", "gap"];
  const reason = page.status === "connected" ? [] : ["reason"];
  const all = [...fields, ...reason, "notification_failed", "untrusted"];
  deepStrictEqual(Object.keys(page).sort(), all.sort());
  strictEqual(page.uri, uri);
  match(page.untrusted, /never instructions/);
  match(page.next_cursor, /^(0|[1-9]\d*)$/);
  return page as Page;
}
