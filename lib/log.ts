/**
 * Lines for the operator, on standard error. Standard output belongs to the protocol; this is the only
 * module that knows `console`.
 */
import { printable } from "./printable.ts";
import type { Redactor } from "./redact.ts";

/** Severity of a line; `info` is a call that took its course. */
export type Level = "info" | "warn" | "error";

/** Facts beside a message: names, kinds, numbers; never texts of messages, tokens or paths. */
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes one line per event. */
export interface Log {
  (level: Level, message: string, fields?: Fields): void;
}

/**
 * Makes a log.
 *
 * @param form `text` for people, `json` for collectors: one object a line with `time`, `level`, `message`.
 * @param redactor Takes secrets out of whole lines, whoever put them there.
 * @param write Takes each line; it must not block, see `StderrLines`.
 */
export function createLog(
  form: "text" | "json",
  redactor: Redactor,
  write: (line: string, level: Level) => void,
): Log {
  return (level, message, fields = {}) =>
    write(redactor.text(printable(render(form, level, message, fields))) + "\n", level);
}

function render(form: "text" | "json", level: Level, message: string, fields: Fields): string {
  if (form === "json") return JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
  let line = `${level}: ${message}`;
  for (const key in fields) if (fields[key] !== undefined) line += ` ${key}=${fields[key]}`;
  return line;
}

/** The methods of `console` that write to standard output. */
const STDOUT_METHODS = [
  ...["log", "info", "debug", "dir", "dirxml", "table"] as const,
  ...["count", "timeLog", "timeEnd", "group", "groupCollapsed", "clear"] as const,
];

/**
 * Makes `console` write to standard error, for libraries that use it. To be called before they are loaded:
 * one stray line on standard output ends a client's session.
 */
export function keepStdoutClean(): void {
  for (const method of STDOUT_METHODS) {
    // deno-lint-ignore no-console
    console[method] = console.error;
  }
}

/**
 * Lines of calls wait for others, so many milliseconds or until they come to so many bytes: each write goes by way of
 * another thread, which would cost a short call a good part of its time.
 */
const LINGER_MS = 50;
const LINGER_BYTES = 64 * 1024;

/** Most bytes that wait for those being written to standard error; lines beyond are dropped and counted. */
export const MAX_WAITING_LOG_BYTES: number = 256 * 1024;

/**
 * Lines on their way to standard error. Written aside, since a client that does not read its server's standard error
 * would stop the whole server at the 64 KiB of a pipe. They wait as bytes: strings that live long enough to be moved by
 * the collector would cost more than all the rest.
 */
export class StderrLines {
  readonly #encoder = new TextEncoder();
  readonly #waiting = new Uint8Array(MAX_WAITING_LOG_BYTES);
  #length = 0;
  #dropped = 0;
  #writing: Promise<void> | undefined;
  #lingering: ReturnType<typeof setTimeout> | undefined;

  /** @param form Form of the line that tells how many were dropped. */
  constructor(readonly form: "text" | "json") {}

  /** Takes a line with its end. Whatever is more than `info` is written at once, with what waits before it. */
  readonly write = (line: string, level: Level): void => {
    this.#tellDropped();
    if (this.#dropped > 0 || !this.#put(line)) {
      this.#dropped++;
      return;
    }
    if (level !== "info" || this.#length > LINGER_BYTES) this.#flush();
    else if (this.#writing === undefined) this.#lingering ??= setTimeout(this.#flush, LINGER_MS);
  };

  /** Takes a text whole, or not at all. */
  #put(text: string): boolean {
    const { read, written } = this.#encoder.encodeInto(text, this.#waiting.subarray(this.#length));
    if (read < text.length) return false;
    this.#length += written;
    return true;
  }

  /** Tells how many lines were dropped, once there is room again. */
  #tellDropped(): void {
    if (this.#dropped === 0) return;
    const told = render(this.form, "warn", "Lines were dropped: there was no room for them", { lines: this.#dropped });
    if (this.#put(`${told}\n`)) this.#dropped = 0;
  }

  /** Writes what waits, and resolves when it is out. */
  async drained(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  readonly #flush = (): void => {
    clearTimeout(this.#lingering);
    this.#lingering = undefined;
    if (this.#length > 0) this.#writing ??= this.#pump();
  };

  async #pump(): Promise<void> {
    try {
      while (this.#length > 0) {
        let bytes = this.#waiting.slice(0, this.#length);
        this.#length = 0;
        while (bytes.length > 0) bytes = bytes.subarray(await Deno.stderr.write(bytes));
        this.#tellDropped();
      }
    } catch {
      this.#length = 0; // nobody reads the log any more; the protocol goes on
    } finally {
      this.#writing = undefined;
    }
  }
}

/** Writes a text whole; when nobody reads it any more, it is lost without a word. */
export function writeOut(text: string, to: { writeSync(bytes: Uint8Array): number }): void {
  try {
    let rest = new TextEncoder().encode(text);
    while (rest.length > 0) rest = rest.subarray(to.writeSync(rest));
  } catch (error) {
    // the pipe is closed: `help | head`, or a client that has gone while the protocol goes on
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
