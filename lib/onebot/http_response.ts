/**
 * An HTTP/1.1 answer, read straight off a connection that carries nothing else (RFC 9112): the head, then the body in
 * any of its three framings. Every body goes through one buffer, whatever its size; `node:http` takes new memory for
 * each read, which is most of the time and of the memory of a large transfer (ARCHITECTURE, "Decisions").
 */

/** Longest head in bytes, with its line ends; each interim one may be as long. */
export const MAX_HEAD_BYTES: number = 64 * 1024;
/** Most bytes between two chunks of a body, before the first one, and after the last one. */
export const MAX_CHUNK_LINE_BYTES = 4096;

const [LF, CR] = [10, 13];
const latin1 = new TextDecoder("latin1");

/** What is not HTTP/1.1, or is not whole. */
export class BadResponse extends Error {
  override readonly name = "BadResponse";

  /** @param kind `cut` where the connection ended, `garbled` for what is not HTTP as we asked for it. */
  constructor(readonly kind: "cut" | "garbled", message: string) {
    super(message);
  }
}

/** Reads some bytes of a connection, at least one; `null` at its end. */
export type ReadSome = (into: Uint8Array) => Promise<number | null>;

/** Reads one answer. */
export class ResponseReader {
  readonly #readSome: ReadSome;
  readonly #buffer = new Uint8Array(MAX_HEAD_BYTES);
  /** What has been read and not been taken lies between them. */
  #start = 0;
  #end = 0;
  /** Bytes that the lines to come may have, never more than the buffer holds. */
  #room = 0;
  #framing: Framing = 0;

  constructor(readSome: ReadSome) {
    this.#readSome = readSome;
  }

  /** Reads the head, and skips interim ones; gives the status. @throws {BadResponse} */
  async head(): Promise<number> {
    for (;;) {
      this.#room = MAX_HEAD_BYTES;
      const status = await this.#statusLine();
      const fields = await this.#fields();
      if (status === 101) throw new BadResponse("garbled", "HTTP 101"); // nobody asked to switch protocols
      if (status < 200) continue;
      this.#framing = status === 204 || status === 304 ? 0 : framingOf(fields);
      return status;
    }
  }

  /** The body, to be read after the head. What it gives is valid until the next is asked for. @throws {BadResponse} */
  async *body(): AsyncGenerator<Uint8Array> {
    if (this.#framing === "chunked") yield* this.#chunks();
    else if (this.#framing !== "close") yield* this.#bytes(this.#framing);
    else while (this.#start < this.#end || await this.#fill()) yield this.#take(Infinity);
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    this.#room = MAX_CHUNK_LINE_BYTES;
    for (let size; (size = await this.#chunkSize()) > 0;) {
      yield* this.#bytes(size);
      this.#room = MAX_CHUNK_LINE_BYTES;
      if (await this.#line() !== "") throw new BadResponse("garbled", "a chunk has no end");
    }
    await this.#fields();
  }

  async *#bytes(count: number): AsyncGenerator<Uint8Array> {
    while (count > 0) {
      if (this.#start === this.#end && !await this.#fill()) throw cut();
      const bytes = this.#take(count);
      count -= bytes.length;
      yield bytes;
    }
  }

  #take(most: number): Uint8Array {
    const bytes = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + most));
    this.#start += bytes.length;
    return bytes;
  }

  async #statusLine(): Promise<number> {
    // what begins as something else may never come to the end of a line
    while (this.#end - this.#start < 5 && this.#agrees("HTTP/")) if (!await this.#fill()) throw cut();
    const line = this.#agrees("HTTP/") ? await this.#line() : "";
    const [, digits] = /^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |$)/.exec(line) ?? [];
    if (digits === undefined) throw new BadResponse("garbled", "no HTTP/1.1 status line");
    return Number(digits);
  }

  async #chunkSize(): Promise<number> {
    const [, digits] = /^([0-9a-fA-F]{1,12})[ \t]*(?:;|$)/.exec(await this.#line()) ?? [];
    if (digits === undefined) throw new BadResponse("garbled", "no chunk size");
    return parseInt(digits, 16);
  }

  /** Fields up to an empty line. */
  async #fields(): Promise<Field[]> {
    const fields: Field[] = [];
    for (let line; (line = await this.#line()) !== "";) {
      const [, name, value = ""] = /^([-!#$%&'*+.^_`|~0-9A-Za-z]+):(.*)$/.exec(line) ?? [];
      if (name === undefined) throw new BadResponse("garbled", "a header field has no name");
      fields.push([name.toLowerCase(), value]);
    }
    return fields;
  }

  /** One line without its end. */
  async #line(): Promise<string> {
    for (let length = 0;;) {
      const end = this.#buffer.subarray(0, this.#end).indexOf(LF, this.#start + length);
      length = (end === -1 ? this.#end : end) - this.#start;
      if (length >= this.#room) throw new BadResponse("garbled", "its headers are too long");
      if (end !== -1) {
        const line = latin1.decode(this.#buffer.subarray(this.#start, this.#buffer[end - 1] === CR ? end - 1 : end));
        this.#start = end + 1;
        this.#room -= length + 1;
        if (/[\0\r]/.test(line)) throw new BadResponse("garbled", "its headers hold control characters");
        return line;
      }
      if (!await this.#fill()) throw cut();
    }
  }

  /** Whether what is there begins like a text, or is a beginning of it. */
  #agrees(text: string): boolean {
    return text.startsWith(
      latin1.decode(this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + text.length))),
    );
  }

  /** Moves what is there to the front and reads behind it; `false` at the end. */
  async #fill(): Promise<boolean> {
    this.#buffer.copyWithin(0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    const count = await this.#readSome(this.#buffer.subarray(this.#end));
    this.#end += count ?? 0;
    return count !== null;
  }
}

/** How the end of a body is found: by chunks, by the end of the connection, or by its length in bytes. */
type Framing = "chunked" | "close" | number;

/** A header field, its name in lower case. */
type Field = readonly [name: string, value: string];

function framingOf(fields: readonly Field[]): Framing {
  const encodings = valuesOf("transfer-encoding", fields);
  const [length, ...others] = new Set(valuesOf("content-length", fields));
  if (encodings.length > 0) {
    if (length === undefined && encodings.join().toLowerCase() === "chunked") return "chunked";
  } else if (length === undefined) return "close";
  else if (others.length === 0 && /^[0-9]{1,15}$/.test(length)) return Number(length);
  throw new BadResponse("garbled", "the length of the body is unclear");
}

/** Values of a field, which may stand in several lines and in lists. */
function valuesOf(wanted: string, fields: readonly Field[]): string[] {
  return fields.flatMap(([name, value]) => name === wanted ? value.split(",").map((part) => part.trim()) : []);
}

function cut(): BadResponse {
  return new BadResponse("cut", "the connection ended early");
}
