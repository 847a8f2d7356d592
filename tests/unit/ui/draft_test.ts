import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { sendCall } from "../../../lib/onebot/draft.ts";
import { readDraft, textOf } from "../../../ui/draft.ts";
import { verifies } from "../../requirements.ts";

type Fields = Record<string, unknown>;

const TEXT = { type: "text", data: { text: "Hello" } };
const REPLY = { type: "reply", data: { id: "-123456" } };
const GROUP = { action: "send_group_msg", params: { group_id: 20001, message: [REPLY, TEXT] } };
const PRIVATE = { action: "send_private_msg", params: { user_id: 10001, message: [TEXT] } };

/** The answer of `preview_message` in write mode, with this call in it. */
function answer(invoke_action: unknown, more: Fields = {}): { structuredContent: unknown } {
  return { structuredContent: { result: { draft: "", can_send: true, invoke_action, ...more }, diagnostics: {} } };
}

/** The group draft with other parameters. */
function group(params: Fields): unknown {
  return { ...GROUP, params: { ...GROUP.params, ...params } };
}

/** The group draft with another message. */
function saying(...message: unknown[]): unknown {
  return group({ message });
}

/** The group draft with another segment of text. */
function texting(data: unknown, more: Fields = {}): unknown {
  return saying({ type: "text", data, ...more });
}

/** The group draft that quotes this. */
function quoting(id: unknown): unknown {
  return saying({ type: "reply", data: { id } }, TEXT);
}

Deno.test("readDraft() takes what preview_message makes, and sends equal arguments", () => {
  verifies("panel-shown-sent");
  deepStrictEqual(readDraft(answer(GROUP)), {
    chat: "group",
    target: 20001,
    replyTo: "-123456",
    text: "Hello",
    sends: GROUP,
  });
  deepStrictEqual(readDraft(answer(PRIVATE)), { chat: "private", target: 10001, text: "Hello", sends: PRIVATE });
  const texts = [
    "[CQ:at,qq=all]",
    '[{"type":"at","data":{"qq":"all"}}]',
    "&#91;",
    " \n",
    "\u202e",
    "😀",
    "x".repeat(65_536),
  ];
  for (const message_type of ["group", "private"] as const) {
    for (const target_id of [1, 2 ** 53 - 1]) {
      for (const text of texts) {
        for (const reply_to of [undefined, 1, -1, 2 ** 31 - 1, -(2 ** 31)]) {
          const call = sendCall({ message_type, target_id, text, reply_to });
          const draft = readDraft(answer(call));
          deepStrictEqual(draft?.sends, call);
          deepStrictEqual([draft?.chat, draft?.target, draft?.text], [message_type, target_id, text]);
          strictEqual(draft?.replyTo, reply_to === undefined ? undefined : String(reply_to));
        }
      }
    }
  }
});

