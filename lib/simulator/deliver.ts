/** Puts an answer on the wire, as it is or spoiled by a scripted fault. */
import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import { type Answer, begun } from "./answer.ts";
import { frameText } from "./envelope.ts";
import type { CutFault, DelayFault, Fault } from "./faults.ts";
import { wait } from "./wait.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** Piece size of generated bodies, in bytes. */
const PIECE_BYTES = 65_536;

/** One request being answered. `signal` aborts when the client leaves or the simulator closes. */
export interface Exchange {
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

/** Answers a request. `act` runs the action, so faults decide whether and when it takes effect. */
export async function deliver(exchange: Exchange, fault: Fault | undefined, act: () => Answer): Promise<void> {
  switch (fault?.kind) {
    case undefined:
      return await sendAnswer(exchange, act());
    case "delay":
      return await delay(exchange, fault, act);
    case "cut":
      return await cut(exchange, fault, act);
    case "status":
      return sendWhole(exchange, fault.status, { ...fault.headers }, fault.body ?? "");
    case "body":
      if (fault.act) begun(act());
      return sendWhole(exchange, 200, { "content-type": fault.contentType ?? JSON_TYPE }, fault.body);
    case "envelope":
      if (fault.act) begun(act());
      return sendJson(exchange, 200, fault.envelope);
    case "huge":
      exchange.response.writeHead(200, { "content-type": JSON_TYPE });
      return await sendPieces(exchange, hugeEnvelope(fault.bytes));
    case "drip": {
      const answer = act();
      exchange.response.writeHead(200, headersOf(answer));
      return await sendPieces(exchange, slices(textsOf(answer), fault.chunkBytes), fault.everyMs);
    }
  }
}

/** One JSON value with its length announced. */
export function sendJson(exchange: Exchange, status: number, value: unknown): void {
  sendWhole(exchange, status, { "content-type": JSON_TYPE }, JSON.stringify(value));
}

function sendWhole(
  { response }: Exchange,
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array,
): void {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  response.writeHead(status, { ...headers, "content-length": String(bytes.byteLength) });
  response.end(bytes);
}

async function sendAnswer(exchange: Exchange, answer: Answer): Promise<void> {
  if (answer.kind === "envelope") return sendJson(exchange, 200, answer.envelope);
  exchange.response.writeHead(200, headersOf(answer));
  await sendPieces(exchange, slices(textsOf(answer), Infinity));
}

/** A stream answer carries no content type. */
function headersOf(answer: Answer): Record<string, string> {
  return answer.kind === "envelope" ? { "content-type": JSON_TYPE } : {};
}

function* textsOf(answer: Answer): Generator<string> {
  if (answer.kind === "envelope") yield JSON.stringify(answer.envelope);
  else for (const frame of answer.frames) yield frameText(frame);
}

async function delay(exchange: Exchange, fault: DelayFault, act: () => Answer): Promise<void> {
  const early = fault.when === "after" ? begun(act()) : undefined;
  if (await wait(fault.ms, exchange.signal)) await sendAnswer(exchange, early ?? act());
}

async function cut(exchange: Exchange, fault: CutFault, act: () => Answer): Promise<void> {
  const { response } = exchange;
  if (fault.when !== "before") {
    const answer = begun(act());
    if (fault.when === "midbody") {
      const headers = headersOf(answer);
      // A known length makes the half plainly short; a stream is chunked and lacks its end.
      if (answer.kind === "envelope") {
        headers["content-length"] = String(Buffer.byteLength(JSON.stringify(answer.envelope)));
      }
      response.writeHead(200, headers);
      const wholeFrames = answer.kind === "envelope" ? 0 : fault.afterFrames ?? 1;
      for (const piece of slices(cutShort(textsOf(answer), wholeFrames), Infinity)) {
        if (!await write(exchange, piece)) break;
      }
    }
  }
  response.socket?.destroy();
}

/** `wholeTexts` whole ones and half of the next; the last one is never whole. */
function* cutShort(texts: Iterable<string>, wholeTexts: number): Generator<string> {
  let held: string | undefined;
  let passed = 0;
  for (const text of texts) {
    if (held !== undefined) {
      yield held;
      passed += 1;
    }
    held = text;
    if (passed === wholeTexts) break;
  }
  if (held !== undefined) yield held.slice(0, Math.ceil(held.length / 2));
}

function* hugeEnvelope(bytes: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const head = encoder.encode('{"status":"ok","retcode":0,"data":"');
  const tail = encoder.encode('"}');
  yield head;
  const piece = new Uint8Array(PIECE_BYTES).fill(0x78);
  for (let left = bytes - head.byteLength - tail.byteLength; left > 0; left -= PIECE_BYTES) {
    yield left < PIECE_BYTES ? piece.subarray(0, left) : piece;
  }
  yield tail;
}

function* slices(texts: Iterable<string>, sliceBytes: number): Generator<Uint8Array> {
  for (const text of texts) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.byteLength; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
  }
}

/** Sends pieces at the pace of the client, `everyMs` apart at least, and ends the body. */
async function sendPieces(exchange: Exchange, pieces: Iterable<Uint8Array>, everyMs = 0): Promise<void> {
  let first = true;
  for (const piece of pieces) {
    if (!first && everyMs > 0 && !await wait(everyMs, exchange.signal)) return;
    first = false;
    if (!await write(exchange, piece)) return;
  }
  exchange.response.end();
}

/** Resolves when the piece was handed to the system; false when nobody is there to take it. */
function write({ response, signal }: Exchange, piece: Uint8Array): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const stop = (): void => resolve(false);
    signal.addEventListener("abort", stop, { once: true });
    response.write(piece, (error) => {
      signal.removeEventListener("abort", stop);
      resolve(!error);
    });
  });
}
