/** Texts for terminals. @module */

/**
 * One line of printable text: control, zero-width and bidirectional characters, which could forge or hide
 * lines on a terminal, are shown as escapes.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escape);
}

/** A word as shells take it; in double quotes, which every system knows, as long as those are enough. */
export function shellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`!]|\\(\\|$)/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}

/** Escapes as JSON has them, one per UTF-16 unit, so that a JSON line stays what it was. */
function escape(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
