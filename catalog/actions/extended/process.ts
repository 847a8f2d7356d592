/** Actions about the bot process and raw packets (进程与发包). */
import type { ActionSpec } from "../../action.ts";
import { bool, nonEmpty, string } from "../../params.ts";
import { NEVER, NULL } from "../../returns.ts";
import { pattern } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "bot_exit",
    category: "extended",
    summary: { en: "Shuts down the bot process with all its accounts.", zh: "关闭（退出）机器人进程，所有账号下线" },
    risk: "dangerous",
    params: {},
    notes: [
      {
        en: "The whole process exits about 50 ms after the answer.",
        zh: "返回结果约 50 毫秒后，整个进程退出。",
      },
      {
        en: "Every account in the process goes down, not only the one called.",
        zh: "进程内的所有账号都会下线，不只是被调用的账号。",
      },
    ],
    returns: NULL,
    examples: [{
      summary: { en: "Shut down the bot", zh: "关闭机器人" },
      params: {},
      notes: {
        en: "First make sure that nobody needs the other accounts in the same process.",
        zh: "请先确认同一进程内没有其他账号仍在使用。",
      },
    }],
  },
  {
    name: "set_restart",
    category: "extended",
    summary: { en: "Fails always: restarting the bot is not supported.", zh: "重启机器人（不支持，必定失败）" },
    risk: "dangerous",
    params: {},
    notes: [{
      en: "Restarting is unsupported: the call always fails.",
      zh: "不支持重启，调用必定失败。",
    }],
    returns: NEVER,
    examples: [{ summary: { en: "Ask for a restart (fails)", zh: "请求重启（会失败）" }, params: {} }],
  },
  {
    name: "clean_cache",
    category: "extended",
    summary: { en: "Accepts a request to clean the cache; does nothing.", zh: "清理缓存（占位，无实际操作）" },
    params: {},
    returns: NULL,
    placeholder: {
      en: "The call is accepted for compatibility; nothing is cleaned.",
      zh: "仅为兼容而接受调用，不会清理任何内容。",
    },
    examples: [{ summary: { en: "Call it for compatibility", zh: "兼容性调用" }, params: {} }],
  },
  {
    name: "send_packet",
    aliases: [".send_packet"],
    category: "extended",
    summary: { en: "Sends a raw packet to QQ as the account.", zh: "发包：以本账号向 QQ 发送原始数据包" },
    risk: "dangerous",
    params: {
      cmd: nonEmpty({ en: "Command name of the packet.", zh: "数据包的命令字。" }),
      data: string({
        en: "Body of the packet as hex; empty by default.",
        zh: "数据包正文的十六进制字符串；默认为空。",
      }, { default: "" }),
      rsp: bool({
        en: "Whether the answer carries the reply; false answers null, yet still waits.",
        zh: "是否返回响应内容；false 时返回 null，但仍会等待响应。",
      }, { default: true }),
    },
    rules: [
      pattern("data", "^(?:[0-9A-Fa-f]{2})*$", {
        en: "data must be an even number of hex digits.",
        zh: "data 须由偶数个十六进制字符组成。",
      }),
    ],
    notes: [
      {
        en: "The answer is the body of the reply as lowercase hex; empty when the reply has no body.",
        zh: "返回响应正文的小写十六进制字符串；响应无正文时为空字符串。",
      },
      { en: "The call times out after 15 s.", zh: "15 秒后超时。" },
    ],
    returns: { type: ["string", "null"] },
    examples: [
      {
        summary: { en: "Send a packet and read the reply", zh: "发送数据包并读取响应" },
        params: { cmd: "ExampleSvc.Query", data: "0801", rsp: true },
        notes: { en: "The command and the body are made up.", zh: "命令字和正文均为虚构。" },
      },
      {
        summary: { en: "Send a packet without the reply in the answer", zh: "发送数据包，不返回响应内容" },
        params: { cmd: "ExampleSvc.Report", data: "0801", rsp: false },
        notes: { en: "The command and the body are made up.", zh: "命令字和正文均为虚构。" },
      },
    ],
  },
  {
    name: "nc_get_packet_status",
    category: "extended",
    summary: { en: "Returns null in place of a packet status.", zh: "获取发包状态（占位，恒为 null）" },
    readOnly: true,
    params: {},
    returns: NULL,
    placeholder: {
      en: "The answer is always null and says nothing about whether packets can be sent.",
      zh: "始终返回 null，不反映能否发包。",
    },
    examples: [{ summary: { en: "Call it for compatibility", zh: "兼容性调用" }, params: {} }],
  },
];
