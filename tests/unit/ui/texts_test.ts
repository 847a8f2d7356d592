import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Draft } from "../../../ui/draft.ts";
import { languageOf, TEXTS, type Texts } from "../../../ui/texts.ts";
import { verifies } from "../../requirements.ts";

const sends = { action: "send_group_msg", params: {} } as const;
const GROUP: Draft = { chat: "group", target: 20001, text: "Hello", sends };
const PRIVATE: Draft = { ...GROUP, chat: "private", target: 10001 };

/** Every sentence there is, each function with all kinds of arguments. */
function sentences(texts: Texts): string[] {
  const { chat, quote, counts, hidden, effect, refused, success, failed, unknown, ...constant } = texts;
  const made = [GROUP, PRIVATE].flatMap((draft) => [chat(draft), effect(draft)]);
  made.push(quote("-123456"), counts(0, 1), counts(1, 1), counts(2, 2), hidden(1), hidden(2));
  made.push(success(undefined), success("77"));
  for (const explain of [refused, failed, unknown]) made.push(explain("The reason"), explain("理由。"), explain(""));
  return [...Object.values(constant), ...made];
}

Deno.test("TEXTS has every sentence in both languages, without a gap in any", () => {
  verifies("panel-draft", "panel-follows");
  const { en, zh } = TEXTS;
  const shape = (texts: Texts) =>
    Object.entries(texts).map(([name, text]) => [name, typeof text, text.length > 0]).sort();
  deepStrictEqual(shape(zh), shape(en));
  for (const [language, texts] of Object.entries(TEXTS)) {
    for (const sentence of sentences(texts)) {
      ok(sentence.trim() !== "");
      ok(!/undefined|null|NaN|\[object|=>|\$\{|\{|TODO|…/.test(sentence), sentence);
      strictEqual(/\p{sc=Han}/u.test(sentence.replace("理由", "")), language === "zh", sentence);
    }
  }
  strictEqual(sentences(en).length, sentences(zh).length);
  const told = sentences(en).filter((sentence, at) => sentence === sentences(zh)[at]);
  deepStrictEqual(told, [], "nothing is the same in both");
});

Deno.test("TEXTS says who, where, and how much", () => {
  verifies("panel-draft");
  const { en, zh } = TEXTS;
  strictEqual(en.counts(1, 1), "1 character, 1 segment");
  strictEqual(en.counts(0, 2), "0 characters, 2 segments");
  strictEqual(zh.counts(1, 2), "1 个字符，2 个消息段");
  match(en.hidden(1), /^1 hidden character shown .* want it\.$/);
  match(en.hidden(2), /^2 hidden characters shown .* want them\.$/);
  for (const texts of [en, zh]) {
    for (const draft of [GROUP, PRIVATE]) {
      for (const sentence of [texts.chat(draft), texts.effect(draft)]) {
        match(sentence, new RegExp(`\\b${draft.target}\\b`));
      }
    }
    ok(texts.chat(GROUP) !== texts.chat({ ...PRIVATE, target: GROUP.target }));
    ok(texts.effect(GROUP) !== texts.effect({ ...PRIVATE, target: GROUP.target }));
    match(texts.quote("-123456"), /-123456/);
    match(texts.hidden(31), /\b31\b/);
  }
});

Deno.test("TEXTS is no more certain than the outcome", () => {
  verifies("panel-outcomes");
  const { en, zh } = TEXTS;
  match(en.success("77"), /^Accepted by the bot as message 77\. That is no proof that it was delivered\.$/);
  match(en.success(undefined), /^Accepted by the bot\. That is no proof/);
  match(zh.success("77"), /77.*不能证明/);
  match(zh.success(undefined), /^机器人已接受。.*不能证明/);
  strictEqual(en.failed("It broke"), "Not sent. It broke. To try again, ask for a new draft.");
  strictEqual(en.failed("It broke!"), "Not sent. It broke! To try again, ask for a new draft.");
  match(en.unknown("It broke."), /^It is unknown whether this was sent\. It broke\. Look into the chat before/);
  match(zh.failed("坏了。"), /^未发送。坏了。如需重试，请重新生成草稿。$/);
  match(zh.unknown("坏了"), /^无法确定是否已发送。坏了.*再次发送之前，请先查看聊天记录。$/);
});

Deno.test("languageOf() takes every kind of Chinese for Chinese, and all else for English", () => {
  verifies("panel-follows", "panel-draft");
  for (const locale of ["zh", "zh-CN", "zh-Hans", "zh-Hant-TW", "ZH", "zh_CN", "Zh-hk"]) {
    strictEqual(languageOf(locale), "zh");
  }
  for (const locale of ["en", "en-US", "zha", "zhx-CN", "", undefined, "de-zh", "ja", " zh", "*"]) {
    strictEqual(languageOf(locale), "en", String(locale));
  }
});
