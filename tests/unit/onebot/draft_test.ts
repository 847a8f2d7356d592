import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type Draft, isVisible, MAX_DRAFT_LENGTH, readable, sendCall } from "../../../lib/onebot/draft.ts";
import { verifies } from "../../requirements.ts";

const TEXTS = [
  "hello",
  " two\r\nlines\t",
  "[CQ:at,qq=all]",
  '[{"type":"at","data":{"qq":"all"}}]',
  "&#91;CQ:face&#44;id=1&#93; &amp;",
  "\u202Eabc\u2069",
  "$& $1 ${text}",
];

Deno.test("sendCall() makes one text segment of any text, to the chat alone", () => {
  verifies("preview-literal", "preview-arguments");
  for (const text of TEXTS) {
    const message = [{ type: "text", data: { text } }];
    deepStrictEqual(sendCall({ message_type: "group", target_id: 20001, text }), {
      action: "send_group_msg",
      params: { group_id: 20001, message },
    });
    deepStrictEqual(sendCall({ message_type: "private", target_id: 1, text, reply_to: undefined }), {
      action: "send_private_msg",
      params: { user_id: 1, message },
    });
  }
});

Deno.test("sendCall() puts the reply first, its id as text", () => {
  verifies("preview-reply");
  for (
    const [reply_to, id] of [[7, "7"], [-1, "-1"], [2 ** 31 - 1, "2147483647"], [-(2 ** 31), "-2147483648"]] as const
  ) {
    const { params } = sendCall({ message_type: "group", target_id: 20001, text: "x", reply_to });
    deepStrictEqual(params.message, [{ type: "reply", data: { id } }, { type: "text", data: { text: "x" } }]);
  }
});

Deno.test("readable() says who, what is quoted and every letter of the text, in both languages", () => {
  verifies("preview-text");
  const words = {
    en: { group: /^To group 987:\n\n/, private: /^To user 987 \(private\):\n\n/, quote: /in reply to message -654:/ },
    zh: { group: /^发到群 987：\n\n/, private: /^发给用户 987（私聊）：\n\n/, quote: /回复消息 -654：/ },
  };
  for (const lang of ["en", "zh"] as const) {
    for (const message_type of ["group", "private"] as const) {
      for (const text of TEXTS) {
        const draft: Draft = { message_type, target_id: 987, text };
        const plain = readable(draft, lang);
        ok(words[lang][message_type].test(plain), plain);
        ok(!words[lang].quote.test(plain), plain);
        strictEqual(plain.split("\n\n").slice(1).join("\n\n"), text);
        const quoting = readable({ ...draft, reply_to: -654 }, lang);
        ok(words[lang].quote.test(quoting) && quoting.includes("987") && quoting.endsWith(`\n\n${text}`), quoting);
      }
    }
  }
});

Deno.test("MAX_DRAFT_LENGTH is 64 Ki", () => {
  verifies("preview-bounds");
  strictEqual(MAX_DRAFT_LENGTH, 65_536);
});

Deno.test("isVisible() wants one character that people see", () => {
  verifies("preview-bounds");
  for (const text of [...TEXTS, "。", "\u200b.\u200b", "👨‍👩‍👧", "\u0301"]) ok(isVisible(text), JSON.stringify(text));
  const nothing = [
    "",
    " \t\r\n\u00a0\u3000",
    "\u200b\u2060\ufeff",
    "\u202e\u2066",
    "\u3164\u115f\u2800",
    "\u{e0041}\ufe0f\0",
  ];
  for (const text of nothing) ok(!isVisible(text), JSON.stringify(text));
});
