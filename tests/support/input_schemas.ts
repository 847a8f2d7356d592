/** Writes `lib/tools/input_schemas.json`: `deno task schemas`. */
import * as z from "zod";
import { resolveConfig } from "../../lib/config/resolve.ts";
import type { Tool } from "../../lib/mcp/define_tool.ts";
import { Toolbox } from "../../lib/tools/toolbox.ts";

/** Where the schemas are kept. */
export const SCHEMAS_URL: URL = new URL("../../lib/tools/input_schemas.json", import.meta.url);

/** All tools, as in write mode; they cannot be called. */
export async function everyTool(): Promise<readonly Tool[]> {
  const config = resolveConfig({ flags: { endpoint: "http://127.0.0.1/", mode: "write" }, environment: {} });
  const none = (): Promise<never> => Promise.reject(new Error("no bot"));
  return (await Toolbox.open({ config, log: () => {}, executor: none, asking: none })).tools;
}

/** The file as it should be. */
export async function renderSchemas(): Promise<string> {
  const schemas = (await everyTool()).map(({ definition: { name, input } }) => [name, toInputSchema(input)] as const);
  return `${JSON.stringify(Object.fromEntries(schemas), null, 2)}\n`;
}

/** A schema as clients understand it: zod's own markers and JavaScript's number range left out. */
function toInputSchema(input: z.ZodObject): { type: "object" } {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.propertyNames;
    },
  });
  return schema as { type: "object" };
}

if (import.meta.main) await Deno.writeTextFile(SCHEMAS_URL, await renderSchemas());
