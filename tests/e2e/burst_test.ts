/** Many requests at once: every one answered, once. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { envelope } from "./support.ts";

const COUNT = 1000;

function tally(lines: readonly string[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const line of lines) {
    const { id } = JSON.parse(line);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function burst(server: ServerProcess, request: (id: number) => Message): Promise<Message[]> {
  const before = server.lines.length;
  const ids = Array.from({ length: COUNT }, (_, id) => id);
  await server.send(ids.map((id) => `${JSON.stringify({ jsonrpc: "2.0", id, ...request(id) })}\n`).join(""));
  const answers: Message[] = [];
  for (const id of ids) answers.push(await server.receive((message) => message.id === id, 30_000));
  await server.send({ jsonrpc: "2.0", id: "end", method: "tools/list", params: { _meta: envelope() } });
  await server.receive(({ id }) => id === "end");
  const counts = tally(server.lines.slice(before));
  strictEqual(counts.size, COUNT + 1);
  deepStrictEqual([...counts.values()].filter((count) => count !== 1), []);
  return answers;
}

for (const modern of [false, true]) {
  Deno.test(`1,000 pipelined docs calls are all answered once (${modern ? "newer" : "older"} generation)`, async () => {
    verifies("burst");
    await using server = new ServerProcess();
    if (!modern) await server.initialize();
    const names = ["get_msg", "send_group_msg", "no_such"];
    const answers = await burst(server, (id) => ({
      method: "tools/call",
      params: {
        name: "get_action",
        arguments: { name: names[id % names.length] },
        ...(modern && { _meta: envelope() }),
      },
    }));
    for (const [id, { result }] of answers.entries()) {
      const wanted = names[id % names.length];
      strictEqual(result.structuredContent.result?.name, wanted === "no_such" ? undefined : wanted);
    }
  });
}

Deno.test("1,000 pipelined writes reach the bot once each and are all answered once", async () => {
  verifies("burst", "never-retry", "one-post");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await server.initialize();
  const answers = await burst(server, (id) => ({
    method: "tools/call",
    params: {
      name: "invoke_action",
      arguments: { action: "send_group_msg", params: { group_id: 20001, message: `message ${id}` } },
    },
  }));
  for (const { result } of answers) strictEqual(result.structuredContent.diagnostics.outcome, "success");
  const sent = bot.requests.map(({ params }) => params.message).sort();
  deepStrictEqual(sent, Array.from({ length: COUNT }, (_, id) => `message ${id}`).sort());
});

for (const makeClient of CLIENTS) {
  Deno.test(`1,000 calls of an official client at once all come back (${makeClient.name})`, async () => {
    verifies("burst");
    await using client = await makeClient();
    const calls = Array.from({ length: COUNT }, () => client.callTool("list_categories"));
    for (const { structuredContent } of await Promise.all(calls)) {
      strictEqual(structuredContent.result.length, 11);
    }
  });
}
