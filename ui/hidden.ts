/** Characters that people cannot see, but that change what they see or carry text of their own. */

/** What stays as it is, since it is seen by what it does where it stands. */
const SEEN = [
  /[\t\n]|\r\n/u,
  /(?<=\p{Emoji})[\uFE0E\uFE0F]/u, // the look of an emoji
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/u, // emoji made of several
  // Joiners and selectors where a script needs them: after vowel signs and viramas, and in cursive scripts.
  /(?<=(?!\p{DI})[\p{M}\p{sc=Arab}\p{sc=Syrc}\p{sc=Nkoo}\p{sc=Mong}])[\u200C\u200D\u180B-\u180D\u180F]/u,
].map(({ source }) => source).join("|");

/**
 * Controls, formats (direction, tags, joiners, zero width), halves of characters, odd line ends, and all else that
 * Unicode has drawn as nothing ("Default_Ignorable_Code_Point": fillers, selectors), with the blank of Braille.
 */
const HIDDEN = new RegExp(`(?!${SEEN})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\u2800]`, "gu");

/** A text whose hidden characters are named in place, such as ⟦U+202E⟧, and how many there are. */
export function revealHidden(text: string): { readonly shown: string; readonly count: number } {
  let count = 0;
  const shown = text.replace(HIDDEN, (character) => {
    count++;
    return `\u27E6U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}\u27E7`;
  });
  return { shown, count };
}
