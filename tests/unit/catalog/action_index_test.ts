import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { ActionIndex } from "../../../lib/catalog/action_index.ts";
import { loadActions } from "../../../lib/catalog/load.ts";
import { unknownAction } from "../../../lib/catalog/unknown_action.ts";
import { verifies } from "../../requirements.ts";
import { makeAction, realCatalog } from "../support.ts";

Deno.test("ActionIndex.find() finds every action by its name and by each alias", async () => {
  verifies("aliases");
  const index = await realCatalog();
  strictEqual(index.actions.length, 179);
  for (const action of index.actions) {
    for (const name of [action.name, ...action.aliases]) strictEqual(index.find(name), action, name);
  }
});

Deno.test("ActionIndex.find() takes names exactly and knows nothing of object members", async () => {
  const index = await realCatalog();
  for (const name of ["SEND_MSG", " send_msg", "send_msg ", "", "toString", "__proto__", "constructor"]) {
    strictEqual(index.find(name), undefined, name);
  }
});

Deno.test("ActionIndex.nearest() names what a misspelt name may have meant, nearest first", async (t) => {
  verifies("nearest-names");
  const index = await realCatalog();
  const cases = [
    { wrong: "send_grup_msg", first: "send_group_msg" },
    { wrong: "set_group_bann", first: "set_group_ban" },
    { wrong: "get_group_memberlist", first: "get_group_member_list" },
    { wrong: "SET_GROUP_BAN", first: "set_group_ban" },
    { wrong: "nc_get_rky", first: "nc_get_rkey" },
    { wrong: "get-status", first: "get_status" },
  ];
  for (const { wrong, first } of cases) {
    await t.step(wrong, () => {
      const near = index.nearest(wrong);
      strictEqual(near[0], first);
      ok(near.length <= 3);
    });
  }
});

Deno.test("ActionIndex.nearest() gives names that contain the word, and at most three", async () => {
  const near = (await realCatalog()).nearest("friend");
  strictEqual(near.length, 3);
  for (const name of near) ok(name.includes("friend"), name);
});

Deno.test("ActionIndex.nearest() gives nothing for what resembles no name", async () => {
  const index = await realCatalog();
  for (const wrong of ["", "x", "完全不同的名字", "qqqqqqqqqqqqqqqq", "z".repeat(100_000)]) {
    deepStrictEqual(index.nearest(wrong), [], wrong.slice(0, 20));
  }
});

Deno.test("ActionIndex.nearest() stays quick however long the name is", async () => {
  verifies("bounded");
  const index = await realCatalog();
  const start = performance.now();
  index.nearest("send_group_msg".repeat(500_000));
  ok(performance.now() - start < 2_000);
});

Deno.test("ActionIndex.search() passes on to the search index of its own actions", () => {
  const one = makeAction({ name: "feed_cat" });
  const categories = { message: { en: "Messages", zh: "消息" } } as never;
  const index = new ActionIndex({ version: "1", categories, actions: [one] });
  deepStrictEqual(index.search("cat", "substring"), [one]);
  deepStrictEqual(index.search("cat", "keywords"), [one]);
});

Deno.test("loadActions() reads the snapshot once", async () => {
  strictEqual(await loadActions(), await loadActions());
});

Deno.test("unknownAction() names the name and its neighbours, or where to look", async () => {
  verifies("nearest-names");
  const index = await realCatalog();
  const near = unknownAction("send_grup_msg", index);
  strictEqual(near.kind, "unknown_action");
  strictEqual(near.outcome, "failed");
  strictEqual(near.message, 'Unknown action "send_grup_msg"');
  ok(near.nextStep.includes("send_group_msg"));
  ok(unknownAction("zzzzzzzz", index).nextStep.includes("search_actions"));
});

Deno.test("unknownAction() cuts a long name and escapes what could forge a line", async () => {
  const index = await realCatalog();
  ok(unknownAction("n".repeat(10_000), index).message.length < 100);
  strictEqual(unknownAction("a\nb", index).message, 'Unknown action "a\\nb"');
});
