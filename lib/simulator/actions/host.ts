/** The bot process, placeholders for compatibility, and actions that never succeed. */
import { Buffer } from "node:buffer";
import { ActionFailure, invalid } from "../failure.ts";
import type { Handler, Handlers } from "./handler.ts";

const accept: Handler = () => null;

const unsupported: Handler = () => {
  throw new ActionFailure("not supported");
};

export const host: Handlers = {
  get_status: () => ({ online: true, good: true }),
  get_version_info: () => ({ app_name: "SnowLuma", app_version: "0.0.0-simulator-node", protocol_version: "v11" }),
  get_online_clients: (params) => {
    if (params.flag("no_cache")) throw new ActionFailure("a fresh device list cannot be asked for");
    return { clients: [{ app_id: 1, device_name: "Simulated phone", device_kind: "手机" }] };
  },
  // A simulator outlives them: whoever started it decides when it ends.
  bot_exit: accept,
  clean_cache: accept,
  clean_stream_temp_file: (_params, world) => ({ message: "success", removed: world.uploads.clean() }),
  nc_get_packet_status: accept,
  send_packet: (params) => {
    const data = params.text("data");
    if (!/^([0-9a-f]{2})*$/i.test(data)) throw invalid("data", "must be hex digits of even length");
    return params.flag("rsp") ? Buffer.from("simulated").toString("hex") : null;
  },
  check_url_safely: () => ({ level: 1 }),
  get_recent_contact: () => [],
  translate_en2zh: (params) => {
    const words = params.raw("words");
    if (!Array.isArray(words)) throw invalid("words", "must be an array");
    return { words: words.map((word) => `译：${word}`) };
  },
  click_inline_keyboard_button: (params, world) => {
    if (!params.has("button_id")) throw invalid("button_id", "is required");
    world.group(params.int("group_id"));
    return { result: 0, errMsg: "", status: 0, promptText: "", promptType: 0, promptIcon: 0 };
  },
  get_collection_list: () => ({
    errCode: 0,
    errMsg: "",
    collectionSearchList: { collectionItemList: [], hasMore: false, bottomTimeStamp: "0" },
  }),
  _get_model_show: (params) => [
    { variants: { model_show: params.text("model") || "snowluma", need_pay: false } },
  ],
  _set_model_show: accept,
  set_group_anonymous: accept,
  set_group_anonymous_ban: accept,
  ".get_word_slices": unsupported,
  create_collection: unsupported,
  set_restart: unsupported,
};
