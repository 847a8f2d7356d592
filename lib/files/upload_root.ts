/** The one folder that files may be uploaded from. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { Failure } from "../errors.ts";
import { missingGrants } from "./missing_grants.ts";
import { quote, systemReason } from "./system_reason.ts";

/** Both spellings of the upload root; they differ where a link leads to it. */
export interface UploadRoot {
  /** As the operator named it, absolute. */
  readonly given: string;
  /** Without links. */
  readonly real: string;
}

/**
 * Looks up the upload root.
 *
 * @throws {Failure} `input_file` if it is no directory, or may not be read.
 */
export async function openUploadRoot(path: string): Promise<UploadRoot> {
  const given = resolve(path);
  try {
    await requireGrant(given, given);
    const real = await Deno.realPath(given);
    await requireGrant(given, real);
    if (!(await Deno.lstat(real)).isDirectory) throw unusable(given, "it is not a directory");
    return { given, real };
  } catch (error) {
    throw error instanceof Failure ? error : unusable(given, systemReason(error), error);
  }
}

/**
 * The components of a path below the root, none for the root itself. It is only read, nothing is looked up.
 *
 * @param path Relative to the root, or absolute in either spelling of it.
 * @returns `undefined` if it leads out of the root.
 */
export function componentsBelow({ given, real }: UploadRoot, path: string): string[] | undefined {
  for (const root of [real, given]) {
    const below = relative(root, resolve(root, path));
    if (below === "") return [];
    const components = below.split(sep);
    if (components[0] !== ".." && !isAbsolute(below)) return components; // absolute: on another drive
  }
  return undefined;
}

async function requireGrant(given: string, real: string): Promise<void> {
  const flag = await missingGrants([given, real], ["read"]);
  if (flag === "") return;
  const next = `Ask the operator to add ${flag}, or name another folder in SNOWLUMA_MCP_UPLOAD_ROOT and grant that.`;
  throw new Failure("input_file", `Cannot use the upload root ${quote(given)}: the permission is missing`, next);
}

function unusable(path: string, reason: string, cause?: unknown): Failure {
  const next = "Ask the operator to name an existing folder in SNOWLUMA_MCP_UPLOAD_ROOT.";
  return new Failure("input_file", `Cannot use the upload root ${quote(path)}: ${reason}`, next, { cause });
}
