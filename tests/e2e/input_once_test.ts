/** A prompt is used up by its first answer, whatever that comes to. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { passedOn } from "./exec_support.ts";
import { accept, modernServer, open, refusalOf, resume } from "./input_support.ts";

/** What a prompt can have come to before its state is brought once more. */
const FIRST = [
  ["a good answer", accept(), 1],
  ["an answer that the bot refused", accept('{"message":""}'), 1],
  ["a decline", { action: "decline" }, 0],
  ["a cancel", { action: "cancel" }, 0],
  ["an answer that was refused", accept('{"message":"x","group_id":1}'), 0],
  ["an answer that is none of a form's", { action: "later" }, 0],
] as const;

for (const [what, first, requests] of FIRST) {
  Deno.test(`a state is used up by ${what}`, async () => {
    verifies("input-once", "input-answer", "input-declined");
    await using simulator = await startSimulator();
    await using server = modernServer(simulator);
    const state = await open(server);
    await resume(server, state, first);
    strictEqual(simulator.requests.length, requests);
    for (const answer of [accept(), first, { action: "decline" }]) {
      match(refusalOf(await resume(server, state, answer)).message, /answered before/);
    }
    strictEqual(simulator.requests.length, requests);
  });
}

Deno.test("fifty answers at once to one question lead to one request", async () => {
  verifies("input-once");
  await using simulator = await startSimulator();
  simulator.script({ kind: "delay", ms: 300, times: 50 });
  await using server = modernServer(simulator);
  for (const text of ["same", "own"]) {
    const before = simulator.requests.length;
    const state = await open(server);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => {
      const message = text === "same" ? "Hello" : `Hello ${n}`;
      return resume(server, state, accept(JSON.stringify({ message })));
    }));
    const refused = answers.filter(({ result }) => result.isError);
    strictEqual(refused.length, 49);
    for (const answer of refused) match(refusalOf(answer).message, /answered before/);
    strictEqual(simulator.requests.length, before + 1);
  }
});

Deno.test("two prompts of one call do not stand in for each other", async () => {
  verifies("input-once", "input-bound");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const [one, other] = [await open(server), await open(server)];
  passedOn(await resume(server, one, accept('{"message":"one"}')));
  refusalOf(await resume(server, one, accept('{"message":"one again"}')));
  passedOn(await resume(server, other, accept('{"message":"other"}')));
  deepStrictEqual(simulator.requests.map(({ params }) => params["message"]), ["one", "other"]);
});
