/** What a draft says in words: all of it, to everybody the same, whether or not a panel is shown. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS, SHOWS_PANELS } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { botEnv } from "./exec_support.ts";

const BODY = 'Meet at 8?\n"Bring" <b>it</b> [CQ:face,id=1] 你好\u202E!';
const DRAFTS: Message[] = [
  { message_type: "group", target_id: 987654, text: BODY, reply_to: -123456 },
  { message_type: "private", target_id: 2 ** 53 - 1, text: BODY },
];

const KINDS = { en: { group: /group/, private: /private/ }, zh: { group: /群/, private: /私聊/ } };

for (const lang of ["en", "zh"] as const) {
  for (const mode of ["docs", "read", "write"] as const) {
    Deno.test(`the text alone tells all of a draft, with and without panels (${mode} mode, ${lang})`, async () => {
      verifies("preview-text", "eras-equal", "language");
      await using simulator = await startSimulator();
      const answers: Message[][] = [];
      for (const connect of CLIENTS) {
        for (const extensions of [undefined, SHOWS_PANELS]) {
          const env = botEnv(simulator, { mode, env: { SNOWLUMA_MCP_LANG: lang } });
          await using client = await connect({ env, ...(extensions && { extensions }) });
          const ofClient: Message[] = [];
          for (const draft of DRAFTS) {
            const { content, structuredContent, isError, _meta } = await client.callTool("preview_message", draft);
            deepStrictEqual(Object.keys(_meta).filter((key) => /ui/.test(key)), []);
            ofClient.push({ content, structuredContent, isError: isError ?? false });
          }
          answers.push(ofClient);
        }
      }
      const [first = []] = answers;
      for (const others of answers) deepStrictEqual(others, first);
      strictEqual(answers.length, 4);
      for (const [index, { message_type, target_id, reply_to }] of DRAFTS.entries()) {
        const { content, structuredContent } = first[index] ?? {};
        deepStrictEqual(content.map(({ type }: Message) => type), ["text"]);
        const told = JSON.parse(content[0].text);
        deepStrictEqual(told, structuredContent.result);
        const [head, ...body] = told.draft.split("\n\n");
        ok(head.includes(String(target_id)), head);
        strictEqual(body.join("\n\n"), BODY);
        match(head, KINDS[lang][message_type as "group"]);
        strictEqual(/-123456/.test(head), reply_to !== undefined);
        strictEqual(told.can_send, mode === "write");
        if (mode === "write") ok(!("blocked" in told));
        else ok(told.blocked.message.includes(`${mode} mode`) && told.blocked.next_step.length > 20);
        strictEqual(told.invoke_action.action, message_type === "group" ? "send_group_msg" : "send_private_msg");
      }
      strictEqual(simulator.requests.length, 0);
    });
  }
}
