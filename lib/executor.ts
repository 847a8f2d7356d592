/**
 * One action call from gate to outcome: mode, look-up, risk, parameters, one exchange or a stream, judgement.
 * Nothing is ever sent twice.
 */
import type { ActionIndex } from "./catalog/action_index.ts";
import type { CatalogAction } from "./catalog/types.ts";
import { unknownAction } from "./catalog/unknown_action.ts";
import { Failure } from "./errors.ts";
import { encodeCall } from "./onebot/call_body.ts";
import { type Envelope, isEnvelope } from "./onebot/envelope.ts";
import { ExchangeError, type HttpAnswer, type HttpStream, MAX_REQUEST_BYTES } from "./onebot/exchange.ts";
import { parseJson } from "./onebot/lossless_json.ts";
import { checkAction, checkDoor, type Door, MAX_ACTIVE_STREAMS, type Permissions } from "./policy/gate.ts";
import type { Redactor } from "./redact.ts";
import { type NoPlace, Slots } from "./slots.ts";
import { type Trace, traceHeaders } from "./trace.ts";
import type { StreamPorts } from "./transfer/stream_call.ts";
import { OWNED_PARAMS, UPLOAD_ACTION } from "./catalog/upload_params.ts";
import { type CallResult, doubtful, explain, judge, refusedByStatus } from "./verdict.ts";

/** Calls that run against the bot at once; the others wait their turn, at most for the timeout. */
export const MAX_RUNNING_CALLS = 32;
/** Calls that may wait; the next one is refused as `busy`. */
export const MAX_WAITING_CALLS = 2048;
/** Bytes of all bodies that run or wait; a call beyond is refused as `busy`. Two of the largest fit. */
export const MAX_HELD_BYTES: number = 2 * MAX_REQUEST_BYTES;

/** What the executor needs from outside. */
export interface ExecutorPorts {
  /** What is known of actions: their class decides what is let through. */
  readonly actions: ActionIndex;
  /** What the operator permitted. */
  readonly permissions: Permissions;
  /** Takes secrets out of answers. */
  readonly redactor: Redactor;
  /** Longest wait for a turn, in milliseconds. The exchange has a timeout of its own. */
  readonly timeoutMs: number;
  /** Sends one JSON body and gives the whole answer. @throws {ExchangeError} */
  readonly post: (
    json: Uint8Array,
    signal: AbortSignal,
    headers: Readonly<Record<string, string>>,
  ) => Promise<HttpAnswer>;
  /** For stream actions; without it they are refused. */
  readonly streams?: StreamPorts;
}

/** What a call may come with, beside its parameters. */
export interface CallOptions {
  /** Ends the call at once. */
  readonly signal: AbortSignal;
  /** Goes along in the headers of every request. */
  readonly trace?: Trace;
  /** A file below the upload root that `upload_file_stream` is to send; absolute, or relative to the root. */
  readonly inputFile?: string;
  /** Gets the progress of a stream: bytes or frames so far and, where it is known, in all. */
  readonly onProgress?: (value: number, total?: number) => void;
}

/** Runs action calls. */
export class Executor {
  readonly #ports: ExecutorPorts;
  readonly #slots = new Slots(MAX_RUNNING_CALLS, MAX_WAITING_CALLS);
  readonly #streams = new Slots(MAX_ACTIVE_STREAMS, 0);
  readonly #running = new Set<Promise<CallResult>>();

  #heldBytes = 0;

  /**
   * Makes an executor; it needs no closing.
   *
   * @param ports Are used for as long as there are calls.
   */
  constructor(ports: ExecutorPorts) {
    this.#ports = ports;
  }

