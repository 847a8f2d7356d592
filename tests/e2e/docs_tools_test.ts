/** The tools over the bundled catalog, through both official clients: the same for both. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS, type TestClient } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";

async function resultOf(client: TestClient, tool: string, args: Message = {}): Promise<Message> {
  const { content, structuredContent, isError } = await client.callTool(tool, args);
  ok(!isError, content[0].text);
  deepStrictEqual(structuredContent.diagnostics, { outcome: "success" });
  deepStrictEqual(JSON.parse(content[0].text), structuredContent.result, "text and structured content differ");
  return structuredContent.result;
}

function names({ actions }: Message): string[] {
  return actions.map(({ name }: Message) => name);
}

for (const makeClient of CLIENTS) {
  Deno.test(`list_actions and search_actions list, filter and page (${makeClient.name})`, async (t) => {
    verifies("list-shape", "list-filters", "list-paging", "search-substring");
    await using client = await makeClient();
    const all = await resultOf(client, "list_actions");

    await t.step("everything", () => {
      deepStrictEqual(Object.keys(all), ["count", "actions"]);
      strictEqual(all.count, 179);
      strictEqual(new Set(names(all)).size, 179);
      deepStrictEqual(Object.keys(all.actions[0]), [
        "name",
        "category",
        "summary",
        "aliases",
        "readOnly",
        "stream",
        "risk",
      ]);
    });

    await t.step("filters", async () => {
      const filters: Array<[filter: Message, keeps: (action: Message) => boolean]> = [
        [{ category: "group-admin" }, ({ category }) => category === "group-admin"],
        [{ read_only: true }, ({ readOnly }) => readOnly],
        [{ read_only: false }, ({ readOnly }) => !readOnly],
        [{ stream: true }, ({ stream }) => stream],
        [{ risk: "secret" }, ({ risk }) => risk === "secret"],
        [{ risk: "dangerous" }, ({ risk }) => risk === "dangerous"],
        [
          { category: "extended", read_only: true, stream: false, risk: "read" },
          ({ category, risk, stream }) => category === "extended" && risk === "read" && !stream,
        ],
      ];
      for (const [filter, keeps] of filters) {
        const expected = all.actions.filter(keeps);
        ok(expected.length > 0 && expected.length < 179, JSON.stringify(filter));
        deepStrictEqual(await resultOf(client, "list_actions", filter), { count: expected.length, actions: expected });
        const found = await resultOf(client, "search_actions", { query: "_", ...filter });
        deepStrictEqual(names(found), names({ actions: expected.filter(({ name }: Message) => name.includes("_")) }));
      }
    });

    await t.step("the category by its labels in both languages", async () => {
      const { actions } = await resultOf(client, "list_actions", { category: "group-info" });
      for (const category of ["Group information", "group information", "GROUP-INFO", "群信息"]) {
        deepStrictEqual((await resultOf(client, "list_actions", { category })).actions, actions, category);
      }
    });

    await t.step("pages", async () => {
      const seen: string[] = [];
      for (let offset: number | null = 0; offset !== null;) {
        const page = await resultOf(client, "list_actions", { limit: 50, offset });
        deepStrictEqual(Object.keys(page), ["count", "total", "next_offset", "actions"]);
        deepStrictEqual([page.total, page.count], [179, page.actions.length]);
        seen.push(...names(page));
        offset = page.next_offset;
      }
      deepStrictEqual(seen, names(all));
      const beyond = await resultOf(client, "list_actions", { offset: 500 });
      deepStrictEqual(beyond, { count: 0, total: 179, next_offset: null, actions: [] });
      const last = await resultOf(client, "search_actions", { query: "_", limit: 1, offset: 0 });
      deepStrictEqual([last.count, last.next_offset], [1, 1]);
      strictEqual((await resultOf(client, "list_actions", { limit: 200 })).next_offset, null);
    });
  });

  Deno.test(`search_actions finds by part and by meaning (${makeClient.name})`, async (t) => {
    verifies("search-substring", "search-keywords", "search-promised");
    await using client = await makeClient();
    await t.step("substring is literal and without case", async () => {
      deepStrictEqual(names(await resultOf(client, "search_actions", { query: "SET_GROUP_BAN" })), ["set_group_ban"]);
      strictEqual((await resultOf(client, "search_actions", { query: "set.group" })).count, 0);
      ok(names(await resultOf(client, "search_actions", { query: "禁言" })).includes("set_group_ban"));
    });
    await t.step("keywords promised", async () => {
      const promised: Record<string, string[]> = {
        set_group_ban: ["群 禁言", "mute member", "silence group user", "set_group_ban"],
        get_group_member_list: ["群成员", "who is in the group", "get_group_member_list"],
      };
      for (const [name, queries] of Object.entries(promised)) {
        for (const query of queries) {
          const found = names(await resultOf(client, "search_actions", { query, match: "keywords", limit: 10 }));
          ok(found.includes(name), `${query}: ${found}`);
        }
      }
    });
    await t.step("exact names and aliases first", async () => {
      const { actions } = await resultOf(client, "list_actions");
      const aliased = actions.find(({ aliases }: Message) => aliases.length > 0);
      for (const query of ["get_msg", "delete_msg", aliased.aliases[0]]) {
        const [first] = (await resultOf(client, "search_actions", { query, match: "keywords" })).actions;
        ok(first.name === query || first.aliases.includes(query), `${query}: ${first?.name}`);
      }
    });
  });

  Deno.test(`list_categories gives slug, label and count (${makeClient.name})`, async () => {
    verifies("categories-shape", "language");
    const counts: unknown[] = [];
    for (const lang of ["en", "zh"]) {
      await using client = await makeClient({ env: { SNOWLUMA_MCP_LANG: lang } });
      const categories = await resultOf(client, "list_categories");
      ok(Array.isArray(categories));
      for (const entry of categories) {
        deepStrictEqual(Object.keys(entry), ["category", "label", "count"]);
        strictEqual((await resultOf(client, "list_actions", { category: entry.category })).count, entry.count);
        strictEqual(/\p{Script=Han}/u.test(entry.label), lang === "zh", entry.label);
      }
      counts.push(categories.map(({ category, count }) => [category, count]));
      strictEqual(categories.reduce((sum, { count }) => sum + count, 0), 179);
    }
    deepStrictEqual(counts[0], counts[1]);
  });

  Deno.test(`get_action explains an action by name and by alias, in both languages (${makeClient.name})`, async () => {
    verifies("get-action", "language");
    await using client = await makeClient();
    await using chinese = await makeClient({ args: ["--lang", "zh"] });
    const { actions } = await resultOf(client, "list_actions");
    const aliased = actions.find(({ aliases }: Message) => aliases.length > 0);
    const page = await resultOf(client, "get_action", { name: aliased.name });
    deepStrictEqual(await resultOf(client, "get_action", { name: aliased.aliases[0] }), page);
    const { inputSchema, returnsSchema, examples, readOnly } = await resultOf(client, "get_action", {
      name: "get_msg",
    });
    deepStrictEqual([inputSchema.type, inputSchema.required, readOnly], ["object", ["message_id"], true]);
    ok(typeof returnsSchema === "object" && examples.length > 0);
    ok(/\p{Script=Han}/u.test((await resultOf(chinese, "get_action", { name: "get_msg" })).summary));
  });

  Deno.test(`unknown names are answered with the nearest ones in every tool (${makeClient.name})`, async () => {
    verifies("nearest-names", "refusals-send-nothing");
    await using client = await makeClient({ args: ["--mode", "write", "--endpoint", "simulator"] });
    const calls: Array<[tool: string, args: Message]> = [
      ["get_action", { name: "get_grup_info" }],
      ["check_action", { action: "get_grup_info" }],
      ["query_action", { action: "get_grup_info" }],
      ["invoke_action", { action: "get_grup_info" }],
    ];
    for (const [tool, args] of calls) {
      const { isError, content, structuredContent } = await client.callTool(tool, args);
      strictEqual(isError, true);
      strictEqual(structuredContent.diagnostics.kind, "unknown_action");
      ok(content[0].text.includes("get_group_info"), `${tool}: ${content[0].text}`);
    }
    const { content } = await client.callTool("get_action", { name: "zzzzzzzzzzzzzzzz" });
    ok(content[0].text.includes("search_actions"), content[0].text);
  });
}
