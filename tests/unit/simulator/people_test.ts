/** Friends, requests, the account and what it owns. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { data, refusal } from "./support.ts";
import { verifies } from "../../requirements.ts";

Deno.test("set_friend_add_request makes a friend, once", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const isFriend = async (userId: number): Promise<boolean> =>
    (await data(simulator, "get_friend_list")).some((friend: { user_id: number }) => friend.user_id === userId);
  await data(simulator, "set_friend_add_request", { flag: "u_simulated_12004" });
  ok(await isFriend(12004));
  await data(simulator, "send_private_msg", { user_id: 12004, message: "welcome" });
  match(await refusal(simulator, "set_friend_add_request", { flag: "u_simulated_12004" }, 100), /flag/);
  // The number of who asks is a flag too.
  await data(simulator, "set_friend_add_request", { flag: 12001, approve: false });
  ok(!await isFriend(12001));
});

Deno.test("set_group_add_request lets in who asked, and only once", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const pending = async (): Promise<string[]> =>
    (await data(simulator, "get_group_system_msg", { only_pending: true })).map((request: { flag: string }) =>
      request.flag
    );
  deepStrictEqual(await pending(), ["slreq:add:20001:12004", "slreq:invite:20004:11002"]);
  await data(simulator, "set_group_add_request", { flag: "slreq:add:20001:12004" });
  strictEqual(
    (await data(simulator, "get_group_member_info", { group_id: 20001, user_id: 12004 })).nickname,
    "Newcomer",
  );
  await refusal(simulator, "set_group_add_request", { flag: "slreq:add:20001:12004" }, 100);
  await data(simulator, "set_group_add_request", { flag: "slreq:invite:20004:11002", approve: "true" });
  strictEqual((await data(simulator, "get_group_info", { group_id: 20004 })).member_count, 2);
  await data(simulator, "send_group_msg", { group_id: 20004, message: "大家好" });
  deepStrictEqual(await pending(), []);
  const all = await data(simulator, "get_group_system_msg");
  ok(all.length === 2 && all.every((request: { checked: boolean }) => request.checked));
  deepStrictEqual(await data(simulator, "get_group_system_msg", { group_id: 20002 }), []);
});

Deno.test("filtered requests are listed apart and can be settled", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const [request] = await data(simulator, "get_group_ignored_notifies");
  await data(simulator, "set_group_add_request", { flag: request.flag, approve: false, reason: "no" });
  deepStrictEqual(
    (await data(simulator, "get_group_ignore_add_request")).map((each: { checked: boolean }) => each.checked),
    [true],
  );
  strictEqual((await data(simulator, "get_group_member_list", { group_id: 20001 })).length, 5);
});

Deno.test("doubtful requests can be accepted", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const [request] = await data(simulator, "get_doubt_friends_add_request");
  await data(simulator, "set_doubt_friends_add_request", { flag: request.uid });
  deepStrictEqual(await data(simulator, "get_doubt_friends_add_request"), []);
  ok((await data(simulator, "get_friend_list")).some((friend: { user_id: number }) => friend.user_id === 12005));
});

Deno.test("friends keep remark and category, and can be deleted", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_friend_remark", { user_id: 11001, remark: "boss" });
  const categories = await data(simulator, "get_friends_with_category");
  const work = categories.find((category: { categoryName: string }) => category.categoryName === "Work");
  deepStrictEqual(work.buddyList[0], { user_id: 11001, nickname: "Ada", remark: "boss" });
  await data(simulator, "delete_friend", { user_id: 11001 });
  await refusal(simulator, "delete_friend", { user_id: 11001 }, 100);
  await refusal(simulator, "send_private_msg", { user_id: 11001, message: "x" }, 100);
});

Deno.test("likes are counted and limited", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  for (const times of [0, 21]) await refusal(simulator, "send_like", { user_id: 11001, times }, 100);
  await data(simulator, "send_like", { user_id: 11001, times: 20 });
  await data(simulator, "send_like", { user_id: 11001 });
  strictEqual((await data(simulator, "get_profile_like", { user_id: 11001 })).voteInfo.total_count, 21);
  await data(simulator, "send_like", { user_id: 11001, times: 20 });
  await refusal(simulator, "send_like", { user_id: 11001, times: 20 }, 100);
});

Deno.test("profile and status of the account are kept", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "set_qq_profile", { nickname: "Robo", personal_note: "a" });
  await data(simulator, "set_self_longnick", { long_nick: "b" });
  deepStrictEqual(await data(simulator, "get_login_info"), { user_id: 10001, nickname: "Robo" });
  strictEqual((await data(simulator, "get_stranger_info", { user_id: 10001 })).long_nick, "b");
  await refusal(simulator, "set_self_longnick", { longNick: 5 }, 1400);
  await refusal(simulator, "set_self_longnick", {}, 1400);
  await data(simulator, "set_online_status", { status: 30, ext_status: 0 });
  deepStrictEqual(await data(simulator, "nc_get_user_status", { user_id: 10001 }), { status: 30, ext_status: 0 });
  await refusal(simulator, "set_online_status", { status: 0 }, 1400);
});

Deno.test("posts can be written, restricted, commented, liked and deleted", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const { tid } = await data(simulator, "send_qzone_msg", { content: "<b>hi</b>" });
  await data(simulator, "comment_qzone", { tid, content: "me too" });
  await data(simulator, "set_qzone_msg_right", { tid, ugc_right: 64 });
  const { total, msglist } = await data(simulator, "get_qzone_msg_list");
  deepStrictEqual([total, msglist[0].tid, msglist[0].comment_num, msglist[0].is_private], [2, tid, 1, true]);
  const { feeds } = await data(simulator, "get_qzone_feeds", { count: 1 });
  match(feeds[0].html, /&lt;b&gt;hi/);
  await data(simulator, "like_qzone", { tid: "simulated-post-2", target_uin: 11002 });
  await refusal(simulator, "delete_qzone_msg", { tid: "simulated-post-2" }, 100);
  await data(simulator, "delete_qzone_msg", { tid });
  await refusal(simulator, "comment_qzone", { tid, content: "x" }, 100);
  await refusal(simulator, "send_qzone_msg", { content: "x", ugc_right: 2 }, 1400);
  match(await refusal(simulator, "send_qzone_msg", { content: "x", ugc_right: 16 }, 1400), /^target_uins: /);
});

Deno.test("custom faces have a front", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const list = (): Promise<string[]> => data(simulator, "fetch_custom_face", { return_type: "id" });
  const { emoji_id } = await data(simulator, "add_custom_face", { file: "base64://aGVsbG8=" });
  const [first, second = ""] = await list();
  strictEqual(first, emoji_id);
  strictEqual((await data(simulator, "add_custom_face", { file: "base64://aGVsbG8=" })).emoji_id, emoji_id);
  await data(simulator, "move_custom_face_to_front", { emoji_id: second });
  deepStrictEqual(await list(), [second, emoji_id]);
  await data(simulator, "delete_custom_face", { emoji_id });
  await refusal(simulator, "modify_custom_face", { emoji_id }, 100);
  deepStrictEqual(await data(simulator, "fetch_custom_face", { count: 0 }), []);
});

Deno.test("flash filesets can be made, renamed and deleted", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  const { fileset_id } = await data(simulator, "create_flash_task", { files: ["/a.pdf", "base64://aGVsbG8="] });
  const list = await data(simulator, "get_flash_file_list", { fileset_id });
  deepStrictEqual(list.map((file: { orig_name: string }) => file.orig_name)[0], "a.pdf");
  strictEqual((await data(simulator, "download_fileset", { fileset_id, file_index: 2 })).file_size, 5);
  for (const file_index of [0, 3, 1.5]) await refusal(simulator, "get_flash_file_url", { fileset_id, file_index }, 100);
  for (const files of [[], "", ["a", 5], undefined]) await refusal(simulator, "create_flash_task", { files }, 1400);
  await data(simulator, "delete_flash_file", { fileset_id });
  await refusal(simulator, "get_share_link", { fileset_id }, 100);
});

Deno.test("credentials are plainly made up", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  match((await data(simulator, "get_cookies")).cookies, /simulated/);
  strictEqual((await data(simulator, "get_clientkey")).clientKey, "simulated");
  strictEqual((await data(simulator, "request_decrypt_key", { db_path: "/x" })).db_key, "simulated");
});

Deno.test("actions that would end the process leave the simulator running", async () => {
  verifies("simulator-world");
  await using simulator = await startSimulator();
  await data(simulator, "bot_exit");
  await data(simulator, "clean_cache");
  await refusal(simulator, "set_restart", {}, 100);
  await new Promise((resolve) => setTimeout(resolve, 80));
  deepStrictEqual(await data(simulator, "get_status"), { online: true, good: true });
});
