/** Each action of the simulator, over HTTP, against the shape that the recorded facts give its answer. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Simulator, startSimulator } from "../../lib/simulator/mod.ts";
import { type Answer, call, data, frames } from "../unit/simulator/support.ts";
import facts from "./facts.json" with { type: "json" };
import { verifies } from "../requirements.ts";

/** Params that succeed in the start state, or a function that prepares the world and returns them. */
type Params = Record<string, unknown> | ((simulator: Simulator) => Promise<Record<string, unknown>>);

const ADMIN_OF = 20001;
const OWNER_OF = 20003;
const FILESET = "5f0c3a52-7f7e-4b7a-9f5e-3c1d2e4b6a70";
const PICTURE = "base64://c2ltdWxhdGVk";
const PAPER = { group_id: ADMIN_OF, file_id: `/readme-${ADMIN_OF}` };
const FOLDER = { group_id: ADMIN_OF, folder_id: `/docs-${ADMIN_OF}` };
const ALBUM = { group_id: ADMIN_OF, album_id: `album-${ADMIN_OF}` };
const NODES = [{ type: "node", data: { user_id: 11001, nickname: "Ada", content: "hello" } }];
const TEXT = [{ type: "text", data: { text: "hello" } }];
const IN_GROUP = { group_id: ADMIN_OF };
const MEMBER = { group_id: ADMIN_OF, user_id: 12001 };
const FRIEND = { user_id: 11001 };
const MARK_OF_POST = { tid: "simulated-post-1" };

async function groupMessage(simulator: Simulator): Promise<{ group_id: number; message_id: number }> {
  const { message_id } = await data(simulator, "send_group_msg", { group_id: ADMIN_OF, message: TEXT });
  return { group_id: ADMIN_OF, message_id };
}

async function message(simulator: Simulator): Promise<{ message_id: number }> {
  return { message_id: (await groupMessage(simulator)).message_id };
}

async function todo(simulator: Simulator): Promise<{ group_id: number; message_id: number }> {
  const params = await groupMessage(simulator);
  await data(simulator, "set_group_todo", params);
  return params;
}

async function face(simulator: Simulator): Promise<{ emoji_id: string }> {
  return await data(simulator, "add_custom_face", { file: PICTURE });
}

async function liked(simulator: Simulator): Promise<Record<string, unknown>> {
  const params = { ...await message(simulator), emoji_id: "76", emojiId: "76" };
  await data(simulator, "set_msg_emoji_like", params);
  return params;
}

async function voice(simulator: Simulator): Promise<{ message_id: string }> {
  const message = { type: "record", data: { file: PICTURE } };
  return { message_id: String((await data(simulator, "send_group_msg", { group_id: ADMIN_OF, message })).message_id) };
}

