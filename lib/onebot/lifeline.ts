/** What ends an exchange before its time: the timeout, the signal, or its connection. */
import { ExchangeError, type ExchangeFault } from "./exchange.ts";
import { BadResponse } from "./http_response.ts";

/** What the timeout limits: a whole exchange, or each wait in it. */
export type Clock = "whole" | "idle";

/** How long an exchange may live. */
export interface Life {
  /** Milliseconds of `performance.now()`, before the connection was made. */
  readonly startedAt: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Holds the connection of one exchange; whatever comes first closes it, and with it reads and writes under way. */
export class Lifeline {
  readonly #conn: Deno.Conn;
  readonly #life: Life;
  #waitingSince: number;
  #timer: ReturnType<typeof setTimeout>;
  #failure: ExchangeError | undefined;
  #closed = false;

  constructor(conn: Deno.Conn, life: Life) {
    this.#conn = conn;
    this.#life = life;
    this.#waitingSince = life.startedAt;
    this.#timer = setTimeout(this.#check, Math.max(0, this.#restMs));
    life.signal.addEventListener("abort", this.#cancel, { once: true });
  }

  /** Why it has ended before its time, once it has. */
  get failure(): ExchangeError | undefined {
    return this.#failure;
  }

  /** Whoever reads is at work: what does not wait has no timeout. */
  working(): void {
    if (this.#life.clock === "idle") this.#waitingSince = Infinity;
  }

  /** Whoever reads waits, from now on. */
  waiting(): void {
    if (this.#life.clock === "idle") this.#waitingSince = performance.now();
  }

  /** What an error of reading means. */
  explain(error: unknown): ExchangeError {
    if (this.#failure !== undefined) return this.#failure;
    if (error instanceof BadResponse) {
      return new ExchangeError(error.kind, true, error.kind === "garbled" ? error.message : undefined);
    }
    return new ExchangeError("cut", true, (error as Error & { readonly code?: string }).code);
  }

  /** Closes the connection; a second time is nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#life.signal.removeEventListener("abort", this.#cancel);
    this.#conn.close();
  }

  get #restMs(): number {
    const { timeoutMs } = this.#life;
    return Number.isFinite(this.#waitingSince) ? this.#waitingSince + timeoutMs - performance.now() : timeoutMs;
  }

  readonly #cancel = (): void => this.#end("cancelled");

  /** One timer for all waits: a new one for each piece of a body would cost more than reading it. */
  readonly #check = (): void => {
    const { clock, timeoutMs } = this.#life;
    const restMs = this.#restMs;
    if (restMs > 0) this.#timer = setTimeout(this.#check, Math.ceil(restMs));
    else this.#end("timeout", clock === "whole" ? `${timeoutMs} ms` : `nothing came for ${timeoutMs} ms`);
  };

  #end(fault: ExchangeFault, detail?: string): void {
    this.#failure ??= new ExchangeError(fault, true, detail);
    this.close();
  }
}
