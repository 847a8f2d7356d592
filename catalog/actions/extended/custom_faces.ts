/** Actions about the account's collected custom faces (收藏表情). */
import type { ActionSpec, Text } from "../../action.ts";
import { int, nonEmpty, string } from "../../params.ts";
import { list, NULL, object, STRING } from "../../returns.ts";
import { live, pattern } from "../../rules.ts";

const EMOJI_ID = nonEmpty({
  en: "Emoji id, from fetch_custom_face with return_type id, or add_custom_face.",
  zh: "表情 ID，来自 return_type 为 id 的 fetch_custom_face，或 add_custom_face。",
});

const EMOJI_ID_SOURCE: Text = {
  en: "emoji_id comes from fetch_custom_face with return_type id, or from add_custom_face.",
  zh: "emoji_id 来自 return_type 为 id 的 fetch_custom_face，或 add_custom_face。",
};

export const actions: readonly ActionSpec[] = [
  {
    name: "fetch_custom_face",
    category: "extended",
    summary: { en: "Lists collected custom faces as URLs or emoji ids.", zh: "获取收藏表情列表" },
    readOnly: true,
    params: {
      count: int(
        { en: "How many faces to return; 0 gives an empty list.", zh: "返回的表情数量；0 得到空列表。" },
        { min: 0, default: 10 },
      ),
      return_type: string(
        {
          en: "id returns emoji ids; url or anything else returns URLs.",
          zh: "id 返回表情 ID；url 或其他值返回图片链接。",
        },
        { default: "url" },
      ),
    },
    notes: [
      {
        en: "Each URL contains the account's own QQ number and the emoji id.",
        zh: "每个链接都含有本账号的 QQ 号和表情 ID。",
      },
    ],
    returns: list(STRING),
    examples: [
      { summary: { en: "Get the image URLs of ten faces", zh: "获取 10 个表情的图片链接" }, params: {} },
      {
        summary: { en: "Get emoji ids to change or delete faces", zh: "获取表情 ID，以便修改或删除" },
        params: { count: 50, return_type: "id" },
      },
    ],
  },
  {
    name: "add_custom_face",
    category: "extended",
    summary: { en: "Adds an image to the collected custom faces.", zh: "添加图片到收藏表情" },
    params: {
      file: nonEmpty({
        en: "Image: path on the bot host, http(s) URL or base64:// source.",
        zh: "图片：机器人主机上的路径、http(s) 链接或 base64://。",
      }),
    },
    notes: [
      {
        en: "emoji_id contains the account's own QQ number and the MD5 in upper case.",
        zh: "emoji_id 含有本账号的 QQ 号和大写 MD5。",
      },
      { en: "The same image gives the same emoji_id.", zh: "同一图片得到相同的 emoji_id。" },
    ],
    returns: object({ emoji_id: { type: "string", minLength: 1 } }),
    examples: [{
      summary: { en: "Collect an image from the web", zh: "收藏一张网络图片" },
      params: { file: "https://example.com/a.png" },
    }],
  },
  {
    name: "modify_custom_face",
    category: "extended",
    summary: { en: "Sets or clears the remark of a collected custom face.", zh: "修改收藏表情的备注" },
    params: {
      emoji_id: EMOJI_ID,
      desc: string({ en: "New remark; empty clears it.", zh: "新备注；为空则清除。" }, { default: "" }),
    },
    rules: [
      pattern("emoji_id", "^(?:[^_]*_){4}[0-9A-Fa-f]{32}(?:_|$)", {
        en: "emoji_id must look like <QQ number>_0_0_0_<MD5>_0_0, where the MD5 is 32 hex digits.",
        zh: "emoji_id 的格式应为 <QQ 号>_0_0_0_<MD5>_0_0，其中 MD5 是 32 位十六进制。",
      }),
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Write a remark", zh: "设置备注" },
        params: { emoji_id: "10001_0_0_0_0123456789ABCDEF0123456789ABCDEF_0_0", desc: "Good morning" },
        notes: EMOJI_ID_SOURCE,
      },
      {
        summary: { en: "Clear the remark", zh: "清除备注" },
        params: { emoji_id: "10001_0_0_0_0123456789ABCDEF0123456789ABCDEF_0_0", desc: "" },
        notes: EMOJI_ID_SOURCE,
      },
    ],
  },
  {
    name: "move_custom_face_to_front",
    category: "extended",
    summary: { en: "Moves a collected custom face to the front.", zh: "将收藏表情移到最前" },
    params: {
      emoji_id: EMOJI_ID,
    },
    rules: [
      pattern("emoji_id", "[0-9A-Fa-f]{32}", {
        en: "emoji_id must contain an MD5 of 32 hex digits.",
        zh: "emoji_id 必须包含 32 位十六进制的 MD5。",
      }),
      live({
        en: "The face must be in the collection, among its first 1000.",
        zh: "该表情必须已收藏，且位于前 1000 个之中。",
      }),
    ],
    notes: [{ en: "No position other than the front can be chosen.", zh: "只能移到最前，不能指定其他位置。" }],
    returns: NULL,
    examples: [{
      summary: { en: "Put a face first", zh: "把表情排到第一位" },
      params: { emoji_id: "10001_0_0_0_0123456789ABCDEF0123456789ABCDEF_0_0" },
      notes: EMOJI_ID_SOURCE,
    }],
  },
  {
    name: "delete_custom_face",
    category: "extended",
    summary: { en: "Deletes a face from the collected custom faces.", zh: "删除收藏表情" },
    params: {
      emoji_id: EMOJI_ID,
    },
    returns: NULL,
    examples: [{
      summary: { en: "Delete a collected face", zh: "删除一个收藏表情" },
      params: { emoji_id: "10001_0_0_0_0123456789ABCDEF0123456789ABCDEF_0_0" },
      notes: EMOJI_ID_SOURCE,
    }],
  },
];