Deno.test("readDraft() refuses every call that it could not show whole", async (t) => {
  verifies("panel-shown-sent");
  const { message: _, ...noMessage } = GROUP.params;
  const { group_id: __, ...noTarget } = GROUP.params;
  let nested: unknown = "Hello";
  for (let depth = 0; depth < 100_000; depth++) nested = [nested];
  const cases: Record<string, unknown> = {
    "another action": { ...GROUP, action: "delete_msg" },
    "the action without a kind": { ...GROUP, action: "send_msg" },
    "an alias": { ...GROUP, action: "send_group_msg_async" },
    "no action": { params: GROUP.params },
    "an action that is no string": { ...GROUP, action: ["send_group_msg"] },
    "a name of every object": { ...GROUP, action: "constructor" },
    "an argument more": { ...GROUP, idempotency_key: "a" },
    "a parameter more": group({ auto_escape: false }),
    "a parameter more that is undefined": group({ auto_escape: undefined }),
    "a user beside the group": group({ user_id: 10001 }),
    "a group beside the user": { ...PRIVATE, params: { ...PRIVATE.params, group_id: 20001 } },
    "a user in place of the group": { ...GROUP, params: { user_id: 20001, message: [TEXT] } },
    "a group in place of the user": { ...PRIVATE, params: { group_id: 10001, message: [TEXT] } },
    "no parameters": { action: "send_group_msg" },
    "parameters in a list": { ...GROUP, params: [GROUP.params] },
    "parameters as text": { ...GROUP, params: JSON.stringify(GROUP.params) },
    "no target": { ...GROUP, params: noTarget },
    "no message": { ...GROUP, params: noMessage },
    "a message as string": group({ message: "Hello" }),
    "a message as JSON": group({ message: JSON.stringify([TEXT]) }),
    "a message as one segment": group({ message: TEXT }),
    "a message like a list": group({ message: { 0: TEXT, length: 1 } }),
    "no segment": saying(),
    "a reply alone": saying(REPLY),
    "three segments": saying(REPLY, TEXT, TEXT),
    "a hundred thousand segments": group({ message: Array(100_000).fill(TEXT) }),
    "two texts": saying(TEXT, TEXT),
    "two replies": saying(REPLY, REPLY),
    "a reply that comes second": saying(TEXT, REPLY),
    "a hole before the text": group({ message: Object.assign(Array(2), { 1: TEXT }) }),
    "a hole after the text": group({ message: Object.assign(Array(2), { 0: TEXT }) }),
    "null before the text": saying(null, TEXT),
    "an image": saying({ type: "image", data: { file: "https://example.com/a.png" } }),
    "an image with the data of a text": saying({ type: "image", data: TEXT.data }),
    "a mention before the text": saying({ type: "at", data: { qq: "all" } }, TEXT),
    "a mention with the data of a reply": saying({ type: "at", data: REPLY.data }, TEXT),
    "a type in capitals": saying({ type: "Text", data: TEXT.data }),
    "a field more in the text segment": texting(TEXT.data, { id: 1 }),
    "a field more in the text's data": texting({ text: "Hello", url: "x" }),
    "a field more in the reply segment": saying({ ...REPLY, text: "x" }, TEXT),
    "a field more in the reply's data": saying({ type: "reply", data: { id: "1", text: "x" } }, TEXT),
    "an empty text": texting({ text: "" }),
    "a text that is a number": texting({ text: 1 }),
    "a text that is a list": texting({ text: ["Hello"] }),
    "a text that is a String object": texting({ text: new String("Hello") }),
    "no text": texting({}),
    "data as string": texting("Hello"),
    "no data": saying({ type: "text" }),
    "a text in very many lists": texting({ text: nested }),
    "a message in very many lists": group({ message: nested }),
    "data in __proto__": JSON.parse(
      '{"action":"send_group_msg","params":{"__proto__":{"group_id":20001,"message":[{"type":"text","data":{"text":"a"}}]}}}',
    ),
    "__proto__ among the arguments": JSON.parse(JSON.stringify(GROUP).replace('{"action"', '{"__proto__":{},"action"')),
    "__proto__ among the parameters": JSON.parse(
      JSON.stringify(GROUP).replace('{"group_id"', '{"__proto__":{"auto_escape":true},"group_id"'),
    ),
    "__proto__ in the segment": JSON.parse(
      JSON.stringify(GROUP).replace('{"type":"text"', '{"__proto__":1,"type":"text"'),
    ),
    "__proto__ in the data": JSON.parse(JSON.stringify(GROUP).replace('{"text"', '{"__proto__":null,"text"')),
    "constructor among the parameters": group({ constructor: 1 }),
    "no call": undefined,
    "null for a call": null,
    "a list for a call": [GROUP],
    "a string for a call": JSON.stringify(GROUP),
  };
  for (const [name, call] of Object.entries(cases)) {
    await t.step(name, () => strictEqual(readDraft(answer(call)), undefined));
  }
});

Deno.test("readDraft() refuses targets and quoted ids that preview_message would not take", () => {
  verifies("panel-shown-sent");
  for (
    const target of [0, -0, -1, 1.5, 2 ** 53, -20001, 1e300, NaN, Infinity, "20001", "", null, [20001], {}, 1n, true]
  ) {
    strictEqual(readDraft(answer(group({ group_id: target }))), undefined, `group ${String(target)}`);
    const call = { action: "send_private_msg", params: { user_id: target, message: [TEXT] } };
    strictEqual(readDraft(answer(call)), undefined, `user ${String(target)}`);
  }
  const ids = ["0", "-0", "", "-", "007", "-01", "+1", "1e3", "0x1F", "1.0", "1.5", " 1", "1 ", "1\n", "١", "1_0"];
  ids.push("NaN", "Infinity", "2147483648", "-2147483649", "4294967297", "9999999999", "1".repeat(100_000), "abc");
  for (const id of [...ids, 0, 1, -123456, 1n, null, undefined, ["1"], {}, true]) {
    strictEqual(readDraft(answer(quoting(id))), undefined, `${typeof id} ${String(id).slice(0, 20)}`);
  }
});

