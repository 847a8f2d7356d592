import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { SearchIndex } from "../../../lib/catalog/search.ts";
import { STOP_WORDS, synonymsOf } from "../../../lib/catalog/synonyms.ts";
import { verifies } from "../../requirements.ts";
import { makeAction, realCatalog } from "../support.ts";

const CATEGORIES = { message: { en: "Messages", zh: "消息" }, friend: { en: "Friends", zh: "好友" } };

async function names(query: string, match: "substring" | "keywords"): Promise<string[]> {
  return (await realCatalog()).search(query, match).map(({ name }) => name);
}

Deno.test("SearchIndex.search() by substring is the containment test over names, aliases and both summaries", async (t) => {
  verifies("search-substring");
  const { actions } = await realCatalog();
  for (const query of ["msg", "MSG", "Group", "群", "get_", ".", "nc_", "禁言", "member", "  ban "]) {
    await t.step(query, async () => {
      const wanted = query.trim().toLowerCase();
      const expected = actions.filter(({ name, aliases, summary }) =>
        [name, ...aliases, summary.en, summary.zh].some((text) => text.toLowerCase().includes(wanted))
      );
      ok(expected.length > 0, "the table has no query without a hit");
      deepStrictEqual(await names(query, "substring"), expected.map(({ name }) => name));
    });
  }
});

Deno.test("SearchIndex.search() by substring takes every character literally", async () => {
  verifies("search-substring");
  for (const query of [".*", "[a-z]", "get%", "send?msg", "\\w", "group member list"]) {
    deepStrictEqual(await names(query, "substring"), [], query);
  }
  deepStrictEqual(await names(".ocr_image", "substring"), ["ocr_image"]);
});

Deno.test("SearchIndex.search() by keywords finds what was promised, among the first three", async (t) => {
  verifies("search-promised", "search-keywords");
  const cases = [
    { query: "群 禁言", name: "set_group_ban" },
    { query: "mute member", name: "set_group_ban" },
    { query: "silence group user", name: "set_group_ban" },
    { query: "群成员", name: "get_group_member_list" },
    { query: "who is in the group", name: "get_group_member_list" },
    { query: "send group message", name: "send_group_msg" },
    { query: "踢 成员", name: "set_group_kick" },
    { query: "recall message", name: "delete_msg" },
    { query: "friend list", name: "get_friend_list" },
  ];
  for (const { query, name } of cases) {
    await t.step(query, async () => {
      const first = (await names(query, "keywords")).slice(0, 3);
      ok(first.includes(name), `${name} is not among ${first.join(", ")}`);
    });
  }
});

Deno.test("SearchIndex.search() by keywords puts an exact name or alias first, for all of them", async () => {
  verifies("search-keywords");
  for (const { name, aliases } of (await realCatalog()).actions) {
    for (const query of [name, ...aliases, name.toUpperCase()]) {
      strictEqual((await names(query, "keywords"))[0], name, query);
    }
  }
});

Deno.test("SearchIndex.search() by keywords takes the words of a name for the name", async () => {
  verifies("search-keywords");
  strictEqual((await names("get group member list", "keywords"))[0], "get_group_member_list");
  strictEqual((await names("  set \t group\nban ", "keywords"))[0], "set_group_ban");
});

Deno.test("SearchIndex.search() by keywords needs every term", async () => {
  verifies("search-keywords");
  ok((await names("group", "keywords")).length > 0);
  deepStrictEqual(await names("group xylophone", "keywords"), []);
  deepStrictEqual(await names("xylophone group", "keywords"), []);
  const both = new Set(await names("group file", "keywords"));
  const one = new Set(await names("file", "keywords"));
  for (const name of both) ok(one.has(name), `${name} fits both terms, so it fits one`);
});

Deno.test("SearchIndex.search() by keywords leaves out words without meaning unless there are no others", () => {
  const index = new SearchIndex([makeAction({ name: "walk_dog" }), makeAction({ name: "of_course" })], CATEGORIES);
  deepStrictEqual(index.search("how to walk the dog", "keywords").map(({ name }) => name), ["walk_dog"]);
  deepStrictEqual(index.search("of", "keywords").map(({ name }) => name), ["of_course"]);
});

Deno.test("SearchIndex.search() by keywords finds Latin words at their beginning only, Chinese anywhere", () => {
  const urban = makeAction({ name: "urban_walk", summary: { en: "Walks in an urban place.", zh: "城市里散步" } });
  const index = new SearchIndex([urban], CATEGORIES);
  deepStrictEqual(index.search("ban", "keywords"), []);
  deepStrictEqual(index.search("urb", "keywords"), [urban]);
  deepStrictEqual(index.search("市里", "keywords"), [urban]);
});

Deno.test("SearchIndex.search() by keywords ranks a name above a summary, a summary above a note, ties by catalog order", () => {
  const actions = [
    makeAction({ name: "a_thing", notes: [{ en: "Needs a lantern.", zh: "需要" }] }),
    makeAction({ name: "b_thing", summary: { en: "Lights a lantern.", zh: "点灯" } }),
    makeAction({ name: "c_lantern" }),
    makeAction({ name: "d_lantern" }),
    makeAction({ name: "e_thing" }),
  ];
  const found = new SearchIndex(actions, CATEGORIES).search("lantern", "keywords").map(({ name }) => name);
  deepStrictEqual(found, ["c_lantern", "d_lantern", "b_thing", "a_thing"]);
});

Deno.test("SearchIndex.search() by keywords ranks a word of the query above its synonyms", () => {
  const actions = [makeAction({ name: "mute_thing" }), makeAction({ name: "ban_thing" })];
  const index = new SearchIndex(actions, CATEGORIES);
  deepStrictEqual(index.search("ban", "keywords").map(({ name }) => name), ["ban_thing", "mute_thing"]);
  deepStrictEqual(index.search("mute", "keywords").map(({ name }) => name), ["mute_thing", "ban_thing"]);
});

Deno.test("SearchIndex.search() by keywords finds by the category's slug and labels", () => {
  const friend = makeAction({ name: "x", category: "friend" });
  const index = new SearchIndex([friend, makeAction({ name: "y" })], CATEGORIES);
  deepStrictEqual(index.search("friends", "keywords"), [friend]);
  deepStrictEqual(index.search("好友", "keywords"), [friend]);
});

Deno.test("SearchIndex.search() gives nothing for blank keywords", async () => {
  deepStrictEqual(await names("   ", "keywords"), []);
});

Deno.test("SearchIndex.search() survives any text as a query", async () => {
  for (
    const query of ["(", "[", "\\", "*", "\u0000", "\ud800", "__proto__", "constructor", "toString", "a ".repeat(100)]
  ) {
    for (const match of ["substring", "keywords"] as const) ok(Array.isArray(await names(query, match)), query);
  }
});

Deno.test("synonymsOf() is symmetric within a row, leaves out the word itself, and is empty elsewhere", () => {
  ok(synonymsOf("ban").includes("禁言"));
  ok(synonymsOf("禁言").includes("ban"));
  ok(!synonymsOf("ban").includes("ban"));
  for (const word of ["xylophone", "", "constructor", "__proto__"]) deepStrictEqual(synonymsOf(word), [], word);
});

Deno.test("STOP_WORDS holds no word that names an action by itself", async () => {
  for (const { name } of (await realCatalog()).actions) ok(!STOP_WORDS.has(name), name);
});
