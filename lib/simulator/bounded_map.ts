/** Maps that forget their oldest entry when they are full, so that a long-running simulator stays small. */
import { copyToKeep } from "./stored.ts";

/** A map that forgets its oldest entry when it is full, counted by entries. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  /** Sets an entry and makes it the newest. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#limit) {
      for (const oldest of this.keys()) {
        this.delete(oldest);
        break;
      }
    }
    return this;
  }

  newestFirst(): V[] {
    return [...this.values()].reverse();
  }
}

/** What one map of kept entries holds together, in bytes of JSON (16 MiB); the oldest entries are forgotten first. */
export const MAX_MAP_BYTES = 16_777_216;

/** A bounded map of JSON values that is bounded in bytes too. It keeps copies; what it gives out is what it keeps. */
export class BoundedStore<K, V extends object> extends BoundedMap<K, V> {
  readonly #what: string;
  readonly #sizes = new Map<K, number>();
  #bytes = 0;

  /** @param what What an entry is, for the wording of refusals. */
  constructor(what: string, limit: number) {
    super(limit);
    this.#what = what;
  }

  /** Sets an entry and makes it the newest. @throws ActionFailure if its JSON is larger than `MAX_ENTRY_BYTES`. */
  override set(key: K, value: V): this {
    const copy = copyToKeep(this.#what, value);
    super.set(key, copy.value);
    this.#count(key, copy.bytes);
    return this;
  }

  /** Changes fields of an entry, which keeps its place. @throws ActionFailure if it becomes too large. */
  revise(key: K, change: Partial<V>): void {
    const old = this.get(key);
    if (old === undefined) return;
    const copy = copyToKeep(this.#what, { ...old, ...change });
    Object.assign(old, copy.value);
    this.#count(key, copy.bytes);
  }

  override delete(key: K): boolean {
    this.#bytes -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#bytes = 0;
    this.#sizes.clear();
    super.clear();
  }

  #count(key: K, bytes: number): void {
    this.#bytes += bytes - (this.#sizes.get(key) ?? 0);
    this.#sizes.set(key, bytes);
    for (const oldest of this.keys()) {
      if (this.#bytes <= MAX_MAP_BYTES) return;
      this.delete(oldest);
    }
  }
}
