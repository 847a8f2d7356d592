/** Reads what a person answered when they were asked for missing parameters. */
import { findProblems } from "../catalog/check.ts";
import type { CatalogAction } from "../catalog/types.ts";
import { Failure } from "../errors.ts";
import { parseJson } from "../onebot/lossless_json.ts";

/** Longest answer, in UTF-16 units: a form is for what somebody types. */
export const MAX_ANSWER_LENGTH = 65_536;

/**
 * Gives the values of the missing parameters.
 *
 * @param text A JSON object that holds each missing parameter, and nothing else.
 * @throws {Failure} `input` for anything else; the message quotes names, never values.
 */
export async function readAnswer(
  action: CatalogAction,
  missing: readonly string[],
  text: string,
): Promise<Record<string, unknown>> {
  if (text.length > MAX_ANSWER_LENGTH) {
    throw refused(action, `it has ${text.length} characters, which exceeds ${MAX_ANSWER_LENGTH}`);
  }
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch {
    throw refused(action, "it is not JSON");
  }
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    throw refused(action, "it is not a JSON object");
  }
  const values = answer as Record<string, unknown>;
  const extra = Object.keys(values).filter((name) => !missing.includes(name));
  if (extra.length > 0) {
    const names = extra.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 64))).join(", ");
    throw refused(action, `it holds ${names}, which it was not asked for`);
  }
  const absent = missing.filter((name) => !Object.hasOwn(values, name));
  if (absent.length > 0) throw refused(action, `it lacks ${absent.join(", ")}`);
  const [problem] = await findProblems(action, values);
  if (problem !== undefined) throw refused(action, `${problem.path} ${problem.message}`);
  return values;
}

function refused({ name }: CatalogAction, why: string): Failure {
  return new Failure(
    "input",
    `Cannot call ${name} with this answer: ${why}`,
    "Nothing was sent. Call again to be asked again, or give complete params.",
  );
}
