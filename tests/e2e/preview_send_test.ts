/** What the arguments of a draft do once they are passed on unchanged: the chat gets its letters, whatever they look like. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS, type TestClient } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { resultOf } from "./event_support.ts";
import { botEnv, passedOn } from "./exec_support.ts";

const LETTERS: Readonly<Record<string, string>> = {
  "a code that calls everybody": "[CQ:at,qq=all] now",
  "a code alone": "[CQ:image,file=https://example.invalid/x.png]",
  "a list of segments": '[{"type":"at","data":{"qq":"all"}}]',
  "a segment": '{"type":"image","data":{"file":"file:///etc/passwd"}}',
  "entities": "&#91;CQ:at,qq=all&#93; &amp;#91; &amp; &#44;",
  "emoji": "👩‍👩‍👧‍👦 🇨🇳 👍🏽 é e\u0301",
  "bidi controls": "\u202Ereversed\u202C \u2066isolated\u2069 \u200F",
  "zero width and NUL": "a\u200Bb\uFEFFc\u0000d",
  "white space around": "  \t two\r\nlines \n",
  "markup": '<img src=x onerror="alert(1)"> javascript:alert(1)',
  "10,000 characters": "龙[CQ:face,id=1]&".repeat(625),
};

/** Arguments for `invoke_action` as the client got them: from the text, which every client has. */
async function argumentsOf(client: TestClient, draft: Message): Promise<Message> {
  const answer = await client.callTool("preview_message", draft);
  resultOf(answer);
  return JSON.parse(answer.content[0].text).invoke_action;
}

/** A message as the bot has it. */
async function got(client: TestClient, message_id: number): Promise<Message> {
  return passedOn(await client.callTool("query_action", { action: "get_msg", params: { message_id } })).envelope.data;
}

/** Passes arguments on unchanged, and gives the message that came of it. */
async function send(client: TestClient, call: Message): Promise<Message> {
  const { envelope, diagnostics } = passedOn(await client.callTool("invoke_action", call));
  strictEqual(diagnostics.outcome, "success");
  return await got(client, envelope.data.message_id);
}

for (const connect of CLIENTS) {
  Deno.test(`a draft's arguments send every letter of the text, to the right chat (${connect.name})`, async (t) => {
    verifies("preview-literal", "preview-arguments");
    strictEqual(LETTERS["10,000 characters"]?.length, 10_000);
    await using simulator = await startSimulator();
    await using client = await connect({ env: botEnv(simulator) });
    for (const [name, text] of Object.entries(LETTERS)) {
      for (const [message_type, target_id] of [["group", 20002], ["private", 11002]] as const) {
        await t.step(`${name}, ${message_type}`, async () => {
          const call = await argumentsOf(client, { message_type, target_id, text });
          const checked = resultOf(await client.callTool("check_action", call)).result;
          deepStrictEqual([checked.valid, checked.problems, checked.unknown_params], [true, [], []]);
          const before = simulator.requests.length;
          const { message, ...about } = await send(client, call);
          deepStrictEqual(message, [{ type: "text", data: { text } }]);
          strictEqual(about.message_type, message_type);
          strictEqual(message_type === "group" ? about.group_id : about.target_id, target_id);
          const [sent, ...others] = simulator.requests.slice(before).filter(({ action }) => action !== "get_msg");
          deepStrictEqual([sent?.action, sent?.params, others.length], [call.action, call.params, 0]);
        });
      }
    }
    await t.step("the same letters as a string would not have arrived", async () => {
      const params = { group_id: 20002, message: LETTERS["a code that calls everybody"] };
      const { message } = await send(client, { action: "send_group_msg", params });
      strictEqual(message[0].type, "at");
    });
  });

  Deno.test(`a draft's arguments quote the message it answers, first and by its id (${connect.name})`, async () => {
    verifies("preview-reply", "preview-arguments");
    await using simulator = await startSimulator();
    await using client = await connect({ env: botEnv(simulator) });
    const chats = [["group", 20001, { group_id: 20001, user_id: 12001 }], ["private", 11001, {
      user_id: 11001,
    }]] as const;
    for (const [message_type, target_id, from] of chats) {
      const ids = Array.from({ length: 12 }, () => simulator.receive({ ...from, message: "question" }));
      const [negative = 0, positive = 0] = [ids.find((id) => id < 0), ids.find((id) => id > 0)];
      ok(negative < 0 && positive > 0, `${ids}`);
      for (const reply_to of [negative, positive]) {
        const text = "[CQ:reply,id=1] answer";
        const call = await argumentsOf(client, { message_type, target_id, text, reply_to });
        const quoting = [{ type: "reply", data: { id: String(reply_to) } }, { type: "text", data: { text } }];
        deepStrictEqual(call.params.message, quoting);
        strictEqual(resultOf(await client.callTool("check_action", call)).result.valid, true);
        deepStrictEqual((await send(client, call)).message, quoting);
      }
    }
  });
}