const PARAMS: Record<string, Params> = {
  _del_group_notice: { group_id: ADMIN_OF, notice_id: `notice-${ADMIN_OF}-1` },
  _get_group_notice: IN_GROUP,
  _get_model_show: {},
  _mark_all_as_read: {},
  _send_group_notice: { group_id: ADMIN_OF, content: "hello" },
  _set_model_show: {},
  add_custom_face: { file: PICTURE },
  bot_exit: {},
  can_send_image: {},
  can_send_record: {},
  cancel_group_album_media_like: { ...ALBUM, batch_id: "1001" },
  cancel_group_todo: todo,
  check_url_safely: {},
  clean_cache: {},
  clean_stream_temp_file: {},
  click_inline_keyboard_button: { group_id: ADMIN_OF, bot_appid: 1, msg_seq: 1, button_id: "1" },
  comment_qzone: { ...MARK_OF_POST, content: "hello" },
  complete_group_todo: todo,
  create_flash_task: { files: [PICTURE] },
  create_group_file_folder: { group_id: ADMIN_OF, name: "New" },
  del_group_album_media: { ...ALBUM, lloc: `lloc-${ADMIN_OF}-1` },
  delete_custom_face: face,
  delete_essence_msg: async (simulator) => {
    const params = await message(simulator);
    await data(simulator, "set_essence_msg", params);
    return params;
  },
  delete_flash_file: { fileset_id: FILESET },
  delete_friend: FRIEND,
  delete_group_file: PAPER,
  delete_group_file_folder: FOLDER,
  delete_group_folder: FOLDER,
  delete_msg: message,
  delete_qzone_msg: MARK_OF_POST,
  do_group_album_comment: { ...ALBUM, lloc: `lloc-${ADMIN_OF}-1`, content: "nice" },
  download_file: { base64: "aGVsbG8=", name: "hello.txt" },
  download_file_image_stream: { file: "simulated.png" },
  download_file_record_stream: { file: "simulated.amr" },
  download_file_stream: { file: "https://example.com/a.txt" },
  download_fileset: { fileset_id: FILESET },
  fetch_custom_face: {},
  fetch_emoji_like: liked,
  fetch_ptt_text: voice,
  forward_friend_single_msg: async (simulator) => ({ ...await message(simulator), ...FRIEND }),
  forward_group_single_msg: groupMessage,
  friend_poke: FRIEND,
  get_ai_characters: IN_GROUP,
  get_ai_record: { group_id: ADMIN_OF, character: "simulated-voice-1", text: "hello" },
  get_clientkey: {},
  get_collection_list: {},
  get_cookies: {},
  get_credentials: {},
  get_csrf_token: {},
  get_doubt_friends_add_request: {},
  get_emoji_likes: liked,
  get_essence_msg_list: async (simulator) => {
    await data(simulator, "set_essence_msg", await message(simulator));
    return IN_GROUP;
  },
  get_file: { file: "simulated.png" },
  get_fileset_id: { share_code: "simulated1" },
  get_fileset_info: { fileset_id: FILESET },
  get_flash_file_list: { fileset_id: FILESET },
  get_flash_file_url: { fileset_id: FILESET },
  get_forward_msg: { id: "simulated-forward-1" },
  get_friend_list: {},
  get_friend_msg_history: FRIEND,
  get_friends_with_category: {},
  get_group_album_list: IN_GROUP,
  get_group_album_media_list: ALBUM,
  get_group_at_all_remain: IN_GROUP,
  get_group_detail_info: IN_GROUP,
  get_group_file_system_info: IN_GROUP,
  get_group_file_url: PAPER,
  get_group_files_by_folder: FOLDER,
  get_group_honor_info: IN_GROUP,
  get_group_ignore_add_request: {},
  get_group_ignored_notifies: {},
  get_group_info: IN_GROUP,
  get_group_info_ex: IN_GROUP,
  get_group_list: {},
  get_group_member_info: MEMBER,
  get_group_member_list: IN_GROUP,
  get_group_msg_history: IN_GROUP,
  get_group_root_files: IN_GROUP,
  get_group_shut_list: async (simulator) => {
    await data(simulator, "set_group_ban", MEMBER);
    return IN_GROUP;
  },
  get_group_signed_list: async (simulator) => {
    await data(simulator, "set_group_sign", IN_GROUP);
    return IN_GROUP;
  },
  get_group_system_msg: {},
  get_image: { file: "simulated.png" },
  get_login_info: {},
  get_mini_app_ark: { title: "hello" },
  get_msg: message,
  get_online_clients: {},
  get_private_file_url: { file_id: "/simulated-private-file" },
  get_profile_like: {},
  get_qun_album_list: IN_GROUP,
  get_qzone_feeds: {},
  get_qzone_msg_list: {},
  get_recent_contact: {},
  get_record: { file: "simulated.amr", out_format: "mp3" },
  get_rkey: {},
  get_rkey_server: {},
  get_share_link: { fileset_id: FILESET },
  get_status: {},
  get_stranger_info: FRIEND,
  get_unidirectional_friend_list: {},
  get_version_info: {},
  group_poke: MEMBER,
  like_qzone: MARK_OF_POST,
  list_filesets: {},
  mark_group_msg_as_read: message,
  mark_msg_as_read: message,
  mark_private_msg_as_read: async (simulator) =>
    await data(simulator, "send_private_msg", { ...FRIEND, message: TEXT }),
  modify_custom_face: async (simulator) => ({ ...await face(simulator), desc: "hello" }),
  move_custom_face_to_front: face,
  move_group_file: { ...PAPER, parent_directory: "/", target_directory: FOLDER.folder_id },
  nc_get_packet_status: {},
  nc_get_user_status: FRIEND,
  ocr_image: { image: "simulated.png" },
  rename_flash_file: { fileset_id: FILESET, new_name: "new.pdf" },
  rename_group_file: { ...PAPER, new_name: "new.txt" },
  rename_group_file_folder: { ...FOLDER, new_folder_name: "New" },
  request_decrypt_key: { db_path: "/opt/nt_msg.db" },
  send_ark_share: FRIEND,
  send_flash_msg: { fileset_id: FILESET, group_id: ADMIN_OF },
  send_forward_msg: { messages: NODES, group_id: ADMIN_OF },
  send_group_ai_record: { group_id: ADMIN_OF, character: "simulated-voice-1", text: "hello" },
  send_group_ark_share: IN_GROUP,
  send_group_forward_msg: { messages: NODES, group_id: ADMIN_OF },
  send_group_msg: { group_id: ADMIN_OF, message: TEXT },
  send_like: FRIEND,
  send_msg: { ...FRIEND, message: TEXT },
  send_packet: { cmd: "Simulated.Command", data: "00ff" },
  send_poke: MEMBER,
  send_private_forward_msg: { ...FRIEND, messages: NODES },
  send_private_msg: { ...FRIEND, message: TEXT },
  send_qzone_msg: { content: "hello" },
  set_diy_online_status: { face_id: 21 },
  set_doubt_friends_add_request: { flag: "u_simulated_12005" },
  set_essence_msg: message,
  set_friend_add_request: { flag: "u_simulated_12004" },
  set_friend_remark: { ...FRIEND, remark: "A." },
  set_group_add_option: IN_GROUP,
  set_group_add_request: { flag: "slreq:add:20001:12004" },
  set_group_admin: { group_id: OWNER_OF, user_id: 12001 },
  set_group_album_media_like: { ...ALBUM, batch_id: "1001" },
  set_group_anonymous: {},
  set_group_anonymous_ban: {},
  set_group_ban: MEMBER,
  set_group_card: { ...MEMBER, card: "L." },
  set_group_kick: MEMBER,
  set_group_kick_members: { group_id: ADMIN_OF, user_id: [12001, 12002] },
  set_group_leave: IN_GROUP,
  set_group_name: { group_id: ADMIN_OF, group_name: "New" },
  set_group_portrait: { group_id: ADMIN_OF, file: PICTURE },
  set_group_reaction: async (simulator) => ({ ...await message(simulator), code: "76" }),
  set_group_remark: { group_id: ADMIN_OF, remark: "A" },
  set_group_robot_add_option: IN_GROUP,
  set_group_search: IN_GROUP,
  set_group_sign: IN_GROUP,
  set_group_special_title: { group_id: OWNER_OF, user_id: 12001, special_title: "T" },
  set_group_todo: groupMessage,
  set_group_whole_ban: IN_GROUP,
  set_input_status: FRIEND,
  set_msg_emoji_like: async (simulator) => ({ ...await message(simulator), emoji_id: "76" }),
  set_online_status: { status: 30 },
  set_qq_avatar: { file: PICTURE },
  set_qq_profile: { nickname: "New" },
  set_qzone_ban: FRIEND,
  set_qzone_msg_right: { ...MARK_OF_POST, ugc_right: 64 },
  set_self_longnick: { longNick: "hello" },
  share_group_ex: IN_GROUP,
  share_peer: FRIEND,
  test_download_stream: {},
  trans_group_file: PAPER,
  translate_en2zh: { words: ["hello"] },
  unlike_qzone: MARK_OF_POST,
  upload_file_stream: { stream_id: "s1", total_chunks: 1, chunk_index: 0, chunk_data: "aGVsbG8=" },
  upload_foward_msg: { messages: NODES },
  upload_forward_msg: { messages: NODES, group_id: ADMIN_OF },
  upload_group_file: { group_id: ADMIN_OF, file: PICTURE, name: "a.txt" },
  upload_image_to_qun_album: { ...ALBUM, album_name: "Trips", file: PICTURE },
  upload_private_file: { ...FRIEND, file: PICTURE },
};

