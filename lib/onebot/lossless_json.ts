/**
 * JSON in which numbers that a JavaScript number cannot hold (whole ones beyond 2^53-1, others beyond 1.8e308) keep
 * their digits. They are held as raw JSON text
 * (`JSON.rawJSON`), which `JSON.stringify` writes back as it stood; everything else is a plain value.
 */

/** `JSON.rawJSON`, which TypeScript's library does not declare yet. */
const RawJson = JSON as unknown as {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** Text without such a run has no number that a JavaScript number could not hold; most answers have none. */
const SUSPICIOUS = /\d{16}|\d[eE]\+?\d{3}/;
/** What stands before such a number while it is parsed as a string; no text is likely to hold it. */
const MARK: string = crypto.randomUUID();

/** Parses JSON. @throws {SyntaxError} if the text is not JSON. */
export function parseJson(text: string): unknown {
  return SUSPICIOUS.test(text) && !text.includes(MARK) ? unmark(JSON.parse(mark(text))) : JSON.parse(text);
}

/**
 * Makes strings of the numbers that would not survive, in one pass. (A reviver, which sees each number's text, takes a
 * minute for the largest answers.)
 */
function mark(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (c === MINUS || isDigit(c)) {
      const start = i;
      while (i + 1 < text.length && NUMBER_PART.test(text.charAt(i + 1))) i++;
      const number = text.slice(start, i + 1);
      if (isSafe(number)) continue;
      parts.push(text.slice(copied, start), `"${MARK}${number}"`);
      copied = i + 1;
    }
  }
  return parts.join("") + text.slice(copied);
}

const [QUOTE, BACKSLASH, MINUS] = [34, 92, 45];
const NUMBER_PART = /[\d.eE+-]/;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

/** Whether a JavaScript number holds it: whole numbers exactly, others as long as they are finite. */
function isSafe(number: string): boolean {
  if (number.length < 4 || !JSON_NUMBER.test(number)) return true; // what is no number is the parser's business
  const value = Number(number);
  return /^-?\d+$/.test(number) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** Puts raw numbers where the marked strings stand. In place and without recursion, whatever the depth. */
function unmark(parsed: unknown): unknown {
  const root = { value: parsed };
  const open: object[] = [root];
  const visit = (holder: object, key: string | number, value: unknown): void => {
    if (typeof value === "object") {
      if (value !== null) open.push(value);
    } else if (typeof value === "string" && value.startsWith(MARK)) {
      Object.defineProperty(holder, key, { ...PLAIN, value: RawJson.rawJSON(value.slice(MARK.length)) });
    }
  };
  for (let holder; (holder = open.pop()) !== undefined;) {
    if (Array.isArray(holder)) { for (let i = 0; i < holder.length; i++) visit(holder, i, holder[i]); }
    else for (const key in holder) visit(holder, key, (holder as Record<string, unknown>)[key]);
  }
  return root.value;
}

const PLAIN = { configurable: true, enumerable: true, writable: true };

/** Whether a value is a whole number that is held as text, rather than the object it looks like. */
export function isRawNumber(value: unknown): value is { readonly rawJSON: string } {
  return RawJson.isRawJSON(value);
}
