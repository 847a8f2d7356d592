/** Messages from sending to recalling, over HTTP. */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { call, data, refusal } from "./support.ts";
import { verifies } from "../../requirements.ts";

const NOW = 1_800_000_000;
const clock = { now: (): number => NOW * 1000 };

Deno.test("a group message can be read, found in the history and recalled", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator(clock);
  const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message: "hi [CQ:face,id=14]" });
  const message = await data(simulator, "get_msg", { message_id });
  deepStrictEqual(message, {
    time: NOW,
    message_type: "group",
    sub_type: "normal",
    message_id,
    real_id: message_id,
    message_seq: 7,
    user_id: 10001,
    group_id: 20001,
    message: [{ type: "text", data: { text: "hi " } }, { type: "face", data: { id: "14" } }],
    raw_message: "hi [CQ:face,id=14]",
    font: 0,
    anonymous: null,
    sender: { user_id: 10001, nickname: "Simulated Bot", sex: "unknown", age: 0, card: "", role: "admin" },
  });
  const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001 });
  deepStrictEqual(messages.at(-1), message);

  strictEqual(await data(simulator, "delete_msg", { message_id }), null);
  match(await refusal(simulator, "get_msg", { message_id }, 100), /not found/);
  match(await refusal(simulator, "delete_msg", { message_id }, 100), /not found/);
  const after = await data(simulator, "get_group_msg_history", { group_id: 20001 });
  ok(after.messages.every((other: { message_id: number }) => other.message_id !== message_id));
});

Deno.test("a private message names its receiver and has no group", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator(clock);
  const { message_id } = await data(simulator, "send_private_msg", { user_id: 11001, message: "hi" });
  const message = await data(simulator, "get_msg", { message_id });
  deepStrictEqual([message.user_id, message.target_id, message.sub_type], [10001, 11001, "friend"]);
  ok(!("group_id" in message) && !("anonymous" in message));
  const { messages } = await data(simulator, "get_friend_msg_history", { user_id: 11001 });
  deepStrictEqual(messages.at(-1), message);
});

Deno.test("message ids are the same in every run and come with both signs", async () => {
  verifies("simulator-world");
  const send = async (): Promise<number[]> => {
    await using simulator = await startSimulator();
    const ids: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      ids.push((await data(simulator, "send_group_msg", { group_id: 20001, message: `${index}` })).message_id);
    }
    return ids;
  };
  const ids = await send();
  deepStrictEqual(await send(), ids);
  ok(ids.some((id) => id < 0) && ids.some((id) => id > 0) && !ids.includes(0));
  strictEqual(new Set(ids).size, ids.length);
});

Deno.test("send_msg goes to the group whenever a group is given", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const send = async (params: Record<string, unknown>): Promise<string> => {
    const { message_id } = await data(simulator, "send_msg", { message: "x", ...params });
    return (await data(simulator, "get_msg", { message_id })).message_type;
  };
  strictEqual(await send({ group_id: 20001 }), "group");
  strictEqual(await send({ group_id: 20001, user_id: 11001, message_type: "private" }), "group");
  strictEqual(await send({ user_id: 11001 }), "private");
  match(await refusal(simulator, "send_msg", { message: "x", message_type: "group" }, 1400), /^group_id: /);
  match(await refusal(simulator, "send_msg", { message: "x" }, 1400), /^user_id: /);
});

interface MessageCase {
  name: string;
  message: unknown;
  auto_escape?: boolean;
  expected: unknown;
}

const READ: MessageCase[] = [
  {
    name: "a CQ code",
    message: "[CQ:at,qq=all] x",
    expected: [{ type: "at", data: { qq: "all" } }, { type: "text", data: { text: " x" } }],
  },
  {
    name: "an escaped string",
    message: "[CQ:at,qq=all]",
    auto_escape: true,
    expected: [{ type: "text", data: { text: "[CQ:at,qq=all]" } }],
  },
  {
    name: "a string that is a JSON array, although escaped",
    message: '[{"type":"face","data":{"id":5}}]',
    auto_escape: true,
    expected: [{ type: "face", data: { id: "5" } }],
  },
  {
    name: "one segment",
    message: { type: "text", data: { text: "x" } },
    expected: [{ type: "text", data: { text: "x" } }],
  },
  {
    name: "fields beside the type",
    message: [{ type: "text", text: "x" }],
    expected: [{ type: "text", data: { text: "x" } }],
  },
  {
    name: "fields under data, which win",
    message: [{ type: "text", text: "y", data: { text: "x" } }],
    expected: [{ type: "text", data: { text: "x" } }],
  },
  {
    name: "empty text beside other segments",
    message: [{ type: "text", data: { text: "" } }, { type: "face", data: { id: 1 } }],
    expected: [{ type: "face", data: { id: "1" } }],
  },
  {
    name: "a number that is none",
    message: { type: "image", data: { file: "https://example.com/a.png", subType: "x" } },
    expected: [{
      type: "image",
      data: {
        url: "https://example.com/a.png",
        file: "8C11D92F07C76BAF29E49AFD2301DEB2.png",
        sub_type: 0,
        summary: "",
      },
    }],
  },
  {
    name: "a card",
    message: { type: "xml", data: { data: "<a/>" } },
    expected: [{ type: "xml", data: { data: "<a/>", resid: 35 } }],
  },
];

