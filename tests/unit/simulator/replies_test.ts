/** Somebody answers what the account says. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { data } from "./support.ts";
import { type Client, connect } from "./socket_support.ts";

async function withClient(test: (simulator: Simulator, client: Client) => Promise<void>): Promise<void> {
  await using simulator = await startSimulator({ wsPort: 0 });
  await using client = await connect(simulator);
  await test(simulator, client);
}

Deno.test("a message to a group is answered by its first member, with a quote", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const message = [{ type: "text", data: { text: " How are [you]? " } }, { type: "face", data: { id: "14" } }];
    const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message });
    const answer = await client.event();
    deepStrictEqual([answer.post_type, answer.group_id, answer.user_id], ["message", 20001, 11001]);
    deepStrictEqual(answer.message, [
      { type: "reply", data: { id: String(message_id) } },
      { type: "text", data: { text: "You said: How are [you]?" } },
    ]);
    strictEqual((await data(simulator, "get_msg", { message_id: answer.message_id })).user_id, 11001);
  });
});

Deno.test("who was mentioned answers, and nobody who is muted", async () => {
  verifies("simulator-socket");
  await withClient(async (_simulator, client) => {
    await client.call("set_group_ban", { group_id: 20001, user_id: 12001, duration: 60 });
    await client.event();
    await client.call("send_group_msg", { group_id: 20001, message: "[CQ:at,qq=12002] and [CQ:at,qq=10001]" });
    await client.call("send_group_msg", { group_id: 20001, message: "[CQ:at,qq=12001]" });
    deepStrictEqual([(await client.event()).user_id, (await client.event()).user_id], [12002, 11001]);
  });
});

Deno.test("a private message is answered by the friend, and long or wordless ones briefly", async () => {
  verifies("simulator-socket");
  await withClient(async (_simulator, client) => {
    await client.call("send_private_msg", { user_id: 11002, message: `x${"😀".repeat(500)}` });
    await client.call("send_private_msg", { user_id: 11002, message: "[CQ:face,id=14]" });
    const answer = await client.event();
    deepStrictEqual([answer.message_type, answer.user_id], ["private", 11002]);
    strictEqual(answer.message[1].data.text, `You said: x${"😀".repeat(99)}`);
    strictEqual((await client.event()).message[1].data.text, "Seen.");
  });
});

Deno.test("answers are not answered, and neither is what others write or what was recalled", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    simulator.receive({ group_id: 20001, user_id: 12001, message: "not mine" });
    strictEqual((await client.event()).user_id, 12001);
    const { data: { message_id } } = await client.call("send_group_msg", { group_id: 20001, message: "recalled" });
    await client.call("delete_msg", { message_id });
    strictEqual((await client.event()).notice_type, "group_recall");
    await client.call("send_group_msg", { group_id: 20003, message: "asked" });
    strictEqual((await client.event()).group_id, 20003);
    // Were anything above answered, it would be by now: this is said later and answered as late as the rest.
    await client.call("send_group_msg", { group_id: 20002, message: "last" });
    strictEqual((await client.event()).group_id, 20002);
    deepStrictEqual(client.frames, []);
  });
});

Deno.test("at most 64 answers are on their way", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const calls = Array.from(
      { length: 80 },
      (_, index) => client.call("send_group_msg", { group_id: 20001, message: `${index}` }),
    );
    await Promise.all(calls);
    for (let count = 0; count < 64; count += 1) await client.event();
    await client.call("send_group_msg", { group_id: 20003, message: "later" });
    strictEqual((await client.event()).group_id, 20003);
    const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001, count: 200 });
    strictEqual(messages.length, 6 + 80 + 64);
  });
});

Deno.test("nobody answers without a WebSocket, or when told not to, unless told to", async () => {
  verifies("simulator-socket");
  const told: [options: Parameters<typeof startSimulator>[0], answered: boolean][] = [
    [{}, false],
    [{ wsPort: 0, answers: false }, false],
    [{ answers: true }, true],
  ];
  await Promise.all(told.map(async ([options, answered]) => {
    await using simulator = await startSimulator(options);
    await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
    const count = async (): Promise<number> =>
      (await data(simulator, "get_group_msg_history", { group_id: 20001 })).messages.length;
    const deadline = performance.now() + (answered ? 10_000 : 400);
    while (performance.now() < deadline && await count() < 8) await new Promise((resolve) => setTimeout(resolve, 20));
    strictEqual(await count(), answered ? 8 : 7);
  }));
});

// The sanitizers find timers that are left.
Deno.test("close() ends answers on their way", { sanitizeOps: true, sanitizeResources: true }, async () => {
  verifies("simulator-socket");
  const simulator = await startSimulator({ answers: true });
  await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
  await simulator.close();
});
