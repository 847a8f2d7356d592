/**
 * Lines for the operator, on standard error. Standard output belongs to the protocol; this is the only
 * module that knows `console`.
 */
import { printable } from "./printable.ts";
import type { Redactor } from "./redact.ts";

/** Severity of a line. */
export type Level = "warn" | "error";

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
  write: (line: string) => void,
): Log {
  return (level, message, fields = {}) => write(redactor.text(printable(render(form, level, message, fields))) + "\n");
}

function render(form: "text" | "json", level: Level, message: string, fields: Fields): string {
  if (form === "json") return JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
  return [`${level}: ${message}`, ...Object.entries(fields).map(([key, value]) => `${key}=${value}`)].join(" ");
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

/** Most characters that wait to be written to standard error; lines beyond are dropped and counted. */
export const MAX_WAITING_LOG_LENGTH: number = 64 * 1024;

/**
 * Lines on their way to standard error. Written aside, since a client that does not read its server's standard error
 * would stop the whole server at the 64 KiB of a pipe.
 */
export class StderrLines {
  #waiting: string[] = [];
  #length = 0;
  #dropped = 0;
  #writing: Promise<void> | undefined;

  /** @param form Form of the line that tells how many were dropped. */
  constructor(readonly form: "text" | "json") {}

  /** Takes a line with its end. */
  readonly write = (line: string): void => {
    if (this.#length + line.length > MAX_WAITING_LOG_LENGTH) {
      this.#dropped++;
      return;
    }
    if (this.#dropped > 0) {
      line = `${render(this.form, "warn", "Lines were dropped: nobody read them", { lines: this.#dropped })}\n${line}`;
      this.#dropped = 0;
    }
    this.#waiting.push(line);
    this.#length += line.length;
    this.#writing ??= this.#pump();
  };

  /** Resolves when nothing waits any more. */
  async drained(): Promise<void> {
    await this.#writing;
  }

  async #pump(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const text = this.#waiting.splice(0).join("");
        let rest = new TextEncoder().encode(text);
        while (rest.length > 0) rest = rest.subarray(await Deno.stderr.write(rest));
        this.#length -= text.length;
      }
    } catch {
      // nobody reads the log any more; the protocol goes on, and further lines are dropped
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
  } catch {
    // the pipe is closed: `help | head`, or a client that has gone while the protocol goes on
  }
}
