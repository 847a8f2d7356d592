/**
 * A bot that answers with exactly the bytes a test gives it: what a real HTTP server would never send, and
 * moments (cut, stall, reset) that a real HTTP server would not let a test choose.
 */

/** One connection, as the bot sees it. */
export class RawConnection {
  readonly #conn: Deno.TcpConn;
  readonly #whole = Promise.withResolvers<RawRequest>();
  readonly #gone = Promise.withResolvers<number>();
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #ended = false;

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
    this.#whole.promise.catch(() => {}); // a test may not care for the request
  }

  /** Everything received so far. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** The request, once it is whole; rejects when the client leaves earlier. */
  get request(): Promise<RawRequest> {
    return this.#whole.promise;
  }

  /** When the client had closed, in milliseconds of `performance.now()`. */
  get closed(): Promise<number> {
    return this.#gone.promise;
  }

  /** Reads until the client leaves. */
  async read(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    const pieces: Uint8Array[] = [];
    let length = 0;
    let wanted = 0; // total bytes of the request, once its head is there
    try {
      for (let count; (count = await this.#conn.read(buffer)) !== null;) {
        pieces.push(buffer.slice(0, count));
        length += count;
        if (length < wanted) continue;
        this.#bytes = concat(pieces, length);
        pieces.splice(0, pieces.length, this.#bytes);
        wanted ||= requestLength(this.#bytes);
        if (wanted > 0 && length >= wanted) this.#whole.resolve(parseRequest(this.#bytes));
      }
    } catch {
      // reset by the client, or closed by the script: either way nobody is there any more
    }
    this.#bytes = concat(pieces, length);
    this.#gone.resolve(performance.now());
    this.#whole.reject(new Error(`the client left after ${length} bytes`));
  }

  /** Sends text as UTF-8, or bytes. False when nobody takes them any more. */
  async write(data: string | Uint8Array): Promise<boolean> {
    let rest = typeof data === "string" ? new TextEncoder().encode(data) : data;
    try {
      while (rest.length > 0) rest = rest.subarray(await this.#conn.write(rest));
      return true;
    } catch {
      return false;
    }
  }

  /** Ends the connection. With unread bytes in it, the system makes that a reset. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#conn.close();
  }
}

/** A request taken apart, with its head as it stood. */
export interface RawRequest {
  /** Such as `POST / HTTP/1.1`. */
  readonly line: string;
  /** Values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the bot does with a connection; the connection is ended when it is done. */
export type RawScript = (connection: RawConnection) => Promise<unknown> | void;

/** The listening bot. Disposing it ends everything and waits for it. */
export class RawBot implements AsyncDisposable {
  readonly #listener: Deno.TcpListener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #scripts: RawScript[] = [];
  readonly #work = new Set<Promise<void>>();
  readonly #arrivals: Array<() => void> = [];
  readonly #accepting: Promise<void>;
  /** Connections so far, oldest first. */
  readonly connections: RawConnection[] = [];

  /** @param usual What happens to connections for which nothing is scripted. */
  constructor(readonly usual: RawScript = answerOk) {
    this.#accepting = this.#accept();
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** Scripts the next connections, one each. */
  script(...scripts: RawScript[]): void {
    this.#scripts.push(...scripts);
  }

  /** Connection number `index`, past or coming. */
  async connection(index: number, withinMs = 10_000): Promise<RawConnection> {
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      this.#wake();
    }, withinMs);
    try {
      for (;;) {
        const connection = this.connections[index];
        if (connection !== undefined) return connection;
        if (expired) throw new Error(`no connection ${index} came, only ${this.connections.length} in all`);
        await new Promise<void>((resolve) => this.#arrivals.push(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #wake(): void {
    for (const wake of this.#arrivals.splice(0)) wake();
  }

  async #accept(): Promise<void> {
    for await (const conn of this.#listener) {
      const connection = new RawConnection(conn);
      this.connections.push(connection);
      const work = this.#serve(connection).finally(() => this.#work.delete(work));
      this.#work.add(work);
      this.#wake();
    }
  }

  async #serve(connection: RawConnection): Promise<void> {
    const script = this.#scripts.shift() ?? this.usual;
    const reading = script === resetAtOnce ? undefined : connection.read();
    try {
      await script(connection);
    } finally {
      connection.end();
      await reading;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#accepting.catch(() => {});
    for (const connection of this.connections) connection.end();
    await Promise.allSettled(this.#work);
  }
}

/** The bytes of an HTTP answer that announces its length. */
export function httpAnswer(
  body: string | Uint8Array,
  { status = "200 OK", headers = {} }: { status?: string; headers?: Readonly<Record<string, string>> } = {},
): Uint8Array {
  const encoder = new TextEncoder();
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const all = { "content-type": "application/json", ...headers, "content-length": String(bytes.length) };
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", ""];
  const head = encoder.encode(lines.join("\r\n"));
  return concat([head, bytes], head.length + bytes.length);
}

/** A script that waits for the request and sends these bytes. */
export function sends(...parts: readonly (string | Uint8Array)[]): RawScript {
  return async (connection) => {
    await connection.request.catch(() => {});
    for (const part of parts) await connection.write(part);
    await drained(connection);
  };
}

/** A script that answers HTTP 200, or another status, with this body. */
export function answers(body: string | Uint8Array, options: Parameters<typeof httpAnswer>[1] = {}): RawScript {
  return sends(httpAnswer(body, options));
}

/** A script that sends these bytes after the request and then keeps still until the client leaves. */
export function stalls(...parts: readonly string[]): RawScript {
  return async (connection) => {
    await connection.request.catch(() => {});
    for (const part of parts) await connection.write(part);
    await connection.closed;
  };
}

/** A script that sends these bytes after the request and ends the connection at once. */
export function cuts(...parts: readonly string[]): RawScript {
  return async (connection) => {
    await connection.request.catch(() => {});
    for (const part of parts) await connection.write(part);
  };
}

/** The script that ends the connection without reading, which makes it a reset once bytes are there. */
export const resetAtOnce: RawScript = () => {};

const answerOk: RawScript = answers('{"status":"ok","retcode":0,"data":{}}');

/** Lets the client read all before the end: it closes first, as it asked for `connection: close`. */
export async function drained(connection: RawConnection): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([connection.closed, new Promise((resolve) => timer = setTimeout(resolve, 5_000))]);
  clearTimeout(timer);
}

/** Total length of the request whose head is in these bytes, 0 when the head is not whole. */
function requestLength(bytes: Uint8Array): number {
  const head = headOf(bytes);
  if (head === undefined) return 0;
  return head.length + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}

function parseRequest(bytes: Uint8Array): RawRequest {
  const head = headOf(bytes) ?? "";
  const [line = "", ...fields] = head.split("\r\n");
  const headers = Object.fromEntries(fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  }));
  return { line, headers, body: new TextDecoder().decode(bytes.subarray(head.length + 4)) };
}

function headOf(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, 65_536));
  const end = text.indexOf("\r\n\r\n");
  return end < 0 ? undefined : text.slice(0, end);
}

function concat(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
