/** Reads flags, environment and files, and makes the configuration of them. */
import { type Config, isGiven, resolveConfig } from "../config/resolve.ts";
import { absolutePath, SETTINGS, type SettingSpec } from "../config/settings.ts";
import { loadActions } from "../catalog/load.ts";
import { UsageError } from "../errors.ts";
import { shellWord } from "../printable.ts";

/** Largest configuration or token file, in bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Loads the configuration.
 *
 * @param flags By flag name, as `parseCommandLine` gives them.
 * @throws {UsageError} for anything the program cannot start with.
 *
 * Needs `--allow-env=SNOWLUMA_MCP_*` for settings from the environment, and `--allow-read` for the files named
 * by `--config`, `--token-file` and `--events-token-file`.
 */
export async function loadConfig(flags: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const { environment, hidden } = await readEnvironment();
  const { config: configPath } = flags;
  const tempDir = await findTempDir();
  const config = resolveConfig({
    flags,
    environment,
    ...(tempDir !== undefined && { tempDir }),
    ...(isGiven(configPath) && { file: parseFile(configPath, await readFile("--config", configPath)) }),
    flagFiles: await readFlagFiles(flags),
  });
  if (config.allow.length === 0) return withNotices(config, hidden);
  const index = await loadActions();
  const allow = config.allow.map((name) => {
    const action = index.find(name);
    if (action !== undefined) return action.name;
    const near = index.nearest(name);
    const advice = near.length > 0 ? `did you mean ${near.join(", ")}` : "list_actions shows all names";
    throw new UsageError(`${SETTINGS.allow.env} names an unknown action ${JSON.stringify(name)}: ${advice}`);
  });
  return withNotices({ ...config, allow }, hidden);
}

/** Without a bot what is not known is only noted; with one it could be the token, or a stricter mode. */
function withNotices(config: Config, hidden: readonly string[]): Config {
  if (hidden.length === 0) return config;
  const names = hidden.join(", ");
  if (config.mode !== "docs") {
    const which = hidden.length === Object.keys(SETTINGS).length ? "the settings" : names;
    throw new UsageError(`The environment may not be asked for ${which}: add --allow-env=SNOWLUMA_MCP_*`);
  }
  const notice = `Without permission to read ${names}, these settings are not looked for: add ` +
    "--allow-env=SNOWLUMA_MCP_*.";
  return { ...config, notices: [...config.notices, notice] };
}

/** Where temporary files go: as the environment says, if it may be asked. */
async function findTempDir(): Promise<string | undefined> {
  const isWindows = Deno.build.os === "windows";
  for (const variable of isWindows ? ["TEMP", "TMP"] : ["TMPDIR"]) {
    const { state } = await Deno.permissions.query({ name: "env", variable });
    const path = state === "granted" ? readVariable(variable) : undefined;
    // as of a folder that is set: what has a comma cannot be granted
    if (path && absolutePath(path) !== undefined) return path.replace(/[\\/]+$/, "");
  }
  return isWindows ? undefined : "/tmp";
}

async function readEnvironment(): Promise<{ environment: Record<string, string | undefined>; hidden: string[] }> {
  const environment: Record<string, string | undefined> = {};
  const hidden: string[] = [];
  for (const { env } of Object.values(SETTINGS)) {
    // queried, never requested: a prompt would reach for the terminal
    const { state } = await Deno.permissions.query({ name: "env", variable: env });
    if (state !== "granted") {
      hidden.push(env);
      continue;
    }
    const value = readVariable(env);
    if (value === null) throw new UsageError(`${env} is not valid Unicode text`);
    environment[env] = value;
  }
  return { environment, hidden };
}

/** Gives `null` for what is not Unicode text: the runtime's own words about it would quote the value. */
function readVariable(name: string): string | undefined | null {
  try {
    return Deno.env.get(name);
  } catch {
    return null;
  }
}

/** What the files hold that flags name instead of a value, by flag name. */
async function readFlagFiles(flags: Readonly<Record<string, string | undefined>>): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { fileFlag } of Object.values(SETTINGS) as SettingSpec<unknown>[]) {
    const path = fileFlag && flags[fileFlag];
    if (fileFlag && isGiven(path)) texts[fileFlag] = await readFile(`--${fileFlag}`, path);
  }
  return texts;
}

async function readFile(flag: string, path: string): Promise<string> {
  if (/[,\p{Cc}]/u.test(path)) {
    throw new UsageError(
      `${flag} cannot be ${JSON.stringify(path)}: a path with commas or line breaks cannot be granted`,
    );
  }
  // queried, as above: reading at once would ask on a terminal
  const { state } = await Deno.permissions.query({ name: "read", path });
  if (state !== "granted") {
    throw new UsageError(`${flag} ${JSON.stringify(path)} may not be read: add ${shellWord(`--allow-read=${path}`)}`);
  }
  let text: string;
  try {
    const { size, isFile } = await Deno.stat(path);
    if (!isFile) throw new UsageError(`${flag} ${JSON.stringify(path)} is not a file`);
    if (size > MAX_FILE_BYTES) throw new UsageError(`${flag} ${JSON.stringify(path)} exceeds ${MAX_FILE_BYTES} bytes`);
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : error instanceof TypeError
      ? "it is not text in UTF-8"
      : "it cannot be read";
    throw new UsageError(`${flag} ${JSON.stringify(path)}: ${why}`);
  }
  if (text.trim() === "") throw new UsageError(`${flag} ${JSON.stringify(path)} is empty`);
  return text;
}

function parseFile(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")); // some editors put a byte order mark before it
  } catch { // the parser's own words could quote the file, and with it a token
    throw new UsageError(`--config ${JSON.stringify(path)} is not JSON`);
  }
}
