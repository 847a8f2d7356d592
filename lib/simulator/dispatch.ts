/** From a parsed call to an answer: find the action, read its params, run its handler. */
import { ACTIONS, STREAM_ACTIONS } from "./actions/mod.ts";
import type { Answer } from "./answer.ts";
import { findAction } from "./catalog.ts";
import { coerceParams } from "./coerce.ts";
import { type Echo, type Envelope, failedEnvelope, failedFrame, okEnvelope, okFrame } from "./envelope.ts";
import { ActionFailure, REFUSED } from "./failure.ts";
import { Params } from "./params.ts";
import type { ParsedCall } from "./request.ts";
import type { World } from "./world.ts";

/** Runs a call. A stream action takes effect while its frames are read, the first effect with the first frame. */
export function runCall(call: ParsedCall & { readonly action: string }, world: World): Answer {
  const action = findAction(call.action);
  if (action === undefined) return failed(1404, `unknown action: ${call.action}`, call.echo);
  const stream = STREAM_ACTIONS[action.name];
  if (stream !== undefined) {
    const run = (): ReturnType<typeof stream> => stream(new Params(coerceParams(call.params, action.params)), world);
    return { kind: "frames", frames: frames(run, call.echo) };
  }
  const handler = ACTIONS[action.name];
  if (handler === undefined) return failed(REFUSED, `${action.name} is not simulated`, call.echo);
  try {
    const data = handler(new Params(coerceParams(call.params, action.params)), world);
    return { kind: "envelope", envelope: okEnvelope(data, call.echo) };
  } catch (error) {
    const { retcode, wording } = refusal(error);
    return failed(retcode, wording, call.echo);
  }
}

function* frames(run: () => Iterable<unknown>, echo: Echo): Generator<Envelope> {
  try {
    for (const data of run()) yield okFrame(data, echo);
  } catch (error) {
    const { retcode, wording } = refusal(error);
    yield failedFrame(retcode, wording, echo);
  }
}

function failed(retcode: number, wording: string, echo: Echo): Answer {
  return { kind: "envelope", envelope: failedEnvelope(retcode, wording, echo) };
}

function refusal(error: unknown): { retcode: number; wording: string } {
  if (error instanceof ActionFailure) return { retcode: error.retcode, wording: error.message };
  return { retcode: REFUSED, wording: error instanceof Error ? error.message : String(error) };
}
