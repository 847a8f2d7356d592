/** Older clients are asked while the call waits: what they may do instead of answering. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message } from "../support/server_process.ts";
import { failureOf, goesOn, KINDS, passedOn } from "./exec_support.ts";
import { accept, askedBy, ASKING, FORMS, legacyServer, refusalOf, reply } from "./input_support.ts";
import { logOf } from "./trace_support.ts";

/** The requests for messages that a bot got. */
function sent({ requests }: { readonly requests: readonly { readonly action: string | null }[] }): number {
  return requests.filter(({ action }) => action === KINDS.write.action).length;
}

Deno.test("the question is one elicitation/create, and the call waits for its answer", async () => {
  verifies("input-legacy", "input-form", "input-once");
  await using simulator = await startSimulator();
  await using server = await legacyServer(simulator);
  const question = await askedBy(server, "asked");
  deepStrictEqual(Object.keys(question.params).sort(), ["message", "mode", "requestedSchema"]);
  strictEqual(question.params.mode, "form");
  await goesOn(server, "other"); // and other calls do not wait
  strictEqual(sent(simulator), 0);
  ok(!server.lines.some((line) => JSON.parse(line).id === "asked"));
  await reply(server, question);
  passedOn(await server.receive(({ id }) => id === "asked"));
  strictEqual(sent(simulator), 1);
  // an answer that comes once more answers nothing
  await reply(server, question);
  await reply(server, question, accept('{"message":"again"}'));
  await goesOn(server, "after");
  strictEqual(sent(simulator), 1);
});

Deno.test("a call that is cancelled while its form is open executes nothing, whatever is answered then", async () => {
  verifies("input-legacy", "input-declined", "cancel");
  await using simulator = await startSimulator();
  await using server = await legacyServer(simulator);
  const question = await askedBy(server, "asked");
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "asked" } });
  await server.receive(({ method, params }) =>
    method === "notifications/cancelled" && params.requestId === question.id
  );
  await reply(server, question);
  await goesOn(server, "after");
  strictEqual(sent(simulator), 0);
  const [line, ...more] = (await logOf(server)).filter((line) => line.includes(ASKING.invoke));
  match(line ?? "", /outcome=failed kind=cancelled/);
  deepStrictEqual(more, []);
});

/** What can come instead of the answer to a form. */
const INSTEAD: ReadonlyArray<[what: string, message: Message]> = [
  ["an error", { error: { code: -32603, message: "no screen" } }],
  ["a refusal of the method", { error: { code: -32601, message: "Method not found" } }],
  ["a result that is none", { result: {} }],
  ["null", { result: null }],
  ["a list", { result: ["accept"] }],
  ["a text", { result: "accept" }],
  ["an error that is none", { error: null }],
  ["an error without a message", { error: { code: 1 } }],
  ["a result and an error", { result: accept(), error: { code: -32603, message: "no screen" } }],
  ["a result with unfit metadata", { result: { ...accept(), _meta: null } }],
  ["a result without an action", { result: { content: { params_json: '{"message":"Hello"}' } } }],
  ["a result with an action nobody knows", { result: { ...accept(), action: "ok" } }],
];

for (const [what, message] of INSTEAD) {
  Deno.test(`${what} instead of the answer to a form executes nothing`, async () => {
    verifies("input-legacy", "input-answer");
    await using simulator = await startSimulator();
    await using server = await legacyServer(simulator);
    const { id } = await askedBy(server, "asked");
    await server.send({ jsonrpc: "2.0", id, ...message });
    match(refusalOf(await server.receive((answer) => answer.id === "asked")).message, /not as it was asked/);
    await goesOn(server, "after");
    strictEqual(sent(simulator), 0);
  });
}

/** A server that settles takes this long when somebody is still to be answered; in milliseconds. */
const SETTLE_MS = 1000;

for (const end of ["end of input", "SIGTERM"] as const) {
  Deno.test(`${end} answers calls whose forms are open as cancelled at once, and executes nothing`, async () => {
    verifies("input-legacy", "input-expiry", "input-declined", "shutdown");
    await using simulator = await startSimulator();
    await using server = await legacyServer(simulator);
    const calls = ["one", "two", "three"];
    const forms: unknown[] = [];
    for (const id of calls) forms.push((await askedBy(server, id)).id);
    if (end === "SIGTERM") server.kill(end);
    else await server.closeInput();
    const { code, ms } = await server.exit();
    strictEqual(code, 0);
    ok(ms < SETTLE_MS * 0.8, `${ms} ms`);
    const said = server.lines.map((line): Message => JSON.parse(line));
    for (const call of calls) {
      const [answer, ...more] = said.filter(({ id, method }) => id === call && method === undefined);
      const { kind, outcome, message, next_step } = failureOf(answer ?? {});
      deepStrictEqual([kind, outcome, more], ["cancelled", "failed", []]);
      match(message, /the server ends/);
      match(next_step, /Nothing was sent/);
    }
    const taken = said.filter(({ method }) => method === "notifications/cancelled");
    deepStrictEqual(taken.map(({ params }) => params.requestId), forms); // so that no form stays on a screen
    const lines = (await server.stderr).split("\n").filter((line) => line.includes(ASKING.invoke));
    deepStrictEqual(lines.map((line) => /outcome=failed kind=cancelled/.test(line)), [true, true, true]);
    strictEqual(simulator.requests.length, 0);
  });
}

Deno.test("what counts as a client with forms is told by the handshake", async () => {
  verifies("input-formless", "input-legacy");
  await using simulator = await startSimulator();
  for (const elicitation of [{}, FORMS.elicitation, { form: {}, url: {} }]) {
    await using server = await legacyServer(simulator, { elicitation });
    await reply(server, await askedBy(server, "asked"));
    passedOn(await server.receive(({ id }) => id === "asked"));
  }
  strictEqual(sent(simulator), 3);
  for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }]) {
    await using server = await legacyServer(simulator, capabilities);
    const { kind, next_step } = failureOf(await server.call("asked", ASKING.invoke, { action: "send_group_msg" }));
    strictEqual(kind, "input");
    match(next_step, /\binvoke_action\b(?!_)/);
    ok(!server.lines.some((line) => line.includes("elicitation/create")));
  }
  strictEqual(sent(simulator), 3);
});

Deno.test("an older client cannot bring an answer with its call", async () => {
  verifies("input-legacy", "input-bound");
  await using simulator = await startSimulator();
  await using server = await legacyServer(simulator);
  const params = { name: ASKING.invoke, arguments: { action: "send_group_msg", params: { group_id: 20001 } } };
  const inputResponses = { params: accept() };
  refusalOf(await server.request("answer", "tools/call", { ...params, inputResponses }));
  for (const requestState of ["x", 5, { prompt: crypto.randomUUID() }]) {
    const { error } = await server.request(`${requestState}`, "tools/call", {
      ...params,
      inputResponses,
      requestState,
    });
    strictEqual(error.code, -32602);
  }
  ok(!server.lines.some((line) => line.includes("elicitation/create")));
  strictEqual(simulator.requests.length, 0);
});
