/** One run of the program with an intruder in it, and what has to come of it. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { CARRIER, CONTROLS, pack, type Report, reportIn, type Targets } from "../support/intruder.ts";
import { type Launch, launch, type Left } from "../support/launched.ts";
import { RawBot } from "../support/raw_bot.ts";
import { list } from "./transfer_support.ts";
import { Counter, makeSandboxFolders, proxyEnv, writeEnv } from "./sandbox_support.ts";

/** The modes that are tried. */
export const INTRUDED_MODES = ["docs", "read", "write"] as const;

/** Which of the controls a mode needs, and gets. */
const NEEDED: Readonly<Record<(typeof INTRUDED_MODES)[number], readonly string[]>> = {
  docs: [],
  read: [CONTROLS.bot, CONTROLS.fetch],
  write: Object.values(CONTROLS),
};

/**
 * Lets the intruder in, and checks that it got what the mode needs, and that the runtime refused all else.
 *
 * @param start Gives the command for some settings.
 * @param options What may end otherwise, and how the intruder ends.
 */
export async function checkIntrusion(
  mode: (typeof INTRUDED_MODES)[number],
  start: (env: Record<string, string>) => Promise<Launch>,
  { differs = {}, fails }: { readonly differs?: Report; readonly fails?: Targets["fails"] } = {},
): Promise<Left> {
  await using folders = await makeSandboxFolders();
  await using bot = new RawBot();
  await using elsewhere = new Counter();
  await using proxy = new Counter();
  const { top, uploads, downloads, tasks } = folders;
  await Deno.writeTextFile(join(downloads, "kept.txt"), "");
  const targets: Targets = {
    ...{ top, uploads, downloads, tasks },
    bot: bot.port,
    elsewhere: elsewhere.port,
    ...(fails !== undefined && { fails }),
  };
  const env = {
    ...writeEnv(folders, bot.url),
    SNOWLUMA_MCP_MODE: mode,
    SNOWLUMA_MCP_TOKEN: "tok_nobody-else",
    [CARRIER]: pack(targets),
  };
  const command = await start(env);
  const left = await launch({ ...command, env: { ...command.env, ...env, ...proxyEnv(proxy.port) } });
  const report = reportIn(left.stderr);
  const needed = NEEDED[mode];
  const expected = Object.keys(report).map((what) => [what, needed.includes(what) ? "done" : "NotCapable"]);
  const also = Object.entries(differs).filter(([what]) => report[what] !== "NotCapable");
  deepStrictEqual(report, { ...Object.fromEntries([...expected, ...also]), "ask for more": "denied" });
  ok(Object.keys(report).length > 30);
  deepStrictEqual([elsewhere.count, proxy.count], [0, 0], "somebody else was reached");
  strictEqual(bot.connections.length, needed.length === 0 ? 0 : 2);
  deepStrictEqual(await list(top), ["down", "module.js", "secret.txt", "tasks", "up"], "something was left");
  deepStrictEqual(await list(uploads), ["inside.txt", "link.txt"]);
  deepStrictEqual(await list(downloads), ["kept.txt"]);
  if (fails === undefined) {
    deepStrictEqual([left.code, left.stdout.trimEnd().split("\n").length], [0, 2], left.stderr);
  }
  return left;
}
