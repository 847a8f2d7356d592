/**
 * Names for files that somebody else named. A remote name is a hint: what comes of it is one component that Linux,
 * macOS and Windows all accept, and means to a reader what the hint meant.
 */

/** Longest name, in bytes of UTF-8. File systems take 255; a number against collisions still has to fit. */
export const MAX_NAME_BYTES = 200;
/** Longest extension, dot included, in bytes; what is longer is a sentence with a dot in it. */
const MAX_EXTENSION_BYTES = 20;
/** How much of either end of a hint is looked at, in UTF-16 code units. */
const HINT_END_LENGTH = 1024;
/** The name of a file without a name. */
const NAMELESS = "download";

/** An emoji and what belongs to it. Eight joined at most, so that none comes near {@link MAX_NAME_BYTES}. */
const PICTOGRAPH = String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?\uFE0F?`;
/** Characters that are not seen, so hide text or turn it round; in emoji they join the parts. */
const UNSEEN = new RegExp(
  String.raw`(\p{RGI_Emoji_Tag_Sequence}|\p{Emoji_Keycap_Sequence}|${PICTOGRAPH}(?:\u200D${PICTOGRAPH}){0,7})` +
    String.raw`|[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]`,
  "gv",
);
/** Control characters, line separators, lone surrogates, and what Windows forbids. */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}<>:"|?*]/gu;
/** Devices of Windows, whatever their extension. */
const DEVICE =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?=[\s.]|$)/i;
const EXTENSION = /(?:\.tar)?\.[^.\s]+$/i;

const encoder = new TextEncoder();

/**
 * Makes a file name of a hint. The part after the last separator counts, in NFC; unseen characters go, except in
 * emoji; forbidden ones become `_`. Dots and spaces at the start and the end go (`.bashrc` becomes `bashrc`), devices
 * of Windows get a `_` (`_CON.txt`), and `x.part` becomes `x_part`: that ending belongs to transfers in progress.
 * Names over {@link MAX_NAME_BYTES} are cut between two visible characters and keep their extension. Of a very long
 * hint the ends count.
 *
 * @param redact Takes secrets out. Unseen characters may hide one, and a cut leaves a piece of it that nobody would
 * recognize: so it is asked when they have gone, before anything is cut.
 * @returns Never empty; `download` if nothing is left. Cleaning it again changes nothing.
 */
export function cleanFileName(hint: string, redact: (text: string) => string = (text) => text): string {
  const ends = hint.length > 2 * HINT_END_LENGTH ? hint.slice(0, HINT_END_LENGTH) + hint.slice(-HINT_END_LENGTH) : hint;
  const parts = redact(withoutUnseen(ends)).split(/[/\\]/).reverse();
  for (const part of parts) {
    const name = redact(tidy(part));
    if (name !== "") return tidy(cut(name)); // a cut may bare what has to go from an end
  }
  return NAMELESS;
}

/** A name beside one that is taken: `report.pdf` and 2 make `report (2).pdf`. */
export function numberedName(name: string, n: number): string {
  return markedName(name, String(n));
}

/** As {@link numberedName}, with any mark of letters and digits. */
export function markedName(name: string, mark: string): string {
  const [stem, extension] = splitExtension(name);
  return `${stem} (${mark})${extension}`;
}

function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, (_, emoji: string | undefined) => emoji ?? "");
}

/** Everything but the length. The order matters: what goes may bring together what NFC then composes. */
function tidy(text: string): string {
  return withoutUnseen(text.replace(FORBIDDEN, "_"))
    .normalize("NFC")
    .replace(/^[\s.]+/, "")
    .replace(/[\s.]+$/, "")
    .replace(/\.part$/i, (ending) => `_${ending.slice(1)}`)
    .replace(DEVICE, "_$&");
}

function cut(name: string): string {
  if (byteLength(name) <= MAX_NAME_BYTES) return name;
  const [stem, extension] = splitExtension(name);
  const room = MAX_NAME_BYTES - byteLength(extension);
  const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" }).segment(stem);
  // a letter under hundreds of accents may fill all the room; then code points have to do
  const start = take(Array.from(graphemes, ({ segment }) => segment), room) || take(stem, room);
  return start + extension;
}

/** As many of the pieces from the start as fit into so many bytes. */
function take(pieces: Iterable<string>, room: number): string {
  let taken = "";
  for (const piece of pieces) {
    room -= byteLength(piece);
    if (room < 0) break;
    taken += piece;
  }
  return taken;
}

function splitExtension(name: string): [stem: string, extension: string] {
  const { index = 0, 0: extension = "" } = EXTENSION.exec(name) ?? {};
  if (index === 0 || byteLength(extension) > MAX_EXTENSION_BYTES) return [name, ""];
  return [name.slice(0, index), extension];
}

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
