/** States that this process did not sign, and what a restart leaves of one. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { passedOn } from "./exec_support.ts";
import { accept, modernServer, open, resume, round } from "./input_support.ts";

/** Characters of base64url; a flip of the highest bit of one changes the bytes wherever it stands. */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function flipped(state: string, at: number): string {
  const digit = DIGITS.indexOf(state[at] ?? "");
  return state.slice(0, at) + (digit < 0 ? "x" : DIGITS[digit ^ 32]) + state.slice(at + 1);
}

function checkRefused({ error, result }: Message): void {
  strictEqual(result, undefined);
  strictEqual(error.code, -32602);
  match(error.message, /requestState/);
}

Deno.test("a state with any character changed is refused by its signature", async () => {
  verifies("input-bound");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const state = await open(server);
  const changed = Array.from(state, (_, at) => flipped(state, at));
  strictEqual(new Set([...changed, state]).size, state.length + 1);
  const answers = await Promise.all(changed.map((each) => resume(server, each)));
  for (const answer of answers) checkRefused(answer);
  strictEqual(simulator.requests.length, 0);
  passedOn(await resume(server, state)); // and none of them has used it up
  strictEqual(simulator.requests.length, 1);
});

Deno.test("a state that is cut, put together or no text is refused", async () => {
  verifies("input-bound");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const [state, other] = [await open(server), await open(server)];
  const [version = "", body = "", mac = ""] = state.split(".");
  const [, otherBody = ""] = other.split(".");
  const forged = btoa(JSON.stringify({ p: { prompt: crypto.randomUUID() }, exp: 9e9 })).replaceAll("=", "");
  const states: unknown[] = [
    "",
    state.slice(0, -1),
    state.slice(0, state.length / 2),
    `${version}.${body}`,
    `${version}.${body}.`,
    `${version}.${otherBody}.${mac}`,
    `${version}.${forged}.${mac}`,
    `${version}.${forged}.`,
    `${version}.${mac}`,
    `${state}.${mac}`,
    state.repeat(2),
    "x".repeat(100_000),
    5,
    true,
    null,
    {},
    [state],
    { prompt: crypto.randomUUID() },
  ];
  for (const each of states) checkRefused(await resume(server, each));
  for (const each of states) checkRefused(await round(server, { state: each }));
  strictEqual(simulator.requests.length, 0);
  passedOn(await resume(server, state));
});

Deno.test("a state of another process executes nothing, nor does one from before a restart", async () => {
  verifies("input-bound", "input-expiry");
  await using simulator = await startSimulator();
  const states: string[] = [];
  for (let run = 0; run < 2; run++) {
    await using server = modernServer(simulator);
    states.push(await open(server), await open(server));
    if (run === 0) passedOn(await resume(server, states[0]));
    await server.closeInput();
    strictEqual((await server.exit()).code, 0);
  }
  await using server = modernServer(simulator);
  await using neighbor = modernServer(simulator);
  states.push(await open(neighbor));
  for (const state of states) checkRefused(await resume(server, state, accept('{"message":"again"}')));
  deepStrictEqual(simulator.requests.map(({ params }) => params["message"]), ["Hello"]);
  passedOn(await resume(neighbor, states.at(-1)));
});
