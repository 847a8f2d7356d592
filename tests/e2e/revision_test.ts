/** Revisions that are not spoken: refused on every request, before anything runs. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { envelope, MODERN, modernRequest } from "./support.ts";

const READ = { name: "query_action", arguments: { action: "get_status" } };
const SEND = {
  name: "invoke_action",
  arguments: { action: "send_group_msg", params: { group_id: 20001, message: "x" } },
};
const UNSPOKEN = ["2027-01-01", "2025-11-25", "1999-01-01", "", "latest"];

/** Request number 1, 2 and 10 claim another revision; all others are served. */
async function refusesThree(server: ServerProcess, serve: (id: number) => Promise<Message>): Promise<void> {
  for (let id = 1; id <= 12; id++) {
    if (![1, 2, 10].includes(id)) {
      strictEqual((await serve(id)).result.structuredContent.diagnostics.outcome, "success");
      continue;
    }
    const requested = UNSPOKEN[id % UNSPOKEN.length];
    const _meta = envelope({ protocolVersion: requested });
    const { error } = await server.request(id, "tools/call", { ...SEND, _meta });
    strictEqual(error?.code, -32022, `request ${id}: ${JSON.stringify(error)}`);
    deepStrictEqual(error.data, { supported: [MODERN], requested });
    ok(error.message.includes("protocol version"));
  }
}

Deno.test("a modern connection refuses unspoken revisions on its first, second and tenth request", async () => {
  verifies("revision-refused");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await refusesThree(server, (id) => modernRequest(server, id, "tools/call", READ));
  deepStrictEqual(bot.requests.map(({ action }) => action), Array(9).fill("get_status"));
});

Deno.test("a legacy connection refuses unspoken revisions on its first, second and tenth request", async () => {
  verifies("revision-refused");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  await server.initialize();
  await refusesThree(server, (id) => server.request(id, "tools/call", READ));
  deepStrictEqual(bot.requests.map(({ action }) => action), Array(9).fill("get_status"));
});

Deno.test("every method refuses an unspoken revision, and the refused request is not run later", async () => {
  verifies("revision-refused");
  await using bot = await startSimulator();
  await using server = new ServerProcess({ args: ["--endpoint", bot.url, "--mode", "write"] });
  const methods = [
    "server/discover",
    "initialize",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
    "subscriptions/listen",
    "ping",
    "no/such",
  ];
  for (const round of [0, 1]) {
    for (const [index, method] of methods.entries()) {
      const _meta = envelope({ protocolVersion: "2031-05-05" });
      const { error } = await server.request(round * 100 + index, method, { _meta });
      strictEqual(error?.code, -32022, `${method}: ${JSON.stringify(error)}`);
    }
    await modernRequest(server, `fine ${round}`, "tools/list");
  }
  // the revision that is spoken gets its answer, and it is the only one that reaches the bot
  const { result } = await modernRequest(server, "call", "tools/call", READ);
  strictEqual(result.structuredContent.diagnostics.outcome, "success");
  strictEqual(bot.requests.length, 1);
});

Deno.test("a refused revision is quoted at a bounded length in the message", async () => {
  verifies("revision-refused");
  await using server = new ServerProcess();
  const _meta = envelope({ protocolVersion: "9".repeat(100_000) });
  const { error } = await server.request(1, "tools/list", { _meta });
  strictEqual(error.code, -32022);
  ok(error.message.length < 200, `${error.message.length} characters`);
});
