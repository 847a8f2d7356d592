/** What a client's context window pays for looking around. */
import { Driver, type ServerSpec } from "./driver.ts";
import type { Figure } from "./report.ts";

const MAX_TOOLS_LIST_BYTES = 8192;
const MAX_LIST_ACTIONS_BYTES = 34 * 1024;

/** Bytes of `tools/list` and of the whole list of actions. */
export async function measureSizes(specs: Readonly<Record<"en" | "zh", ServerSpec>>): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [lang, spec] of Object.entries(specs)) {
    await using driver = new Driver(spec);
    await driver.initialize();
    const { result } = JSON.parse(await driver.request("tools/list"));
    figures.push(atMost(`tools/list (${lang})`, JSON.stringify(result), MAX_TOOLS_LIST_BYTES));
    const { content } = await driver.call(["list_actions", {}]);
    figures.push(atMost(`text of list_actions (${lang})`, content[0].text, MAX_LIST_ACTIONS_BYTES));
  }
  return figures;
}

function atMost(figure: string, text: string, value: number): Figure {
  return { figure, ours: new TextEncoder().encode(text).length, unit: "bytes", bar: { kind: "at most", value } };
}
