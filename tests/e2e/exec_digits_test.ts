/** Whole numbers beyond 2^53-1, in both directions. Raw lines are looked at: parsing them would round. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { answers, RawBot } from "../support/raw_bot.ts";
import { ServerProcess } from "../support/server_process.ts";
import { botEnv, passedOn, serverFor } from "./exec_support.ts";

const THIRTY = "123456789012345678901234567890";
const NUMBERS = ["9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", THIRTY, `-${THIRTY}`];
/** Fields n0, n1, … with these numbers; strings that look the same; and numbers that are none of these. */
const DATA = `{${NUMBERS.map((number, index) => `"n${index}":${number}`).join(",")},` +
  `"list":[${THIRTY},[${THIRTY}]],"text":"9007199254740993 apples","\\"9007199254740993\\"":"${THIRTY}",` +
  `"escaped":"\\\\\\":9007199254740993","safe":[0,-1,1.5,2000000001]}`;

/** How each era asks, so that the answer's raw line can be compared. */
const ERAS = [
  { era: "legacy", meta: "", start: serverWith },
  {
    era: "modern",
    meta: `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
      `"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`,
    start: freshWith,
  },
];

function serverWith(bot: RawBot, token?: string): Promise<ServerProcess> {
  return serverFor(bot, token === undefined ? {} : { token });
}

/** The stateless revision knows no handshake. */
function freshWith(bot: RawBot, token?: string): Promise<ServerProcess> {
  return Promise.resolve(new ServerProcess({ env: botEnv(bot, token === undefined ? {} : { token }) }));
}

/** Calls a tool by a line whose arguments are JSON text, and gives the raw line of the answer. */
async function rawCall(server: ServerProcess, { id, tool, args, meta }: Record<string, string>): Promise<string> {
  await server.send(
    `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${tool}","arguments":${args}${meta}}}\n`,
  );
  await server.receive((answer) => answer.id === id);
  return server.lines.find((line) => JSON.parse(line).id === id) ?? "";
}

for (const { era, meta, start } of ERAS) {
  for (const token of [undefined, "tok_for-digits"]) {
    const title = `${era}${token === undefined ? "" : ", with a token to look for"}`;
    Deno.test(`big whole numbers of an answer arrive digit for digit (${title})`, async () => {
      verifies("digits", "passed-through");
      await using bot = new RawBot();
      const body = `{"status":"ok","retcode":0,"data":${DATA},"echo":${THIRTY}}`;
      bot.script(answers(body));
      await using server = await start(bot, token);
      const line = await rawCall(server, { id: "a", tool: "query_action", args: '{"action":"get_status"}', meta });
      ok(line.includes(`"structuredContent":{"result":${body},`), line);
      ok(line.includes(`"text":${JSON.stringify(body)}`), line);
    });
  }
}

Deno.test("big whole numbers in params reach the bot digit for digit", async (t) => {
  verifies("digits", "params-unchecked");
  for (const { era, meta, start } of ERAS) {
    await t.step(era, async () => {
      await using bot = new RawBot();
      await using server = await start(bot);
      const args = `{"action":"send_group_msg","params":${DATA}}`;
      const line = await rawCall(server, { id: "a", tool: "invoke_action", args, meta });
      strictEqual(passedOn(JSON.parse(line)).diagnostics.outcome, "success");
      strictEqual((await (await bot.connection(0)).request).body, `{"action":"send_group_msg","params":${DATA}}`);
    });
  }
});

Deno.test("a return code beyond 2^53-1 is shown with its digits and confirms nothing", async () => {
  verifies("digits", "outcome-async");
  await using bot = new RawBot();
  bot.script(answers('{"status":"failed","retcode":9007199254740993,"data":null}'));
  await using server = await serverFor(bot);
  const args = '{"action":"get_status"}';
  const line = await rawCall(server, { id: "a", tool: "query_action", args, meta: "" });
  const { diagnostics } = JSON.parse(line).result.structuredContent;
  deepStrictEqual([diagnostics.outcome, diagnostics.kind], ["unknown", "not_confirmed"]);
  match(diagnostics.message, /retcode 9007199254740993\b/);
});
