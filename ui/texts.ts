/** Every sentence of the panel, in English and Chinese. */
import type { Draft } from "./draft.ts";

/** The panel's languages. */
export type Language = "en" | "zh";

/** Chinese for every kind of Chinese, English for everything else. @param locale BCP 47. */
export function languageOf(locale: string | undefined): Language {
  return /^zh(?![a-z])/i.test(locale ?? "") ? "zh" : "en";
}

/** Sentences of one language. */
export interface Texts {
  readonly title: string;
  readonly waiting: string;
  readonly noHost: string;
  readonly noDraft: string;
  readonly cancelled: string;
  readonly ignored: string;
  readonly chat: (draft: Draft) => string;
  readonly quote: (id: string) => string;
  readonly message: string;
  readonly more: string;
  readonly counts: (characters: number, segments: number) => string;
  readonly hidden: (count: number) => string;
  readonly effect: (draft: Draft) => string;
  readonly send: string;
  readonly wrongMode: string;
  readonly noTools: string;
  readonly refused: (reason: string) => string;
  readonly sending: string;
  readonly slow: string;
  readonly reloaded: string;
  readonly success: (messageId: string | undefined) => string;
  readonly failed: (reason: string) => string;
  readonly unknown: (reason: string) => string;
}

/** The sentences by language. */
export const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    title: "Message draft",
    waiting: "Waiting for the draft.",
    noHost: "No client answers this panel, so nothing can be sent from here. Read the draft in the text of the answer.",
    noDraft: "The answer holds no draft that this panel can show. Nothing can be sent from here.",
    cancelled: "The call was cancelled; there is no draft.",
    ignored: "Another draft came for this panel and is not shown. Every draft needs a panel of its own.",
    chat: ({ chat, target }) => chat === "group" ? `Group ${target}` : `Private chat with ${target}`,
    quote: (id) => `Reply to message ${id}`,
    message: "Text of the message",
    more: "The text goes on. Scroll it to read the rest.",
    counts: (characters, segments) => `${plural(characters, "character")}, ${plural(segments, "segment")}`,
    hidden: (count) =>
      `${plural(count, "hidden character")} shown by code, such as ⟦U+202E⟧. Check that you want ${
        count === 1 ? "it" : "them"
      }.`,
    effect: ({ chat, target }) =>
      `Sending posts this text, letter by letter, ${chat === "group" ? `in group ${target}` : `to user ${target}`} ` +
      "from the bot's account. Real people will see it.",
    send: "Send",
    wrongMode: "This server is not in write mode, so nothing can be sent. Its operator can change that.",
    noTools: "This client does not let panels call tools, so nothing can be sent from here.",
    refused: (reason) => `The server would refuse to send this. ${reason}`,
    sending: "Sending. The bot has not answered yet.",
    slow: "Still no answer. Please wait, and do not send it in another way meanwhile.",
    reloaded:
      "This draft was sent from here already, then the panel was loaded anew. What became of it is unknown here: " +
      "look into the chat before anything is sent again.",
    success: (id) =>
      `Accepted by the bot${id === undefined ? "" : ` as message ${id}`}. That is no proof that it was delivered.`,
    failed: (reason) => `Not sent. ${sentence(reason, " ")}To try again, ask for a new draft.`,
    unknown: (reason) =>
      `It is unknown whether this was sent. ${sentence(reason, " ")}Look into the chat before anything is sent again.`,
  },
  zh: {
    title: "消息草稿",
    waiting: "正在等待草稿。",
    noHost: "没有客户端响应此面板，无法从这里发送。请阅读回答中的草稿文字。",
    noDraft: "回答中没有此面板可以显示的草稿，无法从这里发送。",
    cancelled: "调用已取消，没有草稿。",
    ignored: "又收到一份草稿，未予显示。每份草稿都需要单独的面板。",
    chat: ({ chat, target }) => chat === "group" ? `群 ${target}` : `与 ${target} 的私聊`,
    quote: (id) => `回复消息 ${id}`,
    message: "消息正文",
    more: "正文未完，请滚动查看其余部分。",
    counts: (characters, segments) => `${characters} 个字符，${segments} 个消息段`,
    hidden: (count) => `有 ${count} 个不可见字符，已用编码标出，例如 ⟦U+202E⟧。请确认确实需要。`,
    effect: ({ chat, target }) =>
      `发送后，机器人账号会把这段文字原样发${
        chat === "group" ? `到群 ${target}` : `给用户 ${target}`
      }，真实的人会看到。`,
    send: "发送",
    wrongMode: "服务器不在 write 模式，无法发送。可由运维者更改。",
    noTools: "此客户端不允许面板调用工具，无法从这里发送。",
    refused: (reason) => `服务器会拒绝发送。${reason}`,
    sending: "正在发送，机器人尚未应答。",
    slow: "仍未应答。请等待，期间不要用其他方式发送。",
    reloaded: "这份草稿已从此处发送过，之后面板被重新加载，无法得知结果。再次发送之前，请先查看聊天记录。",
    success: (id) => `机器人已接受${id === undefined ? "" : `，消息 ID 为 ${id}`}。这不能证明消息已送达。`,
    failed: (reason) => `未发送。${sentence(reason)}如需重试，请重新生成草稿。`,
    unknown: (reason) => `无法确定是否已发送。${sentence(reason)}再次发送之前，请先查看聊天记录。`,
  },
};

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sentence(text: string, space = ""): string {
  if (text === "") return "";
  // Escaped, since the build makes ASCII of strings but not of patterns.
  return `${text}${/[.!?\u3002\uFF01\uFF1F]$/.test(text) ? "" : "."}${space}`;
}
