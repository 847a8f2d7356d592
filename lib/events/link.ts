/** The one connection of a hub: opened once, proved by its first event, never opened again. */
import { Failure } from "../errors.ts";
import { type BotEvent, EventFault, readEvent } from "./event.ts";
import type { EventHandlers, EventSocket } from "./socket.ts";
import { type EventEnd, failedEnd } from "./socket_end.ts";

/** How long the bot has to say something, in milliseconds; until then a token counts as neither good nor bad. */
export const FIRST_FRAME_MS = 3_000;

/** Opens a connection; `openEventSocket` with an address. It tells its handlers of nothing before it has returned. */
export type Connect = (handlers: EventHandlers, signal: AbortSignal) => Promise<EventSocket>;

/** Who is told of what happens on a link that is not closed. */
export interface LinkHandlers {
  /** An event of the right account, meta events included. */
  onEvent(event: BotEvent): void;
  /** The connection that was ready has ended. Called once. */
  onEnd(end: EventEnd): void;
}

/** Nobody wants the connection any more. */
export function givenUp(): Failure {
  return new Failure("cancelled", "Cannot subscribe: it was cancelled", "Subscribe again if still wanted.");
}

/** A connection to the bot of one account. */
export class EventLink {
  readonly selfId: number;
  /**
   * Settles when the first event has come, or none for {@link FIRST_FRAME_MS}. Rejects with a `Failure` when there is
   * no connection, or it ended before that.
   */
  readonly ready: Promise<void>;
  readonly #handlers: LinkHandlers;
  readonly #stop = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  #state: "opening" | "ready" | "over" = "opening";
  #confirmed = false;
  #end: EventEnd | undefined;
  #socket: EventSocket | undefined;
  #firstFrame: ReturnType<typeof setTimeout> | undefined;

  /** Begins to connect. @param selfId The account whose events are expected. */
  constructor(selfId: number, connect: Connect, handlers: LinkHandlers) {
    this.selfId = selfId;
    this.#handlers = handlers;
    this.ready = this.#ready.promise;
    this.ready.catch(() => {}); // whoever waited may have given up
    this.#open(connect);
  }

  /** Whether an event has come, which proves token and account. */
  get confirmed(): boolean {
    return this.#confirmed;
  }

  /** How a connection that was ready has ended; `undefined` while it stands. */
  get end(): EventEnd | undefined {
    return this.#end;
  }

  /** Closes the connection, or gives up the attempt. Nothing is told after it. */
  close(): void {
    if (this.#end === undefined) this.#giveUp(givenUp());
  }

  async #open(connect: Connect): Promise<void> {
    const handlers: EventHandlers = { onText: (text) => this.#receive(text), onEnd: (end) => this.#over(end) };
    try {
      const socket = await connect(handlers, this.#stop.signal);
      if (this.#state === "over") return socket.close();
      this.#socket = socket;
      if (this.#state === "opening") this.#firstFrame = setTimeout(() => this.#begin(), FIRST_FRAME_MS);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #receive(text: string): void {
    if (this.#state === "over") return;
    let event: BotEvent;
    try {
      event = readEvent(text, this.selfId);
    } catch (error) {
      if (!(error instanceof EventFault)) throw error;
      return this.#over(failedEnd(error.kind, error.message));
    }
    this.#confirmed = true;
    this.#begin();
    this.#handlers.onEvent(event);
  }

  #begin(): void {
    if (this.#state !== "opening") return;
    clearTimeout(this.#firstFrame);
    this.#state = "ready";
    this.#ready.resolve();
  }

  #over(end: EventEnd): void {
    if (this.#state === "opening") return this.#giveUp(new Failure(end.kind, end.message, end.nextStep));
    if (this.#state === "over") return;
    this.#state = "over";
    this.#end = end;
    this.#socket?.close();
    this.#handlers.onEnd(end);
  }

  #giveUp(reason: unknown): void {
    clearTimeout(this.#firstFrame);
    this.#state = "over";
    this.#stop.abort();
    this.#socket?.close();
    this.#ready.reject(reason);
  }
}
