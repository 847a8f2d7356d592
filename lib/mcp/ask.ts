/** Asks the person at the client for one text, by a form, in either generation. */
import {
  type ElicitRequestFormParams,
  type ElicitResult,
  inputRequired,
  type InputRequiredResult,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import type { Lang } from "../catalog/describe.ts";
import { MAX_ANSWER_LENGTH } from "../completion/answer.ts";
import { PROMPT_TTL_MS, type Prompts } from "../completion/prompts.ts";
import { Failure } from "../errors.ts";
import { loadFormValidator } from "./form_validator.ts";
import type { Peer } from "./peer.ts";
import { undoUnheard } from "./unheard.ts";

/** Name of the form's one field. */
const FIELD = "params_json";
/** Key of the form among a result's input requests. */
const REQUEST = "params";

/** What the client keeps for us between the two rounds of the modern generation. */
export interface PromptState {
  /** Of the pending prompt. */
  readonly prompt: string;
}

/** What asking takes. */
export interface Asking {
  /** Those of this process. */
  readonly prompts: Prompts;
  /** Signs what clients keep of a prompt. */
  readonly codec: RequestStateCodec<PromptState>;
  /** Aborts when the server ends. */
  readonly ended: AbortSignal;
}

/** A question, and the call that it belongs to. */
export interface Question {
  /** Text of the form, and the language of the rest. */
  readonly message: string;
  readonly lang: Lang;
  /** Tool to name when the client has no forms. */
  readonly alternative: string;
  /** Digest of tool and arguments; only a call with the same may bring the answer. */
  readonly binding: string;
  /** Bytes of the arguments, which an older client's call holds while it waits. */
  readonly bytes: number;
}

/**
 * Asks, and gives the text that was answered. The modern generation asks in two rounds: the first gives the result that
 * makes the client ask, the second is a new call that brings the answer.
 *
 * @throws {Failure} `input` for a form that is declined, cancelled, late or filled in otherwise, and for a client without
 * forms; `busy` when too many prompts are pending; `cancelled`.
 */
export async function askPerson(
  peer: Peer,
  { prompts, codec, ended }: Asking,
  question: Question,
): Promise<string | InputRequiredResult> {
  if (!peer.hasForms) throw formless(question.alternative);
  const form: ElicitRequestFormParams = {
    mode: "form",
    message: question.message,
    requestedSchema: schemaIn(question.lang),
  };
  const prompt = prompts.open(question.binding, peer.isModern ? 0 : question.bytes);
  if (peer.isModern) {
    undoUnheard(peer.request.signal, () => prompts.drop(prompt));
    const requestState = await codec.mint({ prompt });
    return inputRequired({ inputRequests: { [REQUEST]: inputRequired.elicit(form) }, requestState });
  }
  try {
    const text = textOf(await elicit(peer, form, ended));
    prompts.take(prompt, question.binding);
    return text;
  } finally {
    prompts.drop(prompt);
  }
}

/**
 * The answer that a modern client brings with its second call; nothing if this is a first one. Whatever it says, the
 * prompt is used up, unless it belongs to another call.
 *
 * @throws {Failure} `input` for a prompt that is used up, has ended or belongs to another call, and as {@link askPerson}.
 */
export function takeAnswer({ request }: Peer, prompts: Prompts, binding: string): string | undefined {
  const state = request.requestState<PromptState>();
  if (state === undefined && request.inputResponses === undefined) return undefined;
  if (state === undefined) throw unusable("an answer came without the state that belongs to it");
  prompts.take(state.prompt, binding);
  const answer = request.inputResponses?.[REQUEST];
  if (answer === undefined) throw unusable("no answer came with it");
  return textOf(answer as Partial<ElicitResult>);
}

/** The form's one field. */
const LABELS: Readonly<Record<Lang, { readonly title: string; readonly description: string }>> = {
  en: { title: "Parameters as JSON", description: "One JSON object with exactly the parameters listed above" },
  zh: { title: "参数（JSON）", description: "一个 JSON 对象，只含上面列出的参数" },
};

function schemaIn(lang: Lang): ElicitRequestFormParams["requestedSchema"] {
  const field = { type: "string" as const, ...LABELS[lang], maxLength: MAX_ANSWER_LENGTH };
  return { type: "object", properties: { [FIELD]: field }, required: [FIELD] };
}

/** Older clients are asked while the call waits. */
async function elicit(
  { server, request }: Peer,
  form: ElicitRequestFormParams,
  ended: AbortSignal,
): Promise<Partial<ElicitResult>> {
  const signal = AbortSignal.any([request.signal, ended]);
  try {
    await loadFormValidator();
    signal.throwIfAborted();
    return await server.elicitInput(form, { timeout: PROMPT_TTL_MS, signal });
  } catch (error) {
    if (signal.aborted) {
      const message = `Cannot ask for the missing parameters: ${
        ended.aborted ? "the server ends" : "the call was cancelled"
      }`;
      throw new Failure("cancelled", message, "Nothing was sent. Call it again if it is still wanted.");
    }
    throw unusable("the client did not answer it, or not as it was asked", error);
  }
}

function textOf({ action, content }: Partial<ElicitResult>): string {
  if (action === "decline" || action === "cancel") {
    const message = `Cannot call it: the form was ${action === "decline" ? "declined" : "cancelled"}`;
    throw new Failure("input", message, "Nothing was sent. Do not ask again unless the person wants it.");
  }
  const fields = Object.keys(content ?? {});
  const text = content?.[FIELD];
  if (action === "accept" && typeof text === "string" && fields.length === 1) return text;
  throw unusable(`its answer is not the one text ${FIELD}`);
}

function unusable(why: string, cause?: unknown): Failure {
  return new Failure(
    "input",
    `Cannot use the form for the missing parameters: ${why}`,
    "Nothing was sent. Call again to be asked again, or give complete params to the tool without input.",
    { cause },
  );
}

function formless(alternative: string): Failure {
  return new Failure(
    "input",
    "Cannot ask for the missing parameters: this client shows no forms",
    `Nothing was sent. Ask the person in the conversation, then call ${alternative} with complete params.`,
  );
}
