/** Which parameters a call lacks, and how a person is asked for them. */
import type { Lang } from "../catalog/describe.ts";
import type { CatalogAction, Schema } from "../catalog/types.ts";
import { OWNED_PARAMS, UPLOAD_ACTION } from "../catalog/upload_params.ts";

/**
 * Names of the action's required parameters that are absent. What only some calls need, and optional parameters, are
 * never among them, nor is what the transfer of a file sets by itself.
 *
 * @param withFile Whether the call comes with a file to upload.
 */
export function missingParams(
  { name, params: known }: CatalogAction,
  params: Readonly<Record<string, unknown>>,
  withFile: boolean,
): string[] {
  const owned = withFile && name === UPLOAD_ACTION ? OWNED_PARAMS : [];
  return Object.keys(known).filter((param) =>
    known[param]?.required && !Object.hasOwn(params, param) && !owned.includes(param)
  );
}

const LEAD: Readonly<Record<Lang, (action: string) => string>> = {
  en: (action) => `${action} lacks these parameters. Give them as one JSON object with exactly these fields:`,
  zh: (action) => `${action} 缺少以下参数，请用一个 JSON 对象填写，且只含这些字段：`,
};

/** The text of the form: one line for each missing parameter, with its type and what it is. */
export function describeMissing({ name, params }: CatalogAction, missing: readonly string[], lang: Lang): string {
  const lines = missing.map((param) => {
    const { schema = {}, text, unit } = params[param] ?? {};
    return `- ${param} (${typeName(schema)}${unit === undefined ? "" : `, ${unit}`}): ${text?.[lang] ?? ""}`;
  });
  return [LEAD[lang](name), ...lines].join("\n");
}

/** Such as `integer`, or `string or array or object`. */
function typeName({ type }: Schema): string {
  return typeof type === "string" ? type : Array.isArray(type) ? type.join(" or ") : "any";
}
