/** What goes back for a call, whatever carries it. */
import type { Envelope } from "./envelope.ts";

/** One envelope, or frames that are made while they are sent. */
export type Answer =
  | { readonly kind: "envelope"; readonly envelope: Envelope }
  | { readonly kind: "frames"; readonly frames: Generator<Envelope> };

/** The envelopes of an answer, each made when it is asked for. */
export function envelopesOf(answer: Answer): Iterable<Envelope> {
  return answer.kind === "envelope" ? [answer.envelope] : answer.frames;
}

/** The same answer with its first frame already made, so that its first effect has happened. */
export function begun(answer: Answer): Answer {
  if (answer.kind === "envelope") return answer;
  const first = answer.frames.next();
  return { kind: "frames", frames: resumed(first, answer.frames) };
}

function* resumed(first: IteratorResult<Envelope>, rest: Generator<Envelope>): Generator<Envelope> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
