/** What several unit tests share: actions to play with, seeded chance, and failures as plain data. */
import { ok } from "node:assert/strict";
import type { ActionIndex } from "../../lib/catalog/action_index.ts";
import { loadActions } from "../../lib/catalog/load.ts";
import type { CatalogAction } from "../../lib/catalog/types.ts";
import { Failure } from "../../lib/errors.ts";

/** A made-up action; what a test is about is given, the rest is empty. */
export function makeAction(fields: Partial<CatalogAction> & { readonly name: string }): CatalogAction {
  return {
    aliases: [],
    category: "message",
    summary: { en: "Does something.", zh: "做某事" },
    readOnly: true,
    stream: false,
    risk: "read",
    params: {},
    undeclared: {},
    rules: [],
    notes: [],
    returns: {},
    placeholder: null,
    examples: [],
    ...fields,
  };
}

/** An action of the real catalog. */
export async function realAction(name: string): Promise<CatalogAction> {
  const action = (await loadActions()).find(name);
  ok(action, `${name} is in the catalog`);
  return action;
}

/** The real catalog. */
export function realCatalog(): Promise<ActionIndex> {
  return loadActions();
}

/** Numbers from 0 up to 1 that look random and are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`. */
export function between(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** The failure that `work` ends with; anything else, success included, fails the test. */
export async function failureOf(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("no failure");
}

/** An array in an array and so on. `JSON.stringify` gives up on it only with a raw number at its core. */
export function deeplyNested(core: unknown = [], depth = 100_000): unknown {
  let value = core;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
