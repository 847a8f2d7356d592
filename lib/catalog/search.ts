/**
 * Finding actions by words. `substring` is the plain containment test over names, aliases and summaries in
 * catalog order; `keywords` splits at white space, needs every term, knows synonyms and puts the best first.
 */
import { STOP_WORDS, synonymsOf } from "./synonyms.ts";
import type { CatalogAction } from "./types.ts";

/**
 * How a query is read. `substring`: a name, an alias or the summary contains it; in catalog order. `keywords`: every word
 * of it, or a synonym, is found somewhere; best first, and nothing for an empty query.
 */
export type Match = "substring" | "keywords";

/** Searches one list of actions; what it needs of their texts is prepared once. */
export class SearchIndex {
  readonly #entries: readonly Entry[];
  readonly #weights = new Map<string, readonly Weight[]>();

  constructor(
    actions: readonly CatalogAction[],
    categories: Readonly<Record<string, { readonly en: string; readonly zh: string }>>,
  ) {
    this.#entries = actions.map((action) => {
      const { name, aliases, summary, category, notes } = action;
      const names = [name, ...aliases].map((text) => text.toLowerCase());
      const label = categories[category];
      return {
        action,
        names,
        nameWords: [...new Set(names.flatMap((text) => text.split(/[._]+/)))].filter((word) => word !== ""),
        summary: `${summary.en}\n${summary.zh}`.toLowerCase(),
        category: `${category} ${label?.en} ${label?.zh}`.toLowerCase(),
        details: notes.map(({ en, zh }) => `${en} ${zh}`).join(" ").toLowerCase(),
      };
    });
  }

  /** The actions that match, in the order that `match` promises. */
  search(query: string, match: Match): CatalogAction[] {
    const wanted = query.trim().toLowerCase();
    if (match === "substring") {
      return this.#entries
        .filter(({ names, summary }) => [...names, summary].some((text) => text.includes(wanted)))
        .map(({ action }) => action);
    }
    const words = wanted.split(/\s+/).filter((word) => word !== "");
    const meaningful = words.filter((word) => !STOP_WORDS.has(word));
    const terms = (meaningful.length > 0 ? meaningful : words).map(expand);
    return this.#entries
      .map((entry, position) => ({ entry, position, score: this.#score(entry, position, wanted, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.position - b.position)
      .map(({ entry }) => entry.action);
  }

  /** 0 when a term is nowhere; otherwise larger for better matches. */
  #score(entry: Entry, position: number, query: string, terms: readonly Term[]): number {
    if (entry.names.includes(query) || entry.names.includes(query.replace(/\s+/g, "_"))) return Number.MAX_SAFE_INTEGER;
    let sum = 0;
    const hits = new Set<string>();
    for (const { word, synonyms } of terms) {
      let best = 0;
      for (const wanted of [word, ...synonyms]) {
        const found = this.#weigh(wanted)[position];
        if (found === undefined || found.weight === 0) continue;
        best = Math.max(best, found.weight * (wanted === word ? 1 : SYNONYM));
        for (const hit of found.hits) hits.add(hit);
      }
      if (best === 0) return 0;
      sum += best;
    }
    return sum * (1 + hits.size / entry.nameWords.length); // the more of the name was asked for, the better
  }

  /** What a word weighs in every entry. Kept, since the same words and synonyms come up again and again. */
  #weigh(word: string): readonly Weight[] {
    const known = this.#weights.get(word);
    if (known) return known;
    const weights = this.#entries.map((entry) => weigh(word, entry));
    if (this.#weights.size >= MAX_KEPT_WORDS) this.#weights.clear();
    this.#weights.set(word, weights);
    return weights;
  }
}

/** What a word weighs in one entry, and which words of its names it hits. */
interface Weight {
  readonly weight: number;
  readonly hits: readonly string[];
}

/** Words whose weights are kept; the synonym table has about 400. */
const MAX_KEPT_WORDS = 600;

/** An action and the texts that are searched, in lower case. */
interface Entry {
  readonly action: CatalogAction;
  readonly names: readonly string[];
  readonly nameWords: readonly string[];
  readonly summary: string;
  readonly category: string;
  readonly details: string;
}

/** A term of the query and the words that mean the same. */
interface Term {
  readonly word: string;
  readonly synonyms: readonly string[];
}

function expand(word: string): Term {
  const bare = word.replace(/(?<=..)(s|es|ing|ed)$/, ""); // plurals and verb forms, roughly
  return { word, synonyms: [...new Set([...synonymsOf(word), bare, ...synonymsOf(bare)])].filter((w) => w !== word) };
}

/** Weights: where a word was found, as itself; a synonym counts 0.7 of it. */
const IN_NAME = 10;
const IN_NAME_PART = 6;
const IN_SUMMARY = 5;
const IN_CATEGORY = 2;
const IN_DETAILS = 1;
const SYNONYM = 0.7;

const NOWHERE: Weight = { weight: 0, hits: [] };

function weigh(word: string, text: Entry): Weight {
  if (word.includes(" ")) {
    const parts = word.split(" ").map((part) => weigh(part, text));
    if (parts.some(({ weight }) => weight === 0)) return NOWHERE;
    return { weight: Math.max(...parts.map(({ weight }) => weight)), hits: parts.flatMap(({ hits }) => hits) };
  }
  const hits = text.nameWords.filter((name) => name === word || (word.length >= 3 && name.startsWith(word)));
  const weight = hits.includes(word)
    ? IN_NAME
    : hits.length > 0
    ? IN_NAME_PART
    : contains(text.summary, word)
    ? IN_SUMMARY
    : contains(text.category, word)
    ? IN_CATEGORY
    : contains(text.details, word)
    ? IN_DETAILS
    : 0;
  return weight === 0 ? NOWHERE : { weight, hits };
}

/** Latin words match at the beginning of a word, so that `ban` does not find `urban`; Chinese anywhere. */
function contains(text: string, word: string): boolean {
  if (!/^[\w.-]+$/.test(word)) return text.includes(word);
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/\w/.test(text[at - 1] ?? "")) return true;
  }
  return false;
}
