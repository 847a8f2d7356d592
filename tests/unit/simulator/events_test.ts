/** What happens in the world as its sockets report it, action by action. */
import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { type Simulator, startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";
import { call, data } from "./support.ts";
import { type Client, connect, type Frame } from "./socket_support.ts";

const NOW = 1_800_000_000;
const OPTIONS = { now: (): number => NOW * 1000, wsPort: 0, answers: false };
const COMMON = { time: NOW, self_id: 10001 };
const NOTICE = { ...COMMON, post_type: "notice" };
const SELF = 10001;
const GROUP = { group_id: 20001 };
const OWNED = { group_id: 20003 };

async function withClient(test: (simulator: Simulator, client: Client) => Promise<void>): Promise<void> {
  await using simulator = await startSimulator(OPTIONS);
  await using client = await connect(simulator);
  await test(simulator, client);
}

interface NoticeCase {
  readonly action: string;
  readonly params: Record<string, unknown>;
  readonly fields: Record<string, unknown>;
}

const POKE = { sub_type: "poke", user_id: SELF, action: "戳了戳", suffix: "" };
const POKE_PICTURE = { action_img_url: "https://simulator.invalid/pictures/poke.png" };

/** In this order, each from where the one before left the world. */
const NOTICES: readonly NoticeCase[] = [
  {
    action: "set_group_ban",
    params: { ...GROUP, user_id: 12001, duration: 60 },
    fields: {
      notice_type: "group_ban",
      sub_type: "ban",
      ...GROUP,
      operator_id: SELF,
      user_id: 12001,
      duration: 60,
    },
  },
  {
    action: "set_group_ban",
    params: { ...GROUP, user_id: 12001, duration: 0 },
    fields: {
      notice_type: "group_ban",
      sub_type: "lift_ban",
      ...GROUP,
      operator_id: SELF,
      user_id: 12001,
      duration: 0,
    },
  },
  {
    action: "set_group_whole_ban",
    params: { ...GROUP, enable: true },
    fields: {
      notice_type: "group_ban",
      sub_type: "ban",
      ...GROUP,
      operator_id: SELF,
      user_id: 0,
      duration: 2_147_483_647,
    },
  },
  {
    action: "set_group_whole_ban",
    params: { ...GROUP, enable: false },
    fields: { notice_type: "group_ban", sub_type: "lift_ban", ...GROUP, operator_id: SELF, user_id: 0, duration: 0 },
  },
  {
    action: "set_group_admin",
    params: { ...OWNED, user_id: 12001, enable: true },
    fields: { notice_type: "group_admin", sub_type: "set", ...OWNED, user_id: 12001 },
  },
  {
    action: "set_group_admin",
    params: { ...OWNED, user_id: 12001, enable: false },
    fields: { notice_type: "group_admin", sub_type: "unset", ...OWNED, user_id: 12001 },
  },
  {
    action: "group_poke",
    params: { ...GROUP, user_id: 12001 },
    fields: { notice_type: "notify", ...POKE, ...POKE_PICTURE, ...GROUP, target_id: 12001 },
  },
  {
    action: "send_poke",
    params: { ...GROUP, user_id: 11002 },
    fields: { notice_type: "notify", ...POKE, ...POKE_PICTURE, ...GROUP, target_id: 11002 },
  },
  {
    action: "send_poke",
    params: { user_id: 11002 },
    fields: { notice_type: "notify", ...POKE, ...POKE_PICTURE, target_id: 11002 },
  },
  {
    action: "friend_poke",
    params: { user_id: 11001 },
    fields: { notice_type: "notify", ...POKE, ...POKE_PICTURE, target_id: 11001 },
  },
  {
    action: "set_group_kick",
    params: { ...GROUP, user_id: 12001 },
    fields: { notice_type: "group_decrease", sub_type: "kick", ...GROUP, operator_id: SELF, user_id: 12001 },
  },
  {
    action: "set_group_leave",
    params: { group_id: 20002 },
    fields: { notice_type: "group_decrease", sub_type: "leave", group_id: 20002, operator_id: SELF, user_id: SELF },
  },
  {
    action: "set_group_add_request",
    params: { flag: "slreq:add:20001:12004", approve: true },
    fields: { notice_type: "group_increase", sub_type: "approve", ...GROUP, operator_id: SELF, user_id: 12004 },
  },
  {
    action: "set_group_add_request",
    params: { flag: "slreq:invite:20004:11002", approve: true },
    fields: {
      notice_type: "group_increase",
      sub_type: "invite",
      group_id: 20004,
      operator_id: 11002,
      user_id: SELF,
    },
  },
  {
    action: "set_friend_add_request",
    params: { flag: "u_simulated_12004", approve: true },
    fields: { notice_type: "friend_add", user_id: 12004 },
  },
  {
    action: "set_doubt_friends_add_request",
    params: { flag: "u_simulated_12005", approve: true },
    fields: { notice_type: "friend_add", user_id: 12005 },
  },
];

Deno.test("an action that changes people is reported by its notice", async (t) => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    for (const { action, params, fields } of NOTICES) {
      await t.step(`${action} ${JSON.stringify(params)}`, async () => {
        await data(simulator, action, params);
        deepStrictEqual(await client.event(), { ...NOTICE, ...fields });
      });
    }
  });
});

