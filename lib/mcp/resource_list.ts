/** `resources/list`, answered here: the SDK's registry would show every client the same. */
import type { McpServer, Resource } from "@modelcontextprotocol/server";
import { Peer } from "./peer.ts";

/** Gives the resources of one room that this client is to see. */
export type Listing = (peer: Peer) => readonly Resource[];

/**
 * Serves the list.
 *
 * @param isModern Whether the instance speaks 2026-07-28.
 */
export function serveResourceList({ server }: McpServer, listings: readonly Listing[], isModern: boolean): void {
  server.setRequestHandler("resources/list", (_request, { mcpReq }) => {
    const peer = new Peer(server, isModern, mcpReq);
    return { resources: listings.flatMap((list) => list(peer)) };
  });
}
