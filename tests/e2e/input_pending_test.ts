/** How many prompts may wait, in either generation, and what makes room again. */
import { match, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message, ServerProcess } from "../support/server_process.ts";
import { failureOf, passedOn } from "./exec_support.ts";
import {
  accept,
  askedBy,
  ASKING,
  FORMS,
  legacyServer,
  modernServer,
  open,
  refusalOf,
  reply,
  resume,
  round,
  SEND,
} from "./input_support.ts";
import { envelope } from "./support.ts";
import { sendCall } from "./trace_support.ts";

const STRANGER = { action: "get_stranger_info" };

function checkBusy(answer: Message, why: RegExp = /256 prompts are pending/): void {
  const { kind, outcome, message } = failureOf(answer);
  strictEqual(`${kind} ${outcome}`, "busy failed");
  match(message, why);
}

Deno.test("the 257th prompt is refused, and each answer makes room for one (modern)", async () => {
  verifies("input-pending", "input-modern");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const fields = { tool: ASKING.query, args: STRANGER };
  const states = await Promise.all(Array.from({ length: 256 }, () => open(server, fields)));
  strictEqual(new Set(states).size, 256);
  const full = async (): Promise<void> => {
    checkBusy(await round(server));
    checkBusy(await round(server, fields));
  };
  await full();
  // prompts are everybody's, whatever an answer comes to; what is refused before it reaches its prompt makes no room
  const answers: ReadonlyArray<[answer: Message, makesRoom: boolean, fields?: Message]> = [
    [accept('{"user_id":12001}'), true],
    [accept("{}"), true],
    [{ action: "decline" }, true],
    [{ action: "cancel" }, true],
    [accept('{"user_id":12001}'), false, { args: { ...STRANGER, params: { no_cache: true } } }],
  ];
  for (const [n, [answer, makesRoom, other]] of answers.entries()) {
    await resume(server, states[n], answer, { ...fields, ...other });
    if (makesRoom) await open(server, fields);
    await full();
  }
  strictEqual(simulator.requests.length, 1);
  // calls that ask nobody go on
  passedOn(await round(server, { tool: ASKING.query, args: { ...STRANGER, params: { user_id: 12001 } } }));
  passedOn(await resume(server, states[255], accept('{"user_id":12001}'), fields));
  strictEqual(simulator.requests.length, 3);
});

/** Waits for so many questions, and gives them all. */
async function questions(server: ServerProcess, count: number): Promise<Message[]> {
  const asked = new Map<unknown, Message>();
  await server.receive((message) => {
    if (message.method === "elicitation/create") asked.set(message.id, message);
    return asked.size >= count;
  });
  return [...asked.values()];
}

Deno.test("the 257th prompt is refused, and each answer makes room for one (legacy)", async () => {
  verifies("input-pending", "input-legacy");
  await using simulator = await startSimulator();
  await using server = await legacyServer(simulator);
  const call = (id: string): Promise<void> => sendCall(server, { id, name: ASKING.query, args: STRANGER });
  const busy = async (id: string): Promise<void> => {
    await call(id);
    checkBusy(await server.receive((message) => message.id === id));
  };
  for (let n = 0; n < 256; n++) await call(`call-${n}`);
  const asked = await questions(server, 256);
  await busy("beyond");
  // one gets a good answer, one is declined, one gets an error, one call is cancelled: room for four
  await reply(server, asked[0] ?? {}, accept('{"user_id":12001}'));
  await reply(server, asked[1] ?? {}, { action: "decline" });
  await server.send({ jsonrpc: "2.0", id: asked[2]?.id, error: { code: -32603, message: "no" } });
  const ended = new Map<string, Message>();
  await server.receive((message) => {
    if (/^call-/.test(String(message.id))) ended.set(message.id, message);
    return ended.size === 3;
  });
  const cancelled = Array.from({ length: 256 }, (_, n) => `call-${n}`).find((id) => !ended.has(id));
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: cancelled } });
  await server.receive(({ method }) => method === "notifications/cancelled"); // so far that its form is taken back
  for (let n = 0; n < 4; n++) await call(`more-${n}`);
  const all = await questions(server, 260);
  await busy("beyond again");
  strictEqual(simulator.requests.length, 1);
  const last = all.at(-1);
  ok(last);
  await reply(server, last, accept('{"user_id":12001}'));
  passedOn(await server.receive(({ id }) => /^(call|more)-/.test(String(id)) && !ended.has(id) && id !== cancelled));
  strictEqual(simulator.requests.length, 2);
});

Deno.test("an answer that is brought too often makes no room", async () => {
  verifies("input-pending", "input-once");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const states = await Promise.all(Array.from({ length: 256 }, () => open(server)));
  await resume(server, states[0]);
  for (let n = 0; n < 3; n++) refusalOf(await resume(server, states[0]));
  await open(server);
  checkBusy(await round(server));
});

Deno.test("a first round that is cancelled before its answer leaves takes no room", async () => {
  verifies("input-pending", "input-modern", "cancel");
  await using simulator = await startSimulator();
  await using server = modernServer(simulator);
  const states = await Promise.all(Array.from({ length: 255 }, () => open(server)));
  const _meta = envelope({ clientCapabilities: FORMS });
  const lines = Array.from({ length: 20 }, (_, n) => [
    { jsonrpc: "2.0", id: `gone-${n}`, method: "tools/call", params: { name: ASKING.invoke, arguments: SEND, _meta } },
    { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: `gone-${n}` } },
  ]).flat();
  await server.send(lines.map((line) => `${JSON.stringify(line)}\n`).join("")); // read together
  states.push(await open(server));
  checkBusy(await round(server));
  ok(!server.lines.some((line) => line.includes('"gone-')));
  passedOn(await resume(server, states[255]));
  strictEqual(simulator.requests.length, 1);
});

Deno.test("calls that wait for their answers hold 32 MiB together at most (legacy)", async () => {
  verifies("input-pending", "input-legacy", "bounded");
  await using simulator = await startSimulator();
  await using server = await legacyServer(simulator);
  const args = (mebibytes: number): Message => ({
    ...SEND,
    params: { group_id: 20001, vendor_field: "x".repeat(mebibytes * 1024 * 1024) },
  });
  const forms = [await askedBy(server, "one", args(16)), await askedBy(server, "two", args(15))];
  await sendCall(server, { id: "three", name: ASKING.invoke, args: args(1) });
  checkBusy(await server.receive(({ id, method }) => id === "three" && method === undefined), /of 33554432 bytes/);
  forms.push(await askedBy(server, "small")); // which fits beside them
  await reply(server, forms[0] ?? {}, { action: "decline" });
  refusalOf(await server.receive(({ id, method }) => id === "one" && method === undefined));
  await askedBy(server, "four", args(16));
  await reply(server, forms[2] ?? {});
  passedOn(await server.receive(({ id, method }) => id === "small" && method === undefined));
  strictEqual(simulator.requests.length, 1);
});
