/** How long clients may keep an answer, and for whom. Revision 2026-07-28, "caching"; older clients get none. */
import type { CacheHint } from "@modelcontextprotocol/server";

/** Five minutes, in milliseconds. */
const STATIC_TTL_MS = 300_000;

/** Bundled data, the same for everybody. */
export const STATIC_PUBLIC: CacheHint = { ttlMs: STATIC_TTL_MS, cacheScope: "public" };

/** Depends on this server's mode and on what the client can do. */
export const STATIC_PRIVATE: CacheHint = { ttlMs: STATIC_TTL_MS, cacheScope: "private" };

/** Live state of one account. */
export const NEVER_KEEP: CacheHint = { ttlMs: 0, cacheScope: "private" };
