/** One call of a stream action: a file that comes, a file that goes, or plain frames. */
import type { CatalogAction } from "../catalog/types.ts";
import { Failure } from "../errors.ts";
import type { DownloadFolder } from "../files/download_folder.ts";
import type { InputFile } from "../files/input_file.ts";
import { encodeCall } from "../onebot/call_body.ts";
import type { Envelope } from "../onebot/envelope.ts";
import type { HttpAnswer, HttpStream } from "../onebot/exchange.ts";
import { checkTold, type Frame } from "../onebot/frame.ts";
import { SEPARATOR } from "../onebot/frame_splitter.ts";
import { StreamFault } from "../onebot/stream_fault.ts";
import { parseJson } from "../onebot/lossless_json.ts";
import type { Redactor } from "../redact.ts";
import type { CallResult } from "../verdict.ts";
import { collectFrames } from "./collect.ts";
import { saveFile } from "./download.ts";
import { explainStream } from "./explain_stream.ts";
import { type FrameRules, readFrames, Refusal } from "./frames.ts";
import { sendFile } from "./upload.ts";
import { UPLOAD_ACTION } from "../catalog/upload_params.ts";

/** Actions whose frames are a file. */
const FILE_DOWNLOADS: ReadonlySet<string> = new Set([
  "download_file_stream",
  "download_file_image_stream",
  "download_file_record_stream",
]);

/** What stream calls work with. */
export interface StreamPorts {
  /** Sends one JSON body and gives the answer as it comes in. @throws {ExchangeError} here and while reading */
  readonly open: (
    json: Uint8Array,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ) => Promise<HttpStream>;
  /** Opens the folder of downloads. @throws {Failure} `storage` */
  readonly downloads: () => Promise<DownloadFolder>;
  /** Opens a file below the upload root. @throws {Failure} `input_file` */
  readonly inputFile: (path: string) => Promise<InputFile>;
  /** Largest file in either direction, in bytes. */
  readonly maxFileBytes: number;
}

/** A stream call. */
export interface StreamCall {
  readonly action: CatalogAction;
  readonly params: Record<string, unknown>;
  /** File to upload, on this machine. */
  readonly inputFile: string | undefined;
  readonly ports: StreamPorts;
  readonly redactor: Redactor;
  /** Sends a call and gives its answer as it comes in. @throws {ExchangeError} here and while reading */
  readonly open: (body: Uint8Array, signal: AbortSignal) => Promise<HttpStream>;
  /** Sends a call and gives its whole answer. @throws {ExchangeError} */
  readonly post: (body: Uint8Array, signal: AbortSignal) => Promise<HttpAnswer>;
  readonly signal: AbortSignal;
  /** Gets a growing value and, where it is known, the value at the end. */
  readonly onProgress: (value: number, total?: number) => void;
}

/** Runs a stream call. @throws {Failure} whenever it did not come through whole. */
export async function runStream(call: StreamCall): Promise<CallResult> {
  const result = call.inputFile === undefined
    ? await receive(call).catch((error) => {
      throw explainStream(error, { ...call, inDoubt: call.action.name === UPLOAD_ACTION });
    })
    : await upload(call, call.inputFile);
  return { result, diagnostics: { outcome: "success" } };
}

async function receive(call: StreamCall): Promise<unknown> {
  const { action, params, open, signal, redactor, ports, onProgress } = call;
  if (FILE_DOWNLOADS.has(action.name)) {
    const folder = await ports.downloads(); // before the bot is asked for what could not be kept
    const frames = readFrames(await open(encodeCall(action.name, params), signal), { parse: JSON.parse, isLast });
    const saved = await saveFile(frames, {
      folder,
      maxBytes: ports.maxFileBytes,
      redact: (text) => redactor.text(text),
      onBytes: onProgress,
      signal,
    });
    return { ...saved, terminal: redactor.value(saved.terminal) };
  }
  if (action.name === UPLOAD_ACTION) return redactor.value(await callByHand(call));
  return await collectFrames(
    readFrames(await open(encodeCall(action.name, params), signal), { parse: cleanParser(call), isLast }),
    onProgress,
  );
}

async function upload(call: StreamCall, path: string): Promise<unknown> {
  const { params, redactor, signal, ports, onProgress } = call;
  using file = await ports.inputFile(path);
  const envelope = await sendFile(file, params, {
    call: (body, stop) => callOnce(call, body, stop),
    signal,
    onBytes: onProgress,
    explain: (error, where, inDoubt) => explainStream(error, { ...call, where, inDoubt }),
  });
  return redactor.value(envelope);
}

/** One call of an upload that the caller puts together. A reset that worked is answered "failed" all the same. */
async function callByHand(call: StreamCall): Promise<Envelope> {
  try {
    return (await callOnce(call, encodeCall(call.action.name, call.params), call.signal)).envelope;
  } catch (error) {
    const isReset = call.params.reset !== undefined && error instanceof Refusal &&
      error.envelope?.wording === "Stream reset completed";
    if (!isReset || error.envelope === undefined) throw error;
    checkTold(error.envelope);
    return error.envelope;
  }
}

/** One call of the upload action: its first frame is its last one, also where its type says `stream`. */
async function callOnce(call: StreamCall, body: Uint8Array, signal: AbortSignal): Promise<Frame> {
  const { status, text } = await call.post(body, signal);
  if (status === 200 && text.trimEnd().includes(SEPARATOR)) {
    throw new StreamFault("invalid_answer", "more than one frame came"); // a refusal and a success, for instance
  }
  const answer = { status, body: ReadableStream.from([new TextEncoder().encode(text)]) };
  for await (const frame of readFrames(answer, { parse: parseJson, isLast: () => true })) {
    checkTold(frame.envelope);
    return frame;
  }
  throw new Failure("internal", `Cannot call ${call.action.name}: no frame`, "Tell the operator.");
}

function isLast({ role }: Frame): boolean {
  return role === "last";
}

/** Parses frames that are handed on: long numbers keep their digits, secrets are masked. */
function cleanParser({ redactor }: StreamCall): FrameRules["parse"] {
  return (text) => {
    const value = redactor.value(parseJson(text));
    JSON.stringify(value); // what is nested too deeply to be written again fails here, not on its way out
    return value;
  };
}
