import { ok, strictEqual } from "node:assert/strict";
import { checkAction, checkDoor, type Door, type Mode, MODES } from "../../../lib/policy/gate.ts";
import { Failure } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";
import { failureOf, makeAction, realCatalog } from "../support.ts";

const DOORS: readonly Door[] = ["query", "invoke"];
const NOBODY: ReadonlySet<string> = new Set();

/** What the gate as a whole says: the kind of its refusal, or "passes". */
function ask(action: Parameters<typeof checkAction>[0], door: Door, mode: Mode, allow = NOBODY): string {
  try {
    checkDoor(door, { mode });
    checkAction(action, door, { mode, allow });
    return "passes";
  } catch (error) {
    ok(error instanceof Failure);
    strictEqual(error.outcome, "failed");
    return error.kind;
  }
}

Deno.test("checkDoor() opens query in read and write mode, invoke in write mode only", async (t) => {
  verifies("gate-every-call");
  const open = { docs: [], read: ["query"], write: ["query", "invoke"] } as Record<Mode, string[]>;
  for (const mode of MODES) {
    for (const door of DOORS) {
      await t.step(`${mode} ${door}`, async () => {
        const check = (): void => checkDoor(door, { mode });
        if (open[mode].includes(door)) return check();
        const { kind, message, outcome } = await failureOf(check);
        strictEqual(kind, "mode");
        strictEqual(outcome, "failed");
        ok(message.includes(`${door}_action`) && message.includes(`${mode} mode`), message);
      });
    }
  }
});

Deno.test("checkDoor() and checkAction() follow one table over mode, door and risk", async (t) => {
  verifies("gate-every-call", "gate-risk");
  const read = makeAction({ name: "a", readOnly: true, risk: "read" });
  const write = makeAction({ name: "a", readOnly: false, risk: "write" });
  const readSecret = makeAction({ name: "a", readOnly: true, risk: "secret" });
  const writeSecret = makeAction({ name: "a", readOnly: false, risk: "secret" });
  const danger = makeAction({ name: "a", readOnly: false, risk: "dangerous" });
  const rows = [
    { mode: "docs", door: "query", expected: ["mode", "mode", "mode", "mode", "mode"] },
    { mode: "docs", door: "invoke", expected: ["mode", "mode", "mode", "mode", "mode"] },
    { mode: "read", door: "query", expected: ["passes", "mode", "risk", "mode", "mode"] },
    { mode: "read", door: "invoke", expected: ["mode", "mode", "mode", "mode", "mode"] },
    { mode: "write", door: "query", expected: ["passes", "mode", "risk", "mode", "mode"] },
    { mode: "write", door: "invoke", expected: ["passes", "passes", "risk", "risk", "risk"] },
  ] as const;
  for (const { mode, door, expected } of rows) {
    await t.step(`${mode} ${door}`, () => {
      const actions = [read, write, readSecret, writeSecret, danger];
      for (const [i, action] of actions.entries()) {
        strictEqual(ask(action, door, mode), expected[i], `${action.risk} ${action.readOnly}`);
        const allowed = expected[i] === "risk" ? "passes" : expected[i];
        strictEqual(ask(action, door, mode, new Set(["a"])), allowed, "permission lifts the risk and nothing else");
      }
    });
  }
});

Deno.test("checkAction() refuses all 12 secret and dangerous actions by default, with the way to permit them", async () => {
  verifies("gate-risk");
  let refused = 0;
  for (const action of (await realCatalog()).actions) {
    if (action.risk !== "secret" && action.risk !== "dangerous") {
      strictEqual(ask(action, action.readOnly ? "query" : "invoke", "write"), "passes", action.name);
      continue;
    }
    refused++;
    strictEqual(ask(action, "invoke", "write"), "risk", action.name);
    const failure = await failureOf(() => checkAction(action, "invoke", { mode: "write", allow: NOBODY }));
    ok(failure.message.includes(action.name));
    ok(failure.nextStep.includes("SNOWLUMA_MCP_ALLOW") && failure.nextStep.includes(action.name));
    const others = new Set(["get_cookies", "set_restart"].filter((name) => name !== action.name));
    strictEqual(ask(action, "invoke", "write", others), "risk", `${action.name} is not permitted by other names`);
    strictEqual(ask(action, "invoke", "write", new Set([action.name])), "passes");
  }
  strictEqual(refused, 12);
});

Deno.test("checkAction() never lets a writing action through query, allowed or not", async () => {
  verifies("gate-every-call");
  const { actions } = await realCatalog();
  const everything = new Set(actions.map(({ name }) => name));
  for (const action of actions.filter(({ readOnly }) => !readOnly)) {
    for (const mode of ["read", "write"] as const) strictEqual(ask(action, "query", mode, everything), "mode");
  }
});

Deno.test("checkAction() tells in read mode who can change that, in write mode which tool to take", async () => {
  const action = makeAction({ name: "a", readOnly: false, risk: "write" });
  const next = async (mode: Mode): Promise<string> =>
    (await failureOf(() => checkAction(action, "query", { mode, allow: NOBODY }))).nextStep;
  ok((await next("read")).includes("SNOWLUMA_MCP_MODE=write"));
  ok((await next("write")).includes("invoke_action"));
});
