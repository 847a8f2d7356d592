/**
 * The message preview panel as a resource (MCP Apps, 2026-01-26). It is one HTML file that is packaged with the server;
 * clients that can show panels are told of it, beside the tool whose answers it shows.
 */
import { type McpServer, ProtocolError, ProtocolErrorCode, type Resource } from "@modelcontextprotocol/server";
import type { Log } from "../log.ts";
import { STATIC_PUBLIC } from "./cache_hints.ts";
import { PANEL_TYPE } from "./peer.ts";

/** Address of the panel. */
export const PANEL_URI = "ui://snowluma/message-preview.html";

/** What the tool's `_meta` says; the flat key is that of hosts older than the specification. */
export const PANEL_META = { ui: { resourceUri: PANEL_URI }, "ui/resourceUri": PANEL_URI };

/** No outside origin for anything; hosts make their policy of it. */
const RESOURCE_META = {
  ui: { csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }, prefersBorder: true },
};

/** What `resources/list` says of the panel. */
export const PANEL_RESOURCE: Resource = {
  uri: PANEL_URI,
  name: "message-preview",
  title: "Message preview",
  description: "Shows a draft of preview_message and sends it on a click.",
  mimeType: PANEL_TYPE,
  _meta: RESOURCE_META,
};

/** Adds the panel to a server. */
export function servePanel(server: McpServer, log: Log): void {
  const { uri, name, ...about } = PANEL_RESOURCE;
  server.registerResource(name, uri, { ...about, cacheHint: STATIC_PUBLIC }, async () => {
    const text = await loadPanel().catch((error: Error) => {
      log("error", `${PACKAGING} (${error.message.split("\n")[0]})`);
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${PACKAGING}. ${NEXT_STEP}`);
    });
    return { contents: [{ uri, mimeType: PANEL_TYPE, text, _meta: RESOURCE_META }] };
  });
}

const PACKAGING = "Cannot give the message preview panel: ui/panel.html is missing or damaged in this installation";
const NEXT_STEP =
  "The drafts' texts say the same. To have the panel, install this release anew (in a checkout, run `deno task ui`) and " +
  "start the server again.";

/** @throws {Error} when the file is not there, or is no whole panel */
async function loadPanel(): Promise<string> {
  const { default: html } = await import("../../ui/panel.html", { with: { type: "text" } });
  if (!/^<!doctype html>/i.test(html) || !html.trimEnd().endsWith("</html>")) throw new Error("it is no whole page");
  return html;
}
