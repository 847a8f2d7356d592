/**
 * One action call from gate to outcome: mode, look-up, risk, parameters, one exchange, judgement.
 * Nothing is ever sent twice.
 */
import type { ActionIndex } from "./catalog/action_index.ts";
import type { CatalogAction } from "./catalog/types.ts";
import { unknownAction } from "./catalog/unknown_action.ts";
import { Failure } from "./errors.ts";
import { type Envelope, isEnvelope } from "./onebot/envelope.ts";
import { ExchangeError, type HttpAnswer, MAX_REQUEST_BYTES } from "./onebot/exchange.ts";
import { parseJson } from "./onebot/lossless_json.ts";
import { checkAction, checkDoor, type Door, type Permissions } from "./policy/gate.ts";
import type { Redactor } from "./redact.ts";
import { type NoPlace, Slots } from "./slots.ts";
import { AUTH_ADVICE, type CallResult, doubtful, explain, judge } from "./verdict.ts";

/** Calls that run against the bot at once; the others wait their turn, at most for the timeout. */
export const MAX_RUNNING_CALLS = 32;
/** Calls that may wait; the next one is refused as `busy`. */
export const MAX_WAITING_CALLS = 2048;
/** Bytes of all bodies that run or wait; a call beyond is refused as `busy`. Two of the largest fit. */
export const MAX_HELD_BYTES: number = 2 * MAX_REQUEST_BYTES;

/** What the executor needs from outside. */
export interface ExecutorPorts {
  readonly actions: ActionIndex;
  readonly permissions: Permissions;
  readonly redactor: Redactor;
  /** Longest wait for a turn, in milliseconds. The exchange has a timeout of its own. */
  readonly timeoutMs: number;
  /** Sends one JSON body and gives the whole answer. @throws {ExchangeError} */
  readonly post: (json: Uint8Array, signal: AbortSignal) => Promise<HttpAnswer>;
}

/** Runs action calls. */
export class Executor {
  readonly #ports: ExecutorPorts;
  readonly #slots = new Slots(MAX_RUNNING_CALLS, MAX_WAITING_CALLS);

  #heldBytes = 0;

  constructor(ports: ExecutorPorts) {
    this.#ports = ports;
  }

  /**
   * Calls one action.
   *
   * @param door `query` lets only read-only actions through, `invoke` all of them, in write mode.
   * @param name Name or alias.
   * @param params The action's parameters; not checked, since the bot may know more than the catalog.
   * @param signal Ends the call at once.
   * @throws {Failure} when there is no answer to pass on.
   */
  async call(door: Door, name: string, params: Record<string, unknown>, signal: AbortSignal): Promise<CallResult> {
    const { actions, permissions } = this.#ports;
    checkDoor(door, permissions);
    const action = actions.find(name);
    if (action === undefined) throw unknownAction(name, actions);
    checkAction(action, door, permissions);
    if (action.stream) {
      throw new Failure(
        "not_supported",
        `Cannot call ${action.name}: file streams are not part of this version`,
        "Give the bot a URL or a base64:// source in an ordinary action instead, such as upload_group_file.",
      );
    }
    const answer = await this.#exchange(action, params, signal);
    return judge(action, params, answer.status, this.#parse(action, answer));
  }

  /** Gives up all calls that still wait; none of them has been sent. Those that run go on. */
  dismissWaiting(): void {
    this.#slots.close();
  }

  async #exchange(action: CatalogAction, params: Record<string, unknown>, signal: AbortSignal): Promise<HttpAnswer> {
    const body = encode(action, params);
    if (body.length > MAX_REQUEST_BYTES) {
      throw new Failure(
        "invalid_params",
        `Cannot call ${action.name}: its parameters make a body of ${body.length} bytes, above ${MAX_REQUEST_BYTES}`,
        "Send less at once; give files by URL.",
      );
    }
    if (this.#heldBytes + body.length > MAX_HELD_BYTES) throw busy(action, `${MAX_HELD_BYTES} bytes of calls`);
    this.#heldBytes += body.length;
    using _held = { [Symbol.dispose]: () => this.#heldBytes -= body.length };
    using _place = await this.#slots.take(signal, this.#ports.timeoutMs).catch((error: NoPlace) => {
      if (error.why === "full") throw busy(action, `${MAX_WAITING_CALLS} calls`);
      const detail = error.why === "late" ? `${this.#ports.timeoutMs} ms in the queue` : undefined;
      throw explain(
        action,
        new ExchangeError(error.why === "late" ? "timeout" : "cancelled", false, detail),
        body.length,
      );
    });
    try {
      return await this.#ports.post(body, signal);
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
    if (status === 401 || status === 403) {
      throw new Failure("auth", `Cannot call ${action.name}: the bot answered HTTP ${status}`, AUTH_ADVICE);
    }
    throw doubtful(
      action,
      "invalid_answer",
      `the answer (HTTP ${status}, ${text.length} characters) is not a OneBot envelope`,
      "Check that SNOWLUMA_MCP_ENDPOINT is the bot's OneBot HTTP address and nothing stands in between.",
    );
  }
}

function busy({ name }: CatalogAction, what: string): Failure {
  const message = `Cannot call ${name}: ${what} are already waiting for the bot`;
  return new Failure("busy", message, "Wait for running calls to end, then call again.");
}

/** The request body. @throws {Failure} `invalid_params` for what is nested too deeply to be written. */
function encode(action: CatalogAction, params: Record<string, unknown>): Uint8Array {
  try {
    return new TextEncoder().encode(JSON.stringify({ action: action.name, params }));
  } catch (cause) {
    const what = "its parameters are nested too deeply";
    throw new Failure("invalid_params", `Cannot call ${action.name}: ${what}`, "Nest less.", { cause });
  }
}
