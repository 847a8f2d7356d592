/** Actions that change the account's own profile (昵称、头像、个性签名). */
import type { ActionSpec } from "../../action.ts";
import { nonEmpty, raw, string } from "../../params.ts";
import { NULL, object } from "../../returns.ts";
import { live } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_qq_profile",
    category: "extended",
    summary: { en: "Changes the account's nickname or personal note.", zh: "修改账号昵称或个人说明" },
    params: {
      nickname: string(
        { en: "New nickname; an empty string overwrites it too.", zh: "新昵称；空字符串也会覆盖原值。" },
        {
          optional: true,
        },
      ),
      personal_note: string({
        en: "New personal note; an empty string overwrites it too.",
        zh: "新的个人说明；空字符串也会覆盖原值。",
      }, { optional: true }),
    },
    notes: [{
      en: "Give nickname, personal_note or both; with neither the call succeeds and does nothing.",
      zh: "nickname 和 personal_note 可传其一或都传；都不传时调用成功，但不做任何修改。",
    }],
    returns: NULL,
    examples: [
      { summary: { en: "Change the nickname", zh: "修改昵称" }, params: { nickname: "Example Bot" } },
      {
        summary: { en: "Change nickname and personal note", zh: "同时修改昵称和个人说明" },
        params: { nickname: "Example Bot", personal_note: "I answer questions" },
      },
    ],
  },
  {
    name: "set_qq_avatar",
    category: "extended",
    summary: { en: "Changes the account's avatar.", zh: "更换账号头像" },
    params: {
      file: nonEmpty({
        en: "Image: path on the bot host, http(s) URL or base64:// source.",
        zh: "图片：机器人主机上的路径、http(s) 链接或 base64://。",
      }),
    },
    rules: [live({ en: "The image must not be empty.", zh: "图片内容不能为空。" })],
    notes: [{ en: "The source may have at most 1 GiB.", zh: "图片来源最大 1 GiB。" }],
    returns: NULL,
    examples: [{
      summary: { en: "Set the avatar from a URL", zh: "用链接更换头像" },
      params: { file: "https://example.com/a.png" },
    }],
  },
  {
    name: "set_self_longnick",
    category: "extended",
    summary: { en: "Sets or clears the account's signature.", zh: "设置或清空个性签名" },
    params: {
      longNick: raw({
        en: "New signature; wins over long_nick. An empty string clears it.",
        zh: "新的个性签名；优先于 long_nick。空字符串表示清空。",
      }, { optional: true, schema: { type: "string" } }),
      long_nick: raw({
        en: "Other spelling of longNick; counts when longNick is absent.",
        zh: "longNick 的另一种写法；未传 longNick 时生效。",
      }, { optional: true, schema: { type: "string" } }),
    },
    rules: [
      live({
        en: "longNick or long_nick must be present; an empty string counts, a number is refused.",
        zh: "longNick 和 long_nick 至少传一个；可为空字符串，传数字会被拒绝。",
      }),
    ],
    notes: [
      {
        en: "SnowLuma 1.11 skips an empty longNick and reads long_nick instead.",
        zh: "SnowLuma 1.11 遇到空的 longNick 时改用 long_nick。",
      },
      { en: "The answer is an empty object, not null.", zh: "返回空对象，而非 null。" },
    ],
    returns: object({}),
    examples: [
      { summary: { en: "Set the signature", zh: "设置个性签名" }, params: { longNick: "I answer questions" } },
      { summary: { en: "Clear the signature", zh: "清空个性签名" }, params: { long_nick: "" } },
    ],
  },
];
