/**
 * Coerced params with typed access. The catalog decides what a param is; a handler that asks for something
 * else is a defect and gets a TypeError.
 */
export class Params {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** Whether the param is given with something in it: not null, not "" and not an empty array. */
  has(name: string): boolean {
    const value = this.raw(name);
    return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  }

  /** The value as it came; `undefined` when absent. */
  raw(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  int(name: string): number {
    const value = this.raw(name);
    if (typeof value !== "number") throw new TypeError(`${name} is no number`);
    return value;
  }

  optionalInt(name: string): number | undefined {
    return this.raw(name) === undefined ? undefined : this.int(name);
  }

  /** Text; "" when absent. */
  text(name: string): string {
    const value = this.raw(name) ?? "";
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    throw new TypeError(`${name} is no text`);
  }

  /** The first of several text params that is not empty; "" when none is. */
  firstText(...names: string[]): string {
    return names.map((name) => this.text(name)).find((value) => value !== "") ?? "";
  }

  flag(name: string): boolean {
    return this.raw(name) === true;
  }

  ints(name: string): number[] {
    return this.#list(name).filter((item) => typeof item === "number");
  }

  texts(name: string): string[] {
    return this.#list(name).filter((item) => typeof item === "string");
  }

  #list(name: string): unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) throw new TypeError(`${name} is no array`);
    return value;
  }
}
