import { Failure } from "../errors.ts";

/** Prompts that may wait for an answer at once; the next one is refused as `busy`. */
export const MAX_PENDING_PROMPTS = 256;
/** Bytes of all calls that wait for their answers, which only older clients leave waiting; one beyond is refused. */
export const MAX_PROMPT_BYTES: number = 32 * 1024 * 1024;
/** How long an answer is waited for, in milliseconds: ten minutes. */
export const PROMPT_TTL_MS = 600_000;

/** What a prompt waits for. */
interface Pending {
  readonly binding: string;
  readonly bytes: number;
  readonly expiresAt: number;
}

/**
 * Prompts that wait for their answer, in memory alone: none outlives the process. Each is good for one answer, to the
 * call that it was made for.
 */
export class Prompts {
  readonly #pending = new Map<string, Pending>(); // in the order of their ends
  readonly #now: () => number;
  #bytes = 0;

  /** @param now A clock that never goes back, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Makes a prompt.
   *
   * @param binding What it belongs to: the answer has to come with the same.
   * @param bytes What is held in memory until the answer comes.
   * @returns Its id, which nobody can guess.
   * @throws {Failure} `busy` when {@link MAX_PENDING_PROMPTS} wait already, or hold too much.
   */
  open(binding: string, bytes: number = 0): string {
    const now = this.#now();
    for (const [id, { expiresAt }] of this.#pending) {
      if (expiresAt > now) break;
      this.drop(id);
    }
    if (this.#pending.size >= MAX_PENDING_PROMPTS) throw busy(`${MAX_PENDING_PROMPTS} prompts are pending`);
    if (this.#bytes + bytes > MAX_PROMPT_BYTES) {
      throw busy(`the calls that wait for an answer hold ${this.#bytes} of ${MAX_PROMPT_BYTES} bytes`);
    }
    const id = crypto.randomUUID();
    this.#pending.set(id, { binding, bytes, expiresAt: now + PROMPT_TTL_MS });
    this.#bytes += bytes;
    return id;
  }

  /**
   * Takes a prompt away, so that nobody else can have it; to be done before anything is executed.
   *
   * @throws {Failure} `input` when it was taken before, has expired, or belongs to something else, for which it stays.
   */
  take(id: string, binding: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) throw refused("it was answered before, or belongs to another run of the server");
    if (pending.binding !== binding) throw refused("it belongs to another tool or other arguments");
    this.drop(id);
    if (pending.expiresAt <= this.#now()) throw refused("it is older than ten minutes");
  }

  /** Gives a prompt up, whether it still waits or not. */
  drop(id: string): void {
    this.#bytes -= this.#pending.get(id)?.bytes ?? 0;
    this.#pending.delete(id);
  }
}

function busy(why: string): Failure {
  return new Failure(
    "busy",
    `Cannot ask for the missing parameters: ${why}`,
    "Answer open forms, wait ten minutes for them to end, or give complete params to the tool without input.",
  );
}

function refused(why: string): Failure {
  return new Failure(
    "input",
    `Cannot continue this call: ${why}`,
    "Nothing was sent. Find out whether the first answer took effect; if not, make the call anew.",
  );
}
