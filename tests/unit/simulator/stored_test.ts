/** What the simulator keeps is bounded in bytes: each entry by itself, and all of a kind together. */
import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { BoundedStore, MAX_MAP_BYTES } from "../../../lib/simulator/bounded_map.ts";
import { groupChat } from "../../../lib/simulator/chat.ts";
import { textSegment } from "../../../lib/simulator/cq.ts";
import { MAX_MESSAGES_BYTES, MessageLog } from "../../../lib/simulator/message_log.ts";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { copyToKeep, MAX_ENTRY_BYTES, MAX_NAME_BYTES } from "../../../lib/simulator/stored.ts";
import { call, data, refusal } from "./support.ts";

const GROUP = groupChat(20001);

/** Bytes of the JSON of a message around its one text. */
const AROUND = JSON.stringify([textSegment("")]).length;

/** The longest text that a message may be. */
const LONGEST = "x".repeat(MAX_ENTRY_BYTES - AROUND);

/** Bytes of a text as JSON beyond its characters. */
const QUOTES = 2;

Deno.test("copyToKeep() counts bytes of JSON, not characters", () => {
  deepStrictEqual(copyToKeep("text", "群\n", 7), { value: "群\n", bytes: 7 });
  throws(() => copyToKeep("text", "群\n", 6), /text is too large: the simulator keeps at most 6 bytes of JSON/);
  for (const list of [[], ["a"], ["群", { b: [1, null] }, 2]]) {
    const bytes = new TextEncoder().encode(JSON.stringify(list)).length;
    deepStrictEqual(copyToKeep("list", list, bytes), { value: list, bytes });
    throws(() => copyToKeep("list", list, bytes - 1), /too large/);
  }
});

Deno.test("a message of the largest size is kept, and one byte more is refused without a trace", async () => {
  await using simulator = await startSimulator();
  const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message: LONGEST });
  strictEqual((await data(simulator, "get_msg", { message_id })).raw_message.length, LONGEST.length);
  const file = { type: "file", data: { file: "/a.txt" } };
  const tooLong = [textSegment(`${LONGEST}x`)];
  for (const message of [`${LONGEST}x`, tooLong, [file, ...tooLong]]) {
    match(await refusal(simulator, "send_group_msg", { group_id: 20001, message }, 100), /^message is too large: /);
  }
  const { files } = await data(simulator, "get_group_root_files", { group_id: 20001 });
  strictEqual(files.length, 1);
  throws(() => simulator.receive({ user_id: 11001, message: `${LONGEST}x` }), /too large/);
});

Deno.test("a picture of several MiB can be sent: only what is known about it is kept", async () => {
  await using simulator = await startSimulator();
  const message = { type: "image", data: { file: `base64://${"A".repeat(4 * MAX_ENTRY_BYTES)}` } };
  ok((await data(simulator, "send_group_msg", { group_id: 20001, message })).message_id !== 0);
});

Deno.test("MessageLog forgets the oldest messages when one byte does not fit", () => {
  const log = new MessageLog();
  const count = MAX_MESSAGES_BYTES / MAX_ENTRY_BYTES;
  const ids = Array.from({ length: count }, () => log.append(GROUP, 1, 0, [textSegment(LONGEST)]).id);
  deepStrictEqual(log.all(GROUP).map(({ id }) => id), ids);
  const last = log.append(groupChat(20002), 1, 0, [textSegment("")]).id;
  deepStrictEqual(log.all(GROUP).map(({ id }) => id), ids.slice(1));
  strictEqual(log.find(last)?.id, last);
  // A recalled message makes room.
  log.recall(ids[5] ?? 0);
  log.append(GROUP, 1, 0, [textSegment(LONGEST)]);
  strictEqual(log.find(ids[1] ?? 0)?.id, ids[1]);
});

Deno.test("reactions count as part of their message", () => {
  const log = new MessageLog();
  const emoji = "x".repeat(10);
  const message = log.append(GROUP, 1, 0, [textSegment(LONGEST.slice(emoji.length + QUOTES))]);
  log.react(message, emoji, 1);
  log.react(message, emoji, 2);
  throws(() => log.react(message, "", 1), /message with its reactions is too large/);
  deepStrictEqual([...message.reactions], [[emoji, new Set([1, 2])]]);

  const count = MAX_MESSAGES_BYTES / MAX_ENTRY_BYTES - 2;
  for (let index = 1; index < count; index += 1) log.append(GROUP, 1, 0, [textSegment(LONGEST)]);
  const last = log.append(GROUP, 1, 0, [textSegment(LONGEST.slice(QUOTES + 1))]);
  log.append(GROUP, 1, 0, [textSegment(LONGEST)]);
  log.react(last, "a", 1);
  strictEqual(log.find(message.id)?.id, message.id);
  log.append(GROUP, 1, 0, [textSegment("")]);
  strictEqual(log.find(message.id), undefined);
});

