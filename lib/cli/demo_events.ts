/** The part of the demo with live events: somebody answers what was said, and the answer is read by its cursor. */
import type { Transcript } from "./demo_transcript.ts";

/** The simulated account. */
const SELF_ID = 10001;

/** Subscribes, says something, reads the answer, lets go. */
export async function watching(session: Transcript): Promise<void> {
  await using _ = await session.connect("write");
  session.title("Watch a group");
  const watch = { self_id: SELF_ID, types: ["message"], group_ids: [20001] };
  const { result: { uri } } = await session.call("subscribe_events", watch);
  session.expect(uri?.startsWith("snowluma://onebot/events/"), "there is a resource for it");

  session.title("Say something");
  const message = [{ type: "text", data: { text: "Who is at the meeting?" } }];
  const sent = await session.call("invoke_action", { action: "send_group_msg", params: { group_id: 20001, message } });
  session.expect(sent.diagnostics.outcome === "success", "the bot took the question");

  session.title("Wait for what comes");
  const page = await session.call("read_events", { uri, wait_ms: 5000 });
  const [first] = page.result.events ?? [];
  session.expect(first?.cursor === "1" && first.event.user_id !== SELF_ID, "somebody else answered");
  session.expect(first?.event.raw_message.includes("Who is at the meeting?"), "the answer quotes the question");

  session.title("Go on from there");
  const rest = await session.call("read_events", { uri, after: page.result.next_cursor });
  session.expect(rest.result.events?.length === 0, "nothing newer has come, and nothing is told twice");

  session.title("Let go");
  const { result: { released } } = await session.call("unsubscribe_events", { uri });
  session.expect(released === true && await isLeft(session), "the connection is closed");
}

/** Whether nobody is connected any more; taking leave needs a moment. */
async function isLeft({ simulator }: Transcript): Promise<boolean> {
  for (let n = 0; n < 40 && simulator.sockets > 0; n++) await new Promise((resolve) => setTimeout(resolve, 25));
  return simulator.sockets === 0;
}
