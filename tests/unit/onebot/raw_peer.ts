/** A TCP peer on 127.0.0.1 that does to a client exactly what a test says, byte by byte. */

/** One accepted connection. */
export class PeerConnection {
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  /** Everything that arrived so far, as text. */
  received = "";

  constructor(readonly conn: Deno.TcpConn) {}

  /** Waits for a whole request; its headers and body are then in `received`. */
  async request(): Promise<void> {
    while (!this.#isWhole()) if (!await this.#more()) throw new Error("the client left in the middle of its request");
  }

  #isWhole(): boolean {
    const end = this.received.indexOf("\r\n\r\n");
    if (end < 0) return false;
    const length = /^content-length: *(\d+)/im.exec(this.received.slice(0, end))?.[1] ?? "0";
    return new TextEncoder().encode(this.received.slice(end + 4)).length >= Number(length);
  }

  async #more(): Promise<boolean> {
    const buffer = new Uint8Array(65_536);
    const count = await this.conn.read(buffer);
    if (count === null) return false;
    this.received += this.#decoder.decode(buffer.subarray(0, count), { stream: true });
    return true;
  }

  async write(data: string | Uint8Array): Promise<void> {
    let rest = typeof data === "string" ? this.#encoder.encode(data) : data;
    while (rest.length > 0) rest = rest.subarray(await this.conn.write(rest));
  }

  /** Resolves when the client has closed the connection, orderly or not. */
  async gone(): Promise<void> {
    try {
      while (await this.#more());
    } catch {
      // reset
    }
  }

  close(): void {
    try {
      this.conn.close();
    } catch {
      // closed already
    }
  }
}

/** A running peer. Disposing it closes everything and fails if a script failed. */
export interface RawPeer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Every connection that was ever made. */
  readonly connections: readonly PeerConnection[];
}

/**
 * Listens, and plays `script` on each connection, then closes it. What a script meets after the client has left
 * counts as its end, not as a failure.
 */
export function rawPeer(script: (connection: PeerConnection) => Promise<void>): RawPeer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: PeerConnection[] = [];
  const plays: Promise<void>[] = [];
  const play = async (connection: PeerConnection): Promise<void> => {
    try {
      await script(connection);
    } catch (error) {
      const left = [
        Deno.errors.BrokenPipe,
        Deno.errors.ConnectionReset,
        Deno.errors.BadResource,
        Deno.errors.Interrupted,
      ];
      if (!left.some((kind) => error instanceof kind)) throw error;
    } finally {
      connection.close();
    }
  };
  const accepting = (async () => {
    for await (const conn of listener) {
      const connection = new PeerConnection(conn);
      connections.push(connection);
      plays.push(play(connection));
    }
  })();
  const { port } = listener.addr;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    connections,
    async [Symbol.asyncDispose](): Promise<void> {
      listener.close();
      await accepting;
      for (const connection of connections) connection.close();
      await Promise.all(plays);
    },
  };
}

/** A peer that reads the request, writes these bytes and closes. */
export function answering(...parts: ReadonlyArray<string | Uint8Array>): RawPeer {
  return rawPeer(async (connection) => {
    await connection.request();
    for (const part of parts) await connection.write(part);
  });
}

/** Header section of an HTTP 200 answer with a body of known length. */
export function head(length: number, ...more: readonly string[]): string {
  return ["HTTP/1.1 200 OK", `content-length: ${length}`, ...more, "", ""].join("\r\n");
}
