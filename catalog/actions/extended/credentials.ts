/** Actions that hand out login credentials and keys of the account (Cookies、密钥). */
import type { ActionSpec } from "../../action.ts";
import { nonEmpty, string } from "../../params.ts";
import { INT, list, object, STRING } from "../../returns.ts";
import { live } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "get_cookies",
    category: "extended",
    summary: { en: "Gets the account's login cookies for a domain.", zh: "获取指定域名的登录 Cookies" },
    readOnly: true,
    risk: "secret",
    params: {
      domain: string({
        en: "Domain the cookies are for; empty means qun.qq.com.",
        zh: "Cookies 所属域名；为空则按 qun.qq.com 处理。",
      }, { default: "qun.qq.com" }),
    },
    notes: [
      {
        en: "The answer holds login cookies: keep it secret.",
        zh: "返回的是登录 Cookies，须严格保密。",
      },
      {
        en: "cookies is one string of name=value pairs, joined by a semicolon and a space.",
        zh: "cookies 是一个字符串，各 name=value 之间以分号加空格分隔。",
      },
    ],
    returns: object({ cookies: STRING }),
    examples: [
      { summary: { en: "Get the cookies for the default domain", zh: "获取默认域名的 Cookies" }, params: {} },
      {
        summary: { en: "Get the cookies for another domain", zh: "获取其他域名的 Cookies" },
        params: { domain: "qzone.qq.com" },
      },
    ],
  },
  {
    name: "get_csrf_token",
    category: "extended",
    summary: { en: "Gets the account's CSRF token for web requests.", zh: "获取网页请求用的 CSRF Token" },
    readOnly: true,
    risk: "secret",
    params: {},
    notes: [
      {
        en: "The token authorizes web requests: keep it secret.",
        zh: "该 Token 用于网页请求鉴权，须严格保密。",
      },
      { en: "token is a whole number from 0 that fits in 31 bits.", zh: "token 为不超过 31 位的非负整数。" },
    ],
    returns: object({ token: INT }),
    examples: [{ summary: { en: "Get the CSRF token", zh: "获取 CSRF Token" }, params: {} }],
  },
  {
    name: "get_credentials",
    category: "extended",
    summary: { en: "Gets the account's cookies and CSRF token at once.", zh: "一次获取 Cookies 和 CSRF Token" },
    readOnly: true,
    risk: "secret",
    params: {
      domain: string({
        en: "Domain the cookies are for; qun.qq.com unless given.",
        zh: "Cookies 所属域名；不传则为 qun.qq.com。",
      }, { default: "qun.qq.com" }),
    },
    notes: [
      {
        en: "The answer holds login cookies: keep it secret.",
        zh: "返回内容含登录 Cookies，须严格保密。",
      },
      { en: "token and csrf_token always hold the same number.", zh: "token 与 csrf_token 的值始终相同。" },
      { en: "token is 0 when no skey was obtained.", zh: "未取得 skey 时 token 为 0。" },
    ],
    returns: object({ cookies: STRING, token: INT, csrf_token: INT }),
    examples: [{
      summary: { en: "Get cookies and token for the group website", zh: "获取群官网的 Cookies 和 Token" },
      params: { domain: "qun.qq.com" },
    }],
  },
  {
    name: "get_clientkey",
    category: "extended",
    summary: { en: "Gets the client key that logs the account in on the web.", zh: "获取网页登录用的 ClientKey" },
    readOnly: true,
    risk: "secret",
    params: {},
    notes: [
      {
        en: "Whoever holds the key can log in on the web as the account: keep it secret.",
        zh: "持有此密钥即可以该账号身份登录网页，须严格保密。",
      },
      { en: "expireTime and keyIndex are decimal strings.", zh: "expireTime 和 keyIndex 是十进制字符串。" },
      {
        en: "expireTime falls back to 1800 and keyIndex to 19.",
        zh: "取不到时，expireTime 回退为 1800，keyIndex 回退为 19。",
      },
      { en: "The call fails when no key is issued.", zh: "未签发密钥时调用失败。" },
    ],
    returns: object({ clientKey: STRING, expireTime: STRING, keyIndex: STRING }),
    examples: [{ summary: { en: "Get the client key", zh: "获取 ClientKey" }, params: {} }],
  },
  {
    name: "get_rkey",
    aliases: ["nc_get_rkey"],
    category: "extended",
    summary: { en: "Lists the download keys (rkey) for chat images.", zh: "获取图片下载密钥 rkey 列表" },
    readOnly: true,
    risk: "secret",
    params: {},
    notes: [
      {
        en: "An rkey is a download credential: keep it secret.",
        zh: "rkey 是下载凭证，须严格保密。",
      },
      {
        en: "type is 10 for private images, 20 for group images and 2 for a fallback key.",
        zh: "type：10 为私聊图片，20 为群图片，2 为备用。",
      },
      {
        en: "ttl counts seconds; create_time is a Unix time in seconds.",
        zh: "ttl 单位为秒；create_time 为 Unix 时间戳（秒）。",
      },
      { en: "rkey may already start with &rkey=.", zh: "rkey 的值可能已带有 &rkey= 前缀。" },
      {
        en: "When fetching fails, the answer is an empty list and not an error.",
        zh: "获取出错时不报错，而是返回空数组。",
      },
    ],
    returns: list(object({ rkey: STRING, type: INT, ttl: INT, create_time: INT })),
    examples: [{ summary: { en: "List the current download keys", zh: "获取当前的 rkey 列表" }, params: {} }],
  },
  {
    name: "get_rkey_server",
    category: "extended",
    summary: { en: "Gets private and group rkeys with one expiry time.", zh: "获取私聊与群聊 rkey 及到期时间" },
    readOnly: true,
    risk: "secret",
    params: {},
    notes: [
      { en: "An rkey is a download credential: keep it secret.", zh: "rkey 是下载凭证，须严格保密。" },
      {
        en: "At least one of private_rkey and group_rkey is present; with neither the call fails.",
        zh: "private_rkey 和 group_rkey 至少返回一个；两者都没有时调用失败。",
      },
      {
        en: "expired_time is a Unix time in seconds: now plus the smallest ttl.",
        zh: "expired_time 为 Unix 时间戳（秒），等于当前时间加最小的 ttl。",
      },
      { en: "name is always SnowLuma.", zh: "name 固定为 SnowLuma。" },
    ],
    returns: object({ expired_time: INT, name: STRING }, { private_rkey: STRING, group_rkey: STRING }),
    examples: [{ summary: { en: "Get both rkeys", zh: "获取私聊与群聊的 rkey" }, params: {} }],
  },
  {
    name: "request_decrypt_key",
    category: "extended",
    summary: { en: "Gets the key that unlocks a QQ message database file.", zh: "获取 QQ 消息数据库的解密密钥" },
    risk: "secret",
    params: {
      db_path: nonEmpty({
        en: "Path of the database file on the bot host.",
        zh: "数据库文件在机器人主机上的路径。",
      }),
    },
    rules: [
      live({
        en: "The file must have at least 175 bytes, with 128 hex characters at bytes 47 to 174.",
        zh: "文件至少 175 字节，且第 47 至 174 字节须为 128 个十六进制字符。",
      }),
    ],
    notes: [
      {
        en: "db_key unlocks the QQ message database: keep it secret.",
        zh: "db_key 可解密 QQ 消息数据库，须严格保密。",
      },
      { en: "The call fails when the database belongs to another account.", zh: "数据库属于其他账号时调用失败。" },
    ],
    returns: object({ db_key: STRING }),
    examples: [{
      summary: { en: "Get the key of one database", zh: "获取某个数据库的密钥" },
      params: { db_path: "/data/example/example.db" },
      notes: {
        en: "The path is made up; it must exist on the bot host and belong to the logged-in account.",
        zh: "路径为虚构；文件须位于机器人主机，且属于当前登录账号。",
      },
    }],
  },
];