/** Further answers of the same actions: empty lists, placeholders for the unknown, other branches. */
const BRANCHES: [action: string, params: Params][] = [
  ["get_group_info", { group_id: 99 }],
  ["get_group_info_ex", { group_id: 99 }],
  ["get_group_detail_info", { group_id: 99 }],
  ["get_group_member_info", { group_id: 99, user_id: 99 }],
  ["get_stranger_info", { user_id: 99 }],
  ["get_group_shut_list", IN_GROUP],
  ["get_group_signed_list", IN_GROUP],
  ["get_essence_msg_list", IN_GROUP],
  ["get_group_honor_info", { group_id: ADMIN_OF, type: "performer" }],
  ["get_group_msg_history", { group_id: 99 }],
  ["get_friend_msg_history", { user_id: 99 }],
  ["get_record", { file: "simulated.amr" }],
  ["get_ai_characters", { group_id: ADMIN_OF, chat_type: 9 }],
  ["get_group_root_files", async (simulator) => {
    await data(simulator, "create_group_file_folder", { group_id: ADMIN_OF, name: "Empty" });
    return IN_GROUP;
  }],
  ["get_group_album_media_list", async (simulator) => {
    await data(simulator, "del_group_album_media", { ...ALBUM, lloc: `lloc-${ADMIN_OF}-1` });
    return ALBUM;
  }],
  ["get_group_album_list", async (simulator) => {
    await data(simulator, "del_group_album_media", { ...ALBUM, lloc: `lloc-${ADMIN_OF}-1` });
    return IN_GROUP;
  }],
  ["get_msg", async (simulator) => await data(simulator, "send_private_msg", { ...FRIEND, message: TEXT })],
  ["get_msg", (simulator) => Promise.resolve({ message_id: simulator.receive({ user_id: 11001, message: TEXT }) })],
  ["get_forward_msg", async (simulator) => {
    const { message_id } = await data(simulator, "send_group_forward_msg", { group_id: ADMIN_OF, messages: NODES });
    const { message } = await data(simulator, "get_msg", { message_id });
    return { id: message[0].data.id };
  }],
  ["send_forward_msg", { messages: NODES }],
  ["upload_forward_msg", { messages: NODES }],
  ["send_flash_msg", { fileset_id: FILESET, ...FRIEND }],
  ["send_packet", { cmd: "Simulated.Command", rsp: false }],
  ["fetch_custom_face", { return_type: "id" }],
  ["upload_file_stream", { stream_id: "s1", total_chunks: 1 }],
  ["upload_file_stream", async (simulator) => {
    const chunk = { stream_id: "s1", total_chunks: 1, chunk_index: 0, chunk_data: "aGVsbG8=" };
    await frames(simulator, "upload_file_stream", chunk);
    return { stream_id: "s1", is_complete: true };
  }],
];

