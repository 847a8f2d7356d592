import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { checkEvents } from "../../../lib/cli/event_check.ts";
import { resolveConfig } from "../../../lib/config/resolve.ts";
import { startSimulator } from "../../../lib/simulator/mod.ts";
import { verifies } from "../../requirements.ts";

Deno.test("checkEvents() leaves again as soon as it knows the account", async () => {
  verifies("doctor");
  await using bot = await startSimulator({ wsPort: 0 });
  const environment = { SNOWLUMA_MCP_ENDPOINT: bot.url, SNOWLUMA_MCP_EVENTS_URL: bot.wsUrl ?? "" };
  deepStrictEqual(await checkEvents(resolveConfig({ flags: {}, environment }), undefined), { account: 10001 });
  const limit = AbortSignal.timeout(10_000);
  while (bot.sockets > 0 && !limit.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
  strictEqual(bot.sockets, 0);
});