Deno.test("send_group_msg reads each form of a message", async (t) => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  for (const { name, expected, ...params } of READ) {
    await t.step(name, async () => {
      const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, ...params });
      deepStrictEqual((await data(simulator, "get_msg", { message_id })).message, expected);
    });
  }
});

const REFUSED: [name: string, message: unknown, retcode: number][] = [
  ["an empty string", "", 100],
  ["an empty array", [], 100],
  ["empty text only", [{ type: "text", data: { text: "" } }], 100],
  ["a number", 5, 100],
  ["a boolean", true, 100],
  ["an array with one malformed item", [{ type: "text", data: { text: "x" } }, "y"], 100],
  ["null", null, 1400],
  ["an unknown type", [{ type: "hologram", data: {} }], 1400],
  ["a type from the prototype", [{ type: "constructor", data: {} }], 1400],
  ["a node outside a forward", [{ type: "node", data: { id: 1 } }], 1400],
  ["a face without id", [{ type: "face", data: {} }], 1400],
  ["an image without source", "[CQ:image]", 1400],
  ["a video beside text", [{ type: "text", data: { text: "x" } }, { type: "video", data: { file: "a.mp4" } }], 1400],
  ["a poke in a group", [{ type: "poke", data: { type: 1 } }], 1400],
  ["a file beside an unknown type", [{ type: "file", data: { file: "/a.txt" } }, { type: "hologram" }], 1400],
  ["a reply to nothing", [{ type: "reply", data: { id: 123 } }, { type: "text", data: { text: "x" } }], 100],
];

Deno.test("send_group_msg refuses what cannot be sent, and stores nothing", async (t) => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const before = await data(simulator, "get_group_msg_history", { group_id: 20001 });
  for (const [name, message, retcode] of REFUSED) {
    await t.step(name, async () => {
      await refusal(simulator, "send_group_msg", { group_id: 20001, message }, retcode);
    });
  }
  deepStrictEqual(await data(simulator, "get_group_msg_history", { group_id: 20001 }), before);
  strictEqual((await data(simulator, "get_group_root_files", { group_id: 20001 })).files.length, 1);
});

Deno.test("at is refused in private chats", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await refusal(simulator, "send_private_msg", { user_id: 11001, message: "[CQ:at,qq=11001] x" }, 1400);
  ok((await data(simulator, "send_private_msg", { user_id: 11001, message: "[CQ:shake]" })).message_id !== 0);
});

Deno.test("a reply points to a message by id or by sequence", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const target = await data(simulator, "send_group_msg", { group_id: 20001, message: "a" });
  const { message_seq } = await data(simulator, "get_msg", target);
  for (const id of [target.message_id, String(target.message_id), message_seq]) {
    const message = [{ type: "reply", data: { id } }, { type: "text", data: { text: "b" } }];
    const sent = await data(simulator, "send_group_msg", { group_id: 20001, message });
    deepStrictEqual((await data(simulator, "get_msg", sent)).message[0], {
      type: "reply",
      data: { id: String(target.message_id) },
    });
  }
});

Deno.test("a received image can be sent again and is in the cache", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const message = { type: "image", data: { file: "https://example.com/cat.png?x=1", summary: "cat" } };
  const sent = await data(simulator, "send_group_msg", { group_id: 20001, message });
  const [image] = (await data(simulator, "get_msg", sent)).message;
  match(image.data.file, /^[0-9A-F]{32}\.png$/);
  deepStrictEqual([image.data.url, image.data.summary], ["https://example.com/cat.png?x=1", "cat"]);
  const again = await data(simulator, "send_private_msg", { user_id: 11001, message: image });
  deepStrictEqual((await data(simulator, "get_msg", again)).message[0].data.file, image.data.file);
  strictEqual((await data(simulator, "get_image", { file: image.data.file })).url, image.data.url);
  await refusal(simulator, "get_record", { file: image.data.file }, 100);
});

