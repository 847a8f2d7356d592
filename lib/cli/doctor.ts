/** `snowluma-mcp doctor`: the configuration, where it came from, and whether the bot answers and its events come. */
import { dirname } from "@std/path";
import { loadActions } from "../catalog/load.ts";
import type { Config } from "../config/resolve.ts";
import { type SettingName, SETTINGS, type SettingSpec } from "../config/settings.ts";
import { type Check, checkConnection } from "../connection_check.ts";
import { UsageError } from "../errors.ts";
import { printable } from "../printable.ts";
import { MIN_SECRET_LENGTH, Redactor } from "../redact.ts";
import { tryForbidden } from "../sandbox/attempts.ts";
import { NAME, VERSION } from "../version.ts";
import { openEndpoint } from "./endpoint.ts";
import { prepareFolders } from "../host/folders.ts";
import { makeExecutor } from "../host/make_executor.ts";

/** What the parts of a report work with and add to. */
interface Report {
  /** Of the opened endpoint. */
  readonly config: Config;
  readonly redactor: Redactor;
  readonly print: (line: string) => void;
  readonly notes: string[];
  readonly problems: string[];
}

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
  const tokens = [config.token, config.eventsToken].filter((token) => token !== undefined);
  await using endpoint = await openEndpoint(config);
  const report: Report = { config: endpoint.config, redactor: new Redactor(tokens), print, notes, problems };
  print("");
  print("Bot");
  const account = await tryBot(report);
  print("");
  print("Events");
  await tryEvents(report, account);
  print("");
  print("Files");
  await tryFolders(report);
  print("");
  print("Sandbox");
  await trySandbox(report);
  print("");
  if (tokens.some((token) => token.length < MIN_SECRET_LENGTH)) {
    notes.push(`A token of fewer than ${MIN_SECRET_LENGTH} characters is easy to guess and not masked in answers.`);
  }
  for (const note of notes) print(`Note: ${printable(note)}`);
  for (const problem of problems) print(`Problem: ${problem}`);
  if (problems.length === 0) print("No problem found.");
  return problems.length === 0;
}

function shown(config: Config, name: SettingName): string {
  const value = config[name];
  const { secret, otherwise }: SettingSpec<unknown> = SETTINGS[name];
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return "not set";
  if (!secret) return printable(String(value));
  return config.sources[name] === "default" ? otherwise : "set, not shown";
}

/** Opens the folders as serving does. */
async function tryFolders({ config, print, notes, problems }: Report): Promise<void> {
  if (config.mode !== "write") return print("  not used: only write mode has transfers and tasks");
  const { streamDir, uploadRoot, taskDir } = config;
  try {
    const notices = await prepareFolders(config);
    print(`  downloads  ${notices.length > 0 ? "not possible" : `into ${printable(streamDir ?? "")}`}`);
    print(`  uploads    ${uploadRoot === undefined ? "off" : `from ${printable(uploadRoot)}`}`);
    print(`  tasks      ${taskDir === undefined ? "off" : `in ${printable(taskDir)}`}`);
    notes.push(...notices);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print("  not usable");
    problems.push(printable(`${error.message}.`));
  }
}

/** Does what a sandbox refuses. Running without one is the operator's choice, so it is noted, as plainly as can be. */
async function trySandbox({ print, notes }: Report): Promise<void> {
  const attempts = await tryForbidden(dirname(Deno.execPath()));
  const width = Math.max(...attempts.map(({ what }) => what.length));
  for (const { what, refused } of attempts) {
    print(`  ${printable(what).padEnd(width)}  ${refused ? "refused" : "NOT REFUSED"}`);
  }
  if (attempts.every(({ refused }) => refused)) return;
  notes.push(
    Deno.build.standalone
      ? "The folders of the settings reach further than a sandbox should: look where they lead."
      : "The server runs without a sandbox, or with more than it needs: start it with the flags that `snowluma-mcp " +
        "permissions` prints.",
  );
}

/** Connects to the event address and prints whose events come. */
async function tryEvents({ config, redactor, print, notes, problems }: Report, expected?: number): Promise<void> {
  if (config.mode === "docs") return print("  not contacted: the server runs in docs mode");
  if (config.eventsUrl === undefined) return print("  not used: no event address is set");
  const { checkEvents, FIRST_TEXT_MS } = await import("./event_check.ts");
  const { account, problem } = await checkEvents(config, expected);
  if (problem !== undefined) {
    print("  account  no events");
    problems.push(printable(redactor.text(problem)));
  } else if (account !== undefined) {
    print(`  account  ${account}`);
  } else {
    print("  account  nothing came yet");
    notes.push(
      `The event connection stands, but nothing came in ${FIRST_TEXT_MS / 1000} s: bots greet at once, unless the ` +
        "address serves calls alone.",
    );
  }
}

/** Asks the bot and prints what it says. @returns The account, if it is known. */
async function tryBot({ config, redactor, print, problems }: Report): Promise<number | undefined> {
  if (config.mode === "docs") {
    print("  not contacted: the server runs in docs mode");
    return undefined;
  }
  const executor = await makeExecutor(config, redactor);
  const checks = await checkConnection(executor, { signal: new AbortController().signal });
  const { get_login_info: login, get_status: status, get_version_info: version } = checks;
  print(`  account  ${line(login, ["user_id", "nickname"])}`);
  print(`  state    ${line(status, ["online", "good"])}`);
  print(`  version  ${line(version, ["app_name", "app_version", "protocol_version"])}`);
  const failed = Object.values(checks).filter(({ diagnostics }) => diagnostics.outcome !== "success");
  const byKind = new Map(failed.toReversed().map(({ diagnostics }) => [diagnostics.kind, diagnostics])); // one line a cause
  problems.push(...[...byKind.values()].map(({ message, next_step = "" }) => {
    return printable(`${message}. ${next_step.replace(/ask the operator to | with the doctor command/g, "")}`);
  }));
  if (dataOf(status)?.online === false) problems.push("The bot answers, but its account is offline: log it in again.");
  const account = dataOf(login)?.user_id;
  return typeof account === "number" ? account : undefined;
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
