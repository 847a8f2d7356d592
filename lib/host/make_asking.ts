/** Puts together what asking a person takes. */
import { createRequestStateCodec } from "@modelcontextprotocol/server";
import { PROMPT_TTL_MS, Prompts } from "../completion/prompts.ts";
import type { Asking, PromptState } from "../mcp/ask.ts";

/**
 * With a key of its own: what clients keep of a prompt is void after a restart.
 *
 * @param ended Aborts when the server ends.
 */
export function makeAsking(ended: AbortSignal): Asking {
  const key = crypto.getRandomValues(new Uint8Array(32));
  const codec = createRequestStateCodec<PromptState>({ key, ttlSeconds: PROMPT_TTL_MS / 1000 });
  return { prompts: new Prompts(), codec, ended };
}
