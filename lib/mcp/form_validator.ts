/**
 * What the SDK checks the answers to forms with: its own validator, made when a form is first shown instead of at every
 * start. The binary does not even load it before (`release/sdk_shims.ts`).
 */
import type { jsonSchemaValidator } from "@modelcontextprotocol/server";

let loaded: jsonSchemaValidator | undefined;

/** Has to come before every form. */
export async function loadFormValidator(): Promise<void> {
  if (loaded !== undefined) return;
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/server/validators/ajv");
  loaded ??= new AjvJsonSchemaValidator();
}

/** To be given to each server. */
export const formValidator: jsonSchemaValidator = {
  getValidator(schema) {
    if (loaded === undefined) throw new Error("A form was shown before its validator was loaded");
    return loaded.getValidator(schema);
  },
};
