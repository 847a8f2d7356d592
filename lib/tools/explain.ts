/** Tools that explain one action and check a call of it, offline. */
import * as z from "zod";
import { loadActions } from "../catalog/load.ts";
import { checkCall } from "../catalog/check.ts";
import { describeAction, type Lang } from "../catalog/describe.ts";
import { unknownAction } from "../catalog/unknown_action.ts";
import { defineTool, OFFLINE, type Tool } from "../mcp/define_tool.ts";
import type { ToolResult } from "../mcp/result.ts";
import { EXECUTION, PARAMS } from "./params.ts";

/** `get_action`, `check_action`. */
export function explainTools(lang: Lang): Tool[] {
  const pages = new Map<string, ToolResult>(); // the most asked answer; all of them take half a megabyte
  return [
    defineTool({
      name: "get_action",
      title: "Explain an action",
      description: "Gives one action in full: parameters as JSON Schema, invariants, notes, the shape of a " +
        "successful `data`, and examples with made-up ids. Aliases work. Offline.",
      annotations: OFFLINE,
      input: z.strictObject({ name: z.string().describe("Such as set_group_ban.") }),
      listed: true,
      async run({ name }) {
        const index = await loadActions();
        const action = index.find(name);
        if (action === undefined) throw unknownAction(name, index);
        let page = pages.get(action.name);
        if (page === undefined) {
          const result = describeAction(action, lang);
          pages.set(action.name, page = { result, text: JSON.stringify(result) });
        }
        return page;
      },
    }),
    defineTool({
      name: "check_action",
      title: "Check a call",
      description: "Checks the parameters of a call without sending it and tells every problem at once, " +
        "its risk, and the tool that would make it. Offline; the bot itself may know more.",
      annotations: OFFLINE,
      input: z.strictObject({ action: z.string(), params: PARAMS, execution: EXECUTION }),
      listed: true,
      async run({ action: name, params, execution }) {
        const index = await loadActions();
        const action = index.find(name);
        if (action === undefined) throw unknownAction(name, index);
        return { result: await checkCall(action, params, lang, execution !== undefined) };
      },
    }),
  ];
}
