import { strictEqual } from "node:assert/strict";
import { printable, shellWord } from "../../lib/printable.ts";

Deno.test("printable() shows what could forge or hide text as escapes", async (t) => {
  const cases = [
    { name: "line feed", text: "a\nb", expected: "a\\u000ab" },
    { name: "carriage return", text: "a\rb", expected: "a\\u000db" },
    { name: "tab", text: "a\tb", expected: "a\\u0009b" },
    { name: "nul", text: "\0", expected: "\\u0000" },
    { name: "escape sequence", text: "\x1b[2J", expected: "\\u001b[2J" },
    { name: "delete", text: "\x7f", expected: "\\u007f" },
    { name: "C1", text: "\x9b31m", expected: "\\u009b31m" },
    { name: "line separator", text: "a\u2028b\u2029c", expected: "a\\u2028b\\u2029c" },
    { name: "zero width", text: "a\u200b\u200db\ufeff", expected: "a\\u200b\\u200db\\ufeff" },
    { name: "bidirectional override", text: "\u202egnp.exe\u2066", expected: "\\u202egnp.exe\\u2066" },
    { name: "soft hyphen", text: "a\u00adb", expected: "a\\u00adb" },
    { name: "tag characters", text: "\u{e0041}\u{e007f}", expected: "\\udb40\\udc41\\udb40\\udc7f" },
    { name: "ordinary text", text: "群 é 😀 \\u000a 'q' \"p\"", expected: "群 é 😀 \\u000a 'q' \"p\"" },
    { name: "nothing", text: "", expected: "" },
  ];
  for (const { name, text, expected } of cases) await t.step(name, () => strictEqual(printable(text), expected));
});

Deno.test("shellWord() gives a word that a shell takes as it is", async (t) => {
  const words = [
    "--allow-net=127.0.0.1:3000",
    "a b",
    "*",
    "it's",
    '"',
    "$HOME",
    "`id`",
    "a\\b",
    "a\\",
    "!!",
    "文 件",
    ";&|<>()",
  ];
  for (const word of words) {
    await t.step(word, async () => {
      const { stdout } = await new Deno.Command("sh", { args: ["-c", `printf %s ${shellWord(word)}`] }).output();
      strictEqual(new TextDecoder().decode(stdout), word);
    });
  }
  strictEqual(
    shellWord("--allow-env=SNOWLUMA_MCP_*"),
    '"--allow-env=SNOWLUMA_MCP_*"',
    "other systems know no other quotes",
  );
});
