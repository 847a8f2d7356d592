/**
 * Writes the generated tables of README.md: `deno task docs`. A table stands between `<!-- name -->` and
 * `<!-- /name -->`; what is around it is written by hand.
 */
import { SETTINGS, type SettingSpec } from "../../lib/config/settings.ts";
import { FAILURE_KINDS } from "../../lib/errors.ts";
import { everyTool } from "./input_schemas.ts";

/** Where the README is. */
export const README_URL: URL = new URL("../../README.md", import.meta.url);

const tools = await everyTool();

const TABLES: Readonly<Record<string, () => string>> = {
  tools: () => {
    const rows = tools.map(({ definition: { name, description } }) => [`\`${name}\``, description]);
    return table(["Tool", "What it does"], rows);
  },
  settings: () => {
    const rows = (Object.values(SETTINGS) as SettingSpec<unknown>[]).map((setting) => [
      `\`${setting.env}\``,
      setting.flag === undefined ? `\`--${setting.fileFlag} PATH\`` : `\`--${setting.flag}\``,
      `\`${setting.key}\``,
      `${setting.help}. Accepts ${setting.accepts}.`,
      setting.otherwise,
    ]);
    return table(["Environment", "Flag", "Key in the file", "Meaning", "Default"], rows);
  },
  kinds: () =>
    table(["Kind", "What it means"], Object.entries(FAILURE_KINDS).map(([kind, text]) => [`\`${kind}\``, text])),
};

/** The README with its tables as they should be. */
export function renderReadme(readme: string): string {
  return Object.entries(TABLES).reduce((text, [name, render]) => {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`README.md lacks ${start} … ${end}`);
    return `${text.slice(0, from + start.length)}\n\n${render()}\n\n${text.slice(to)}`;
  }, readme);
}

/** Cells are not padded: `deno fmt` does that, wide characters included. */
function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
}

/** Whether two READMEs differ in more than the padding of their tables. */
export function sameReadme(a: string, b: string): boolean {
  const squeeze = (text: string): string => text.replace(/ +/g, " ").replace(/-{3,}/g, "---");
  return squeeze(a) === squeeze(b);
}

if (import.meta.main) await Deno.writeTextFile(README_URL, renderReadme(await Deno.readTextFile(README_URL)));