Deno.test("a file beside text becomes a message of its own, whose id is the answer", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const message = [{ type: "text", data: { text: "see" } }, {
    type: "file",
    data: { file: "base64://aGVsbG8=", name: "a.txt" },
  }];
  const sent = await data(simulator, "send_group_msg", { group_id: 20001, message });
  const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001, count: 2 });
  deepStrictEqual(messages.map((each: { message: { type: string }[] }) => each.message.map(({ type }) => type)), [[
    "text",
  ], ["file"]]);
  strictEqual(messages[1].message_id, sent.message_id);
  const { files } = await data(simulator, "get_group_root_files", { group_id: 20001 });
  ok(
    files.some((file: { file_name: string; file_size: number }) => file.file_name === "a.txt" && file.file_size === 5),
  );
});

Deno.test("history pages from an anchor, both ways", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const ids: number[] = [];
  for (let index = 0; index < 30; index += 1) {
    ids.push((await data(simulator, "send_group_msg", { group_id: 20003, message: `${index}` })).message_id);
  }
  const page = async (params: Record<string, unknown>): Promise<number[]> => {
    const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20003, ...params });
    return messages.map((message: { message_id: number }) => message.message_id);
  };
  deepStrictEqual(await page({ count: 3 }), ids.slice(-3));
  deepStrictEqual(await page({ count: 3, reverse_order: false }), ids.slice(-3));
  strictEqual((await page({ count: 0 })).length, 20);
  strictEqual((await page({})).length, 20);
  strictEqual((await page({ count: 1000 })).length, 32);
  deepStrictEqual(await page({ message_id: ids[10], count: 3 }), ids.slice(8, 11));
  deepStrictEqual(await page({ message_id: ids[10], count: 3, reverse_order: false }), ids.slice(10, 13));
  deepStrictEqual(await page({ message_id: 5 }), []);
  const elsewhere = await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
  deepStrictEqual(await page({ message_id: elsewhere.message_id }), []);
  deepStrictEqual((await data(simulator, "get_group_msg_history", { group_id: 99 })).messages, []);
});

Deno.test("history gives at most 200 messages", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  for (let index = 0; index < 210; index += 1) {
    simulator.receive({ group_id: 20003, user_id: 12001, message: `${index}` });
  }
  const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20003, count: 500 });
  strictEqual(messages.length, 200);
  strictEqual(messages.at(-1).raw_message, "209");
});

Deno.test("messages go nowhere outside of groups and friendships", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  match(await refusal(simulator, "send_group_msg", { group_id: 99, message: "x" }, 100), /not in group 99/);
  match(await refusal(simulator, "send_private_msg", { user_id: 12001, message: "x" }, 100), /not a friend/);
  match(
    await refusal(simulator, "send_private_msg", { user_id: 12001, group_id: 20001, message: "x" }, 100),
    /temporary/,
  );
});

Deno.test("delete_msg takes back what others wrote only from above them", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const byMember = simulator.receive({ group_id: 20001, user_id: 12001, message: "spam" });
  const byOwner = simulator.receive({ group_id: 20001, user_id: 11001, message: "news" });
  const elsewhere = simulator.receive({ group_id: 20002, user_id: 12002, message: "spam" });
  const byFriend = simulator.receive({ user_id: 11001, message: "hello" });
  strictEqual(await data(simulator, "delete_msg", { message_id: byMember }), null);
  for (const message_id of [byOwner, elsewhere, byFriend]) await refusal(simulator, "delete_msg", { message_id }, 100);
});

Deno.test("marking as read checks the chat of the message", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const inGroup = simulator.receive({ group_id: 20001, user_id: 12001, message: "x" });
  const inPrivate = simulator.receive({ user_id: 11001, message: "x" });
  await data(simulator, "mark_group_msg_as_read", { message_id: inGroup, group_id: 20001 });
  await data(simulator, "mark_private_msg_as_read", { message_id: inPrivate, user_id: 11001 });
  await data(simulator, "mark_msg_as_read", { message_id: inPrivate, target_id: 11001 });
  await refusal(simulator, "mark_group_msg_as_read", { message_id: inPrivate }, 100);
  await refusal(simulator, "mark_private_msg_as_read", { message_id: inGroup }, 100);
  await refusal(simulator, "mark_group_msg_as_read", { message_id: inGroup, group_id: 20002 }, 100);
  await refusal(simulator, "mark_msg_as_read", { message_id: inPrivate, target_id: 11002 }, 100);
});

