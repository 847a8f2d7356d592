import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { loadActions } from "../../../lib/catalog/load.ts";
import { inputSchema } from "../../../lib/catalog/describe.ts";
import type { CatalogAction } from "../../../lib/catalog/types.ts";
import { describeMissing, missingParams } from "../../../lib/completion/missing.ts";
import { verifies } from "../../requirements.ts";

const actions = await loadActions();

function action(name: string): CatalogAction {
  const found = actions.find(name);
  ok(found, name);
  return found;
}

Deno.test("missingParams() gives, for every action, exactly the top-level required list", () => {
  verifies("input-missing-only");
  let required = 0;
  for (const each of actions.actions) {
    const list = inputSchema(each, "en").required ?? [];
    deepStrictEqual(missingParams(each, {}, false), list, each.name);
    deepStrictEqual(missingParams(each, Object.fromEntries((list as string[]).map((name) => [name, null])), false), []);
    required += (list as string[]).length;
  }
  ok(required > 150, `${required} required parameters`);
});

Deno.test("missingParams() counts null and inherited names for what they are", () => {
  verifies("input-missing-only");
  const send = action("send_group_msg");
  deepStrictEqual(missingParams(send, { group_id: 1 }, false), ["message"]);
  deepStrictEqual(missingParams(send, { group_id: 1, message: null }, false), []);
  deepStrictEqual(missingParams(send, Object.create({ group_id: 1 }), false), ["group_id", "message"]);
});

Deno.test("missingParams() leaves out what an upload of a file sets by itself", () => {
  verifies("input-missing-only", "upload-owned");
  const upload = action("upload_file_stream");
  deepStrictEqual(missingParams(upload, {}, false), ["stream_id"]);
  deepStrictEqual(missingParams(upload, {}, true), []);
  deepStrictEqual(missingParams(action("send_group_msg"), {}, true), ["group_id", "message"]);
});

Deno.test("describeMissing() tells name, type, unit and description of each, in both languages", () => {
  verifies("input-form");
  for (const lang of ["en", "zh"] as const) {
    for (const each of actions.actions) {
      const missing = missingParams(each, {}, false);
      const [lead, ...lines] = describeMissing(each, missing, lang).split("\n- ");
      ok(lead?.includes(each.name));
      strictEqual(lines.length, missing.length, each.name);
      for (const [n, line] of lines.entries()) {
        const { schema, text } = each.params[missing[n] ?? ""] ?? {};
        const type = [schema?.type].flat().join(" or ");
        ok(line.startsWith(`${missing[n]} (${type}`), line);
        ok(text && text[lang].length > 3 && line.endsWith(text[lang]), line);
      }
    }
  }
  const ban = action("set_group_ban");
  ok(/\n- user_id \(integer\): \S/.test(describeMissing(ban, ["user_id"], "en")));
});