  /**
   * Calls one action, once: nothing is ever sent again. Needs the permissions of its ports.
   *
   * @param door `query` lets only read-only actions through, `invoke` all of them, in write mode.
   * @param name Name or alias.
   * @param params The action's parameters; not checked, since the bot may know more than the catalog.
   * @throws {Failure} when there is no answer to pass on, or a stream did not come through whole.
   */
  async call(door: Door, name: string, params: Record<string, unknown>, options: CallOptions): Promise<CallResult> {
    const action = this.admit(door, name, params, options.inputFile);
    const work = action.stream ? this.#stream(action, params, options) : this.#ask(action, params, options);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  /**
   * Asks the gates and looks the action up, as a call would; nothing is sent.
   *
   * @param inputFile The file that the call would come with.
   * @throws {Failure} what the call would be refused with.
   */
  admit(door: Door, name: string, params: Record<string, unknown>, inputFile?: string): CatalogAction {
    const { actions, permissions } = this.#ports;
    checkDoor(door, permissions);
    const action = actions.find(name);
    if (action === undefined) throw unknownAction(name, actions);
    checkAction(action, door, permissions);
    if (inputFile !== undefined) checkInput(action, params);
    return action;
  }

  /** Gives up all calls that still wait; none of them has been sent. Those that run go on. */
  dismissWaiting(): void {
    this.#slots.close();
  }

  /** Resolves when no call runs any more; an aborted stream still takes its file away, or resets its upload. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #ask(action: CatalogAction, params: Record<string, unknown>, options: CallOptions): Promise<CallResult> {
    const answer = await this.#exchange(action, params, options);
    return judge(action, params, answer.status, this.#parse(action, answer));
  }

  async #stream(action: CatalogAction, params: Record<string, unknown>, options: CallOptions): Promise<CallResult> {
    const { streams: ports, redactor } = this.#ports;
    if (ports === undefined) {
      const message = `Cannot call ${action.name}: no way to stream was given`;
      throw new Failure("internal", message, "Give the executor `streams`.");
    }
    const { signal, trace, inputFile, onProgress = () => {} } = options;
    const headers = trace === undefined ? {} : traceHeaders(trace);
    using _place = await this.#streams.take(signal, 0).catch((error: NoPlace) => {
      if (error.why === "full") throw busy(`Cannot call ${action.name}: ${MAX_ACTIVE_STREAMS} streams run already`);
      throw explain(action, new ExchangeError("cancelled", false), 0);
    });
    const { runStream } = await import("./transfer/stream_call.ts");
    const open = (body: Uint8Array, stop: AbortSignal): Promise<HttpStream> => ports.open(body, stop, headers);
    const post = (body: Uint8Array, stop: AbortSignal): Promise<HttpAnswer> => this.#ports.post(body, stop, headers);
    return await runStream({ action, params, inputFile, ports, redactor, open, post, signal, onProgress });
  }

  async #exchange(
    action: CatalogAction,
    params: Record<string, unknown>,
    { signal, trace }: CallOptions,
  ): Promise<HttpAnswer> {
    const body = encodeCall(action.name, params);
    if (this.#heldBytes + body.length > MAX_HELD_BYTES) {
      throw busy(
        `Cannot call ${action.name}: the calls that run or wait hold ${this.#heldBytes} of ${MAX_HELD_BYTES} bytes`,
      );
    }
    this.#heldBytes += body.length;
    using _held = { [Symbol.dispose]: () => this.#heldBytes -= body.length };
    using _place = await this.#slots.take(signal, this.#ports.timeoutMs).catch((error: NoPlace) => {
      if (error.why === "full") {
        throw busy(`Cannot call ${action.name}: ${MAX_WAITING_CALLS} calls are already waiting for the bot`);
      }
      if (error.why === "late") {
        throw new Failure(
          "timeout",
          `Cannot call ${action.name}: it waited ${this.#ports.timeoutMs} ms behind other calls and was not sent`,
          "Call again when fewer run; the operator can raise SNOWLUMA_MCP_TIMEOUT_MS.",
        );
      }
      throw explain(action, new ExchangeError("cancelled", false), body.length);
    });
    try {
      return await this.#ports.post(body, signal, trace === undefined ? {} : traceHeaders(trace));
    } catch (error) {
      if (error instanceof ExchangeError) throw explain(action, error, body.length);
      if (signal.aborted) throw explain(action, new ExchangeError("cancelled", true), body.length);
      throw doubtful(action, "internal", "an internal error broke the call off", "Tell the operator.", error);
    }
  }

  #parse(action: CatalogAction, { status, text }: HttpAnswer): Envelope {
    let value: unknown;
    try {
      value = this.#ports.redactor.value(parseJson(text));
      JSON.stringify(value); // what is nested too deeply to be written again fails here, not on its way out
    } catch {
      value = undefined;
    }
    if (isEnvelope(value)) return value;
    if (status === 401 || status === 403) throw refusedByStatus(action, status);
    throw doubtful(
      action,
      "invalid_answer",
      `the answer (HTTP ${status}, ${text.length} characters) is not a OneBot envelope`,
      "Check that SNOWLUMA_MCP_ENDPOINT is the bot's OneBot HTTP address and nothing stands in between.",
    );
  }
}

function busy(message: string): Failure {
  return new Failure("busy", message, "Wait for running calls to end, then call again.");
}

/** Refuses a file with another action, and parameters that its transfer sets. @throws {Failure} */
function checkInput({ name }: CatalogAction, params: Record<string, unknown>): void {
  if (name !== UPLOAD_ACTION) {
    throw new Failure(
      "invalid_arguments",
      `Cannot call ${name} with execution.input_file: only ${UPLOAD_ACTION} takes it`,
      `Upload the file with ${UPLOAD_ACTION} first, then pass the file_path of its answer to ${name}.`,
    );
  }
  const owned = OWNED_PARAMS.filter((param) => Object.hasOwn(params, param));
  if (owned.length === 0) return;
  throw new Failure(
    "invalid_params",
    `Cannot call ${name} with execution.input_file: the transfer itself sets ${owned.join(", ")}`,
    "Leave them out of params; filename and file_retention may stay.",
  );
}
