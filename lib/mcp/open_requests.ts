/** The requests of a connection that are not answered yet, and what is refused before it becomes one. */
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId } from "@modelcontextprotocol/server";
import { bare, hasProto, idOf, isMessage, isResponse } from "./json_rpc.ts";
import { LISTEN, refuseListen } from "./listen.ts";
import { refuseRevision } from "./revision.ts";

/** What is to be done with something that came in: one of the two, or nothing. */
export interface Taken {
  readonly deliver?: JSONRPCMessage;
  /** A JSON-RPC error to answer with instead. */
  readonly refusal?: object;
}

/** A JSON-RPC error. */
export function refusalOf(id: RequestId | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Those of one connection. */
export class OpenRequests {
  readonly #unanswered = new Set<RequestId>();
  /** Requests that are answered by notifications, for as long as the client listens. */
  readonly #listening = new Set<RequestId>();
  #waiters: Array<() => void> = [];

  /** How many wait for an answer; those that listen do not count. */
  get count(): number {
    return this.#unanswered.size;
  }

  /** Judges what came in, and remembers a request until it is settled. */
  take(value: unknown): Taken {
    if (!isMessage(value)) {
      if (isResponse(value)) return {}; // responses are never answered, not even bad ones
      const what = Array.isArray(value)
        ? "batches are not supported, send one message at a time"
        : "not a JSON-RPC 2.0 message";
      return { refusal: refusalOf(idOf(value), ProtocolErrorCode.InvalidRequest, `Invalid request: ${what}`) };
    }
    const refusal = refuseRevision(value) ?? ("method" in value && "id" in value ? this.#refuse(value) : undefined);
    if (refusal !== undefined) return { refusal };
    if ("method" in value) {
      if ("id" in value) (value.method === LISTEN ? this.#listening : this.#unanswered).add(value.id);
      else if (value.method === "notifications/cancelled") this.settle(value.params?.requestId as RequestId);
    }
    return { deliver: bare(value) };
  }

  /** An answer has left, or nobody waits for one any more. */
  settle(id: RequestId): void {
    this.#listening.delete(id);
    if (this.#unanswered.delete(id) && this.#unanswered.size === 0) this.#tell();
  }

  /** Nobody waits for any answer any more. */
  clear(): void {
    this.#unanswered.clear();
    this.#tell();
  }

  /** Resolves when no request is unanswered. */
  async whenNone(): Promise<void> {
    if (this.#unanswered.size > 0) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  #tell(): void {
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  #refuse(request: JSONRPCMessage & { id: RequestId; method: string }): object | undefined {
    const { id, params } = request as typeof request & { params?: { arguments?: unknown } };
    if (this.#unanswered.has(id) || this.#listening.has(id)) {
      return refusalOf(id, ProtocolErrorCode.InvalidRequest, "Invalid request: this id is still in use");
    }
    if (hasProto(params?.arguments)) {
      return refusalOf(id, ProtocolErrorCode.InvalidParams, 'Unknown argument "__proto__"');
    }
    return refuseListen(request);
  }
}
