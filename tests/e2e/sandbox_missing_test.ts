/** Each grant of the printed list, taken away: the start says which is missing, and why. */
import { match, ok, strictEqual } from "node:assert/strict";
import { SETTINGS } from "../../lib/config/settings.ts";
import { verifies } from "../requirements.ts";
import { launch, type Left } from "../support/launched.ts";
import { denoRun, EXACT_FLAGS, flagsFor, makeSandboxFolders, writeEnv } from "./sandbox_support.ts";

const [ENDPOINT, EVENTS] = ["http://127.0.0.1:9/", "ws://localhost:8/"]; // nobody is contacted

/** All lists of flags that lack one element of these, by the flag with that element alone. */
function without(flags: readonly string[]): Array<{ missing: string; rest: string[] }> {
  return flags.flatMap((flag) => {
    const [kind, list = ""] = flag.split("=");
    const values = list.split(",").filter((value) => value !== "");
    return values.map((value) => {
      const others = values.filter((each) => each !== value);
      const rest = flags.flatMap((each) => each !== flag ? [each] : others.length === 0 ? [] : [`${kind}=${others}`]);
      return { missing: `${kind}=${value}`, rest };
    });
  });
}

/** Checks that a start ended for want of a grant, in one line that names it. */
function checkRefusal({ code, stdout, stderr }: Left, missing: string, why: RegExp): void {
  strictEqual(code, 2, stderr);
  strictEqual(stdout, "");
  match(stderr, /^snowluma-mcp: [^\n]+\n$/);
  ok(stderr.includes(`add ${missing}`), stderr);
  match(stderr, why);
}

/** What the line says, by what is missing. */
const REASONS: ReadonlyArray<readonly [RegExp, RegExp]> = [
  [/=SNOWLUMA_MCP_\*$/, /may not be asked for the settings/],
  [/=WS_NO_/, /SNOWLUMA_MCP_EVENTS_URL cannot be used/],
  [/_proxy$/i, /Proxy variables may not be removed/],
  [/=127/, /The endpoint may not be reached/],
  [/=localhost/, /The event address may not be reached/],
  [/config\.json$/, /--config ".*" may not be read/],
  [/events\.txt$/, /--events-token-file ".*" may not be read/],
  [/token\.txt$/, /--token-file ".*" may not be read/],
  [/down$/, /Cannot use the download folder .*SNOWLUMA_MCP_STREAM_DIR/],
  [/up$/, /Cannot use the upload root .*SNOWLUMA_MCP_UPLOAD_ROOT/],
  [/tasks$/, /Cannot use the task folder .*SNOWLUMA_MCP_TASK_DIR/],
];

Deno.test(
  { name: "the start with one grant missing exits with 2 and says which and why", ...EXACT_FLAGS },
  async (t) => {
    verifies("sandbox-missing", "sandbox-exact");
    await using folders = await makeSandboxFolders();
    const { top, downloads, uploads, tasks } = folders;
    const files = { "token-file": "token.txt", "events-token-file": "events.txt", config: "config.json" };
    const args = Object.entries(files).flatMap(([flag, name]) => [`--${flag}`, `${top}/${name}`]);
    for (const name of Object.values(files)) {
      await Deno.writeTextFile(
        `${top}/${name}`,
        name.endsWith("json") ? "{}" : name,
      );
    }
    args.push("--endpoint", ENDPOINT, "--events-url", EVENTS, "--mode", "write", "--stream-dir", downloads);
    args.push("--upload-root", uploads, "--task-dir", tasks);
    const flags = await flagsFor({}, args);
    const whole = await launch(denoRun(flags, {}, args));
    strictEqual(whole.code, 0, whole.stderr);
    const cases = without(flags);
    strictEqual(cases.length, 9 + 2 + 6 + 2, flags.join(" "));
    for (const { missing, rest } of cases) {
      const [, why] = REASONS.find(([what]) => what.test(missing)) ?? [];
      await t.step(missing.replace(top, ""), async () => {
        ok(why !== undefined);
        checkRefusal(await launch(denoRun(rest, {}, args)), missing, why);
      });
    }
  },
);

Deno.test({ name: "the start with one setting unreadable exits with 2 and names it", ...EXACT_FLAGS }, async (t) => {
  verifies("sandbox-missing");
  const flags = await flagsFor({ SNOWLUMA_MCP_ENDPOINT: ENDPOINT });
  const names = Object.values(SETTINGS).map(({ env }) => env);
  for (const env of [SETTINGS.token.env, SETTINGS.mode.env, SETTINGS.allow.env, SETTINGS.taskDir.env]) {
    await t.step(env, async () => {
      const rest = flags.map((flag) => flag.replace("SNOWLUMA_MCP_*", names.filter((name) => name !== env).join()));
      const left = await launch(denoRun(rest, { SNOWLUMA_MCP_ENDPOINT: ENDPOINT, [env]: "" }, []));
      checkRefusal(left, "--allow-env=SNOWLUMA_MCP_*", new RegExp(env));
    });
  }
});

Deno.test(
  { name: "the start where no setting may be read serves docs mode, and says so", ...EXACT_FLAGS },
  async () => {
    verifies("sandbox-missing");
    await using folders = await makeSandboxFolders();
    const { code, stdout, stderr } = await launch(denoRun(["--no-prompt"], writeEnv(folders, ENDPOINT)));
    strictEqual(code, 0);
    ok(!stdout.includes(`"name":"invoke_action"`));
    match(stderr, /^warn: Without permission to read SNOWLUMA_MCP_ENDPOINT.* add --allow-env=SNOWLUMA_MCP_\*\.\n$/);
  },
);

Deno.test({
  name: "the start without grants for the default download folder goes on without downloads, and says which is missing",
  ...EXACT_FLAGS,
}, async (t) => {
  verifies("sandbox-missing", "download-default");
  await using folders = await makeSandboxFolders();
  const env = { SNOWLUMA_MCP_ENDPOINT: ENDPOINT, SNOWLUMA_MCP_MODE: "write", TMPDIR: folders.top };
  const folder = `${folders.top}/onebot-mcp-downloads`;
  await Deno.mkdir(folder, { mode: 0o700 });
  const cases = without(await flagsFor(env)).filter(({ missing }) => /TMPDIR|downloads/.test(missing));
  strictEqual(cases.length, 3);
  for (const { missing, rest } of cases) {
    await t.step(missing.replace(folders.top, ""), async () => {
      const { code, stdout, stderr } = await launch(denoRun(rest, env));
      strictEqual(code, 0);
      ok(stdout.includes(`"name":"invoke_action"`));
      match(stderr, /^warn: Cannot use the download folder "[^"]+": [^\n]+\n$/);
      if (!missing.includes("TMPDIR")) ok(stderr.includes(missing), stderr);
    });
  }
});
