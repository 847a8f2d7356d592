/** How large one thing may be that the simulator keeps, and copies of such things that hold on to nothing else. */
import { Buffer } from "node:buffer";
import { ActionFailure } from "./failure.ts";

/** Largest text, message, notice, post or the like that is kept, in bytes of JSON (1 MiB); a larger one is refused. */
export const MAX_ENTRY_BYTES = 1_048_576;

/** Largest name of a file or folder, in bytes of JSON (1 KiB): names are small, but there are thousands of them. */
export const MAX_NAME_BYTES = 1_024;

/** A copy of a JSON value, and the size of its JSON in bytes. */
interface Copy<T> {
  readonly value: T;
  readonly bytes: number;
}

/**
 * Copies a JSON value to keep it. The copy is needed: a piece of a text keeps the whole text in memory.
 *
 * @param what What it is, for the wording of the refusal.
 * @throws ActionFailure if its JSON is larger than `limit` bytes.
 */
export function copyToKeep<T>(what: string, value: T, limit: number = MAX_ENTRY_BYTES): Copy<T> {
  const json = Array.isArray(value) ? arrayJson(what, value, limit) : JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  if (bytes > limit) throw tooLarge(what, limit);
  return { value: JSON.parse(json), bytes };
}

/** A text to keep. @throws ActionFailure if its JSON is larger than {@link MAX_ENTRY_BYTES}. */
export function textToKeep(what: string, text: string): string {
  return copyToKeep(what, text).value;
}

/** A name of a file or folder to keep. @throws ActionFailure if its JSON is larger than {@link MAX_NAME_BYTES}. */
export function nameToKeep(name: string): string {
  return copyToKeep("name", name, MAX_NAME_BYTES).value;
}

/** The refusal of something that is larger than `limit` bytes. */
export function tooLarge(what: string, limit: number = MAX_ENTRY_BYTES): ActionFailure {
  return new ActionFailure(`${what} is too large: the simulator keeps at most ${limit} bytes of JSON for one`);
}

/** Item by item, so that a short request that stands for gigabytes is found out in time. */
function arrayJson(what: string, items: readonly unknown[], limit: number): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const item of items) {
    const text = JSON.stringify(item);
    texts.push(text);
    bytes += Buffer.byteLength(text);
    if (bytes > limit) throw tooLarge(what, limit);
  }
  return `[${texts.join(",")}]`;
}

/** Size of the JSON of a text, in bytes. */
export function jsonSize(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
