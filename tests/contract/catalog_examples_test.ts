/** Every example of the catalog against the check that clients use: schema, rules, and unknown names. */
import { deepStrictEqual } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { loadActions } from "../../lib/catalog/load.ts";
import { checkCall } from "../../lib/catalog/check.ts";
import { describeAction } from "../../lib/catalog/describe.ts";
import { verifies } from "../requirements.ts";

const { actions } = await loadActions();

Deno.test("every catalog example passes the offline check", async (t) => {
  verifies("catalog-told");
  for (const action of actions) {
    await t.step(action.name, async () => {
      for (const { params } of action.examples) {
        const { problems, unknown_params } = await checkCall(action, params, "en");
        deepStrictEqual({ problems, unknown_params }, { problems: [], unknown_params: [] });
      }
    });
  }
});

Deno.test("every inputSchema and returnsSchema that clients get compiles as strict JSON Schema 2020-12", async (t) => {
  verifies("catalog-compiles");
  for (const action of actions) {
    await t.step(action.name, () => {
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
      const { inputSchema, returnsSchema, undeclaredParams = {} } = describeAction(action, "zh");
      for (const schema of [inputSchema, returnsSchema, ...Object.values(undeclaredParams)]) ajv.compile(schema);
    });
  }
});
