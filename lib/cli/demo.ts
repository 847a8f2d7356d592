/**
 * `snowluma-mcp demo`: the official client talks over real pipes to this server, which talks to the simulated
 * bot. Every step is checked; the first that does not do what it says ends the demo.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Simulator, startSimulator } from "../simulator/mod.ts";
import { NAME, VERSION } from "../version.ts";
import { netHost } from "./endpoint.ts";
import { serverCommand } from "./server_command.ts";

/** Timeout of the server in the demo, in milliseconds: short, so that the stalled call is soon over. */
const TIMEOUT_MS = 800;

/** A tool's structured content, as far as the demo looks at it. */
interface Structured {
  readonly result: {
    readonly actions?: ReadonlyArray<{ readonly name: string }>;
    readonly inputSchema?: { readonly required: readonly string[] };
    readonly valid?: boolean;
    readonly data?: { readonly message_id?: number; readonly message?: unknown; readonly messages?: unknown };
  };
  readonly diagnostics: { readonly outcome: string; readonly kind?: string };
}

/**
 * Runs the demo.
 *
 * @param print Takes the transcript, line by line.
 * @returns Whether every step did what it says.
 *
 * Needs `--allow-run` for Deno, `--allow-net=127.0.0.1`, and the environment that a child process inherits.
 */
export async function demo(print: (line: string) => void): Promise<boolean> {
  await using simulator = await startSimulator();
  print(`${NAME} ${VERSION}: a session against a simulated bot at ${simulator.url}`);
  try {
    await reading(new Transcript(print, simulator));
    await writing(new Transcript(print, simulator));
  } catch (error) {
    print(`\nThe demo stopped: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
  print("\nEvery step did what it says.");
  return true;
}

async function reading(session: Transcript): Promise<void> {
  await using _ = await session.connect("read");
  session.title("Find an action");
  const found = await session.call("search_actions", { query: "mute member", match: "keywords", limit: 3 });
  session.expect(found.result.actions?.[0]?.name === "set_group_ban", "the best match is set_group_ban");

  session.title("Read its documentation");
  const page = await session.call("get_action", { name: "set_group_ban" });
  session.expect(page.result.inputSchema?.required.includes("user_id"), "user_id is required");

  session.title("Check a call without making it");
  const check = await session.call("check_action", { action: "set_group_ban", params: { group_id: 20001, time: 60 } });
  session.expect(check.result.valid === false, "the call is not valid: user_id is missing, time is not known");

  session.title("Ask the bot something");
  const groups = await session.call("query_action", { action: "get_group_list" });
  session.expect(groups.diagnostics.outcome === "success", "the bot lists its groups");

  session.title("Try to write in read mode");
  const sent = session.requests;
  const refused = await session.call("invoke_action", { action: "send_group_msg", params: greeting("Hello") });
  session.expect(refused.diagnostics.kind === "mode" && session.requests === sent, "refused, and nothing was sent");
}

async function writing(session: Transcript): Promise<void> {
  await using _ = await session.connect("write");
  session.title("Send a message in write mode");
  const answer = await session.call("invoke_action", { action: "send_group_msg", params: greeting("Hello, [group]!") });
  session.expect(answer.diagnostics.outcome === "success", "the bot took it");

  session.title("Read it back");
  const params = { message_id: answer.result.data?.message_id };
  const message = await session.call("query_action", { action: "get_msg", params });
  const literal = JSON.stringify(greeting("Hello, [group]!").message);
  session.expect(JSON.stringify(message.result.data?.message) === literal, "the text stayed literal");

  session.title("Send to a bot that stores the message and then never answers");
  session.simulator.script({ kind: "delay", when: "after", ms: 10 * TIMEOUT_MS, action: "send_group_msg" });
  const sent = session.requests;
  const doubtful = await session.call("invoke_action", {
    action: "send_group_msg",
    params: greeting("Are you there?"),
  });
  session.expect(doubtful.diagnostics.outcome === "unknown", "the outcome is unknown, not failed");
  session.expect(session.requests === sent + 1, "it was sent once and not again");

  session.title("Look before repeating");
  const history = await session.call("query_action", {
    action: "get_group_msg_history",
    params: { group_id: 20001, count: 1 },
  });
  const texts = JSON.stringify(history.result.data?.messages) ?? "";
  session.expect(texts.includes("Are you there?"), "the message had arrived: repeating it would have doubled it");
}

function greeting(text: string): { group_id: number; message: unknown } {
  return { group_id: 20001, message: [{ type: "text", data: { text } }] };
}

/** One server process, its client, and what is printed of their talk. */
class Transcript {
  #client = new Client({ name: "demo", version: VERSION }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });

  constructor(readonly print: (line: string) => void, readonly simulator: Simulator) {}

  /** Requests that the bot has seen so far. */
  get requests(): number {
    return this.simulator.requests.length;
  }

  async connect(mode: "read" | "write"): Promise<AsyncDisposable> {
    const { url } = this.simulator;
    const server = serverCommand([`--allow-net=${netHost(url)}`]);
    await this.#client.connect(
      new StdioClientTransport({
        command: await mayRun(server.command) ? server.command : "deno",
        args: [...server.args, "--endpoint", url, "--mode", mode, "--timeout-ms", String(TIMEOUT_MS)],
        env: await cacheLocation(),
        stderr: "ignore",
      }),
    );
    const { tools } = await this.#client.listTools();
    this.print(`\n=== ${mode} mode: ${tools.map(({ name }) => name).join(", ")}`);
    return { [Symbol.asyncDispose]: () => this.#client.close() };
  }

  title(text: string): void {
    this.print(`\n--- ${text}`);
  }

  async call(name: string, args: Record<string, unknown>): Promise<Structured> {
    this.print(`> ${name} ${JSON.stringify(args)}`);
    const answer = await this.#client.callTool({ name, arguments: args });
    const [content] = answer.content;
    const text = content?.type === "text" ? content.text : "";
    this.print(`< ${text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text}`);
    return answer.structuredContent as unknown as Structured;
  }

  expect(holds: boolean | undefined, claim: string): void {
    if (!holds) throw new Error(`it does not hold that ${claim}`);
    this.print(`✓ ${claim}`);
  }
}

/** Under a grant for the word `deno` alone, the executable's own path is not covered. */
async function mayRun(command: string): Promise<boolean> {
  const { state } = await Deno.permissions.query({ name: "run", command });
  return state === "granted";
}

/** The server finds its modules where this process has them; the client's own choice of variables lacks it. */
async function cacheLocation(): Promise<Record<string, string>> {
  const { state } = await Deno.permissions.query({ name: "env", variable: "DENO_DIR" });
  const path = state === "granted" ? Deno.env.get("DENO_DIR") : undefined;
  return path === undefined ? {} : { DENO_DIR: path };
}
