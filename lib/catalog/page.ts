/** Filters and pages over lists of actions; offline, in catalog order. */
import type { CatalogAction, CategorySlug, Risk } from "./types.ts";

/** Which actions to keep; an absent field keeps all. */
export interface Filter {
  /** Family of the upstream API. */
  readonly category?: CategorySlug | undefined;
  /** Whether they leave everything as it was. */
  readonly read_only?: boolean | undefined;
  /** Whether they answer with a sequence of frames. */
  readonly stream?: boolean | undefined;
  /** What they can do at worst. */
  readonly risk?: Risk | undefined;
}

/** Which part of a list to give; without either, the whole. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** A list, or one page of it. */
export interface Page<T> {
  /** Entries in this answer. */
  readonly count: number;
  /** Entries in all; only with paging. */
  readonly total?: number;
  /** Where the next page begins, or `null` after the last one; only with paging. */
  readonly next_offset?: number | null;
  readonly actions: readonly T[];
}

/** The largest page. */
export const MAX_PAGE = 200;
/** The longest query of a search, in characters. */
export const MAX_QUERY_LENGTH = 200;

/** The actions that fit every given field. */
export function filterActions(actions: readonly CatalogAction[], filter: Filter): CatalogAction[] {
  return actions.filter((action) =>
    (filter.category === undefined || action.category === filter.category) &&
    (filter.read_only === undefined || action.readOnly === filter.read_only) &&
    (filter.stream === undefined || action.stream === filter.stream) &&
    (filter.risk === undefined || action.risk === filter.risk)
  );
}

/** Cuts a page. Asking for either bound makes the answer a page. */
export function paginate<T>(entries: readonly T[], { limit, offset }: PageRequest): Page<T> {
  if (limit === undefined && offset === undefined) return { count: entries.length, actions: entries };
  const start = offset ?? 0;
  const page = entries.slice(start, start + (limit ?? entries.length));
  const end = start + page.length;
  return {
    count: page.length,
    total: entries.length,
    next_offset: page.length > 0 && end < entries.length ? end : null,
    actions: page,
  };
}