Deno.test("readDraft() refuses an answer that is an error, or holds no draft", () => {
  verifies("panel-shown-sent");
  strictEqual(readDraft({ ...answer(GROUP), isError: true }), undefined);
  ok(readDraft({ ...answer(GROUP), isError: false }));
  const text = (text: unknown) => ({ content: [{ type: "text", text }] });
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  const others = [{}, { content: [] }, text("Hello"), text("null"), text("[]"), text("{"), text(1), text(deep)];
  for (const result of others) strictEqual(readDraft(result), undefined);
  for (const structuredContent of [undefined, null, 1, "x", [], {}, { result: null }, { result: [] }, { result: {} }]) {
    strictEqual(readDraft({ structuredContent }), undefined);
  }
  strictEqual(readDraft({ structuredContent: answer(GROUP) }), undefined, "one level too deep");
});

Deno.test("readDraft() reads structured content before text, and text where there is nothing else", () => {
  verifies("panel-shown-sent");
  const { result } = answer(GROUP).structuredContent as { result: unknown };
  const other = answer(PRIVATE).structuredContent as { result: unknown };
  const content = [{ type: "text", text: JSON.stringify(result) }];
  deepStrictEqual(readDraft({ content })?.sends, GROUP);
  deepStrictEqual(readDraft({ content, structuredContent: { diagnostics: {} } })?.sends, GROUP);
  deepStrictEqual(readDraft({ content, structuredContent: other })?.sends, PRIVATE);
  strictEqual(
    readDraft({ content, structuredContent: { result: { can_send: true } } }),
    undefined,
    "no mixture of both",
  );
  strictEqual(readDraft({ content, structuredContent: { result: null } }), undefined);
  strictEqual(readDraft({ content, isError: true }), undefined);
  const spoken = [{ type: "text", text: "A draft:" }, ...content];
  strictEqual(readDraft({ content: spoken }), undefined, "words around it make it no draft");
});

Deno.test("readDraft() makes the call anew, so that nothing changes it afterwards", () => {
  verifies("panel-shown-sent");
  const call = structuredClone(GROUP);
  const draft = readDraft(answer(call));
  const message = draft?.sends.params["message"] as unknown[];
  notStrictEqual(draft?.sends, call);
  notStrictEqual(message, call.params.message);
  notStrictEqual(message[1], call.params.message[1]);
  call.action = "send_private_msg";
  Object.assign(call.params, { group_id: 1, auto_escape: true });
  Object.assign(call.params.message[1]!.data, { text: "Bye" });
  Object.assign(call.params.message[0]!.data, { id: "1" });
  call.params.message.push({ type: "text", data: { text: "and more" } });
  deepStrictEqual(draft?.sends, GROUP);
});

Deno.test("readDraft() sends what it has read, whatever a second look would give", () => {
  verifies("panel-shown-sent");
  let looks = 0;
  const data = {
    get text(): string {
      return ++looks === 1 ? "Hello" : "Bye";
    },
  };
  const draft = readDraft(answer(texting(data)));
  strictEqual(draft?.text, "Hello");
  deepStrictEqual(draft?.sends.params["message"], [TEXT]);
});

Deno.test("readDraft() says why the server would not send, and takes only true for yes", () => {
  verifies("panel-blocked");
  strictEqual(readDraft(answer(GROUP))?.blocked, undefined);
  for (const can_send of [false, undefined, null, 1, "true", {}]) {
    deepStrictEqual(readDraft(answer(GROUP, { can_send }))?.blocked, { kind: "", message: "" });
  }
  const blocked = { kind: "mode", message: "Cannot call it: the mode is read", next_step: "Ask the operator." };
  deepStrictEqual(readDraft(answer(GROUP, { can_send: false, blocked }))?.blocked, {
    kind: "mode",
    message: "Cannot call it: the mode is read. Ask the operator.",
  });
  for (const garbage of [null, 1, "x", [], { kind: 1, message: 2, next_step: 3 }, { message: ["a"] }]) {
    deepStrictEqual(readDraft(answer(GROUP, { can_send: false, blocked: garbage }))?.blocked, {
      kind: "",
      message: "",
    });
  }
});

Deno.test("textOf() joins the texts and leaves everything else", () => {
  verifies("panel-text-only");
  const content = [{ type: "text", text: "a" }, null, 1, "b", { type: "image", data: "…" }, { text: 2 }, {
    text: "<c>",
  }];
  strictEqual(textOf({ content }), "a\n<c>");
  strictEqual(textOf({}), "");
});
