/** Faults of a bot that acts all the same: what it did shows in its world, and nothing is ever done twice. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { type Fault, type Simulator, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS, type TestClient } from "../support/clients.ts";
import { botEnv, failureOf, KINDS, passedOn, serverFor } from "./exec_support.ts";
import { deadEndpoint } from "./support.ts";

/** What happens to the send, whether it took effect, and how it is told. */
const FAULTS: ReadonlyArray<{ name: string; fault: Fault; stored: boolean; kind: string }> = [
  {
    name: "stored, then stalled",
    fault: { kind: "delay", ms: Infinity, when: "after" },
    stored: true,
    kind: "timeout",
  },
  { name: "stalled before acting", fault: { kind: "delay", ms: Infinity }, stored: false, kind: "timeout" },
  { name: "stored, then cut", fault: { kind: "cut", when: "after" }, stored: true, kind: "cut" },
  { name: "cut before acting", fault: { kind: "cut", when: "before" }, stored: false, kind: "cut" },
  { name: "stored, answer cut in the body", fault: { kind: "cut", when: "midbody" }, stored: true, kind: "cut" },
  { name: "stored, answer drips", fault: { kind: "drip", chunkBytes: 1, everyMs: 100 }, stored: true, kind: "timeout" },
  {
    name: "stored, answer is HTML",
    fault: { kind: "body", body: "<h1>Bad Gateway</h1>", act: true },
    stored: true,
    kind: "invalid_answer",
  },
  { name: "a huge answer", fault: { kind: "huge", bytes: 17 * 1024 * 1024 }, stored: false, kind: "too_large" },
];

for (const connect of CLIENTS) {
  Deno.test(`a write whose answer is lost is unknown, sent once, and can be looked up (${connect.name})`, async (t) => {
    verifies("outcome-write", "never-retry", "timeout-whole", "eras-equal", "bad-answers");
    await using simulator = await startSimulator();
    await using client = await connect({ env: botEnv(simulator, { timeoutMs: 1_000 }) });
    for (const { name, fault, stored, kind } of FAULTS) {
      await t.step(name, async () => {
        const text = `${connect.name}: ${name}`;
        simulator.script({ ...fault, action: "send_group_msg" });
        const failure = failureOf(
          await client.callTool("invoke_action", {
            action: "send_group_msg",
            params: { group_id: 20001, message: [{ type: "text", data: { text } }] },
          }),
        );
        deepStrictEqual([failure.outcome, failure.kind], ["unknown", kind]);
        match(failure.message, /^send_group_msg may have taken effect/);
        strictEqual(sends(simulator, text), 1);
        strictEqual(await timesInHistory(client, text), stored ? 1 : 0);
      });
    }
  });
}

/** How often this text was sent to the bot. */
function sends({ requests }: Simulator, text: string): number {
  return requests.filter(({ action, params }) => action === "send_group_msg" && JSON.stringify(params).includes(text))
    .length;
}

/** How often this text is in the group's history, as a client reads it. */
async function timesInHistory(client: TestClient, text: string): Promise<number> {
  const { envelope } = passedOn(
    await client.callTool("query_action", { action: "get_group_msg_history", params: { group_id: 20001, count: 50 } }),
  );
  strictEqual(envelope.status, "ok");
  return envelope.data.messages.filter((message: unknown) => JSON.stringify(message).includes(`"${text}"`)).length;
}

for (const connect of CLIENTS) {
  Deno.test(`a refused connection is a failure for writes too (${connect.name})`, async (t) => {
    verifies("outcome-refused", "eras-equal");
    await using client = await connect({ env: botEnv({ url: deadEndpoint() }) });
    for (const { tool, args, action } of Object.values(KINDS)) {
      await t.step(tool, async () => {
        const { outcome, kind, message } = failureOf(await client.callTool(tool, args));
        deepStrictEqual([outcome, kind], ["failed", "connect"]);
        match(message, new RegExp(`^Cannot call ${action}: no connection`));
      });
    }
  });
}

Deno.test("a bot that is started after a refused connection is used by the next call", async () => {
  verifies("outcome-refused", "never-retry");
  const url = deadEndpoint();
  await using server = await serverFor({ url });
  strictEqual(failureOf(await server.call(1, KINDS.write.tool, KINDS.write.args)).kind, "connect");
  await using simulator = await startSimulator({ port: Number(new URL(url).port) });
  strictEqual(passedOn(await server.call(2, KINDS.write.tool, KINDS.write.args)).diagnostics.outcome, "success");
  strictEqual(simulator.requests.length, 1);
});

Deno.test("a bot that goes away and comes back costs the calls between and no more", async () => {
  verifies("outcome-refused", "never-retry");
  const first = await startSimulator();
  await using server = await serverFor(first);
  passedOn(await server.call(1, KINDS.write.tool, KINDS.write.args));
  await first.close();
  strictEqual(failureOf(await server.call(2, KINDS.write.tool, KINDS.write.args)).outcome, "failed");
  await using second = await startSimulator({ port: first.port });
  passedOn(await server.call(3, KINDS.write.tool, KINDS.write.args));
  deepStrictEqual([first.requests.length, second.requests.length], [1, 1]);
});
