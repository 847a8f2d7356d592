/** Actions that send, upload and open merged forwards (合并转发). */
import type { ActionSpec, ParamSpec, Rule, Text } from "../../action.ts";
import { groupId, int, nodes, raw, string, userId } from "../../params.ts";
import { list, MESSAGE_ID, OBJECT, object, STRING } from "../../returns.ts";
import { anyOf, live, requiresWhen } from "../../rules.ts";

/** The nodes, under either name. */
const NODES: { readonly messages: ParamSpec; readonly message: ParamSpec } = {
  messages: nodes(undefined, { optional: true }),
  message: nodes({
    en: "Other name of messages, which wins when both are given.",
    zh: "messages 的别名，两者都给时以 messages 为准。",
  }, { optional: true }),
};

const NODE_RULES: readonly Rule[] = [
  anyOf(["messages", "message"], {
    en: "messages or message must be given, as a list of nodes.",
    zh: "messages 与 message 至少传一个，内容为节点数组。",
  }),
  live({
    en: "The list must hold at least one usable node.",
    zh: "列表中至少要有一个可用节点。",
  }),
  live({
    en: "A node names a stored message by id or message_id, or else carries user_id or uin, and content.",
    zh: "节点须用 id 或 message_id 引用已保存的消息，否则须提供 user_id 或 uin 以及 content。",
  }),
  live({
    en: "Nodes may be nested at most three levels deep.",
    zh: "节点最多嵌套三层。",
  }),
];

const POSITIVE_NODE_ID: Text = {
  en: "The id of a node counts only when positive; otherwise give user_id and content.",
  zh: "节点的 id 只有为正数时才有效，否则请提供 user_id 和 content。",
};

const SAME_IDS: Text = { en: "res_id and forward_id are always equal.", zh: "res_id 与 forward_id 始终相同。" };

const UPLOAD_ONLY: Text = {
  en: "message_id is always 0, because nothing is sent.",
  zh: "message_id 恒为 0，因为并未发送消息。",
};

/** What the bot shows on the card in the chat. */
const CARD: { readonly [name: string]: ParamSpec } = {
  source: string({ en: "Title of the forward card.", zh: "转发卡片的标题。" }, { optional: true }),
  summary: string({ en: "Bottom line of the forward card.", zh: "转发卡片底部的说明文字。" }, { optional: true }),
  prompt: string({
    en: "Text shown instead of the card in chat lists.",
    zh: "会话列表中代替卡片显示的文字。",
  }, { optional: true }),
  news: raw({
    en: "Preview lines on the forward card, by NapCat convention [{text:'...'}].",
    zh: "转发卡片上的预览文字，按 NapCat 惯例为 [{text:'...'}]。",
  }, { optional: true }),
};

const MADE_UP = [{
  type: "node",
  data: { user_id: 30001, nickname: "Alice", content: [{ type: "text", data: { text: "Hello" } }] },
}];

const STORED = [{ type: "node", data: { id: 123456 } }, { type: "node", data: { id: 123457 } }];

/** The ids in `STORED` are positive on purpose: others do not count. */
const NODE_SOURCE: Text = {
  en: "Node ids are message_ids from get_group_msg_history or get_friend_msg_history; only positive ones work.",
  zh: "节点 id 是 get_group_msg_history 或 get_friend_msg_history 返回的 message_id，只有正数有效。",
};

