/** Actions about inline keyboards below messages (按钮). */
import type { ActionSpec } from "../../action.ts";
import { groupId, nonEmpty, string, uint } from "../../params.ts";
import { INT, object, STRING } from "../../returns.ts";
import { anyOf } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "click_inline_keyboard_button",
    category: "extended",
    summary: { en: "Clicks a button on a bot's message in a group.", zh: "点击群消息中的机器人按钮" },
    params: {
      group_id: groupId(),
      bot_appid: uint({
        en: "App id of the bot that owns the keyboard.",
        zh: "按钮所属机器人的 AppID。",
      }),
      msg_seq: uint({
        en: "message_seq of the message with the button, from get_group_msg_history.",
        zh: "带按钮消息的 message_seq，来自 get_group_msg_history。",
      }),
    },
    undeclared: {
      button_id: nonEmpty({ en: "Id of the button to click.", zh: "要点击的按钮 ID。" }),
      callback_data: string({
        en: "Callback data sent with the click; empty by default.",
        zh: "随点击发送的回调数据；默认为空。",
      }, { default: "" }),
    },
    rules: [anyOf(["button_id"], { en: "button_id must be given.", zh: "必须传 button_id。" })],
    notes: [
      {
        en: "result 0 with an empty errMsg means that the click was accepted.",
        zh: "result 为 0 且 errMsg 为空表示点击已被接受。",
      },
      {
        en: "status, promptType and promptIcon are always 0.",
        zh: "status、promptType 和 promptIcon 恒为 0。",
      },
    ],
    returns: object({
      result: INT,
      errMsg: STRING,
      status: { type: "integer", const: 0 },
      promptText: STRING,
      promptType: { type: "integer", const: 0 },
      promptIcon: { type: "integer", const: 0 },
    }),
    examples: [{
      summary: { en: "Click a button in a group", zh: "点击群里的按钮" },
      params: { group_id: 20001, bot_appid: 10001, msg_seq: 4321, button_id: "1", callback_data: "confirm" },
      notes: {
        en:
          "group_id comes from get_group_list, msg_seq from get_group_msg_history; newer builds show bot_appid and rows there in an inline_keyboard segment.",
        zh:
          "group_id 来自 get_group_list，msg_seq 来自 get_group_msg_history；较新版本会在其中以 inline_keyboard 消息段给出 bot_appid 和 rows。",
      },
    }],
  },
];
