/** Actions about group notices (群公告). */
import type { ActionSpec, Schema } from "../../action.ts";
import { bool, groupId, int, nonEmpty, string } from "../../params.ts";
import { BOOL, INT, list, NULL, nullable, OBJECT, object, STRING } from "../../returns.ts";
import { anyOf, live, values } from "../../rules.ts";

const LENGTH: Schema = { type: ["string", "integer"] };
const PICTURES: Schema = list(object({ id: STRING, height: LENGTH, width: LENGTH }, { url: STRING }));

export const actions: readonly ActionSpec[] = [
  {
    name: "_get_group_notice",
    category: "extended",
    summary: { en: "Lists the notices of a group.", zh: "获取群公告列表" },
    readOnly: true,
    params: {
      group_id: groupId(),
    },
    notes: [
      {
        en: "Only the first page is read: at most 20 regular notices.",
        zh: "只读取第一页，最多 20 条普通公告。",
      },
      { en: "The list is empty when the group has no notices.", zh: "群里没有公告时返回空数组。" },
      {
        en: "message.image and message.images hold the same list.",
        zh: "message.image 与 message.images 是同一份图片列表。",
      },
      { en: "Image width and height may be strings.", zh: "图片的 width 和 height 可能是字符串。" },
      { en: "Newer builds add a url to each image.", zh: "较新版本的图片才带 url。" },
      {
        en: "settings and read_num are passed on from QQ unchecked.",
        zh: "settings 和 read_num 原样转发，未经检查。",
      },
      {
        en: "send_to_new_members marks notices meant for newly joined members.",
        zh: "send_to_new_members 标记面向新成员的公告。",
      },
      {
        en: "type is the server's own number, often 6 for a regular notice.",
        zh: "type 是服务器给出的编号，普通公告常为 6。",
      },
    ],
    returns: list(
      object(
        {
          notice_id: STRING,
          sender_id: INT,
          publish_time: INT,
          message: object({ text: STRING, image: PICTURES, images: PICTURES }),
        },
        { settings: nullable(OBJECT), read_num: INT, type: INT, pinned: INT, send_to_new_members: BOOL },
      ),
    ),
    examples: [
      {
        summary: { en: "List the notices of a group", zh: "查看群公告" },
        params: { group_id: 20001 },
        notes: { en: "group_id comes from get_group_list.", zh: "group_id 来自 get_group_list。" },
      },
    ],
  },
  {
    name: "_send_group_notice",
    category: "extended",
    summary: {
      en: "Publishes a group notice, regular or shown to new members.",
      zh: "发公告：发布群公告（普通或面向新成员）",
    },
    params: {
      group_id: groupId(),
      content: nonEmpty({ en: "Text of the notice.", zh: "公告正文。" }),
      image: string(
        {
          en: "Image: path on the bot host, http(s) URL or base64:// source; empty for none.",
          zh: "图片：机器人主机上的路径、http(s) 链接或 base64://；留空则无图。",
        },
        { default: "" },
      ),
      pinned: int({ en: "1 pins the notice, 0 does not.", zh: "1 置顶公告，0 不置顶。" }, {
        min: 0,
        max: 1,
        default: 0,
      }),
      type: int(
        {
          en: "1 for a regular notice, 20 for one shown to new members.",
          zh: "1 为普通公告，20 为展示给新成员的公告。",
        },
        { optional: true },
      ),
      send_to_new_members: bool(
        {
          en: "true goes with type 20 (shown to new members), false with type 1 (regular).",
          zh: "true 对应 type 20（展示给新成员），false 对应 type 1（普通公告）。",
        },
        { optional: true },
      ),
      is_show_edit_card: int(
        {
          en: "1 prompts members to edit their group card, 0 does not.",
          zh: "1 提示成员修改群名片，0 不提示。",
        },
        { min: 0, max: 1, default: 1 },
      ),
      tip_window_type: int(
        { en: "Inverted: 0 shows the notice as a popup, 1 does not.", zh: "含义相反：0 弹窗提示，1 不弹窗。" },
        { min: 0, max: 1, default: 1 },
      ),
      confirm_required: int(
        { en: "1 asks members to confirm the notice, 0 does not.", zh: "1 需要成员确认收到，0 不需要。" },
        { min: 0, max: 1, default: 1 },
      ),
    },
    rules: [
      values("type", [1, 20], {
        en: "type must be 1 (regular) or 20 (new members).",
        zh: "type 只能是 1（普通）或 20（新成员）。",
      }),
      live({
        en: "When both are given, send_to_new_members true needs type 20, and false needs type 1.",
        zh: "两者都传时，send_to_new_members 为 true 须配 type 20，为 false 须配 type 1。",
      }),
    ],
    notes: [
      { en: "Needs the right to post notices in the group.", zh: "需要在群里发布公告的权限。" },
      {
        en: "The answer has no notice id; find it with _get_group_notice.",
        zh: "返回中没有公告 ID，可用 _get_group_notice 查找。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Publish and pin a notice with a popup", zh: "发布置顶公告并弹窗提示" },
        params: { group_id: 20001, content: "Meeting at 8 pm tonight.", pinned: 1, tip_window_type: 0 },
        notes: {
          en: "group_id comes from get_group_list; the bot needs the right to post notices.",
          zh: "group_id 来自 get_group_list；机器人需有发布公告的权限。",
        },
      },
      {
        summary: { en: "Publish a notice with an image, without confirmation", zh: "发布带图公告，无需确认" },
        params: {
          group_id: 20001,
          content: "New group poster.",
          image: "https://example.com/a.png",
          confirm_required: 0,
        },
        notes: {
          en: "group_id comes from get_group_list; the bot needs the right to post notices.",
          zh: "group_id 来自 get_group_list；机器人需有发布公告的权限。",
        },
      },
      {
        summary: { en: "Publish a notice shown to new members", zh: "发布给新成员看的公告" },
        params: { group_id: 20001, content: "Welcome! Please read the rules.", type: 20, send_to_new_members: true },
        notes: {
          en: "group_id comes from get_group_list; the bot needs the right to post notices.",
          zh: "group_id 来自 get_group_list；机器人需有发布公告的权限。",
        },
      },
    ],
  },
  {
    name: "_del_group_notice",
    category: "extended",
    summary: { en: "Deletes a group notice.", zh: "删除群公告" },
    params: {
      group_id: groupId(),
      fid: string(
        {
          en: "Id of the notice, notice_id in _get_group_notice; wins over notice_id.",
          zh: "公告 ID，即 _get_group_notice 的 notice_id；优先于 notice_id 参数。",
        },
        { optional: true },
      ),
      notice_id: string(
        {
          en: "Id of the notice, from _get_group_notice; used when fid is not given.",
          zh: "公告 ID，来自 _get_group_notice；未传 fid 时使用。",
        },
        { optional: true },
      ),
    },
    rules: [
      anyOf(["fid", "notice_id"], {
        en: "fid or notice_id must be given; an empty string counts as missing.",
        zh: "fid 和 notice_id 至少传一个；空字符串视为未传。",
      }),
    ],
    notes: [
      {
        en: "Fails when QQ's web side refuses the deletion.",
        zh: "QQ 网页端拒绝删除时，调用失败。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Delete a notice", zh: "删除一条群公告" },
        params: { group_id: 20001, notice_id: "example-notice-0001" },
        notes: {
          en: "group_id comes from get_group_list, notice_id from _get_group_notice.",
          zh: "group_id 来自 get_group_list，notice_id 来自 _get_group_notice。",
        },
      },
    ],
  },
];