Deno.test("forwards are stored, sent and read again", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const source = await data(simulator, "send_group_msg", { group_id: 20001, message: "original" });
  const inner = [{
    type: "node",
    data: { user_id: 11002, nickname: "Rain", content: [{ type: "text", data: { text: "deep" } }] },
  }];
  const messages = [
    { type: "node", data: { uin: 11001, name: "Ada", content: "hello" } },
    { type: "node", data: { user_id: 11001, content: inner } },
  ];
  const sent = await data(simulator, "send_group_forward_msg", { group_id: 20001, messages });
  strictEqual(sent.res_id, sent.forward_id);
  notStrictEqual(sent.message_id, 0);
  deepStrictEqual((await data(simulator, "get_msg", sent)).message, [{ type: "forward", data: { id: sent.res_id } }]);
  const read = await data(simulator, "get_forward_msg", { id: sent.res_id });
  deepStrictEqual([read.messages[0].sender.nickname, read.messages[0].message[0].data.text], ["Ada", "hello"]);
  const deep = await data(simulator, "get_forward_msg", { id: read.messages[1].message[0].data.id });
  strictEqual(deep.messages[0].message[0].data.text, "deep");

  const uploaded = await data(simulator, "send_forward_msg", { messages });
  strictEqual(uploaded.message_id, 0);
  strictEqual((await data(simulator, "get_forward_msg", { id: uploaded.res_id })).messages.length, 2);
  for (const message_id of [source.message_id, sent.message_id].filter((id) => id < 0)) {
    await refusal(simulator, "send_forward_msg", { messages: [{ type: "node", data: { id: message_id } }] }, 1400);
  }
  for (const bad of ["", [], [{ type: "text", data: { text: "x" } }]]) {
    await refusal(simulator, "send_group_forward_msg", { group_id: 20001, messages: bad }, 1400);
  }
  await refusal(simulator, "send_group_forward_msg", { group_id: 20001 }, 1400);
  await refusal(simulator, "get_forward_msg", { id: "nothing" }, 100);
  await refusal(simulator, "send_forward_msg", { messages, message_type: "group" }, 1400);
});

Deno.test("a message can be forwarded alone, unless it holds a file", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const sent = await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
  const copy = await data(simulator, "forward_friend_single_msg", { ...sent, user_id: 11001 });
  strictEqual((await data(simulator, "get_msg", copy)).target_id, 11001);
  await data(simulator, "upload_group_file", { group_id: 20001, file: "/tmp/a.txt" });
  const { messages } = await data(simulator, "get_group_msg_history", { group_id: 20001, count: 1 });
  await refusal(simulator, "forward_group_single_msg", { message_id: messages[0].message_id, group_id: 20003 }, 100);
});

Deno.test("reactions, essence marks and to-do items stay until they are taken back", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const { message_id } = await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
  const likes = async (): Promise<unknown[]> =>
    (await data(simulator, "get_emoji_likes", { message_id, emoji_id: "76" })).emoji_like_list;
  await data(simulator, "set_msg_emoji_like", { message_id, emoji_id: 76 });
  deepStrictEqual(await likes(), [{ user_id: "10001", nick_name: "" }]);
  const page = await data(simulator, "fetch_emoji_like", { message_id, emojiId: "76" });
  deepStrictEqual([page.emojiLikesList[0].tinyId, page.cookie, page.isLastPage], ["10001", "", true]);
  await data(simulator, "set_group_reaction", { message_id, code: "76", is_set: false });
  deepStrictEqual(await likes(), []);

  const essence = async (): Promise<number[]> =>
    (await data(simulator, "get_essence_msg_list", { group_id: 20001 })).map((entry: { message_id: number }) =>
      entry.message_id
    );
  await data(simulator, "set_essence_msg", { message_id });
  deepStrictEqual(await essence(), [message_id]);
  await data(simulator, "delete_essence_msg", { message_id });
  deepStrictEqual(await essence(), []);
  await refusal(simulator, "delete_essence_msg", { message_id }, 100);

  await data(simulator, "set_group_todo", { group_id: 20001, message_id });
  await refusal(simulator, "complete_group_todo", { group_id: 20003, message_id }, 100);
  await data(simulator, "complete_group_todo", { group_id: 20001, message_id });
  await refusal(simulator, "cancel_group_todo", { group_id: 20001, message_id }, 100);

  const inPrivate = simulator.receive({ user_id: 11001, message: "x" });
  await refusal(simulator, "set_essence_msg", { message_id: inPrivate }, 100);
  await refusal(simulator, "set_msg_emoji_like", { message_id: inPrivate, emoji_id: "76" }, 100);
  strictEqual(
    (await call(simulator, "set_essence_msg", {
      message_id: simulator.receive({ group_id: 20002, user_id: 12002, message: "x" }),
    })).retcode,
    100,
  );
});
