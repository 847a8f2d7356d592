/**
 * Which configuration a folder belongs to: the results of one account are not another's to list. The file says so
 * without saying what the configuration is; to find the token by trial takes long for each trial, and begins anew for
 * each folder.
 */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { quote } from "../files/system_reason.ts";
import { replaceFile } from "./atomic_write.ts";
import { readPrivate } from "./private_file.ts";
import { RecordFault } from "./record.ts";
import { storageFailure } from "./storage_failure.ts";

/** Name of the file. */
export const SCOPE_NAME = ".scope.json";
/** Rounds of PBKDF2: 15 ms or so. */
const ITERATIONS = 100_000;
const SALT_BYTES = 16;

/** What tasks belong to, as it is in effect. */
export interface Scope {
  readonly mode: string;
  readonly endpoint: string;
  readonly token?: string;
}

interface ScopeFile {
  readonly format: 1;
  /** Both in lower-case hex digits. */
  readonly salt: string;
  readonly digest: string;
}

/**
 * Binds the folder to the scope, unless it is bound already. To be called under the lease.
 *
 * @param folder Its real path.
 * @param isUsed Whether there are tasks in it; then it has to be bound.
 * @throws {Failure} `busy` for a folder of another scope, `storage` for one that says nothing or nonsense about it.
 */
export async function bindScope(folder: string, scope: Scope, isUsed: boolean): Promise<void> {
  const path = join(folder, SCOPE_NAME);
  const file = await readScope(path);
  if (file === undefined) {
    if (isUsed) throw foreign("storage", folder, `it has tasks, but no ${SCOPE_NAME} that says whose they are`);
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES)).toHex();
    const content: ScopeFile = { format: 1, salt, digest: await digestOf(scope, salt) };
    await replaceFile(path, new TextEncoder().encode(`${JSON.stringify(content)}\n`));
  } else if (await digestOf(scope, file.salt) !== file.digest) {
    throw foreign("busy", folder, "it belongs to another mode, endpoint or token");
  }
}

async function readScope(path: string): Promise<ScopeFile | undefined> {
  try {
    return parseScope(await readPrivate(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw storageFailure("read", path, error);
  }
}

function parseScope(text: string): ScopeFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RecordFault("it is not JSON");
  }
  const { format, salt, digest, ...rest } = Object(value) as Record<string, unknown>;
  if (typeof format === "number" && format > 1) throw new RecordFault("it was written by a newer version");
  if (format !== 1 || !isHex(salt, SALT_BYTES) || !isHex(digest, 32) || Object.keys(rest).length > 0) {
    throw new RecordFault("it is not format, salt and digest");
  }
  return { format, salt, digest };
}

function isHex(value: unknown, bytes: number): value is string {
  return typeof value === "string" && value.length === 2 * bytes && /^[0-9a-f]+$/.test(value);
}

/** PBKDF2 with SHA-256, in hex digits. No two scopes are the same JSON. */
async function digestOf({ mode, endpoint, token }: Scope, salt: string): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([mode, endpoint, token ?? null]));
  const key = await crypto.subtle.importKey("raw", text, "PBKDF2", false, ["deriveBits"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt: Uint8Array.fromHex(salt), iterations: ITERATIONS };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256)).toHex();
}

function foreign(kind: "busy" | "storage", folder: string, reason: string): Failure {
  return new Failure(
    kind,
    `Cannot use the task folder ${quote(folder)}: ${reason}`,
    "Use invoke_action, which works without tasks; the operator can set SNOWLUMA_MCP_TASK_DIR to a new private folder " +
      "and keep the old one for its history.",
  );
}
