import { doesNotMatch, match, strictEqual } from "node:assert/strict";
import { endByCode, endByError, failedEnd, refusedByStatus } from "../../../lib/events/socket_end.ts";
import { verifies } from "../../requirements.ts";

/** Holds for a connection that has resources and for one that never stood: release what there is, then subscribe. */
const AGAIN = /subscribe.*, after releasing what this connection has with unsubscribe_events/i;

Deno.test("failedEnd() advises to subscribe again, after a release only of what there is", () => {
  verifies("events-disconnect", "events-no-reconnect", "events-malformed");
  for (const kind of ["cut", "timeout"] as const) {
    const { nextStep, message } = failedEnd(kind, "why");
    match(nextStep, /^Check that the bot runs, then subscribe again, .*is not recovered\.$/);
    match(nextStep, AGAIN);
    strictEqual(message, "Cannot receive events: why");
  }
  for (const kind of ["invalid_event", "too_large"] as const) {
    const { nextStep } = failedEnd(kind, "why");
    match(nextStep, /^Check that SNOWLUMA_MCP_EVENTS_URL is the address of a OneBot v11 WebSocket server, then /);
    match(nextStep, AGAIN);
  }
  match(failedEnd("auth", "why").nextStep, /SNOWLUMA_MCP_EVENTS_TOKEN/);
});

Deno.test("failedEnd() advises the account that the bot tells", () => {
  verifies("events-account");
  const { nextStep } = failedEnd("account", "why");
  match(nextStep, /^Subscribe with the account that get_login_info tells as self_id, /);
  match(nextStep, AGAIN);
});

Deno.test("endByCode(), endByError() and refusedByStatus() send whoever can try again to do so, and others to the operator", () => {
  verifies("events-disconnect", "events-path");
  const errors = [new Error("x"), Object.assign(new Error("x"), { code: "WS_ERR_INVALID_UTF8" })];
  const ends = [endByCode(1000, ""), endByCode(1006, ""), endByCode(4000, "x")];
  for (const { nextStep } of [...ends, ...errors.map((error) => endByError(error, 1)), refusedByStatus(500)]) {
    match(nextStep, AGAIN);
  }
  for (const { nextStep } of [endByCode(1008, ""), endByCode(1008, "invalid path"), refusedByStatus(401)]) {
    match(nextStep, /^Ask the operator to /);
    doesNotMatch(nextStep, /subscribe/);
  }
});
