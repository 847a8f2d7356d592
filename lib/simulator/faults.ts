/** Faults a simulator can be told to show, as data. `deliver.ts` plays them. */
import { canonicalName } from "./catalog.ts";

/** What every fault may say about the requests it is for. */
export interface FaultScope {
  /** Only requests for this action (an alias counts as its action); absent means any request, a ping included. */
  readonly action?: string;
  /** How many matching requests it applies to, 1 to Infinity. @default 1 */
  readonly times?: number;
}

/** Waits `ms` milliseconds. The wait ends early, without an answer, when the client leaves or the simulator closes. */
export interface DelayFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "delay";
  /** How long, in milliseconds, 0 or more; Infinity waits until somebody gives up. */
  readonly ms: number;
  /** `after`: the action takes effect first and its answer stalls. @default "before" */
  readonly when?: "before" | "after";
}

/** Closes the connection without a whole answer: before acting, after acting, or after acting and half the body. */
export interface CutFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "cut";
  /** At which point; `before` leaves the world as it was. */
  readonly when: "before" | "after" | "midbody";
  /**
   * Only for `midbody` and a stream action: how many whole frames still arrive. Half of the next one follows;
   * if there is no next one, the last frame is the one that is cut.
   *
   * @default 1
   */
  readonly afterFrames?: number;
}

/** Answers this HTTP status without acting. */
export interface StatusFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "status";
  /** Three-digit status, 200 to 599. */
  readonly status: number;
  /** Sent as it is. @default "" */
  readonly body?: string;
  /** Sent as they are; without a `content-type` there is none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers HTTP 200 with exactly these bytes. */
export interface BodyFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "body";
  /** Text goes out as UTF-8; it may be empty. */
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Value of the `content-type` header. @default "application/json; charset=utf-8" */
  readonly contentType?: string;
  /** Whether the action takes effect first. @default false */
  readonly act?: boolean;
}

/** Answers an ok envelope of about `bytes` bytes without acting; it is generated while it is sent. */
export interface HugeFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "huge";
  /** Size of the body, which is chunked and does not announce it. */
  readonly bytes: number;
}

/** Acts, then sends the true answer in pieces of `chunkBytes` bytes, one every `everyMs` milliseconds. */
export interface DripFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "drip";
  /** Bytes per piece, at least 1. */
  readonly chunkBytes: number;
  /** Pause between pieces in milliseconds, 0 or more. */
  readonly everyMs: number;
}

/** Answers HTTP 200 with this JSON object as it is: no `echo` is added. */
export interface EnvelopeFault extends FaultScope {
  /** Tells the kinds of faults apart. */
  readonly kind: "envelope";
  /** Sent as JSON. */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** Whether the action takes effect first. @default false */
  readonly act?: boolean;
}

/** One scripted misbehavior of the simulator. */
export type Fault =
  | DelayFault
  | CutFault
  | StatusFault
  | BodyFault
  | HugeFault
  | DripFault
  | EnvelopeFault;

/** Scripted faults in order, each with the number of requests it still waits for. */
export class FaultScript {
  #rules: { fault: Fault; left: number }[] = [];

  /** @throws RangeError if a number in a fault is out of bounds; then none of them is added. */
  add(faults: readonly Fault[]): void {
    for (const fault of faults) check(fault);
    this.#rules.push(...faults.map((fault) => ({ fault, left: fault.times ?? 1 })));
  }

  clear(): void {
    this.#rules = [];
  }

  /**
   * The first rule that matches, used up by one; at most one fault plays per request.
   *
   * @param kinds Kinds that the carrier of the request can play; absent means all of them.
   */
  take(action: string | null): Fault | undefined;
  take<K extends Fault["kind"]>(action: string | null, kinds: readonly K[]): Extract<Fault, { kind: K }> | undefined;
  take(action: string | null, kinds?: readonly Fault["kind"][]): Fault | undefined {
    const rule = this.#rules.find(({ fault }) =>
      (kinds === undefined || kinds.includes(fault.kind)) &&
      (fault.action === undefined ||
        (action !== null && canonicalName(fault.action) === canonicalName(action)))
    );
    if (rule === undefined) return undefined;
    rule.left -= 1;
    if (rule.left <= 0) this.#rules = this.#rules.filter((other) => other !== rule);
    return rule.fault;
  }
}

function check(fault: Fault): void {
  const bounds: [name: string, value: number | undefined, minimum: number, maximum?: number][] = [];
  bounds.push(["times", fault.times, 1]);
  if (fault.kind === "delay") bounds.push(["ms", fault.ms, 0]);
  if (fault.kind === "cut") bounds.push(["afterFrames", fault.afterFrames, 0]);
  if (fault.kind === "status") bounds.push(["status", fault.status, 200, 599]);
  if (fault.kind === "huge") bounds.push(["bytes", fault.bytes, 0]);
  if (fault.kind === "drip") bounds.push(["chunkBytes", fault.chunkBytes, 1], ["everyMs", fault.everyMs, 0]);
  for (const [name, value, minimum, maximum = Infinity] of bounds) {
    if (value !== undefined && !(value >= minimum && value <= maximum)) {
      throw new RangeError(
        `Cannot script a ${fault.kind} fault: ${name} is ${value}, expected ${minimum} to ${maximum}`,
      );
    }
  }
}