Deno.test("set_group_kick_members is reported once for each member", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    await data(simulator, "set_group_kick_members", { ...OWNED, user_id: [12001, 12003, 12001] });
    deepStrictEqual([(await client.event()).user_id, (await client.event()).user_id], [12001, 12003]);
    await silent(simulator, client);
  });
});

Deno.test("what is refused, rejected or changes nothing is not reported", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const { message_id } = await data(simulator, "send_group_msg", { ...GROUP, message: "x" });
    await data(simulator, "set_essence_msg", { message_id });
    strictEqual((await client.event()).notice_type, "essence");
    const quiet: [action: string, params: Record<string, unknown>, retcode: number][] = [
      ["set_group_ban", { group_id: 20002, user_id: 12002 }, 100],
      ["set_group_kick", { ...GROUP, user_id: 11001 }, 100],
      ["set_group_kick_members", { ...GROUP, user_id: [12001, 11001] }, 100],
      ["delete_msg", { message_id: 1 }, 100],
      ["set_group_admin", { ...OWNED, user_id: 12001, enable: false }, 0],
      ["set_msg_emoji_like", { message_id, emoji_id: "76", set: false }, 0],
      ["set_essence_msg", { message_id }, 0],
      ["set_friend_add_request", { flag: "u_simulated_12004", approve: false }, 0],
      ["set_group_add_request", { flag: "slreq:add:20001:12004", approve: false }, 0],
      ["get_group_list", {}, 0],
    ];
    for (const [action, params, retcode] of quiet) {
      strictEqual((await call(simulator, action, params)).retcode, retcode, action);
    }
    await silent(simulator, client);
  });
});

Deno.test("notices of messages name the message", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const { message_id } = await data(simulator, "send_group_msg", { ...GROUP, message: "x" });
    const { message_seq } = await data(simulator, "get_msg", { message_id });
    const inGroup = { ...NOTICE, ...GROUP, message_id };
    const like = (sub_type: string, count: number): Frame => ({
      ...inGroup,
      notice_type: "group_msg_emoji_like",
      sub_type,
      user_id: SELF,
      operator_id: SELF,
      message_seq,
      likes: [{ emoji_id: "76", count }],
    });
    await data(simulator, "set_msg_emoji_like", { message_id, emoji_id: "76", set: true });
    deepStrictEqual(await client.event(), like("add", 1));
    await data(simulator, "set_group_reaction", { ...GROUP, message_id, code: "76", is_set: false });
    deepStrictEqual(await client.event(), like("remove", 0));

    for (const [action, sub_type] of [["set_essence_msg", "add"], ["delete_essence_msg", "delete"]] as const) {
      await data(simulator, action, { message_id });
      deepStrictEqual(await client.event(), {
        ...inGroup,
        notice_type: "essence",
        sub_type,
        user_id: SELF,
        sender_id: SELF,
        operator_id: SELF,
        message_seq,
        random: Math.abs(message_id),
      });
    }

    const received = simulator.receive({ ...GROUP, user_id: 12001, message: "y" });
    await client.event();
    await data(simulator, "delete_msg", { message_id: received });
    const recall = { ...inGroup, notice_type: "group_recall", operator_id: SELF, user_id: 12001, message_id: received };
    deepStrictEqual(await client.event(), recall);
    const own = (await data(simulator, "send_private_msg", { user_id: 11001, message: "z" })).message_id;
    await data(simulator, "delete_msg", { message_id: own });
    deepStrictEqual(await client.event(), {
      ...NOTICE,
      notice_type: "friend_recall",
      user_id: 11001,
      message_id: own,
    });
  });
});

Deno.test("files put into a group are reported, whoever puts them there", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const { file_id } = await data(simulator, "upload_group_file", { ...GROUP, file: "/a.txt", upload_file: false });
    const { file, ...fields } = await client.event();
    deepStrictEqual(fields, { ...NOTICE, notice_type: "group_upload", ...GROUP, user_id: SELF });
    deepStrictEqual([file.id, file.name, file.busid, Object.keys(file).length], [file_id, "a.txt", 102, 4]);
    ok(Number.isInteger(file.size));
    simulator.receive({ ...GROUP, user_id: 12001, message: { type: "file", data: { file: "/b.txt" } } });
    const uploaded = await client.event();
    deepStrictEqual([uploaded.notice_type, uploaded.user_id, uploaded.file.name], ["group_upload", 12001, "b.txt"]);
    strictEqual((await client.event()).message[0].data.file_id, uploaded.file.id);
    await data(simulator, "upload_private_file", { user_id: 11001, file: "/c.txt" });
    await silent(simulator, client);
  });
});

