/** A call as the body of a request: `{action, params}` (wire protocol, "Request forms"). */
import { Failure } from "../errors.ts";
import { MAX_REQUEST_BYTES } from "./exchange.ts";

const encoder = new TextEncoder();
/** Bytes that are made base64 at a time, a multiple of three; their text is short-lived and should be small. */
const SLICE_BYTES = 48 * 1024;

/**
 * Writes a call.
 *
 * @throws {Failure} `invalid_params` for what is nested too deeply to be written, or too large to be sent.
 */
export function encodeCall(action: string, params: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  return checkLength(action, encoder.encode(toJson(action, params)));
}

/**
 * Writes a call with `chunk_data`, the base64 of a chunk, as one more parameter. There is no copy of the chunk but the
 * one in the body.
 *
 * @param params At least one, without `chunk_data`.
 * @param spare A buffer to write into, where it is large enough.
 * @throws {Failure} as above.
 */
export function encodeChunkCall(
  action: string,
  params: Readonly<Record<string, unknown>>,
  chunk: Uint8Array,
  spare: Uint8Array<ArrayBuffer> = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const before = encoder.encode(`${toJson(action, params).slice(0, -2)},"chunk_data":"`);
  const after = encoder.encode('"}}');
  const length = before.length + 4 * Math.ceil(chunk.length / 3) + after.length;
  const body = (spare.length < length ? new Uint8Array(length) : spare).subarray(0, length);
  body.set(before);
  let at = before.length;
  for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
    const base64 = chunk.subarray(from, from + SLICE_BYTES).toBase64();
    at += encoder.encodeInto(base64, body.subarray(at)).written;
  }
  body.set(after, at);
  return checkLength(action, body);
}

function toJson(action: string, params: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify({ action, params });
  } catch (cause) {
    const what = "its parameters are nested too deeply";
    throw new Failure("invalid_params", `Cannot call ${action}: ${what}`, "Nest less.", { cause });
  }
}

function checkLength<T extends Uint8Array>(action: string, body: T): T {
  if (body.length <= MAX_REQUEST_BYTES) return body;
  throw new Failure(
    "invalid_params",
    `Cannot call ${action}: its parameters make a body of ${body.length} bytes, above ${MAX_REQUEST_BYTES}`,
    "Send less at once; give files by URL, or upload them with execution.input_file.",
  );
}
