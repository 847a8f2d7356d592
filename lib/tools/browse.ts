/** Tools that list and find actions in the bundled catalog. They never touch a network. */
import * as z from "zod";
import type { ActionIndex } from "../catalog/action_index.ts";
import { type ActionLine, describeLine, type Lang } from "../catalog/describe.ts";
import { loadActions } from "../catalog/load.ts";
import { filterActions, MAX_PAGE, MAX_QUERY_LENGTH, type Page, paginate } from "../catalog/page.ts";
import type { CatalogAction, CategorySlug } from "../catalog/types.ts";
import { Failure } from "../errors.ts";
import { defineTool, OFFLINE, type Tool } from "../mcp/define_tool.ts";

const FILTERS = {
  category: z.string().max(64).optional().describe("Slug or label from list_categories."),
  read_only: z.boolean().optional(),
  stream: z.boolean().optional(),
  risk: z.enum(["read", "write", "secret", "dangerous"]).optional(),
  limit: z.int().min(1).max(MAX_PAGE).optional(),
  offset: z.int().min(0).optional(),
};

type Filters = z.infer<z.ZodObject<typeof FILTERS>>;

/** `list_actions`, `search_actions`, `list_categories`. */
export function browseTools(lang: Lang): Tool[] {
  return [
    defineTool({
      name: "list_actions",
      title: "List actions",
      description:
        "Lists the bot's actions, one line each: name, category, summary, aliases, readOnly, stream, risk. Offline.",
      annotations: OFFLINE,
      input: z.strictObject(FILTERS),
      listed: true,
      async run(filters) {
        const index = await loadActions();
        return { result: page(index, index.actions, filters, lang) };
      },
    }),
    defineTool({
      name: "search_actions",
      title: "Search actions",
      description: "Finds actions, in English or Chinese. With match=keywords every space-separated word has to fit, " +
        "synonyms count and the best come first: `mute member`, `群 禁言`. The default, substring, is literal. Offline.",
      annotations: OFFLINE,
      input: z.strictObject({
        query: z.string().min(1).max(MAX_QUERY_LENGTH),
        match: z.enum(["substring", "keywords"]).default("substring"),
        ...FILTERS,
      }),
      listed: true,
      async run({ query, match, ...filters }) {
        const index = await loadActions();
        return { result: page(index, index.search(query, match), filters, lang) };
      },
    }),
    defineTool({
      name: "list_categories",
      title: "List categories",
      description: "Lists the action categories with their labels and counts. Offline.",
      annotations: OFFLINE,
      input: z.strictObject({}),
      listed: true,
      async run() {
        const { catalog, actions } = await loadActions();
        return {
          result: Object.entries(catalog.categories).map(([category, label]) => ({
            category,
            label: label[lang],
            count: actions.filter((action) => action.category === category).length,
          })),
        };
      },
    }),
  ];
}

function page(index: ActionIndex, found: readonly CatalogAction[], filters: Filters, lang: Lang): Page<ActionLine> {
  const category = filters.category === undefined ? undefined : slugOf(filters.category, index);
  const matching = filterActions(found, { ...filters, category });
  return paginate(matching.map((action) => describeLine(action, lang)), filters);
}

/** A category by its slug or by its label in either language. @throws {Failure} `invalid_arguments` */
function slugOf(text: string, { catalog }: ActionIndex): CategorySlug {
  const wanted = text.trim().toLowerCase();
  for (const [slug, label] of Object.entries(catalog.categories)) {
    if ([slug, label.en.toLowerCase(), label.zh].includes(wanted)) return slug as CategorySlug;
  }
  throw new Failure(
    "invalid_arguments",
    `Unknown category ${JSON.stringify(text)}`,
    `Known are ${Object.keys(catalog.categories).join(", ")}.`,
  );
}
