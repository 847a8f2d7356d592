/** The two rounds of the modern generation, byte by byte. */
import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { RawBot } from "../support/raw_bot.ts";
import type { Message } from "../support/server_process.ts";
import { failureOf, passedOn } from "./exec_support.ts";
import { accept, ASKING, FORMS, modernServer, open, refusalOf, resume, round, SEND } from "./input_support.ts";
import { envelope } from "./support.ts";

const STRANGER = { action: "get_stranger_info", params: {} };
const MISSING = { action: "get_group_member_info", params: { user_id: 12001 } };

Deno.test("the first round gives an input_required result with one form and a state, and sends nothing", async () => {
  verifies("input-modern", "input-form", "trace-result");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const { result, error } = await round(server);
  strictEqual(error, undefined);
  const { _meta, requestState, ...rest } = result;
  deepStrictEqual(rest, {
    resultType: "input_required",
    inputRequests: {
      params: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message: rest.inputRequests.params.params.message,
          requestedSchema: {
            type: "object",
            properties: { params_json: rest.inputRequests.params.params.requestedSchema.properties.params_json },
            required: ["params_json"],
          },
        },
      },
    },
  });
  strictEqual(typeof requestState, "string");
  ok(requestState.length < 300, `${requestState.length} characters`);
  ok(!/20001|send_group_msg/.test(atob(requestState.split(".")[1]?.replaceAll(/-/g, "+").replaceAll("_", "/") ?? "")));
  notStrictEqual(await open(server), requestState);
  strictEqual(simulator.requests.length, 0);
});

Deno.test("the second round executes once and gives the result of the bot", async () => {
  verifies("input-modern", "input-once", "input-twins");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const answer = await resume(server, await open(server));
  strictEqual(passedOn(answer).envelope.status, "ok");
  notStrictEqual(answer.result.resultType, "input_required");
  strictEqual(simulator.requests.length, 1);
  deepStrictEqual({ ...simulator.requests[0]?.params }, { group_id: 20001, message: "Hello" });
});

Deno.test("a state without an answer, and an answer without a state, execute nothing", async () => {
  verifies("input-answer", "input-bound");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const lone = [{ params: accept() }, {}, { other: accept() }];
  for (const responses of lone) match(refusalOf(await round(server, { responses })).message, /without the state/);
  // complete arguments do not excuse what comes with them
  const complete = { ...SEND, params: { group_id: 20001, message: "Hello" } };
  refusalOf(await round(server, { args: complete, responses: { params: accept() } }));
  refusalOf(await round(server, { args: complete, state: await open(server), responses: { params: accept() } }));
  const unfit = [
    undefined,
    {},
    { other: accept() },
    { PARAMS: accept() },
    { params: { method: "elicitation/create", result: accept() } },
    { params: { method: "elicitation/create", ...accept() } },
    { params: { result: accept() } },
    { params: [accept()] },
    { params: null },
    { params: "accept" },
    [accept()],
    "accept",
    null,
  ];
  for (const responses of unfit) {
    const state = await open(server);
    const { message } = refusalOf(await round(server, { state, ...(responses !== undefined && { responses }) }));
    match(message, /no answer came with it/);
    match(refusalOf(await resume(server, state)).message, /answered before/);
  }
  strictEqual(simulator.requests.length, 0);
});

Deno.test("an answer that is no object of a form executes nothing", async () => {
  verifies("input-answer");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const good = { params_json: '{"message":"x"}' };
  const answers = [
    {},
    good,
    { content: good },
    { action: "Accept", content: good },
    { action: ["accept"], content: good },
    { action: "accept", content: null },
    { action: "accept", content: JSON.stringify(good) },
    { action: "accept", content: [good] },
    { action: "accept", content: [good.params_json] },
    { action: "accept", content: { params_json: [good.params_json] } },
    { action: "accept", content: { params_json: { message: "x" } } },
    { action: "accept", content: { params_json: null } },
    { action: "accept", content: { ...good, __proto__: null, extra: 1 } },
  ];
  for (const answer of answers) {
    const { message } = refusalOf(await resume(server, await open(server), answer));
    match(message, /not the one text params_json/);
  }
  strictEqual(simulator.requests.length, 0);
});

Deno.test("a state belongs to its tool and its arguments, and waits for them", async () => {
  verifies("input-bound");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const state = await open(server, { args: MISSING });
  const answer = accept('{"group_id":20001}');
  const others = [
    { tool: ASKING.query },
    { args: { ...MISSING, params: { user_id: 12002 } } },
    { args: { ...MISSING, params: { user_id: "12001" } } },
    { args: { ...MISSING, params: {} } },
    { args: { ...MISSING, params: { user_id: 12001, no_cache: true } } },
    { args: { ...MISSING, params: { user_id: 12001, group_id: 20001 } } },
    { args: { ...MISSING, action: "get_group_honor_info" } },
    { args: SEND },
  ];
  for (const fields of others) {
    const failure = refusalOf(await resume(server, state, answer, { args: MISSING, ...fields }));
    match(failure.message, /another tool or other arguments/);
  }
  // what a gate refuses is refused by it, and the prompt waits as well
  strictEqual(failureOf(await resume(server, state, answer, { tool: ASKING.query, args: SEND })).kind, "mode");
  strictEqual(simulator.requests.length, 0);
  passedOn(await resume(server, state, answer, { args: MISSING }));
  deepStrictEqual(
    simulator.requests.map(({ action, params }) => [action, { ...params }]),
    [["get_group_member_info", { user_id: 12001, group_id: 20001 }]],
  );
});

Deno.test("digits of long numbers reach the bot from either round", async () => {
  verifies("input-answer", "digits");
  await using bot = new RawBot();
  await using server = modernServer(bot);
  const id = "9007199254740993";
  const call = (name: string, more: Message): Promise<void> =>
    server.send(
      `${
        JSON.stringify({
          jsonrpc: "2.0",
          id: name,
          method: "tools/call",
          params: {
            name: ASKING.invoke,
            arguments: { action: "set_group_ban", params: { group_id: "LONG" } },
            _meta: envelope({ clientCapabilities: FORMS }),
            ...more,
          },
        }).replace('"LONG"', id)
      }\n`,
    );
  await call("first", {});
  const { result: { requestState } } = await server.receive((message) => message.id === "first");
  await call("second", { requestState, inputResponses: { params: accept(`{"user_id":${id}}`) } });
  passedOn(await server.receive((message) => message.id === "second"));
  strictEqual(bot.connections.length, 1);
  match((await bot.connections[0]?.request)?.body ?? "", new RegExp(`{"group_id":${id},"user_id":${id}}`));
});

Deno.test("what counts as a client with forms is told by each request", async () => {
  verifies("input-formless", "input-modern");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  for (const elicitation of [{}, { form: {} }, { form: {}, url: {} }]) {
    passedOn(await resume(server, await open(server, { capabilities: { elicitation } })));
  }
  strictEqual(simulator.requests.length, 3);
  for (const capabilities of [{}, { elicitation: { url: {} } }, { sampling: {} }]) {
    for (const [door, args] of [["query", STRANGER], ["invoke", SEND]] as const) {
      const { next_step } = refusalOf(await round(server, { tool: ASKING[door], args, capabilities }));
      match(next_step, new RegExp(`\\b${door}_action\\b(?!_)`));
    }
  }
  strictEqual(simulator.requests.length, 3);
});
