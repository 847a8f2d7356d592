import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import { createRequestStateCodec, type Server, type ServerContext } from "@modelcontextprotocol/server";
import { MAX_ANSWER_LENGTH } from "../../../lib/completion/answer.ts";
import { MAX_PENDING_PROMPTS, MAX_PROMPT_BYTES, PROMPT_TTL_MS, Prompts } from "../../../lib/completion/prompts.ts";
import { type Asking, askPerson, type PromptState, takeAnswer } from "../../../lib/mcp/ask.ts";
import { Peer } from "../../../lib/mcp/peer.ts";
import { verifies } from "../../requirements.ts";

const QUESTION = {
  message: "What is missing?",
  lang: "en",
  alternative: "invoke_action",
  binding: "a",
  bytes: 100,
} as const;
const GOOD = { action: "accept", content: { params_json: "{}" } };
const META = "io.modelcontextprotocol/clientCapabilities";

/** Prompts on a clock of their own, and real signatures. */
function asking(now: () => number = () => 0, ended: AbortSignal = new AbortController().signal): Asking {
  const codec = createRequestStateCodec<PromptState>({ key: new Uint8Array(32) });
  return { prompts: new Prompts(now), codec, ended };
}

/** A modern client with forms, in its first or a later round. */
function modern(
  state?: PromptState,
  responses?: Record<string, unknown>,
  signal: AbortSignal = new AbortController().signal,
): Peer {
  const request = {
    envelope: { [META]: { elicitation: { form: {} } } },
    requestState: () => state,
    inputResponses: responses,
    signal,
  };
  return new Peer({} as Server, true, request as unknown as ServerContext["mcpReq"]);
}

/** An older client with forms, which does this when it is asked. */
function legacy(elicitInput: Server["elicitInput"], signal: AbortSignal = new AbortController().signal): Peer {
  const server = { elicitInput, getClientCapabilities: () => ({ elicitation: { form: {} } }) };
  return new Peer(server as unknown as Server, false, { signal } as ServerContext["mcpReq"]);
}

/** Asks a modern client and gives what the signed state says. */
async function open(ports: Asking, signal?: AbortSignal): Promise<PromptState> {
  const asked = await askPerson(modern(undefined, undefined, signal), ports, QUESTION);
  ok(typeof asked !== "string" && asked.requestState !== undefined);
  return await ports.codec.verify(asked.requestState, {} as ServerContext) as PromptState;
}

/** How many prompts fit beside those that wait. */
function room(prompts: Prompts): number {
  for (let n = 0;; n++) {
    try {
      prompts.open("room");
    } catch {
      return n;
    }
  }
}

Deno.test("takeAnswer() takes an answer within ten minutes, and none after them", async () => {
  verifies("input-expiry", "input-modern");
  let now = 1;
  const ports = asking(() => now);
  const [early, late] = [await open(ports), await open(ports)];
  now += 599_999;
  strictEqual(takeAnswer(modern(early, { params: GOOD }), ports.prompts, "a"), "{}");
  now += 1;
  throws(() => takeAnswer(modern(late, { params: GOOD }), ports.prompts, "a"), {
    kind: "input",
    message: /older than ten minutes/,
    outcome: "failed",
  });
  throws(() => takeAnswer(modern(late, { params: GOOD }), ports.prompts, "a"), { message: /answered before/ });
});

Deno.test("takeAnswer() refuses an answer whose prompt was cleared away after ten minutes", async () => {
  verifies("input-expiry");
  let now = 1;
  const ports = asking(() => now);
  const state = await open(ports);
  now += PROMPT_TTL_MS;
  await open(ports);
  throws(() => takeAnswer(modern(state, { params: GOOD }), ports.prompts, "a"), { kind: "input", outcome: "failed" });
});

Deno.test("takeAnswer() gives nothing for a first round", () => {
  verifies("input-modern");
  strictEqual(takeAnswer(modern(), asking().prompts, "a"), undefined);
});

Deno.test("askPerson() keeps nothing of the question in the state but the prompt's id", async () => {
  verifies("input-bound", "input-modern");
  const ports = asking();
  const state = await open(ports);
  deepStrictEqual(Object.keys(state), ["prompt"]);
  ports.prompts.take(state.prompt, "a");
});

Deno.test("askPerson() waits ten minutes for an older client, and a late answer is none", async () => {
  verifies("input-expiry", "input-legacy");
  let now = 1;
  const ports = asking(() => now);
  let timeout: number | undefined;
  const late = legacy((_form, options) => {
    timeout = options?.timeout;
    now += PROMPT_TTL_MS;
    return Promise.resolve(GOOD as Awaited<ReturnType<Server["elicitInput"]>>);
  });
  await rejects(askPerson(late, ports, QUESTION), { kind: "input", message: /ten minutes/, outcome: "failed" });
  strictEqual(timeout, 600_000);
});

Deno.test("askPerson() frees the prompt of an older client, whatever comes of it", async () => {
  verifies("input-pending", "input-legacy");
  const ports = asking();
  const stop = new AbortController();
  const give = (result: unknown) => (): ReturnType<Server["elicitInput"]> =>
    Promise.resolve(result as Awaited<ReturnType<Server["elicitInput"]>>);
  strictEqual(await askPerson(legacy(give(GOOD)), ports, QUESTION), "{}");
  await rejects(askPerson(legacy(give({ action: "decline" })), ports, QUESTION), { kind: "input" });
  await rejects(askPerson(legacy(give({ action: "accept", content: {} })), ports, QUESTION), { kind: "input" });
  await rejects(askPerson(legacy(() => Promise.reject(new Error("timed out"))), ports, QUESTION), { kind: "input" });
  const aborted = (): Promise<never> => {
    stop.abort();
    return Promise.reject(new Error("aborted"));
  };
  await rejects(askPerson(legacy(aborted, stop.signal), ports, QUESTION), { kind: "cancelled", outcome: "failed" });
  strictEqual(room(ports.prompts), MAX_PENDING_PROMPTS);
});

