/** The catalog as resources: the whole, and one page per action. */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { loadActions } from "../catalog/load.ts";
import { describeAction, type Lang } from "../catalog/describe.ts";
import { unknownAction } from "../catalog/unknown_action.ts";
import { STATIC_PUBLIC } from "./cache_hints.ts";

/** URI of the whole catalog. */
const ACTIONS_URI = "snowluma://onebot/actions";

const JSON_TYPE = "application/json";

/** What `resources/list` says of the catalog. */
export const CATALOG_RESOURCE: Resource = {
  uri: ACTIONS_URI,
  name: "actions",
  title: "Action catalog",
  description: "All actions in full, as one JSON document.",
  mimeType: JSON_TYPE,
};

/** Adds both resources to a server. */
export function serveCatalog(server: McpServer, lang: Lang): void {
  let whole: string | undefined; // a quarter of a megabyte, made once
  const { uri, name, ...about } = CATALOG_RESOURCE;
  server.registerResource(name, uri, { ...about, cacheHint: STATIC_PUBLIC }, async () => {
    const { actions, catalog } = await loadActions();
    whole ??= JSON.stringify({
      version: catalog.version,
      count: actions.length,
      actions: actions.map((action) => describeAction(action, lang)),
    });
    return { contents: [{ uri: ACTIONS_URI, mimeType: JSON_TYPE, text: whole }] };
  });

  const template = new ResourceTemplate(`${ACTIONS_URI}/{name}`, {
    list: undefined, // 179 entries would drown the list; the catalog itself is the list
    complete: {
      name: async (typed) => (await loadActions()).actions.map(({ name }) => name).filter((n) => n.startsWith(typed)),
    },
  });
  server.registerResource("action", template, {
    title: "Action",
    description: "One action in full.",
    mimeType: JSON_TYPE,
    cacheHint: STATIC_PUBLIC,
  }, async (uri, { name }) => {
    const index = await loadActions();
    const wanted = decode(String(name));
    const action = index.find(wanted);
    if (action === undefined) {
      const { message, nextStep } = unknownAction(wanted, index);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${message}. ${nextStep}`);
    }
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: JSON.stringify(describeAction(action, lang)) }] };
  });
}

/** Percent escapes undone; text with a malformed one stays as it is and is nobody's name. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
