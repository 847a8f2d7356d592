/** Actions that change how a group looks, is found and is joined. */
import type { ActionSpec } from "../../action.ts";
import { groupId, int, nonEmpty, string } from "../../params.ts";
import { NULL } from "../../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_group_name",
    category: "group-admin",
    summary: { en: "Renames a group for all its members.", zh: "修改群名称" },
    params: {
      group_id: groupId(),
      group_name: string({ en: "New name of the group.", zh: "新的群名称。" }, { default: "" }),
    },
    notes: [
      {
        en: "Needs admin or owner rights unless the group lets members rename it.",
        zh: "需要群主或管理员权限，除非该群允许成员修改群名称。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Rename a group", zh: "修改群名称" },
        params: { group_id: 20001, group_name: "Book club" },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "set_group_portrait",
    category: "group-admin",
    summary: { en: "Replaces the avatar of a group with an image.", zh: "更换群头像" },
    params: {
      group_id: groupId(),
      file: nonEmpty({
        en: "Image: path on the bot host, file://, http(s) URL or base64:// source.",
        zh: "图片：机器人主机上的路径、file://、http(s) 链接或 base64://。",
      }),
    },
    notes: [
      { en: "Needs admin or owner rights in the group.", zh: "需要群主或管理员权限。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Set the group avatar from a web image", zh: "用网络图片设置群头像" },
        params: { group_id: 20001, file: "https://example.com/a.png" },
        notes: {
          en: "group_id comes from get_group_list; the bot must be admin or owner.",
          zh: "group_id 来自 get_group_list；机器人须为群主或管理员。",
        },
      },
      {
        summary: { en: "Set the group avatar from a file on the bot host", zh: "用机器人主机上的文件设置群头像" },
        params: { group_id: 20001, file: "/data/images/avatar.png" },
        notes: {
          en: "group_id comes from get_group_list; the bot must be admin or owner and able to read the path.",
          zh: "group_id 来自 get_group_list；机器人须为群主或管理员，且能读取该路径。",
        },
      },
    ],
  },
  {
    name: "set_group_search",
    category: "group-admin",
    summary: { en: "Opens or closes the ways people find a group by search.", zh: "设置群能否被搜索到（搜索途径）" },
    params: {
      group_id: groupId(),
      no_finger_open: int(
        {
          en: "The finger search route: 0 leaves it open, 1 closes it.",
          zh: "finger 搜索途径：0 保持开放，1 关闭。",
        },
        { min: 0, optional: true },
      ),
      no_code_finger_open: int(
        {
          en: "The code finger search route: 0 leaves it open, 1 closes it.",
          zh: "code finger 搜索途径：0 保持开放，1 关闭。",
        },
        { min: 0, optional: true },
      ),
    },
    notes: [
      {
        en: "SnowLuma 1.11 takes only group_id and ignores both flags.",
        zh: "SnowLuma 1.11 只接受 group_id，忽略两个开关。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Close both search routes", zh: "关闭两种搜索途径" },
        params: { group_id: 20001, no_finger_open: 1, no_code_finger_open: 1 },
        notes: {
          en: "group_id comes from get_group_list; SnowLuma 1.11 ignores the flags.",
          zh: "group_id 来自 get_group_list；SnowLuma 1.11 会忽略这两个开关。",
        },
      },
      {
        summary: { en: "Leave both search routes open", zh: "两种搜索途径都保持开放" },
        params: { group_id: 20001, no_finger_open: 0, no_code_finger_open: 0 },
        notes: {
          en: "group_id comes from get_group_list; SnowLuma 1.11 ignores the flags.",
          zh: "group_id 来自 get_group_list；SnowLuma 1.11 会忽略这两个开关。",
        },
      },
    ],
  },
  {
    name: "set_group_add_option",
    category: "group-admin",
    summary: { en: "Sets how people may join a group.", zh: "设置加群方式" },
    params: {
      group_id: groupId(),
      add_type: int(
        {
          en: "Number of the join option, as QQ defines it.",
          zh: "加群方式的编号，以 QQ 的定义为准。",
        },
        { min: 0, default: 0 },
      ),
    },
    notes: [
      {
        en: "add_type goes to the QQ server unchecked, so be sure of the number.",
        zh: "add_type 会原样发给 QQ 服务器，请先确认编号的含义。",
      },
      { en: "Needs admin or owner rights in the group.", zh: "需要群主或管理员权限。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Set join option 1", zh: "将加群方式设为 1" },
        params: { group_id: 20001, add_type: 1 },
        notes: {
          en: "group_id comes from get_group_list; the bot must be admin or owner, and QQ decides what 1 means.",
          zh: "group_id 来自 get_group_list；机器人须为群主或管理员，1 的含义由 QQ 决定。",
        },
      },
    ],
  },
];