Deno.test("BoundedStore forgets its oldest entries when one byte does not fit", () => {
  const store = new BoundedStore<number, { text: string }>("entry", 1_000);
  const around = JSON.stringify({ text: "" }).length;
  const text = "x".repeat(MAX_ENTRY_BYTES - around);
  const count = MAX_MAP_BYTES / MAX_ENTRY_BYTES;
  for (let index = 0; index < count; index += 1) store.set(index, { text });
  strictEqual(store.size, count);
  throws(() => store.set(0, { text: `${text}x` }), /entry is too large/);
  throws(() => store.revise(0, { text: `${text}x` }), /entry is too large/);
  strictEqual(store.get(0)?.text, text);
  store.revise(1, { text: text.slice(around) });
  store.set(count, { text: "" });
  strictEqual(store.size, count + 1);
  store.revise(count, { text: "x" });
  deepStrictEqual([store.has(0), store.size, store.get(count)], [false, count, { text: "x" }]);
  store.clear();
  for (let index = 0; index < count; index += 1) store.set(index, { text });
  strictEqual(store.size, count);
});

/** Texts that are kept as they are, with the action that takes them. */
const TEXTS: [action: string, params: Record<string, unknown>, name: string][] = [
  ["set_qq_profile", {}, "nickname"],
  ["set_qq_profile", { nickname: "x" }, "personal_note"],
  ["set_self_longnick", {}, "longNick"],
  ["set_friend_remark", { user_id: 11001 }, "remark"],
  ["set_group_name", { group_id: 20001 }, "group_name"],
  ["set_group_remark", { group_id: 20001 }, "remark"],
  ["set_group_card", { group_id: 20001, user_id: 12001 }, "card"],
  ["set_group_special_title", { group_id: 20003, user_id: 12001 }, "special_title"],
];

Deno.test("a text of the largest size is kept, and one byte more is refused", async (t) => {
  await using simulator = await startSimulator();
  const text = "x".repeat(MAX_ENTRY_BYTES - QUOTES);
  for (const [action, params, name] of TEXTS) {
    await t.step(`${action}: ${name}`, async () => {
      strictEqual((await call(simulator, action, { ...params, [name]: text })).retcode, 0);
      match(await refusal(simulator, action, { ...params, [name]: `${text}x` }, 100), /is too large/);
    });
  }
});

Deno.test("notices, posts, forwards and what else a collection keeps are refused above the largest size", async (t) => {
  await using simulator = await startSimulator();
  const text = "x".repeat(MAX_ENTRY_BYTES);
  const { fileset_id } = await data(simulator, "create_flash_task", { files: ["/a.txt"] });
  const { emoji_id } = await data(simulator, "add_custom_face", { file: "/a.png" });
  const node = { type: "node", data: { user_id: 11001, nickname: text, content: "x" } };
  const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
  const cases: [action: string, params: Record<string, unknown>][] = [
    ["_send_group_notice", { group_id: 20001, content: text }],
    ["send_qzone_msg", { content: text }],
    ["send_forward_msg", { messages: [node] }],
    ["create_flash_task", { files: [`/${text}`] }],
    ["rename_flash_file", { fileset_id, new_name: text }],
    ["modify_custom_face", { emoji_id, desc: text }],
    ["send_group_msg", { group_id: 20001, message: [{ type: "image", data: { file: `https://a.invalid/${text}` } }] }],
    ["set_msg_emoji_like", { message_id, emoji_id: text }],
  ];
  for (const [action, params] of cases) {
    await t.step(action, async () => {
      match(await refusal(simulator, action, params, 100), /is too large: .* \d+ bytes of JSON/);
    });
  }
});

Deno.test("names of files and folders are bounded", async (t) => {
  await using simulator = await startSimulator();
  const name = "x".repeat(MAX_NAME_BYTES - QUOTES);
  const group = { group_id: 20001 };
  const cases: [action: string, params: Record<string, unknown>, name: string][] = [
    ["upload_group_file", { ...group, file: "/a" }, "name"],
    ["upload_private_file", { user_id: 11001, file: "/a" }, "name"],
    ["create_group_file_folder", group, "name"],
    [
      "rename_group_file",
      { ...group, file_id: "/readme-20001", current_parent_directory: "/" },
      "new_name",
    ],
    ["rename_group_file_folder", { ...group, folder_id: "/docs-20001" }, "new_folder_name"],
    ["upload_file_stream", { stream_id: "s", total_chunks: 1 }, "filename"],
  ];
  for (const [action, params, field] of cases) {
    await t.step(action, async () => {
      const tooLong = await call(simulator, action, { ...params, [field]: `${name}x` });
      deepStrictEqual([tooLong.retcode, /is too large/.test(tooLong.wording ?? "")], [100, true]);
      const fits = await call(simulator, action, { ...params, [field]: name });
      strictEqual(fits.retcode, 0, fits.wording);
    });
  }
});
