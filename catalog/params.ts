/** Builders for parameters, so that the 73 uses of `group_id` read alike. */
import type { ParamSpec, ParamType, Schema, Text } from "./action.ts";

interface Options {
  /** A parameter is required unless it is optional or has a default. */
  readonly optional?: true;
  readonly default?: unknown;
  readonly unit?: string;
}

interface IntOptions extends Options {
  readonly min?: number;
  readonly max?: number;
  readonly nonZero?: true;
}

function param(type: ParamType, schema: Schema, text: Text, options: Options): ParamSpec {
  return {
    type,
    schema,
    required: options.optional === undefined && !("default" in options),
    ...("default" in options && { default: options.default }),
    ...(options.unit !== undefined && { unit: options.unit }),
    text,
  };
}

/** The group the action is about. */
export function groupId(options: Options & { text?: Text } = {}): ParamSpec {
  const text = options.text ?? { en: "Group number, from get_group_list.", zh: "群号，来自 get_group_list。" };
  return param("uint", { type: "integer", minimum: 1 }, text, options);
}

/** A friend or other QQ account. */
export function userId(options: Options & { text?: Text } = {}): ParamSpec {
  const text = options.text ??
    { en: "QQ number of the user, from get_friend_list.", zh: "用户 QQ 号，来自 get_friend_list。" };
  return param("uint", { type: "integer", minimum: 1 }, text, options);
}

/** A member of the group named beside it. */
export function memberId(options: Options & { text?: Text } = {}): ParamSpec {
  const text = options.text ??
    { en: "QQ number of the member, from get_group_member_list.", zh: "群成员 QQ 号，来自 get_group_member_list。" };
  return param("uint", { type: "integer", minimum: 1 }, text, options);
}

/** A message known to the bot: a signed 32-bit number, often negative, never 0. */
export function messageId(text?: Text, options: Options = {}): ParamSpec {
  return param(
    "messageId",
    { type: "integer", not: { const: 0 } },
    text ?? {
      en: "Message id from an event, a send or a history action; often negative, never 0.",
      zh: "消息 ID，来自事件、发送结果或历史记录；常为负数，不为 0。",
    },
    options,
  );
}

/** A positive whole number. */
export function uint(text: Text, options: Options = {}): ParamSpec {
  return param("uint", { type: "integer", minimum: 1 }, text, options);
}

/** A whole number within bounds. */
export function int(text: Text, options: IntOptions = {}): ParamSpec {
  const schema = {
    type: "integer",
    ...(options.min !== undefined && { minimum: options.min }),
    ...(options.max !== undefined && { maximum: options.max }),
    ...(options.nonZero && { not: { const: 0 } }),
  };
  return param("int", schema, text, options);
}

/** A length of time in seconds. */
export function seconds(text: Text, options: IntOptions = {}): ParamSpec {
  return int(text, { min: 0, unit: "s", ...options });
}

/** Any number. */
export function number(text: Text, options: Options = {}): ParamSpec {
  return param("number", { type: "number" }, text, options);
}

/** Text that may be empty. */
export function string(text: Text, options: Options = {}): ParamSpec {
  return param("string", { type: "string" }, text, options);
}

/** Text that must not be empty. */
export function nonEmpty(text: Text, options: Options = {}): ParamSpec {
  return param("string", { type: "string", minLength: 1 }, text, options);
}

/** A switch. */
export function bool(text: Text, options: Options = {}): ParamSpec {
  return param("bool", { type: "boolean" }, text, options);
}

/** One of a few words. */
export function choice(values: readonly string[], text: Text, options: Options = {}): ParamSpec {
  return param("enum", { enum: values }, text, options);
}

/** A list of positive whole numbers. */
export function uints(text: Text, options: Options & { minItems?: number } = {}): ParamSpec {
  const schema = {
    type: "array",
    items: { type: "integer", minimum: 1 },
    ...(options.minItems !== undefined && { minItems: options.minItems }),
  };
  return param("uint[]", schema, text, options);
}

/** A list of texts, none empty. */
export function strings(text: Text, options: Options = {}): ParamSpec {
  return param("string[]", { type: "array", items: { type: "string", minLength: 1 } }, text, options);
}

/** Taken by the bot as it comes; `schema` says what it makes sense of. */
export function raw(text: Text, options: Options & { schema?: Schema } = {}): ParamSpec {
  return param("raw", options.schema ?? {}, text, options);
}

const SEGMENT: Schema = {
  type: "object",
  required: ["type"],
  properties: { type: { type: "string" }, data: { type: "object" } },
};

/** What to send: a text with CQ codes, one segment, or a list of segments. */
export function message(text?: Text, options: Options = {}): ParamSpec {
  return param(
    "message",
    { type: ["string", "array", "object"], items: SEGMENT },
    text ?? {
      en:
        "What to send. Segments such as [{type:'text',data:{text:'Hi'}}] stay literal; a string is parsed for CQ codes.",
      zh: "消息内容。消息段数组按字面发送；字符串会解析 CQ 码。",
    },
    options,
  );
}

/** A list of forward nodes. */
export function nodes(text?: Text, options: Options = {}): ParamSpec {
  return param(
    "message",
    { type: "array", items: SEGMENT },
    text ?? {
      en:
        "Forward nodes: {type:'node',data:{id}} for a stored message (id from a history action), or {user_id,nickname,content}.",
      zh: "合并转发节点：data.id 引用已有消息（ID 来自历史记录），或用 user_id、nickname、content 自定义。",
    },
    options,
  );
}