Deno.test("askPerson() leaves no prompt behind for a client without forms", async () => {
  verifies("input-formless", "input-pending");
  const ports = asking();
  const formless = new Peer({ getClientCapabilities: () => ({}) } as Server, false, {} as ServerContext["mcpReq"]);
  await rejects(askPerson(formless, ports, QUESTION), { kind: "input", nextStep: /call invoke_action / });
  strictEqual(room(ports.prompts), MAX_PENDING_PROMPTS);
});

Deno.test("askPerson() does not ask when too many prompts are pending", async () => {
  verifies("input-pending");
  const ports = asking();
  room(ports.prompts);
  let asked = 0;
  const client = legacy(() => (asked++, Promise.reject(new Error("asked"))));
  await rejects(askPerson(client, ports, QUESTION), { kind: "busy", outcome: "failed" });
  await rejects(askPerson(modern(), ports, QUESTION), { kind: "busy", outcome: "failed" });
  strictEqual(asked, 0);
});

/** A client that is asked and never answers, as the SDK puts it: only the signal ends the waiting. */
const silent: Server["elicitInput"] = (_form, options) =>
  new Promise((_resolve, reject) => {
    options?.signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });

Deno.test("askPerson() frees the prompt of a first round that is cancelled before anybody learns of it", async () => {
  verifies("input-pending", "input-modern", "cancel");
  const ports = asking();
  const early = AbortSignal.abort();
  const late = new AbortController();
  const states = [await open(ports, early), await open(ports, late.signal), await open(ports)];
  late.abort();
  strictEqual(room(ports.prompts), MAX_PENDING_PROMPTS - 1);
  for (const state of states.slice(0, 2)) {
    throws(() => takeAnswer(modern(state, { params: GOOD }), ports.prompts, "a"), { kind: "input" });
  }
  strictEqual(takeAnswer(modern(states[2], { params: GOOD }), ports.prompts, "a"), "{}");
});

Deno.test("askPerson() ends open forms of older clients as cancelled when the server ends", async () => {
  verifies("input-legacy", "input-pending", "shutdown");
  const end = new AbortController();
  const ports = asking(undefined, end.signal);
  const open = Array.from({ length: 3 }, () => askPerson(legacy(silent), ports, QUESTION));
  end.abort();
  const refused = { kind: "cancelled", outcome: "failed", message: /the server ends/, nextStep: /Nothing was sent/ };
  for (const form of open) await rejects(form, refused);
  strictEqual(room(ports.prompts), MAX_PENDING_PROMPTS);
});

Deno.test("askPerson() tells a call that the client cancelled from the end of the server", async () => {
  verifies("input-legacy", "cancel");
  const stop = new AbortController();
  const form = askPerson(legacy(silent, stop.signal), asking(), QUESTION);
  stop.abort();
  await rejects(form, { kind: "cancelled", outcome: "failed", message: /the call was cancelled/ });
});

Deno.test("askPerson() names the form's field in the operator's language, in either generation", async () => {
  verifies("input-form", "eras-equal");
  const texts = { en: [/^[ -~]+$/, /JSON object/], zh: [/[\u4e00-\u9fff]/, /JSON 对象/] } as const;
  for (const lang of ["en", "zh"] as const) {
    const question = { ...QUESTION, lang };
    const asked = await askPerson(modern(), asking(), question);
    ok(typeof asked !== "string");
    const { params } = asked.inputRequests?.["params"] as unknown as { params: Record<string, unknown> };
    let form: unknown;
    const client = legacy((given) => {
      form = given;
      return Promise.resolve(GOOD as Awaited<ReturnType<Server["elicitInput"]>>);
    });
    await askPerson(client, asking(), question);
    deepStrictEqual(form, params);
    const { requestedSchema, ...rest } = params;
    deepStrictEqual(rest, { mode: "form", message: QUESTION.message });
    const { title, description } =
      (requestedSchema as { properties: { params_json: Record<string, string> } }).properties.params_json;
    ok(title !== undefined && description !== undefined);
    for (const text of [title, description]) match(text, texts[lang][0]);
    match(description, texts[lang][1]);
    deepStrictEqual(requestedSchema, {
      type: "object",
      properties: { params_json: { type: "string", title, description, maxLength: MAX_ANSWER_LENGTH } },
      required: ["params_json"],
    });
  }
});

Deno.test("askPerson() counts the bytes of a call that waits, and none of one that comes again", async () => {
  verifies("input-pending", "bounded");
  const end = new AbortController();
  const ports = asking(undefined, end.signal);
  const half = { ...QUESTION, bytes: MAX_PROMPT_BYTES / 2 };
  for (let n = 0; n < 3; n++) await askPerson(modern(), ports, half);
  const open = [askPerson(legacy(silent), ports, half), askPerson(legacy(silent), ports, half)];
  await rejects(askPerson(legacy(silent), ports, { ...QUESTION, bytes: 1 }), { kind: "busy", outcome: "failed" });
  await askPerson(modern(), ports, half);
  end.abort();
  for (const form of open) await rejects(form, { kind: "cancelled" });
  ports.prompts.open("b", MAX_PROMPT_BYTES);
});
