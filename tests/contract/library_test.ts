/** The library as a stranger imports it: by its name, with nothing but what it exports. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as library from "@snowluma-deno/mcp";
import { startSimulator } from "@snowluma-deno/mcp/simulator";
import { verifies } from "../requirements.ts";

Deno.test("the library exports these names and no others", () => {
  verifies("library");
  deepStrictEqual(Object.keys(library).sort(), [
    "ActionIndex",
    "ExchangeError",
    "Executor",
    "FAILURE_KINDS",
    "Failure",
    "MAX_ANSWER_BYTES",
    "MAX_HELD_BYTES",
    "MAX_PAGE",
    "MAX_PROBLEMS",
    "MAX_QUERY_LENGTH",
    "MAX_REQUEST_BYTES",
    "MAX_RUNNING_CALLS",
    "MAX_WAITING_CALLS",
    "MIN_SECRET_LENGTH",
    "MODES",
    "Redactor",
    "checkCall",
    "describeAction",
    "describeLine",
    "filterActions",
    "inputSchema",
    "isEnvelope",
    "loadActions",
    "outcomeOf",
    "paginate",
    "post",
  ]);
});

Deno.test("the library finds, checks and calls an action, as its documentation shows", async () => {
  verifies("library");
  const actions = await library.loadActions();
  const [ban] = actions.search("mute member", "keywords");
  strictEqual(ban?.name, "set_group_ban");
  ok(!(await library.checkCall(ban, { group_id: 20001 }, "en")).valid);

  await using bot = await startSimulator();
  const executor = new library.Executor({
    actions,
    permissions: { mode: "read", allow: new Set() },
    redactor: new library.Redactor([]),
    timeoutMs: 10_000,
    post: (body, signal) => library.post({ url: bot.url, timeoutMs: 10_000 }, body, signal),
  });
  const { diagnostics } = await executor.call("query", "get_status", {}, AbortSignal.timeout(10_000));
  strictEqual(diagnostics.outcome, "success");
});
