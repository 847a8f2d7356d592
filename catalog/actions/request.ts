/** Actions that answer friend and group requests (加好友、加群请求). */
import type { ActionSpec } from "../action.ts";
import { bool, nonEmpty, raw, string } from "../params.ts";
import { NULL } from "../returns.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "set_friend_add_request",
    category: "request",
    summary: { en: "Accepts or rejects a friend request.", zh: "处理加好友申请（好友请求）：同意或拒绝" },
    params: {
      flag: nonEmpty({
        en: "flag of the friend request event (the requester's uid); the requester's QQ number also works.",
        zh: "好友请求事件的 flag（即申请人的 uid），也可传申请人的 QQ 号。",
      }),
      approve: bool({ en: "true accepts, false rejects.", zh: "true 同意，false 拒绝。" }, { default: true }),
    },
    notes: [
      { en: "A remark parameter is ignored.", zh: "传入 remark 参数会被忽略。" },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Accept a friend request", zh: "同意好友申请" },
        params: { flag: "u_example", approve: true },
        notes: {
          en: "flag comes from a request event with request_type friend.",
          zh: "flag 来自 request_type 为 friend 的请求事件。",
        },
      },
      {
        summary: { en: "Reject a friend request by QQ number", zh: "按 QQ 号拒绝好友申请" },
        params: { flag: "30001", approve: false },
        notes: {
          en: "flag is the user_id of a request event with request_type friend.",
          zh: "flag 是 request_type 为 friend 的请求事件的 user_id。",
        },
      },
    ],
  },
  {
    name: "set_group_add_request",
    category: "request",
    summary: {
      en: "Accepts or rejects a group join request or invitation.",
      zh: "处理加群申请（加群请求）或邀请：同意或拒绝",
    },
    params: {
      flag: nonEmpty({
        en:
          "flag of a group request event or from get_group_ignored_notifies; in newer builds also from get_group_system_msg.",
        zh: "群请求事件的 flag，或取自 get_group_ignored_notifies；较新版本也可取自 get_group_system_msg。",
      }),
      sub_type: raw({
        en: "Kind of request, add or invite; accepted but not used.",
        zh: "请求类型 add 或 invite；可传，但不起作用。",
      }, { optional: true }),
      type: raw({
        en: "Other name of sub_type, which takes precedence; not used either.",
        zh: "sub_type 的别名，两者都给时以 sub_type 为准；同样不起作用。",
      }, { optional: true }),
      approve: bool({ en: "true accepts, false rejects.", zh: "true 同意，false 拒绝。" }, { default: true }),
      reason: string({
        en: "Reason for a refusal; empty means none.",
        zh: "拒绝理由；留空表示无。",
      }, { default: "" }),
    },
    notes: [
      {
        en: "The flag alone decides which request is answered; sub_type and type are not used.",
        zh: "处理哪条申请只看 flag，sub_type 和 type 不起作用。",
      },
      {
        en: "reason is passed on when accepting too, though it is meant for refusals.",
        zh: "reason 用于拒绝，但同意时也会一并提交。",
      },
      {
        en: "The format of flag differs between builds: pass it on unchanged, do not build or parse it.",
        zh: "flag 的格式因版本而异，请原样传回，不要自行拼接或解析。",
      },
    ],
    returns: NULL,
    examples: [
      {
        summary: { en: "Accept a join request", zh: "同意加群申请" },
        params: { flag: "slreq:example", approve: true },
        notes: {
          en: "flag comes from a request event with request_type group, or from get_group_system_msg in newer builds.",
          zh: "flag 来自 request_type 为 group 的请求事件，较新版本也可取自 get_group_system_msg。",
        },
      },
      {
        summary: { en: "Reject a join request with a reason", zh: "拒绝加群申请并说明理由" },
        params: { flag: "slreq:example", approve: false, reason: "Members only" },
        notes: {
          en: "flag comes from a request event with request_type group, or from get_group_system_msg in newer builds.",
          zh: "flag 来自 request_type 为 group 的请求事件，较新版本也可取自 get_group_system_msg。",
        },
      },
    ],
  },
];
