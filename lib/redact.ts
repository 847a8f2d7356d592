/** Keeps secrets out of whatever leaves the process. */
import { isRawNumber } from "./onebot/lossless_json.ts";

/**
 * Secrets shorter than this many characters are not searched for: they would occur by chance in ordinary
 * text. `doctor` notes them.
 */
export const MIN_SECRET_LENGTH = 8;

const MASK = "[redacted]";

/** Replaces every occurrence of the secrets, plain or in one of the usual encodings. */
export class Redactor {
  readonly #forms: ReadonlySet<string>;

  /**
   * Keeps these secrets out.
   *
   * @param secrets Those shorter than {@link MIN_SECRET_LENGTH} characters are not looked for.
   */
  constructor(secrets: readonly string[]) {
    const long = secrets.filter((secret) => secret.length >= MIN_SECRET_LENGTH);
    const forms = long.flatMap(spellings);
    // longest first: the escaped form may contain the plain one, and half of an escape would break the JSON around it
    this.#forms = new Set(forms.sort((a, b) => b.length - a.length));
  }

  /** The text without secrets. */
  text(text: string): string {
    let clean = text;
    for (const form of this.#forms) clean = clean.replaceAll(form, MASK);
    return clean;
  }

  /** A JSON value without secrets in its strings and field names, and without numbers that are one. */
  value(value: unknown): unknown {
    return this.#forms.size === 0 ? value : this.#walk(value);
  }

  #walk(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#walk(item));
    if (typeof value === "number") return this.#forms.has(String(value)) ? MASK : value;
    if (typeof value !== "object" || value === null) return value;
    if (isRawNumber(value)) return this.#forms.has(value.rawJSON) ? MASK : value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.text(key), this.#walk(item)]));
  }
}

/** How somebody may repeat a secret: escaped for JSON or HTML, in an address, or in hex or base64. */
function spellings(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const percent = [...bytes].map((byte) => {
    const char = String.fromCharCode(byte);
    return /[A-Za-z0-9]/.test(char) ? char : `%${Uint8Array.of(byte).toHex().toUpperCase()}`;
  }).join("");
  const unreserved = encodeURIComponent(secret).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const addresses = [encodeURIComponent(secret), encodeURI(secret), unreserved, percent]; // each is somebody's rule
  const base64 = [toBase64(secret), toBase64(`Bearer ${secret}`), ...[0, 1, 2].map((at) => innerBase64(secret, at))];
  return [
    ...[secret, jsonEscape(secret), jsonEscape(jsonEscape(secret)), jsonEscape(jsonEscape(jsonEscape(secret)))],
    jsonEscape(secret).replaceAll("/", "\\/"), // as PHP writes it
    goEscape(jsonEscape(secret)),
    goEscape(jsonEscape(secret)).replaceAll("\\", "\\\\"),
    cqEscape(secret),
    cqEscape(secret).replaceAll("&#44;", ","), // outside codes
    ...["'", "&#39;", "&#x27;"].map((apostrophe) => htmlEscape(secret, apostrophe)),
    ...addresses.flatMap((text) => [text, text.replace(/%../g, (code) => code.toLowerCase())]),
    ...base64.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]),
    ...[bytes.toHex(), bytes.toHex().toUpperCase()],
  ];
}

function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function htmlEscape(text: string, apostrophe: string): string {
  const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": apostrophe };
  return text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);
}

/** As Go writes JSON. */
function goEscape(json: string): string {
  const escapes: Record<string, string> = { "&": "\\u0026", "<": "\\u003c", ">": "\\u003e" };
  return json.replace(/[&<>]/g, (char) => escapes[char] ?? char);
}

/** As CQ codes have it (OneBot v11, "string format"). */
function cqEscape(text: string): string {
  const escapes: Record<string, string> = { "&": "&amp;", "[": "&#91;", "]": "&#93;", ",": "&#44;" };
  return text.replace(/[&[\],]/g, (char) => escapes[char] ?? char);
}

function toBase64(text: string): string {
  return new TextEncoder().encode(text).toBase64({ omitPadding: true });
}

/** The base64 characters a secret alone decides, with `at` bytes before it since the last group of three began. */
function innerBase64(secret: string, at: number): string {
  const all = toBase64("\0".repeat(at) + secret);
  const bits = 8 * (at + new TextEncoder().encode(secret).length);
  return all.slice(Math.ceil(8 * at / 6), Math.floor(bits / 6));
}