/** Actions whose success the facts rule out. */
const HOPELESS = [".get_word_slices", "create_collection", "set_restart"];

const STREAMS = facts.actions.filter((fact) => fact.stream).map((fact) => fact.name);

const ajv = new Ajv2020({ strict: false, allErrors: true });

Deno.test("the simulator is asked for exactly the 179 actions of the facts", () => {
  verifies("simulator-returns");
  const names = facts.actions.map((fact) => fact.name).sort();
  strictEqual(names.length, 179);
  deepStrictEqual([...Object.keys(PARAMS), ...HOPELESS].sort(), names);
});

async function expectValid(name: string, params: Params, returns: object, aliases: readonly string[]): Promise<void> {
  await using simulator = await startSimulator();
  const given = typeof params === "function" ? await params(simulator) : params;
  const validate = ajv.compile(returns);
  const answers: Answer[] = STREAMS.includes(name)
    ? await frames(simulator, name, given)
    : await Promise.all([name, ...aliases].map((each) => call(simulator, each, given)));
  ok(answers.length > 0);
  for (const { status, retcode, data, wording } of answers) {
    deepStrictEqual([status, retcode], ["ok", 0], wording);
    ok(validate(data), `${ajv.errorsText(validate.errors)} in ${JSON.stringify(data)}`);
  }
}

for (const { name, returns, aliases } of facts.actions) {
  if (HOPELESS.includes(name)) {
    Deno.test(`simulator: ${name} always fails`, async () => {
      verifies("simulator-returns");
      await using simulator = await startSimulator();
      const { status, retcode, data } = await call(simulator, name);
      deepStrictEqual([status, retcode, data], ["failed", 100, null]);
    });
    continue;
  }
  Deno.test(`simulator: ${name} answers in the shape of the facts`, async () => {
    verifies("simulator-returns");
    await expectValid(name, PARAMS[name] ?? {}, returns, aliases);
  });
}

for (const [name, params] of BRANCHES) {
  const told = typeof params === "function" ? "prepared params" : JSON.stringify(params);
  Deno.test(`simulator: ${name} keeps to the shape with ${told}`, async () => {
    verifies("simulator-returns");
    const fact = facts.actions.find((candidate) => candidate.name === name);
    ok(fact !== undefined);
    await expectValid(name, params, fact.returns, []);
  });
}