Deno.test("receive() is reported as the message it is", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const inGroup = simulator.receive({ ...GROUP, user_id: 11001, message: "hi [CQ:at,qq=10001]" });
    const event = await client.event();
    const sender = { user_id: 11001, nickname: "Ada", sex: "unknown", age: 0 };
    deepStrictEqual(event, {
      ...COMMON,
      post_type: "message",
      message_type: "group",
      sub_type: "normal",
      message_id: inGroup,
      message_seq: 7,
      user_id: 11001,
      group_id: 20001,
      message: [{ type: "text", data: { text: "hi " } }, { type: "at", data: { qq: "10001" } }],
      raw_message: "hi [CQ:at,qq=10001]",
      font: 0,
      anonymous: null,
      sender: { ...sender, card: "", role: "owner" },
    });
    const message_id = simulator.receive({ user_id: 11001, message: "psst" });
    deepStrictEqual(await client.event(), {
      ...COMMON,
      post_type: "message",
      message_type: "private",
      sub_type: "friend",
      message_id,
      message_seq: 3,
      user_id: 11001,
      message: [{ type: "text", data: { text: "psst" } }],
      raw_message: "psst",
      font: 0,
      sender,
    });
  });
});

Deno.test("own messages are reported only when asked for, and private ones without their receiver", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    await data(simulator, "send_group_msg", { ...GROUP, message: "x" });
    await silent(simulator, client);
  });
  await using simulator = await startSimulator({ ...OPTIONS, reportSelf: true });
  await using client = await connect(simulator);
  const { message_id } = await data(simulator, "send_private_msg", { user_id: 11001, message: "x" });
  const event = await client.event();
  deepStrictEqual(
    [event.post_type, event.message_id, event.user_id, "target_id" in event],
    ["message_sent", message_id, SELF, false],
  );
});

Deno.test("ask() adds a request that is reported and can be answered", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    const REQUEST = { ...COMMON, post_type: "request" };
    const friend = { ...REQUEST, request_type: "friend", user_id: 12002, comment: "Hi", flag: "u_simulated_12002" };
    strictEqual(simulator.ask({ user_id: 12002, comment: "Hi" }), friend.flag);
    deepStrictEqual(await client.event(), friend);
    const add = {
      ...REQUEST,
      request_type: "group",
      sub_type: "add",
      ...OWNED,
      user_id: 12002,
      comment: "",
      flag: "slreq:add:20003:12002",
    };
    strictEqual(simulator.ask({ ...OWNED, user_id: 12002 }), add.flag);
    deepStrictEqual(await client.event(), add);
    const invite = { ...add, sub_type: "invite", group_id: 30001, flag: "slreq:invite:30001:12002" };
    strictEqual(simulator.ask({ group_id: 30001, user_id: 12002 }), invite.flag);
    deepStrictEqual(await client.event(), invite);

    await data(simulator, "set_friend_add_request", { flag: friend.flag, approve: true });
    await data(simulator, "set_group_add_request", { flag: add.flag, approve: true });
    await data(simulator, "set_group_add_request", { flag: invite.flag, approve: true });
    const notices = [await client.event(), await client.event(), await client.event()];
    deepStrictEqual(notices.map((notice) => notice.sub_type ?? notice.notice_type), [
      "friend_add",
      "approve",
      "invite",
    ]);
    strictEqual((await data(simulator, "get_group_member_info", { ...OWNED, user_id: 12002 })).nickname, "陈晨");
    strictEqual((await data(simulator, "get_group_info", { group_id: 30001 })).group_name, "Group 30001");
  });
});

Deno.test("ask() refuses what is there already, what is pending, and what nobody would be told of", async () => {
  verifies("simulator-socket");
  await withClient(async (simulator, client) => {
    throws(() => simulator.ask({ user_id: 11001 }), /friend/);
    throws(() => simulator.ask({ user_id: 12004 }), /pending/);
    throws(() => simulator.ask({ ...GROUP, user_id: 12004 }), /pending/);
    throws(() => simulator.ask({ ...GROUP, user_id: 12001 }), /member/);
    throws(() => simulator.ask({ group_id: 20002, user_id: 12001 }), /no permission/);
    throws(() => simulator.ask({ user_id: 12002, comment: "x".repeat(2_000_000) }), /too large/);
    await silent(simulator, client);
  });
});

/** Nothing was reported: the next event is the one that is made now. */
async function silent(simulator: Simulator, client: Client): Promise<void> {
  simulator.emit({ post_type: "notice", notice_type: "mark" });
  strictEqual((await client.event()).notice_type, "mark");
}
