/** `snowluma-mcp doctor`: the configuration, where it came from, and whether the bot answers. */
import { loadActions } from "../catalog/load.ts";
import type { Config } from "../config/resolve.ts";
import { type SettingName, SETTINGS, type SettingSpec } from "../config/settings.ts";
import { type Check, checkConnection } from "../connection_check.ts";
import { UsageError } from "../errors.ts";
import { printable } from "../printable.ts";
import { MIN_SECRET_LENGTH, Redactor } from "../redact.ts";
import { NAME, VERSION } from "../version.ts";
import { openEndpoint } from "./endpoint.ts";
import { prepareFolders } from "./folders.ts";
import { makeExecutor } from "./make_executor.ts";

/**
 * Prints a report; values of secrets are never in it.
 *
 * @returns Whether everything is in order.
 */
export async function doctor(config: Config, print: (line: string) => void): Promise<boolean> {
  const { catalog, actions } = await loadActions();
  print(`${NAME} ${VERSION}, Deno ${Deno.version.deno}, catalog of ${catalog.version} with ${actions.length} actions`);
  print("");
  print("Settings");
  const width = Math.max(...Object.values(SETTINGS).map(({ env }) => env.length));
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    print(`  ${SETTINGS[name].env.padEnd(width)} ${shown(config, name)} (${config.sources[name]})`);
  }
  const problems = [...config.notices];
  const notes: string[] = [];
  const { token } = config;
  print("");
  print("Bot");
  if (config.mode === "docs") print("  not contacted: the server runs in docs mode");
  else problems.push(...await probe(config, print));
  print("");
  print("Files");
  if (config.mode !== "write") print("  not used: only write mode has transfers");
  else notes.push(...await tryFolders(config, print, problems));
  print("");
  if (token !== undefined && token.length < MIN_SECRET_LENGTH) {
    notes.push(`A token of fewer than ${MIN_SECRET_LENGTH} characters is easy to guess and not masked in answers.`);
  }
  for (const note of notes) print(`Note: ${printable(note)}`);
  for (const problem of problems) print(`Problem: ${problem}`);
  if (problems.length === 0) print("No problem found.");
  return problems.length === 0;
}

/** Opens the folders as serving does; gives what is to be noted and adds what would end the start. */
async function tryFolders(config: Config, print: (line: string) => void, problems: string[]): Promise<string[]> {
  try {
    const notices = await prepareFolders(config);
    print(`  downloads  ${notices.length > 0 ? "not possible" : `into ${printable(config.streamDir ?? "")}`}`);
    print(`  uploads    ${config.uploadRoot === undefined ? "off" : `from ${printable(config.uploadRoot)}`}`);
    return notices;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print("  not usable");
    problems.push(printable(`${error.message}.`));
    return [];
  }
}

function shown(config: Config, name: SettingName): string {
  const value = config[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "not set";
  return (SETTINGS[name] as SettingSpec<unknown>).secret ? "set, not shown" : printable(String(value));
}

/** Asks the bot and prints what it says; gives what is wrong. */
async function probe(config: Config, print: (line: string) => void): Promise<string[]> {
  await using endpoint = await openEndpoint(config);
  const redactor = new Redactor(config.token === undefined ? [] : [config.token]);
  const executor = await makeExecutor(endpoint.config, redactor);
  const checks = await checkConnection(executor, { signal: new AbortController().signal });
  const { get_login_info: login, get_status: status, get_version_info: version } = checks;
  print(`  account  ${line(login, ["user_id", "nickname"])}`);
  print(`  state    ${line(status, ["online", "good"])}`);
  print(`  version  ${line(version, ["app_name", "app_version", "protocol_version"])}`);
  const failed = Object.values(checks).filter(({ diagnostics }) => diagnostics.outcome !== "success");
  const byKind = new Map(failed.toReversed().map(({ diagnostics }) => [diagnostics.kind, diagnostics])); // one line a cause
  const problems = [...byKind.values()].map(({ message, next_step }) => printable(`${message}. ${next_step}`));
  if (dataOf(status)?.online === false) problems.push("The bot answers, but its account is offline: log it in again.");
  return problems;
}

function line(check: Check, fields: readonly string[]): string {
  const data = dataOf(check);
  if (check.diagnostics.outcome !== "success" || data === undefined) return "no answer";
  return printable(fields.filter((field) => field in data).map((field) => `${field}=${data[field]}`).join(" "));
}

function dataOf({ response }: Check): Record<string, unknown> | undefined {
  const data = (response as { data?: unknown } | null)?.data;
  return typeof data === "object" && data !== null ? data as Record<string, unknown> : undefined;
}
