/** Groups, members and who may do what. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { data, refusal } from "./support.ts";
import { verifies } from "../../requirements.ts";

Deno.test("a ban shows in the list until it ends or is lifted", async () => {
  verifies("simulator-world");
  let now = 1_800_000_000;
  await using simulator = await startSimulator({ now: () => now * 1000 });
  const list = (): Promise<unknown> => data(simulator, "get_group_shut_list", { group_id: 20001 });
  deepStrictEqual(await list(), []);
  await data(simulator, "set_group_ban", { group_id: 20001, user_id: 12001, duration: 60 });
  await data(simulator, "set_group_ban", { group_id: 20001, user_id: 12002 });
  deepStrictEqual(await list(), [
    { user_id: 12001, nickname: "Linus", shut_up_time: now + 60 },
    { user_id: 12002, nickname: "陈晨", shut_up_time: now + 1800 },
  ]);
  now += 60;
  deepStrictEqual(await list(), [{ user_id: 12002, nickname: "陈晨", shut_up_time: now + 1740 }]);
  await data(simulator, "set_group_ban", { group_id: 20001, user_id: 12002, duration: 0 });
  deepStrictEqual(await list(), []);
});

const FORBIDDEN: [name: string, action: string, params: Record<string, unknown>][] = [
  ["an admin bans the owner", "set_group_ban", { group_id: 20001, user_id: 11001 }],
  ["an admin bans itself", "set_group_ban", { group_id: 20001, user_id: 10001 }],
  ["a plain member bans", "set_group_ban", { group_id: 20002, user_id: 12002 }],
  ["a ban of nobody", "set_group_ban", { group_id: 20001, user_id: 99 }],
  ["a ban in an unknown group", "set_group_ban", { group_id: 99, user_id: 12001 }],
  ["a plain member mutes everybody", "set_group_whole_ban", { group_id: 20002 }],
  ["a plain member kicks", "set_group_kick", { group_id: 20002, user_id: 12002 }],
  ["an admin kicks the owner among others", "set_group_kick_members", { group_id: 20001, user_id: [12001, 11001] }],
  ["a plain member renames the group", "set_group_name", { group_id: 20002, group_name: "x" }],
  ["a plain member renames a member", "set_group_card", { group_id: 20002, user_id: 12002, card: "x" }],
  ["an admin makes an admin", "set_group_admin", { group_id: 20001, user_id: 12001 }],
  ["an admin gives a title", "set_group_special_title", { group_id: 20001, user_id: 12001, special_title: "x" }],
  ["a plain member writes a notice", "_send_group_notice", { group_id: 20002, content: "x" }],
  ["a plain member makes a folder", "create_group_file_folder", { group_id: 20002, name: "x" }],
  ["an owner leaves", "set_group_leave", { group_id: 20003 }],
];

Deno.test("groups refuse what the rank does not allow", async (t) => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  for (const [name, action, params] of FORBIDDEN) {
    await t.step(name, async () => {
      ok((await refusal(simulator, action, params, 100)).length > 0);
    });
  }
  strictEqual((await data(simulator, "get_group_member_list", { group_id: 20001 })).length, 5);
});

Deno.test("cards, titles, admins and kicks show in the member list", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const params = { group_id: 20003, user_id: 12001 };
  const member = (): Promise<Record<string, unknown>> => data(simulator, "get_group_member_info", params);
  await data(simulator, "set_group_card", { ...params, card: "L." });
  await data(simulator, "set_group_special_title", { ...params, special_title: "Kernel" });
  await data(simulator, "set_group_admin", params);
  const { card, title, role } = await member();
  deepStrictEqual([card, title, role], ["L.", "Kernel", "admin"]);
  await data(simulator, "set_group_admin", { ...params, enable: false });
  strictEqual((await member()).role, "member");
  await data(simulator, "set_group_kick", params);
  // Who is not there is told as a placeholder.
  deepStrictEqual((await member()).nickname, "");
  strictEqual((await data(simulator, "get_group_info", { group_id: 20003 })).member_count, 3);
  await refusal(simulator, "set_group_kick", params, 100);
});

Deno.test("a plain member may change its own card", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_group_card", { group_id: 20002, user_id: 10001, card: "bot" });
  strictEqual((await data(simulator, "get_group_member_info", { group_id: 20002, user_id: 10001 })).card, "bot");
});

Deno.test("set_group_kick_members removes all of them at once", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_group_kick_members", { group_id: 20001, user_id: [12001, 12002] });
  const list = await data(simulator, "get_group_member_list", { group_id: 20001 });
  deepStrictEqual(list.map((member: { user_id: number }) => member.user_id), [11001, 10001, 11002]);
});

Deno.test("a whole ban silences plain members only", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_group_whole_ban", { group_id: 20001 });
  strictEqual((await data(simulator, "get_group_info", { group_id: 20001 })).group_all_shut, -1);
  await data(simulator, "send_group_msg", { group_id: 20001, message: "x" });
  await data(simulator, "set_group_whole_ban", { group_id: 20001, enable: false });
  strictEqual((await data(simulator, "get_group_info", { group_id: 20001 })).group_all_shut, 0);
});

Deno.test("a group that was left is gone for every action that needs it", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_group_leave", { group_id: 20002 });
  const list = await data(simulator, "get_group_list");
  deepStrictEqual(list.map((group: { group_id: number }) => group.group_id), [20001, 20003]);
  match(await refusal(simulator, "send_group_msg", { group_id: 20002, message: "x" }, 100), /not in group/);
  await refusal(simulator, "get_group_member_list", { group_id: 20002 }, 100);
  strictEqual(await data(simulator, "get_group_info_ex", { group_id: 20002 }), null);
  strictEqual(await data(simulator, "get_group_detail_info", { group_id: 20002 }), null);
  strictEqual((await data(simulator, "get_group_info", { group_id: 20002 })).group_name, "");
});

Deno.test("name, remark, sign-in and notices of a group are kept", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_group_name", { group_id: 20001, group_name: "New" });
  await data(simulator, "set_group_remark", { group_id: 20001, remark: "mine" });
  const { group_name, group_remark } = await data(simulator, "get_group_info", { group_id: 20001 });
  deepStrictEqual([group_name, group_remark], ["New", "mine"]);
  await data(simulator, "send_group_sign", { group_id: 20001 });
  strictEqual((await data(simulator, "get_group_signed_list", { group_id: 20001 }))[0].user_id, 10001);

  await data(simulator, "_send_group_notice", { group_id: 20001, content: "hello", send_to_new_members: true });
  const [notice] = await data(simulator, "_get_group_notice", { group_id: 20001 });
  deepStrictEqual([notice.message.text, notice.type, notice.send_to_new_members], ["hello", 20, true]);
  await data(simulator, "_del_group_notice", { group_id: 20001, fid: notice.notice_id });
  strictEqual((await data(simulator, "_get_group_notice", { group_id: 20001 })).length, 1);
  await refusal(simulator, "_del_group_notice", { group_id: 20001 }, 1400);
  await refusal(simulator, "_send_group_notice", { group_id: 20001, content: "x", type: 2 }, 1400);
  await refusal(
    simulator,
    "_send_group_notice",
    { group_id: 20001, content: "x", type: 1, send_to_new_members: true },
    1400,
  );
});

Deno.test("get_group_honor_info has all keys and refuses types it cannot ask for", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  strictEqual(
    Object.keys(await data(simulator, "get_group_honor_info", { group_id: 20001, type: "legend" })).length,
    7,
  );
  await data(simulator, "get_group_honor_info", { group_id: 20001, type: "" });
  match(await refusal(simulator, "get_group_honor_info", { group_id: 20001, type: "strong_newbie" }, 1400), /^type: /);
});
