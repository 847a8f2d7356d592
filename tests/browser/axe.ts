/** Looks by axe-core for what keeps people from using a page. */
import type { Frame } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let source: Promise<string> | undefined;

/** What axe found in the frame, or could not decide, as `rule: element`. */
export async function scan(frame: Frame): Promise<string[]> {
  if (!await frame.evaluate("'axe' in globalThis")) {
    await frame.evaluate(await (source ??= Deno.readTextFile(new URL(import.meta.resolve("axe-core")))));
  }
  const options = { runOnly: { type: "tag", values: TAGS }, preload: false };
  return await frame.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations, incomplete }) =>
    [...violations, ...incomplete].flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target)))`);
}
