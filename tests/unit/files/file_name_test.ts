import { deepStrictEqual, doesNotMatch, ok, strictEqual } from "node:assert/strict";
import { posix, win32 } from "node:path";
import { cleanFileName, markedName, MAX_NAME_BYTES, numberedName } from "../../../lib/files/file_name.ts";
import { verifies } from "../../requirements.ts";
import { between, seeded } from "../support.ts";

const FAMILY = "👩\u200d👩\u200d👧";
const ENGLAND = "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";

/** Hint and name; a name of `null` means that the hint is one already. */
const CASES: ReadonlyArray<readonly [hint: string, name: string | null]> = [
  // plain names of every script stay
  ["report.pdf", null],
  ["会议纪要 最终版（2）.docx", null],
  ["отчёт.tar.gz", null],
  ["README", null],
  ["$HOME & `x` 'y' %2e%2e.txt", null],
  // paths
  ["a/b.txt", "b.txt"],
  ["a\\b.txt", "b.txt"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\photo.jpg", "photo.jpg"],
  ["folder/", "folder"],
  ["a/..", "a"],
  ["/", "download"],
  ["..", "download"],
  ["", "download"],
  [" . ", "download"],
  // ends
  [".bashrc", "bashrc"],
  ["...x", "x"],
  ["  a.txt  ", "a.txt"],
  ["a.txt. . ", "a.txt"],
  ["\u3000a\u00a0", "a"],
  // characters
  ['a<b>c:d"e|f?g*h', "a_b_c_d_e_f_g_h"],
  ["a\0b\x1fc\x7fd\x85e\nf", "a_b_c_d_e_f"],
  ["a\u2028b\u2029c", "a_b_c"],
  ["a\ud800b", "a_b"],
  ["\udc00", "_"],
  ["e\u0301.txt", "\u00e9.txt"],
  ["e\u200b\u0301.txt", "\u00e9.txt"],
  // what is not seen
  ["photo\u202egpj.exe", "photogpj.exe"],
  ["a\u200bb\u200cc\u200dd\ufeffe\u00adf\u2060g\u2066h\u061ci", "abcdefghi"],
  ["a\ufe0fb\u{e0100}c", "abc"],
  ["a\u{e0041}\u{e0042}b", "ab"],
  ["🏴\u{e0041}\u{e0042}\u{e007f}", "🏴"],
  ["a\u3164b\u115fc", "abc"],
  // what joins an emoji
  [`${FAMILY}.png`, null],
  ["❤\ufe0f and 👍🏽.png", null],
  ["👁\ufe0f\u200d🗨\ufe0f", null],
  ["1\ufe0f\u20e3.txt", null],
  [ENGLAND, null],
  ["👩\u200d", "👩"],
  ["*\ufe0f\u20e3", "_\u20e3"],
  // devices of Windows
  ["CON", "_CON"],
  ["nul.txt", "_nul.txt"],
  ["Aux .tar.gz", "_Aux .tar.gz"],
  ["PRN\u3000.x", "_PRN\u3000.x"],
  ["COM0", "_COM0"],
  ["com¹.log", "_com¹.log"],
  ["LPT9.a.b", "_LPT9.a.b"],
  ["conin$", "_conin$"],
  ["CONOUT$.txt", "_CONOUT$.txt"],
  ["CONSOLE.txt", null],
  ["COM10", null],
  ["xcon", null],
  // the ending of transfers in progress
  ["movie.part", "movie_part"],
  ["movie.PaRt.", "movie_PaRt"],
  ["con.part", "con_part"],
  [".part", "part"],
  ["movie.part.mp4", null],
  // length
  [`${"x".repeat(300)}.pdf`, `${"x".repeat(MAX_NAME_BYTES - 4)}.pdf`],
  [`${"x".repeat(300)}.tar.gz`, `${"x".repeat(MAX_NAME_BYTES - 7)}.tar.gz`],
  [`${"x".repeat(MAX_NAME_BYTES - 4)}.pdf`, null],
  [`${"文".repeat(300)}.txt`, `${"文".repeat(65)}.txt`],
  [`${"x".repeat(MAX_NAME_BYTES - 20)}${FAMILY}${FAMILY}`, `${"x".repeat(MAX_NAME_BYTES - 20)}${FAMILY}`],
  [`a.${"b".repeat(300)}`, `a.${"b".repeat(MAX_NAME_BYTES - 2)}`],
  [`${"x".repeat(MAX_NAME_BYTES - 5)}.part${"y".repeat(30)}`, `${"x".repeat(MAX_NAME_BYTES - 5)}_part`],
  [`a${"\u0301".repeat(500)}.txt`, `\u00e1${"\u0301".repeat(97)}.txt`],
  [`CON${" ".repeat(400)}x`, "_CON"],
  [`CONx${"\u0301".repeat(500)}`, "_CON"],
];

/** What tempts a file name, to be mixed at random. */
const TEMPTATIONS = [
  ...'aZ09._- /\\:*?"<>|~%$\t\n\0\x7f\x85',
  ...["..", "CON", "nul", "COM1", ".part", ".PART", ".tar", ".gz", "x".repeat(90), " ".repeat(40), "文".repeat(30)],
  ...["\u0301", "e\u0301", "\u0301".repeat(120), "\u212a", "\uac00", "\u1100\u1161", "\u0958", "<\u0338", "\u0600"],
  ...["\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\ufe0f", "\u20e3", "\u00ad", "\u2028", "\ufff9", "\u{e0041}"],
  ...[
    "\ud83d",
    "\udc69",
    "\udfff",
    "👩",
    "🏽",
    FAMILY,
    ENGLAND,
    "❤\ufe0f",
    "🇩",
    "1\ufe0f\u20e3",
    "\u{10ffff}",
    "\ufffe",
  ],
];

function assertSafe(hint: string): void {
  const name = cleanFileName(hint);
  const told = JSON.stringify({ hint: hint.slice(0, 200), name });
  ok(name !== "" && name !== "." && name !== "..", told);
  ok(name.isWellFormed() && name.normalize("NFC") === name, told);
  ok(new TextEncoder().encode(name).length <= MAX_NAME_BYTES, told);
  strictEqual(posix.basename(posix.join("/x", name)), name, told);
  strictEqual(win32.basename(win32.join("C:\\x", name)), name, told);
  doesNotMatch(name, /[\p{Cc}\u2028\u2029<>:"|?*/\\\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u, told);
  doesNotMatch(name, /^[\s.]|[\s.]$|\.part$/i, told);
  doesNotMatch(name.split(".")[0]?.trimEnd() ?? "", /^(con|prn|aux|nul|(com|lpt)[0-9¹²³]|con(in|out)\$)$/i, told);
  strictEqual(cleanFileName(name), name, told);
}

Deno.test("cleanFileName() makes of each hint the name that means the same", () => {
  verifies("download-name");
  const names = CASES.map(([hint]) => cleanFileName(hint));
  deepStrictEqual(names, CASES.map(([hint, name]) => name ?? hint));
  for (const [hint] of CASES) assertSafe(hint);
});

Deno.test("cleanFileName() gives one safe component that it leaves alone afterwards, whatever the hint", () => {
  verifies("download-name");
  const random = seeded(20_261);
  for (let run = 0; run < 4_000; run++) {
    const pieces = Array.from({ length: between(random, 0, 24) }, () => {
      if (random() < 0.1) return String.fromCharCode(between(random, 0, 0xffff));
      return TEMPTATIONS[between(random, 0, TEMPTATIONS.length - 1)];
    });
    assertSafe(pieces.join(""));
  }
});

Deno.test("cleanFileName() looks at no more of a huge hint than its ends", () => {
  verifies("download-name", "bounded");
  const hint = `start${" \u202e.".repeat(5_000_000)}.pdf`;
  const start = performance.now();
  const name = cleanFileName(hint);
  ok(performance.now() - start < 1_000, "15 million characters were read");
  ok(name.startsWith("start") && name.endsWith(".pdf"), name);
  assertSafe("/".repeat(1_000_000));
  assertSafe("👩\u200d".repeat(1_000_000));
});

Deno.test("numberedName() puts the number before the extension", () => {
  verifies("download-name");
  strictEqual(numberedName("report.pdf", 2), "report (2).pdf");
  strictEqual(numberedName("report.tar.gz", 1000), "report (1000).tar.gz");
  strictEqual(numberedName("README", 3), "README (3)");
  strictEqual(numberedName("Dr. Who and the rest", 4), "Dr. Who and the rest (4)");
  strictEqual(markedName("a.txt", "0123456789abcdef"), "a (0123456789abcdef).txt");
  const longest = markedName(cleanFileName(`${"x".repeat(300)}.pdf`), "0123456789abcdef");
  ok(longest.length <= 255 && cleanFileName(numberedName("a.txt", 2)) === "a (2).txt");
});
