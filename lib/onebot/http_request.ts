/** The POST that is sent, as bytes. */

/** What it consists of, beside the body. */
export interface RequestHead {
  readonly url: URL;
  /** Sent as `Authorization: Bearer …`. */
  readonly token: string | undefined;
  /** Further ones; they change none of ours. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body in bytes. */
  readonly length: number;
}

/**
 * Writes the head of a POST with a JSON body, on a connection that carries nothing else.
 *
 * @throws {TypeError} for a header that HTTP does not allow.
 */
export function requestHead({ url, token, headers, length }: RequestHead): Uint8Array {
  const fields = new Headers(headers);
  // absent ones are not the caller's to send either
  for (const name of ["authorization", "host", "transfer-encoding"]) fields.delete(name);
  fields.set("accept-encoding", "identity");
  fields.set("connection", "close");
  fields.set("content-length", String(length));
  fields.set("content-type", "application/json");
  if (token !== undefined) fields.set("authorization", `Bearer ${token}`);
  const lines = [`host: ${url.host}`, ...Array.from(fields, ([name, value]) => `${name}: ${value}`)];
  const head = `POST ${url.pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
  return Uint8Array.from(head, (char) => char.charCodeAt(0)); // Headers hold one byte a character
}
