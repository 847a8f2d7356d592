/** Actions about online status, typing status and logged-in devices (在线状态). */
import type { ActionSpec } from "../../action.ts";
import { bool, int, string, userId } from "../../params.ts";
import { INT, list, NULL, object, oneOfStrings, STRING } from "../../returns.ts";
import { live } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_online_status",
    category: "extended",
    summary: { en: "Sets the account online, away, busy or invisible.", zh: "设置在线状态（在线、离开、隐身、忙碌）" },
    params: {
      status: int({
        en: "Status code, never 0; common: 10 online, 30 away, 40 invisible, 50 busy.",
        zh: "状态码，不能为 0；常用：10 在线，30 离开，40 隐身，50 忙碌。",
      }, { nonZero: true }),
      ext_status: int({ en: "Extended status code; 0 by default.", zh: "扩展状态码；默认为 0。" }, {
        min: 0,
        default: 0,
      }),
      battery_status: int({ en: "Battery level to report, in percent.", zh: "上报的电量百分比。" }, {
        min: 0,
        default: 100,
        unit: "%",
      }),
    },
    returns: NULL,
    examples: [
      { summary: { en: "Go invisible", zh: "设为隐身" }, params: { status: 40 } },
      { summary: { en: "Go online again", zh: "恢复在线" }, params: { status: 10 } },
    ],
  },
  {
    name: "set_diy_online_status",
    category: "extended",
    summary: { en: "Sets a custom online status with a face and a text.", zh: "设置自定义在线状态（表情+文字）" },
    params: {
      face_id: int({ en: "Id of the face to show.", zh: "要显示的表情 ID。" }, { min: 0 }),
      face_type: int({
        en: "Kind of the face; 0 is passed on unchanged.",
        zh: "表情类型；0 会原样传递。",
      }, { min: 0, default: 1 }),
      wording: string({ en: "Text of the status; empty by default.", zh: "状态文字；默认为空。" }, { default: "" }),
    },
    notes: [{
      en: "The base status becomes 10 (online), with extended status 2000.",
      zh: "基础状态固定设为 10（在线），扩展状态为 2000。",
    }],
    returns: NULL,
    examples: [{
      summary: { en: "Set a custom status", zh: "设置自定义状态" },
      params: { face_id: 21, wording: "Reading" },
      notes: { en: "The face id is an example.", zh: "表情 ID 仅为示例。" },
    }],
  },
  {
    name: "set_input_status",
    category: "extended",
    summary: { en: "Shows a friend the typing status, or ends it.", zh: "设置或结束“正在输入”状态" },
    params: {
      user_id: userId(),
      event_type: int({
        en: "Input status code; 0, the default, ends the status.",
        zh: "输入状态码；0（默认）表示结束该状态。",
      }, { default: 0 }),
    },
    notes: [{ en: "The answer is an empty object, not null.", zh: "返回空对象，而非 null。" }],
    returns: object({}),
    examples: [
      {
        summary: { en: "Show a friend an input status", zh: "向好友显示输入状态" },
        params: { user_id: 30001, event_type: 1 },
        notes: {
          en: "user_id comes from get_friend_list; the code 1 is an example.",
          zh: "user_id 来自 get_friend_list；状态码 1 仅为示例。",
        },
      },
      {
        summary: { en: "End the input status", zh: "结束输入状态" },
        params: { user_id: 30001, event_type: 0 },
        notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
      },
    ],
  },
  {
    name: "nc_get_user_status",
    category: "extended",
    summary: { en: "Gets the online status of a user.", zh: "获取用户的在线状态" },
    readOnly: true,
    params: {
      user_id: userId(),
    },
    notes: [
      {
        en: "With ext_status 0, status is the raw value times 10.",
        zh: "ext_status 为 0 时，status 为原始值乘以 10。",
      },
      {
        en: "With any other ext_status, status is always 10.",
        zh: "ext_status 不为 0 时，status 恒为 10。",
      },
      { en: "The call fails when the status cannot be fetched.", zh: "无法获取状态时调用失败。" },
    ],
    returns: object({ status: INT, ext_status: INT }),
    examples: [{
      summary: { en: "Get the status of a friend", zh: "查询好友的在线状态" },
      params: { user_id: 30001 },
      notes: { en: "user_id comes from get_friend_list.", zh: "user_id 来自 get_friend_list。" },
    }],
  },
  {
    name: "get_online_clients",
    category: "extended",
    summary: { en: "Lists the devices the account is logged in on.", zh: "获取账号的登录设备列表" },
    readOnly: true,
    params: {
      no_cache: bool({
        en: "Leave it false: a fresh list cannot be asked for.",
        zh: "请保持 false：不支持绕过缓存。",
      }, { default: false }),
    },
    rules: [
      live({
        en: "no_cache must not be true: the call fails, except in SnowLuma 1.11, which ignores it.",
        zh: "no_cache 不能为 true，否则必定失败；只有 SnowLuma 1.11 会忽略它。",
      }),
    ],
    notes: [
      {
        en: "The list is the last device snapshot QQ pushed in this session.",
        zh: "返回 QQ 在本次登录期间最近一次推送的设备快照。",
      },
      { en: "The call fails when no snapshot has been seen yet.", zh: "尚未收到过快照时调用失败。" },
      {
        en: "device_kind is a Chinese label: computer, pad, phone or unknown device.",
        zh: "device_kind 为中文标签：电脑、Pad、手机或未知设备。",
      },
      {
        en: "SnowLuma 1.11 only has a placeholder: clients is always empty and no_cache is ignored.",
        zh: "SnowLuma 1.11 仅为占位：clients 恒为空，no_cache 被忽略。",
      },
      {
        en: "The shape of the answer is known from documentation only.",
        zh: "返回结构仅依据文档得知。",
      },
    ],
    returns: object({
      clients: list(
        object({ app_id: INT, device_name: STRING, device_kind: oneOfStrings("电脑", "Pad", "手机", "未知设备") }),
      ),
    }),
    examples: [{ summary: { en: "List the logged-in devices", zh: "获取登录设备" }, params: {} }],
  },
];
