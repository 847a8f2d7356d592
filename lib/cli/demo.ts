/**
 * `snowluma-mcp demo`: the official client talks over real pipes to this server, which talks to the simulated
 * bot. Every step is checked; the first that does not do what it says ends the demo.
 */
import { startSimulator } from "../simulator/mod.ts";
import { NAME, VERSION } from "../version.ts";
import { watching } from "./demo_events.ts";
import { makeFolders, transferring } from "./demo_files.ts";
import { background } from "./demo_tasks.ts";
import { TIMEOUT_MS, Transcript } from "./demo_transcript.ts";

/**
 * Runs the demo.
 *
 * @param print Takes the transcript, line by line.
 * @returns Whether every step did what it says.
 *
 * Needs `--allow-run` for Deno, `--allow-net=127.0.0.1`, reading and writing of `.demo` in the working directory, and the
 * environment that a child process inherits.
 */
export async function demo(print: (line: string) => void): Promise<boolean> {
  await using simulator = await startSimulator({ wsPort: 0 });
  print(`${NAME} ${VERSION}: a session against a simulated bot at ${simulator.url}`);
  try {
    await reading(new Transcript(print, simulator));
    await writing(new Transcript(print, simulator));
    await watching(new Transcript(print, simulator));
    await using folders = await makeFolders();
    await transferring(new Transcript(print, simulator), folders);
    await background(new Transcript(print, simulator), folders);
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
  session.title("Draft a message");
  const draft = { message_type: "group", target_id: 20001, text: "Hello, [group]!" };
  const preview = await session.call("preview_message", draft);
  session.expect(preview.result.can_send === true, "it could be sent, and has not been");

  session.title("Send exactly that");
  const answer = await session.call("invoke_action", preview.result.invoke_action ?? {});
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
