import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { filterActions, paginate } from "../../../lib/catalog/page.ts";
import { verifies } from "../../requirements.ts";
import { makeAction, realCatalog } from "../support.ts";

const TEN = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

Deno.test("paginate() without bounds gives count and entries and nothing else", () => {
  verifies("list-shape");
  deepStrictEqual(paginate(TEN, {}), { count: 10, actions: TEN });
  deepStrictEqual(paginate([], {}), { count: 0, actions: [] });
});

Deno.test("paginate() without bounds gives all 179 actions", async () => {
  verifies("list-shape");
  const { actions } = await realCatalog();
  const page = paginate(actions, {});
  strictEqual(page.count, 179);
  deepStrictEqual(Object.keys(page), ["count", "actions"]);
});

Deno.test("paginate() with either bound gives one page and where the next one begins", async (t) => {
  verifies("list-paging");
  const cases = [
    { request: { limit: 3 }, actions: ["a", "b", "c"], next: 3 },
    { request: { limit: 3, offset: 3 }, actions: ["d", "e", "f"], next: 6 },
    { request: { limit: 3, offset: 9 }, actions: ["j"], next: null },
    { request: { limit: 3, offset: 7 }, actions: ["h", "i", "j"], next: null },
    { request: { limit: 10 }, actions: TEN, next: null },
    { request: { limit: 9 }, actions: TEN.slice(0, 9), next: 9 },
    { request: { limit: 200 }, actions: TEN, next: null },
    { request: { offset: 0 }, actions: TEN, next: null },
    { request: { offset: 8 }, actions: ["i", "j"], next: null },
    { request: { offset: 10 }, actions: [], next: null },
    { request: { offset: 1e15, limit: 1 }, actions: [], next: null },
  ];
  for (const { request, actions, next } of cases) {
    await t.step(JSON.stringify(request), () => {
      deepStrictEqual(paginate(TEN, request), { count: actions.length, total: 10, next_offset: next, actions });
    });
  }
});

Deno.test("paginate() followed by next_offset gives every entry once, for every page size", () => {
  verifies("list-paging");
  for (let limit = 1; limit <= 11; limit++) {
    const seen: string[] = [];
    let offset: number | null | undefined = 0;
    for (let pages = 0; offset !== null && offset !== undefined && pages < 20; pages++) {
      const page: ReturnType<typeof paginate<string>> = paginate(TEN, { limit, offset });
      seen.push(...page.actions);
      offset = page.next_offset;
    }
    deepStrictEqual(seen, TEN, `limit ${limit}`);
  }
});

Deno.test("paginate() of nothing ends at once", () => {
  deepStrictEqual(paginate([], { limit: 5 }), { count: 0, total: 0, next_offset: null, actions: [] });
});

Deno.test("filterActions() keeps what fits every given field, in order", async (t) => {
  verifies("list-filters");
  const actions = [
    makeAction({ name: "a", category: "message", readOnly: true, risk: "read" }),
    makeAction({ name: "b", category: "message", readOnly: false, risk: "write" }),
    makeAction({ name: "c", category: "friend", readOnly: true, risk: "secret" }),
    makeAction({ name: "d", category: "friend", readOnly: false, risk: "dangerous", stream: true }),
  ];
  const cases = [
    { filter: {}, names: "abcd" },
    { filter: { category: "friend" }, names: "cd" },
    { filter: { read_only: true }, names: "ac" },
    { filter: { read_only: false }, names: "bd" },
    { filter: { stream: true }, names: "d" },
    { filter: { stream: false }, names: "abc" },
    { filter: { risk: "secret" }, names: "c" },
    { filter: { category: "message", read_only: false }, names: "b" },
    { filter: { category: "message", read_only: false, risk: "read" }, names: "" },
    { filter: { category: undefined, read_only: undefined, stream: undefined, risk: undefined }, names: "abcd" },
  ] as const;
  for (const { filter, names } of cases) {
    await t.step(JSON.stringify(filter), () => {
      strictEqual(filterActions(actions, filter).map(({ name }) => name).join(""), names);
    });
  }
});

Deno.test("filterActions() splits the whole catalog without loss along each field", async () => {
  verifies("list-filters");
  const { actions, catalog } = await realCatalog();
  const sum = (parts: readonly { length: number }[]): number => parts.reduce((total, { length }) => total + length, 0);
  const slugs = Object.keys(catalog.categories) as Array<keyof typeof catalog.categories>;
  strictEqual(sum(slugs.map((category) => filterActions(actions, { category }))), 179);
  strictEqual(sum([true, false].map((read_only) => filterActions(actions, { read_only }))), 179);
  strictEqual(sum([true, false].map((stream) => filterActions(actions, { stream }))), 179);
  const risks = ["read", "write", "secret", "dangerous"] as const;
  deepStrictEqual(risks.map((risk) => filterActions(actions, { risk }).length).slice(2), [7, 5]);
  strictEqual(sum(risks.map((risk) => filterActions(actions, { risk }))), 179);
});
