import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { revealHidden } from "../../../ui/hidden.ts";
import { verifies } from "../../requirements.ts";

/** A text without anything hidden in it. */
function plain(shown: string): { shown: string; count: number } {
  return { shown, count: 0 };
}

Deno.test("revealHidden() names every character that nobody sees", async (t) => {
  verifies("panel-text-only");
  const families: Record<string, number[]> = {
    "direction": [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
    "zero width": [0x200b, 0x200c, 0x200d, 0x2060, 0x2061, 0x2064, 0xfeff, 0x00ad, 0x180e, 0x034f],
    "controls": [0, 1, 7, 8, 0x0b, 0x0c, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f],
    "line ends": [0x2028, 0x2029],
    "fillers": [0x115f, 0x1160, 0x17b4, 0x3164, 0xffa0, 0x2800],
    "tags": [0xe0000, 0xe0001, 0xe0020, 0xe0041, 0xe007e, 0xe007f],
    "selectors": [0xfe00, 0xfe01, 0xfe0e, 0xfe0f, 0xe0100, 0xe01ef],
    "reserved, drawn as nothing": [0x2065, 0xfff0, 0xfff8, 0xe0002, 0xe0fff],
    "formats of notes and shorthand": [0x1d173, 0x1d17a, 0x1bca0, 0xfff9, 0xfffb, 0x206a],
    "halves of characters": [0xd800, 0xdbff, 0xdc00, 0xdfff],
  };
  for (const [name, codes] of Object.entries(families)) {
    await t.step(name, () => {
      for (const code of codes) {
        const hex = code.toString(16).toUpperCase().padStart(4, "0");
        const character = String.fromCodePoint(code);
        deepStrictEqual(revealHidden(`a${character}b`), { shown: `a⟦U+${hex}⟧b`, count: 1 });
        deepStrictEqual(revealHidden(character.repeat(2)), { shown: `⟦U+${hex}⟧`.repeat(2), count: 2 }, hex);
      }
    });
  }
});

Deno.test("revealHidden() leaves tabs and line ends, and names a carriage return on its own", () => {
  verifies("panel-text-only");
  for (const text of ["", "a\tb", "a\nb\n\n", "a\r\nb\r\n", " \u00a0\u3000"]) {
    deepStrictEqual(revealHidden(text), plain(text));
  }
  deepStrictEqual(revealHidden("Yes\rNo"), { shown: "Yes⟦U+000D⟧No", count: 1 });
  deepStrictEqual(revealHidden("a\r\r\nb\n\r"), { shown: "a⟦U+000D⟧\r\nb\n⟦U+000D⟧", count: 2 });
});

Deno.test("revealHidden() leaves emoji and scripts whole", () => {
  verifies("panel-text-only");
  const emoji = "👨‍👩‍👧‍👦 🧑🏽‍🚀 👩‍❤️‍💋‍👨 ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️ 🐦‍⬛ 😶‍🌫️ 🇨🇳 🇺🇳 1️⃣ #️⃣ ☎︎ ❤️ 👍🏿 ™️";
  deepStrictEqual(revealHidden(emoji), plain(emoji));
  const scripts =
    "中文 é e\u0301 می\u200cخواهم क्\u200dष क्\u200cष ශ්\u200dරී ᠠ\u180b العربية עברית ไทย 한국어 ⟦U+202E⟧ <b>&amp;</b>";
  deepStrictEqual(revealHidden(scripts), plain(scripts));
});

Deno.test("revealHidden() names joiners and selectors that carry text of their own", () => {
  verifies("panel-text-only");
  strictEqual(revealHidden("H\u200di\u200c\u200d\u200c中\u200d文").count, 5, "between letters that join by nothing");
  strictEqual(revealHidden("❤️\ufe0f\ufe01\u{e0101}").count, 3, "one look is enough for an emoji");
  strictEqual(revealHidden("👨\u200d\u200d👩").count, 2, "two joiners join nothing");
  strictEqual(revealHidden("👨\u200d").count, 1, "a joiner at the end");
  strictEqual(revealHidden("\u200d👨").count, 1, "a joiner at the start");
  strictEqual(revealHidden("می\u200c\u200c\u200dخ").count, 2, "the first one has a use");
  strictEqual(revealHidden("中\ufe00\ufe01").count, 2);
  strictEqual(revealHidden("❤\ufe0f\u200c e\u0301\u034f\u200d").count, 3, "what joins has to be seen itself");
});

Deno.test("revealHidden() takes the longest text of a draft in no time", () => {
  verifies("panel-text-only");
  const start = performance.now();
  for (const character of ["\u202e", "\0", "\u200d", "\ufe0f", "\ud800", "\u0301", "\r"]) {
    const { shown, count } = revealHidden(character.repeat(65_536));
    strictEqual(count, character === "\u0301" ? 0 : 65_536);
    strictEqual(shown.length, count === 0 ? 65_536 : 65_536 * "⟦U+0000⟧".length);
  }
  strictEqual(revealHidden("👍\u200d".repeat(20_000)).count, 1);
  ok(performance.now() - start < 2000); // about 30 ms; what grows with the square takes minutes
});