const RES_ID_USE: Text = {
  en: "group_id comes from get_group_list; send the returned res_id as data.id of a forward segment.",
  zh: "group_id 来自 get_group_list；返回的 res_id 可作为 forward 消息段的 data.id 发送。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "get_forward_msg",
    category: "extended",
    summary: { en: "Reads the messages inside a merged forward.", zh: "获取合并转发（聊天记录）的内容" },
    readOnly: true,
    params: {
      id: string({
        en: "Forward id: data.id of a forward segment, res_id of upload_forward_msg or forward_id of send_forward_msg.",
        zh: "转发 ID：forward 消息段的 data.id、upload_forward_msg 的 res_id 或 send_forward_msg 的 forward_id。",
      }, { optional: true }),
    },
    undeclared: {
      message_id: raw({
        en: "Id above 0 of a stored message with a forward segment, or the forward id as text.",
        zh: "含 forward 消息段的已保存消息的 ID（须大于 0），或文本形式的转发 ID。",
      }, { optional: true, schema: { type: ["integer", "string"] } }),
    },
    rules: [
      anyOf(["id", "message_id"], {
        en: "id or message_id must be given.",
        zh: "id 与 message_id 至少传一个。",
      }),
    ],
    notes: [
      {
        en: "Items look like OneBot message events, with arrays of segments.",
        zh: "各项形如 OneBot 消息事件，内容为消息段数组。",
      },
      { en: "raw_message is always empty.", zh: "raw_message 恒为空。" },
      {
        en: "group_id is present only on items that come from a group.",
        zh: "只有来自群聊的项才有 group_id。",
      },
      { en: "message_id is 0 when unknown.", zh: "message_id 未知时为 0。" },
      {
        en: "A negative message_id is not looked up locally: get the forward id with get_msg and pass it as id.",
        zh: "负数的 message_id 不会在本地查找：请先用 get_msg 取得转发 ID，再作为 id 传入。",
      },
    ],
    returns: object({ messages: list(OBJECT) }),
    examples: [
      {
        summary: { en: "Open a merged forward", zh: "读取一条合并转发" },
        params: { id: "example-res-id" },
        notes: {
          en: "id is data.id of the forward segment that get_msg or a message event shows.",
          zh: "id 是 get_msg 或消息事件中 forward 消息段的 data.id。",
        },
      },
      {
        summary: { en: "Open the forward inside a stored message", zh: "按已保存消息的 ID 读取合并转发" },
        params: { message_id: 123456 },
        notes: {
          en: "message_id is that of a stored message; only a positive one works here.",
          zh: "message_id 为已保存消息的 ID；此处仅正数有效。",
        },
      },
    ],
  },
  {
    name: "send_forward_msg",
    category: "extended",
    summary: { en: "Sends a merged forward to a group or a user.", zh: "发送合并转发（群聊或私聊）" },
    params: NODES,
    undeclared: {
      message_type: string({
        en: "Kind of chat: group or private.",
        zh: "会话类型：group 或 private。",
      }, { optional: true }),
      group_id: int({
        en: "Group to send to, from get_group_list; 0 counts as not given.",
        zh: "目标群号，来自 get_group_list；0 视为未提供。",
      }, { min: 0, optional: true }),
      user_id: int({
        en: "QQ number to send to, from get_friend_list; 0 counts as not given.",
        zh: "私聊对象的 QQ 号，来自 get_friend_list；0 视为未提供。",
      }, { min: 0, optional: true }),
      ...CARD,
    },
    rules: [
      ...NODE_RULES,
      requiresWhen("message_type", ["group"], ["group_id"], {
        en: "message_type group needs group_id.",
        zh: "message_type 为 group 时必须提供 group_id。",
      }),
      requiresWhen("message_type", ["private"], ["user_id"], {
        en: "message_type private needs user_id.",
        zh: "message_type 为 private 时必须提供 user_id。",
      }),
    ],
    notes: [
      POSITIVE_NODE_ID,
      {
        en: "The group is tried as target before the user.",
        zh: "先尝试以群为目标，再尝试用户。",
      },
      SAME_IDS,
      { en: "The returned message_id can be negative.", zh: "返回的 message_id 可能为负数。" },
      {
        en: "Without a target, the content is only uploaded and message_id is 0.",
        zh: "未指定目标时仅上传内容，message_id 为 0。",
      },
    ],
    returns: object({ message_id: MESSAGE_ID, res_id: STRING, forward_id: STRING }),
    examples: [
      {
        summary: { en: "Send made-up nodes to a group", zh: "向群发送自定义的合并转发" },
        params: { message_type: "group", group_id: 20001, messages: MADE_UP },
        notes: {
          en: "group_id comes from get_group_list; the node is made up.",
          zh: "group_id 来自 get_group_list；节点为自定义内容。",
        },
      },
      {
        summary: { en: "Send stored messages to a friend", zh: "把已有消息合并转发给好友" },
        params: { message_type: "private", user_id: 30001, messages: STORED },
        notes: NODE_SOURCE,
      },
    ],
  },
  {
    name: "send_group_forward_msg",
    category: "extended",
    summary: { en: "Sends a merged forward to a group.", zh: "向群发送合并转发" },
    params: { group_id: groupId(), ...NODES },
    undeclared: CARD,
    rules: NODE_RULES,
    notes: [
      POSITIVE_NODE_ID,
      SAME_IDS,
      { en: "The returned message_id can be negative, never 0.", zh: "返回的 message_id 可能为负数，不会为 0。" },
    ],
    returns: object({ message_id: MESSAGE_ID, res_id: STRING, forward_id: STRING }),
    examples: [
      {
        summary: { en: "Send made-up nodes under a title", zh: "发送带标题的自定义合并转发" },
        params: { group_id: 20001, messages: MADE_UP, source: "Chat history" },
        notes: {
          en: "group_id comes from get_group_list; the node is made up.",
          zh: "group_id 来自 get_group_list；节点为自定义内容。",
        },
      },
      {
        summary: { en: "Send stored messages", zh: "合并转发已有消息" },
        params: { group_id: 20001, messages: STORED },
        notes: NODE_SOURCE,
      },
    ],
  },
  {
    name: "send_private_forward_msg",
    category: "extended",
    summary: { en: "Sends a merged forward to a user.", zh: "私聊发送合并转发" },
    params: { user_id: userId(), ...NODES },
    undeclared: CARD,
    rules: NODE_RULES,
    notes: [
      POSITIVE_NODE_ID,
      SAME_IDS,
      { en: "The returned message_id can be negative, never 0.", zh: "返回的 message_id 可能为负数，不会为 0。" },
    ],
    returns: object({ message_id: MESSAGE_ID, res_id: STRING, forward_id: STRING }),
    examples: [
      {
        summary: { en: "Send made-up nodes to a friend", zh: "向好友发送自定义的合并转发" },
        params: { user_id: 30001, messages: MADE_UP },
        notes: {
          en: "user_id comes from get_friend_list; the node is made up.",
          zh: "user_id 来自 get_friend_list；节点为自定义内容。",
        },
      },
      {
        summary: { en: "Send stored messages to a friend", zh: "把已有消息合并转发给好友" },
        params: { user_id: 30001, messages: STORED },
        notes: NODE_SOURCE,
      },
    ],
  },
  {
    name: "upload_forward_msg",
    category: "extended",
    summary: { en: "Uploads a merged forward without sending it.", zh: "上传合并转发内容但不发送" },
    params: {
      ...NODES,
      group_id: groupId({
        optional: true,
        text: {
          en: "Group to upload for, from get_group_list; absent means for private chat.",
          zh: "用于哪个群，群号来自 get_group_list；省略则用于私聊。",
        },
      }),
    },
    rules: NODE_RULES,
    notes: [
      POSITIVE_NODE_ID,
      SAME_IDS,
      UPLOAD_ONLY,
      { en: "group_id comes back only when it was given.", zh: "传入 group_id 时才会原样返回。" },
      {
        en: "Uploads for a group and for private chat are not interchangeable.",
        zh: "为群和为私聊上传的内容不能互换使用。",
      },
    ],
    returns: object({ res_id: STRING, forward_id: STRING, message_id: { const: 0 } }, {
      group_id: { type: "integer", minimum: 1 },
    }),
    examples: [
      {
        summary: { en: "Upload made-up nodes for a group", zh: "为群上传自定义的合并转发" },
        params: { group_id: 20001, messages: MADE_UP },
        notes: RES_ID_USE,
      },
      {
        summary: { en: "Upload stored messages for private chat", zh: "为私聊上传已有消息" },
        params: { messages: STORED },
        notes: NODE_SOURCE,
      },
    ],
  },
  {
    name: "upload_foward_msg",
    category: "extended",
    summary: {
      en: "Uploads a merged forward without sending it (misspelled name).",
      zh: "上传合并转发内容但不发送（误拼名）",
    },
    params: {
      ...NODES,
      group_id: groupId({
        optional: true,
        text: {
          en: "Group to upload for, from get_group_list.",
          zh: "用于哪个群，群号来自 get_group_list。",
        },
      }),
    },
    rules: NODE_RULES,
    notes: [
      {
        en: "This is upload_forward_msg under a misspelled name; prefer the well-spelled one.",
        zh: "这是 upload_forward_msg 的误拼名，请优先用拼写正确的那个。",
      },
      POSITIVE_NODE_ID,
      SAME_IDS,
      UPLOAD_ONLY,
      { en: "Unlike its twin, it never returns group_id.", zh: "与 upload_forward_msg 不同，从不返回 group_id。" },
    ],
    returns: object({ res_id: STRING, forward_id: STRING, message_id: { const: 0 } }),
    examples: [{
      summary: { en: "Upload made-up nodes for a group", zh: "为群上传自定义的合并转发" },
      params: { group_id: 20001, messages: MADE_UP },
      notes: RES_ID_USE,
    }],
  },
];
