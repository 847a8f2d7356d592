/** The draft as `preview_message` gave it. What is shown and what is sent are both made of this, and of nothing else. */

/** Arguments of `invoke_action`; held to what `preview_message` makes, so that nothing unseen can be sent. */
export interface SendArguments {
  readonly action: "send_group_msg" | "send_private_msg";
  readonly params: Readonly<Record<string, unknown>>;
}

/** A message that has not been sent. */
export interface Draft {
  readonly chat: "group" | "private";
  /** Group or QQ number. */
  readonly target: number;
  /** The message that is quoted, by its id as decimal digits. */
  readonly replyTo?: string;
  readonly text: string;
  readonly sends: SendArguments;
  /** Why the server would refuse to send it; absent when it would not. */
  readonly blocked?: Reason;
}

/** Why something is not done, as the server tells it. */
export interface Reason {
  readonly kind: string;
  readonly message: string;
}

/** A tool's result, as far as it is looked at. Everything in it is checked before its use. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly content?: readonly unknown[];
  readonly structuredContent?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a draft; gives nothing when the result is none that this panel could show whole. */
export function readDraft(result: ToolResult): Draft | undefined {
  if (result.isError) return undefined;
  const { can_send, blocked, invoke_action } = fields(previewOf(result));
  const { action, params, ...others } = fields(invoke_action);
  const { message, group_id, user_id, ...more } = fields(params);
  const chat = action === "send_group_msg" ? "group" : action === "send_private_msg" ? "private" : undefined;
  const [target, stray] = chat === "group" ? [group_id, user_id] : [user_id, group_id];
  const segments = Array.isArray(message) ? [...message] : [];
  const last = onlyField(segments.pop(), "text");
  const quote = segments.length > 0 ? onlyField(segments.pop(), "reply", "id") : undefined;
  const isWhole = Object.keys({ ...others, ...more }).length === 0 && segments.length === 0;
  if (!isWhole || chat === undefined || !isTarget(target) || stray !== undefined) return undefined;
  if (last === undefined || last === "" || (Array.isArray(message) && message.length === 2 && !isMessageId(quote))) {
    return undefined;
  }
  return {
    chat,
    target,
    ...(quote !== undefined && { replyTo: quote }),
    text: last,
    sends: sendArguments(chat, target, last, quote),
    ...(can_send !== true && { blocked: reason(blocked) }),
  };
}

/** Text of a result, for people. */
export function textOf({ content = [] }: ToolResult): string {
  return content.map((block) => fields(block).text).filter((text) => typeof text === "string").join("\n");
}

/** An object's fields; of anything else none. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Fields : {};
}

/** Some clients hand on the text alone; it is the same as JSON. */
function previewOf(result: ToolResult): unknown {
  const { result: preview } = fields(result.structuredContent);
  if (preview !== undefined) return preview;
  try {
    return JSON.parse(textOf(result));
  } catch {
    return undefined;
  }
}

/** The one field of a segment of this type. */
function onlyField(segment: unknown, type: string, name = type): string | undefined {
  const { type: found, data, ...others } = fields(segment);
  const { [name]: value, ...more } = fields(data);
  const isPlain = found === type && Object.keys({ ...others, ...more }).length === 0;
  return isPlain && typeof value === "string" ? value : undefined;
}

function isTarget(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** A non-zero signed 32-bit number, written as `String` writes it. */
function isMessageId(value: string | undefined): boolean {
  return value !== "0" && value === String(Number(value) | 0);
}

function sendArguments(chat: Draft["chat"], target: number, text: string, quote: string | undefined): SendArguments {
  const message = [
    ...quote === undefined ? [] : [{ type: "reply", data: { id: quote } }],
    { type: "text", data: { text } },
  ];
  return chat === "group"
    ? { action: "send_group_msg", params: { group_id: target, message } }
    : { action: "send_private_msg", params: { user_id: target, message } };
}

function reason(value: unknown): Reason {
  const { kind, message, next_step } = fields(value);
  const sentences = [message, next_step].filter((text) => typeof text === "string");
  return { kind: typeof kind === "string" ? kind : "", message: sentences.join(". ") };
}
