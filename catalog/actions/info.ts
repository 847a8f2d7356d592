/** Actions about the logged-in account and the bot itself (账号与机器人). */
import type { ActionSpec } from "../action.ts";
import { BOOL, INT, object, STRING } from "../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_login_info",
    category: "info",
    summary: { en: "Tells which QQ account the bot is logged in to.", zh: "获取登录账号的 QQ 号和昵称" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "Without a known nickname, nickname holds the QQ number as text.",
        zh: "昵称未知时，nickname 为文本形式的 QQ 号。",
      },
    ],
    returns: object({ user_id: INT, nickname: STRING }),
    examples: [{
      summary: { en: "Find out the bot's own QQ number", zh: "查看机器人自己的 QQ 号" },
      params: {},
    }],
  },
  {
    name: "get_status",
    category: "info",
    summary: { en: "Tells whether the bot is online and working.", zh: "获取机器人运行状态" },
    readOnly: true,
    params: {},
    notes: [
      { en: "SnowLuma 1.11 always answers online true.", zh: "SnowLuma 1.11 的 online 始终为 true。" },
      {
        en: "Newer builds set good to false when receiving has stalled.",
        zh: "较新版本在消息接收停滞时将 good 设为 false。",
      },
    ],
    returns: object({ online: BOOL, good: BOOL }),
    examples: [{ summary: { en: "Check that the bot works", zh: "检查机器人是否正常" }, params: {} }],
  },
  {
    name: "get_version_info",
    category: "info",
    summary: { en: "Tells the version of the bot and its protocol.", zh: "获取机器人与协议的版本信息" },
    readOnly: true,
    params: {},
    notes: [
      {
        en: "app_name is SnowLuma and protocol_version is v11.",
        zh: "app_name 为 SnowLuma，protocol_version 为 v11。",
      },
      { en: "app_version ends in -node.", zh: "app_version 以 -node 结尾。" },
    ],
    returns: object({ app_name: STRING, app_version: STRING, protocol_version: STRING }),
    examples: [{ summary: { en: "Look up the bot's version", zh: "查看机器人版本" }, params: {} }],
  },
  {
    name: "can_send_image",
    category: "info",
    summary: { en: "Reports that images can be sent, without testing it.", zh: "能否发送图片（占位，恒为 true）" },
    readOnly: true,
    params: {},
    returns: object({ yes: BOOL }),
    placeholder: {
      en: "yes is always true; it is no test that sending an image works.",
      zh: "yes 恒为 true，并非对能否发出图片的检测。",
    },
    examples: [{ summary: { en: "Ask whether images can be sent", zh: "询问能否发送图片" }, params: {} }],
  },
  {
    name: "can_send_record",
    category: "info",
    summary: { en: "Reports that voice can be sent, without testing it.", zh: "能否发送语音（占位，恒为 true）" },
    readOnly: true,
    params: {},
    returns: object({ yes: BOOL }),
    placeholder: {
      en: "yes is always true; it is no test that sending a voice message works.",
      zh: "yes 恒为 true，并非对能否发出语音的检测。",
    },
    examples: [{ summary: { en: "Ask whether voice messages can be sent", zh: "询问能否发送语音" }, params: {} }],
  },
];
