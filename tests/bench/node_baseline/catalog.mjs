/** The catalog in memory: look-up, filters, pages, and what clients read about an action, in English. */
import { SearchIndex } from "./search.mjs";

export class Catalog {
  #byName = new Map();
  #labels;
  #index;

  constructor({ actions, categories }) {
    this.actions = actions;
    this.#labels = categories;
    for (const action of actions) {
      for (const name of [action.name, ...action.aliases]) this.#byName.set(name, action);
    }
  }

  find(name) {
    return this.#byName.get(name);
  }

  search(query, match) {
    this.#index ??= new SearchIndex(this.actions, this.#labels);
    return this.#index.search(query, match);
  }

  categories() {
    return Object.entries(this.#labels).map(([category, label]) => ({
      category,
      label: label.en,
      count: this.actions.filter((action) => action.category === category).length,
    }));
  }

  page(found, { category, read_only, stream, risk, limit, offset }) {
    const lines = found.filter((action) =>
      (category === undefined || action.category === category) &&
      (read_only === undefined || action.readOnly === read_only) &&
      (stream === undefined || action.stream === stream) &&
      (risk === undefined || action.risk === risk)
    ).map(describeLine);
    if (limit === undefined && offset === undefined) return { count: lines.length, actions: lines };
    const start = offset ?? 0;
    const actions = lines.slice(start, start + (limit ?? lines.length));
    const end = start + actions.length;
    const next_offset = actions.length > 0 && end < lines.length ? end : null;
    return { count: actions.length, total: lines.length, next_offset, actions };
  }

  describe(action) {
    const { placeholder, undeclared, params } = action;
    const required = Object.keys(params).filter((name) => params[name].required);
    return {
      ...describeLine(action),
      ...(placeholder && { placeholder: placeholder.en }),
      inputSchema: { type: "object", properties: properties(params), ...(required.length > 0 && { required }) },
      ...(Object.keys(undeclared).length > 0 && { undeclaredParams: properties(undeclared) }),
      invariants: action.rules.map(({ text }) => text.en),
      notes: action.notes.map(({ en }) => en),
      returnsSchema: placeholder ? { description: placeholder.en, ...action.returns } : action.returns,
      examples: action.examples.map(({ summary, params, notes }) => ({
        summary: summary.en,
        params,
        ...(notes && { notes: notes.en }),
      })),
    };
  }
}

function describeLine({ name, category, summary, aliases, readOnly, stream, risk }) {
  return { name, category, summary: summary.en, aliases, readOnly, stream, risk };
}

function properties(params) {
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => [name, {
      ...param.schema,
      ...("default" in param && { default: param.default }),
      description: param.unit === undefined ? param.text.en : `${param.text.en} [${param.unit}]`,
    }]),
  );
}
