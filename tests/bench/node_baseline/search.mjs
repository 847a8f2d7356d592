/** Finding actions by words, with the same reading of a query and the same ranking as ours. */
import { STOP_WORDS, synonymsOf } from "./synonyms.mjs";

const IN_NAME = 10;
const IN_NAME_PART = 6;
const IN_SUMMARY = 5;
const IN_CATEGORY = 2;
const IN_DETAILS = 1;
const SYNONYM = 0.7;

export class SearchIndex {
  #entries;

  constructor(actions, labels) {
    this.#entries = actions.map((action, position) => {
      const names = [action.name, ...action.aliases].map((text) => text.toLowerCase());
      const label = labels[action.category];
      return {
        action,
        position,
        names,
        nameWords: [...new Set(names.flatMap((text) => text.split(/[._]+/)))].filter((word) => word !== ""),
        summary: `${action.summary.en}\n${action.summary.zh}`.toLowerCase(),
        category: `${action.category} ${label.en} ${label.zh}`.toLowerCase(),
        details: action.notes.map(({ en, zh }) => `${en} ${zh}`).join(" ").toLowerCase(),
      };
    });
  }

  search(query, match) {
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
      .map((entry) => ({ entry, score: score(entry, wanted, terms) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.entry.position - b.entry.position)
      .map(({ entry }) => entry.action);
  }
}

function expand(word) {
  const bare = word.replace(/(?<=..)(s|es|ing|ed)$/, "");
  const others = new Set([...synonymsOf(word), bare, ...synonymsOf(bare)]);
  others.delete(word);
  return { word, synonyms: [...others] };
}

function score(entry, query, terms) {
  if (entry.names.includes(query) || entry.names.includes(query.replace(/\s+/g, "_"))) return Number.MAX_SAFE_INTEGER;
  let sum = 0;
  const hitWords = new Set();
  for (const { word, synonyms } of terms) {
    let best = weigh(word, entry, hitWords);
    for (const synonym of synonyms) best = Math.max(best, SYNONYM * weigh(synonym, entry, hitWords));
    if (best === 0) return 0;
    sum += best;
  }
  return sum * (1 + hitWords.size / entry.nameWords.length);
}

function weigh(word, entry, hitWords) {
  if (word.includes(" ")) {
    const hits = new Set();
    const weights = word.split(" ").map((part) => weigh(part, entry, hits));
    if (weights.includes(0)) return 0;
    for (const hit of hits) hitWords.add(hit);
    return Math.max(...weights);
  }
  let best = 0;
  for (const nameWord of entry.nameWords) {
    if (nameWord !== word && !(word.length >= 3 && nameWord.startsWith(word))) continue;
    hitWords.add(nameWord);
    best = Math.max(best, nameWord === word ? IN_NAME : IN_NAME_PART);
  }
  if (contains(entry.summary, word)) best = Math.max(best, IN_SUMMARY);
  if (contains(entry.category, word)) best = Math.max(best, IN_CATEGORY);
  if (contains(entry.details, word)) best = Math.max(best, IN_DETAILS);
  return best;
}

function contains(text, word) {
  if (!/^[\w.-]+$/.test(word)) return text.includes(word);
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/\w/.test(text[at - 1])) return true;
  }
  return false;
}
