/** What a connection is to an embedded server, in our own words, so that no type of the SDK is part of ours. */

/** One JSON-RPC 2.0 message: a request, a notification, or an answer. Plain data, as `JSON.parse` gives it. */
export interface JsonRpcMessage {
  /** Version of JSON-RPC. */
  readonly jsonrpc: "2.0";
  /** Of a request and its answer; `null` where what came had none of use. */
  readonly id?: string | number | null | undefined;
  /** Of a request or a notification. */
  readonly method?: string | undefined;
  /** Arguments of a request or a notification. */
  readonly params?: object | undefined;
  /** Of an answer that succeeded. */
  readonly result?: object | undefined;
  /** Of an answer that failed: `code`, `message` and perhaps `data`. */
  readonly error?: object | undefined;
}

/** What a transport may be told about a message that it is to send. */
export interface SendOptions {
  /** The request that the message belongs to, for transports with a stream for each request. */
  readonly relatedRequestId?: string | number | undefined;
}

/**
 * One connection to one client; every transport of the official SDKs fits, such as both ends of
 * `InMemoryTransport.createLinkedPair()` and `StdioServerTransport`.
 *
 * Messages are data of their own: what one side does to an object that it has sent or received does not reach the
 * other. A number that a JavaScript number cannot hold (a whole one beyond 2^53-1) is in them as `JSON.rawJSON` gives
 * it, so that `JSON.stringify` writes its digits; `JSON.isRawJSON` tells it from an object.
 */
export interface Transport {
  /** Begins to deliver messages. The server calls it, once, when it has set the three callbacks. */
  start(): Promise<void>;
  /** Sends one message. A rejection is told in the log; of an update of events also to whoever reads them. */
  send(message: JsonRpcMessage, options?: SendOptions): Promise<void>;
  /** Closes the connection, and calls `onclose`. */
  close(): Promise<void>;
  /** Set by the server: takes each message that comes in. */
  onmessage?(message: JsonRpcMessage): void;
  /** Set by the server: to be called once when the connection is closed, by whichever side. */
  onclose?: (() => void) | undefined;
  /** Set by the server: takes what went wrong without ending the connection. */
  onerror?: ((error: Error) => void) | undefined;
  /** The id of the session, where the transport has one. */
  sessionId?: string | undefined;
}
