/** check_action: every problem at once, offline, through both official clients. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS, type TestClient } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { ServerProcess } from "../support/server_process.ts";

const FIELDS = ["action", "valid", "problems", "missing", "unknown_params", "risk", "tool"];

async function check(client: TestClient, action: string, params?: Message): Promise<Message> {
  const { isError, structuredContent } = await client.callTool("check_action", { action, ...(params && { params }) });
  ok(!isError, "an invalid call is not an error of the tool");
  deepStrictEqual(structuredContent.diagnostics, { outcome: "success" });
  deepStrictEqual(Object.keys(structuredContent.result), FIELDS);
  return structuredContent.result;
}

for (const makeClient of CLIENTS) {
  Deno.test(`check_action finds every problem at once (${makeClient.name})`, async (t) => {
    verifies("check-action");
    await using client = await makeClient();

    await t.step("a valid call", async () => {
      deepStrictEqual(await check(client, "get_msg", { message_id: -2000000001 }), {
        action: "get_msg",
        valid: true,
        problems: [],
        missing: [],
        unknown_params: [],
        risk: "read",
        tool: "query_action",
      });
    });

    await t.step("missing, wrong and unknown together", async () => {
      const report = await check(client, "set_group_ban", { group_id: "abc", duration: -5, duratoin: 60, user: 1 });
      strictEqual(report.valid, false);
      deepStrictEqual(report.missing, ["user_id"]);
      deepStrictEqual(report.unknown_params, ["duratoin", "user"]);
      deepStrictEqual(
        [...new Set(report.problems.map(({ path }: Message) => path))].sort(),
        ["/duration", "/group_id", "/user_id"],
      );
      for (const { message } of report.problems) ok(message.length > 5);
      deepStrictEqual([report.risk, report.tool], ["write", "invoke_action"]);
    });

    await t.step("no params at all", async () => {
      deepStrictEqual((await check(client, "send_group_msg")).missing, ["group_id", "message"]);
      strictEqual((await check(client, "get_status")).valid, true);
    });

    await t.step("zero as a message id, null, a number as text, unknown params alone", async () => {
      strictEqual((await check(client, "get_msg", { message_id: 0 })).valid, false);
      const { problems } = await check(client, "get_msg", { message_id: null });
      ok(problems[0].message.includes("leave it out"), problems[0].message);
      const report = await check(client, "get_status", { what: 1 });
      deepStrictEqual([report.valid, report.unknown_params], [true, ["what"]]);
    });

    await t.step("risk classes", async () => {
      for (const [action, risk] of [["get_cookies", "secret"], ["bot_exit", "dangerous"], ["get_status", "read"]]) {
        strictEqual((await check(client, action ?? "")).risk, risk);
      }
    });

    await t.step("names of JavaScript's own", async () => {
      const { unknown_params } = await check(client, "get_status", { constructor: 1, toString: 2, hasOwnProperty: 3 });
      deepStrictEqual(unknown_params, ["constructor", "toString", "hasOwnProperty"]);
    });

    await t.step("params that are no object", async () => {
      for (const params of ["{}", [], 5, null]) {
        const { isError, structuredContent } = await client.callTool("check_action", { action: "get_status", params });
        strictEqual(isError, true);
        strictEqual(structuredContent.diagnostics.kind, "invalid_params");
      }
    });
  });
}

Deno.test("check_action speaks Chinese where the texts do", async () => {
  verifies("language", "check-action");
  await using server = new ServerProcess({ args: ["--lang", "zh"] });
  const { result } = await server.call(1, "get_action", { name: "send_msg" });
  const { invariants, name } = result.structuredContent.result;
  ok(invariants.length > 0, `${name} has invariants`);
  const report = (await server.call(2, "check_action", { action: "send_msg", params: { message: "x" } })).result;
  const told = report.structuredContent.result.problems.map(({ message }: Message) => message);
  ok(told.some((message: string) => invariants.includes(message)), JSON.stringify(told));
});

Deno.test("check_action answers params nested 100,000 levels deep, and the server goes on", async (t) => {
  verifies("check-action", "bad-arguments", "bounded");
  await using server = new ServerProcess({ args: ["--mode", "write", "--endpoint", "simulator"] });
  await server.initialize();
  const depth = 100_000;
  const shapes = {
    lists: `{"group_id":20001,"message":${"[".repeat(depth)}${"]".repeat(depth)}}`,
    objects: `{"group_id":20001,"message":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`,
    "objects by the name params": `${'{"params":'.repeat(depth)}1${"}".repeat(depth)}`,
    "long numbers": `{"group_id":20001,"message":${"[".repeat(depth)}12345678901234567890${"]".repeat(depth)}}`,
  };
  for (const [shape, params] of Object.entries(shapes)) {
    for (const tool of ["check_action", "query_action", "invoke_action"]) {
      await t.step(`${tool}, ${shape}`, async () => {
        const id = `${tool} ${shape}`;
        await server.send(
          `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${tool}","arguments":` +
            `{"action":"send_group_msg","params":${params}}}}\n`,
        );
        const answer = await server.receive((message) => message.id === id || message.id === null, 20_000);
        ok("result" in answer || "error" in answer);
        strictEqual((await server.request(`ping ${id}`, "ping")).error, undefined);
      });
    }
  }
});
