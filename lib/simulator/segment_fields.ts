/** Fields of sent segments: what they are read into, and what is said when they are wrong. */
import type { Chat } from "./chat.ts";
import { invalid } from "./failure.ts";
import { numberFrom } from "./json_values.ts";

/** What is under `data` of a segment. */
export type Fields = Readonly<Record<string, unknown>>;

/** Where a segment is written, and by whom. */
export interface Place {
  readonly chat: Chat;
  readonly senderId: number;
}

/** `file`, `url` or `path`; a bare token in `file` gives way to a link beside it, so received media can be echoed. */
export function sourceOf(type: string, fields: Fields): string {
  const [file, url, path] = [fields.file, fields.url, fields.path].map((value) =>
    typeof value === "string" ? value : ""
  );
  const isBare = file !== undefined && !/[:\/\\]/.test(file);
  const source = file && !(isBare && /^https?:\/\//i.test(url ?? "")) ? file : url || path || file;
  if (!source) throw invalid("message", `${type} needs file, url or path`);
  return source;
}

/** A field that must hold text. */
export function textOf(type: string, fields: Fields, name: string): string {
  const value = fields[name];
  if ((typeof value === "string" && value !== "") || typeof value === "number") return String(value);
  throw invalid("message", `${type} needs ${name}`);
}

/** A field that must hold an integer, as a number or as text. */
export function integerOf(type: string, fields: Fields, name: string): number {
  const read = numberFrom(fields[name]);
  if (read !== undefined && Number.isSafeInteger(read)) return read;
  throw invalid("message", `${type} needs ${name} as an integer`);
}

/** A field that may hold a number; what is none counts as absent. */
export function numberOr(value: unknown, fallback: number): number {
  return numberFrom(value) ?? fallback;
}
