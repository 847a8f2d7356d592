/** Actions about words and links: translation, link check, word slices (翻译、链接检测、分词). */
import type { ActionSpec } from "../../action.ts";
import { raw } from "../../params.ts";
import { INT, list, NEVER, object, STRING } from "../../returns.ts";
import { anyOf } from "../../rules.ts";

export const actions: readonly ActionSpec[] = [
  {
    name: "translate_en2zh",
    category: "extended",
    summary: { en: "Translates English words into Chinese.", zh: "英译中：将英文翻译成中文" },
    readOnly: true,
    params: {
      words: raw({
        en: "List of English texts; a single string is refused, elements are turned into strings.",
        zh: "英文文本数组；不接受单个字符串，元素会转成字符串。",
      }, { optional: true, schema: { type: "array", items: {} } }),
    },
    rules: [anyOf(["words"], { en: "words must be given.", zh: "必须传 words。" })],
    notes: [
      { en: "Only English to Chinese is supported.", zh: "仅支持英文译中文。" },
      {
        en: "The answer has as many words as the input, in the same order.",
        zh: "返回结果与输入数量相同、顺序一致。",
      },
    ],
    returns: object({ words: list(STRING) }),
    examples: [{
      summary: { en: "Translate two words", zh: "翻译两个单词" },
      params: { words: ["apple", "weather"] },
    }],
  },
  {
    name: "check_url_safely",
    category: "extended",
    summary: { en: "Returns safety level 1 for any URL; checks nothing.", zh: "检测链接安全（占位，恒为 1）" },
    readOnly: true,
    params: {},
    notes: [{ en: "A url parameter is not declared and is ignored.", zh: "未声明 url 参数，传入也会被忽略。" }],
    returns: object({ level: INT }),
    placeholder: {
      en: "level is always 1; no URL is checked, so it does not say that a link is safe.",
      zh: "level 恒为 1，并未检测任何链接，不能据此判断链接安全。",
    },
    examples: [{ summary: { en: "Call it for compatibility", zh: "兼容性调用" }, params: {} }],
  },
  {
    name: ".get_word_slices",
    category: "extended",
    summary: { en: "Fails always: splitting text into words is not implemented.", zh: "中文分词（未实现，必定失败）" },
    readOnly: true,
    params: {},
    notes: [{ en: "It is not implemented: the call always fails.", zh: "未实现，调用必定失败。" }],
    returns: NEVER,
    examples: [{ summary: { en: "Ask for word slices (fails)", zh: "请求分词（会失败）" }, params: {} }],
  },
];
