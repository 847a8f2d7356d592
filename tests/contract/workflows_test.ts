/** The workflows, read as what they are: they run elsewhere. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import config from "../../deno.json" with { type: "json" };
import { bundleName } from "../../release/mcpb.ts";
import { binaryName, TARGETS } from "../../release/targets.ts";
import { verifies } from "../requirements.ts";
import { parse } from "../support/yaml.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly "continue-on-error"?: boolean;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly "runs-on": string;
  readonly needs?: string;
  readonly if?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly "continue-on-error"?: boolean;
  readonly strategy?: {
    readonly matrix: { readonly include?: ReadonlyArray<{ readonly target: string; readonly runner: string }> };
  };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions: unknown;
  readonly env: { readonly DENO: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): Promise<string> => Deno.readTextFile(new URL(path, ROOT));
const FILES = ["ci.yml", "release.yml"];
const TEXTS = await Promise.all(FILES.map((name) => read(`.github/workflows/${name}`)));
const [CI, RELEASE] = TEXTS.map((text) => parse(text) as Workflow) as [Workflow, Workflow];
const JOBS = [CI, RELEASE].flatMap(({ jobs }) => Object.entries(jobs));

/** The steps of a job, each as one text. */
function commands({ steps }: Job): string[] {
  return steps.map(({ uses, run }) => uses ?? run ?? "");
}

/** Where this step comes in a job, by a word of it. */
function place(job: Job | undefined, word: string): number {
  const found = job === undefined ? -1 : commands(job).findIndex((text) => text.includes(word));
  ok(found >= 0, `no step has ${JSON.stringify(word)}`);
  return found;
}

/** Runs a step's script as a runner does, with nothing else in the environment. */
async function runs(script: string | undefined, cwd: string | URL, env: Record<string, string>): Promise<boolean> {
  const { success } = await new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", script ?? "false"],
    cwd,
    env: { PATH: Deno.env.get("PATH") ?? "", ...env },
    clearEnv: true,
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}

Deno.test("the folder of workflows holds these two", async () => {
  verifies("workflows");
  const names = await Array.fromAsync(Deno.readDir(new URL(".github/workflows/", ROOT)), ({ name }) => name);
  deepStrictEqual(names.toSorted(), FILES);
});

Deno.test("workflows pin every action by its hash, with the version beside", () => {
  verifies("workflows");
  for (const text of TEXTS) {
    const uses = text.split("\n").filter((line) => /\buses\s*:/.test(line));
    ok(uses.length > 0);
    for (const line of uses) match(line, /^ +- uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
  const hashes = new Set(JOBS.flatMap(([, job]) => commands(job)).filter((text) => text.startsWith("actions/")));
  const names = new Set([...hashes].map((text) => text.split("@")[0]));
  strictEqual(hashes.size, names.size, "an action is pinned to two versions");
});

Deno.test("workflows may only read, but for the two jobs that publish", () => {
  verifies("workflows");
  for (const { permissions } of [CI, RELEASE]) deepStrictEqual(permissions, { contents: "read" });
  deepStrictEqual(
    Object.fromEntries(
      JOBS.flatMap(([name, { permissions }]) => permissions === undefined ? [] : [[name, permissions]]),
    ),
    {
      release: { contents: "write", "id-token": "write", attestations: "write" },
      jsr: { contents: "read", "id-token": "write" },
    },
  );
  for (const [name, { steps }] of JOBS) {
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
      deepStrictEqual(step.with, { "persist-credentials": false }, name);
    }
  }
  for (const text of TEXTS) {
    ok(!/pull_request_target|workflow_run|secrets\.|\$\{\{\s*github\.(event|head_ref)/.test(text));
    ok(!/-all\b|\s-A\b/.test(text), "everything is granted");
  }
});

Deno.test("workflows use the Deno that everything else here uses", async () => {
  verifies("workflows");
  const versions = (text: string): string[] => [...text.matchAll(/deno@([\w.]+)/g)].map(([, version = ""]) => version);
  const named = (await Promise.all([".ci/run", "README.md", "CONTRIBUTING.md"].map(read))).flatMap(versions);
  strictEqual(new Set(named).size, 1, "the version differs already elsewhere");
  deepStrictEqual(new Set(TEXTS.flatMap(versions)), new Set(named));
  for (const { env } of [CI, RELEASE]) strictEqual(env.DENO, `npx -y deno@${named[0]}`);
  for (const [name, job] of JOBS) {
    for (const [, task = ""] of commands(job).join("\n").matchAll(/\$DENO task ([\w-]+)/g)) {
      ok(task in config.tasks, `${name} runs the task ${task}, which is not there`);
    }
  }
});

Deno.test("the release builds each target once, on its own system", () => {
  verifies("workflows");
  const include = RELEASE.jobs.build?.strategy?.matrix.include ?? [];
  deepStrictEqual(include.map(({ target }) => target).toSorted(), TARGETS.map(({ triple }) => triple).toSorted());
  for (const { target, runner } of include) {
    const { os, arch } = TARGETS.find(({ triple }) => triple === target) ?? {};
    match(runner, { linux: /^ubuntu-22\.04(-arm)?$/, darwin: /^macos-\d/, windows: /^windows-\d/ }[os ?? "linux"]);
    strictEqual(/-arm$|^macos-\d+$/.test(runner), arch === "aarch64", `${runner} is another processor than ${target}`);
  }
  const runners = JOBS.map(([, job]) => job["runs-on"]);
  ok(!runners.some((runner) => runner.endsWith("-latest")));
});

Deno.test("the release runs, signs, packs and tests a binary before it is kept", () => {
  verifies("workflows");
  const { build } = RELEASE.jobs;
  match(config.tasks["test:binary"].command, /^deno task compile && /);
  const order = ["task test:binary", "codesign --verify --strict", '"$PROGRAM" --version', "task mcpb", "upload"]
    .map((word) => place(build, word));
  deepStrictEqual(order, order.toSorted((a, b) => a - b));
  strictEqual(build?.steps[order[1] ?? 0]?.if, "runner.os == 'macOS'");
});

Deno.test("a release needs every step before it", () => {
  verifies("workflows");
  const { jobs } = RELEASE;
  deepStrictEqual(
    Object.entries(jobs).map(([name, { needs }]) => [name, needs]),
    [["version", undefined], ["build", "version"], ["release", "build"], ["jsr", "release"]],
  );
  for (const [name, job] of JOBS) {
    ok(job["timeout-minutes"] !== undefined, `${name} may hang`);
    for (const step of [job, ...job.steps]) {
      strictEqual(step["continue-on-error"], undefined, name);
      ok(step.if === undefined || step.if === "runner.os == 'macOS'", `${name} may be left out`);
    }
  }
  const { release } = jobs;
  const order = ["sha256sum", "attest-build-provenance", "gh attestation verify", "gh release create"]
    .map((word) => place(release, word));
  deepStrictEqual(order, order.toSorted((a, b) => a - b));
  strictEqual(release?.steps[order[1] ?? 0]?.with?.["subject-checksums"], "dist/SHA256SUMS");
  match(
    release?.steps[order[3] ?? 0]?.run ?? "",
    / --verify-tag .* dist\/SHA256SUMS dist\/server\.json dist\/snowluma-mcp-\*$/,
  );
});

Deno.test({
  name: "a release stops at a tag that is not the version of deno.json",
  ignore: Deno.build.os === "windows", // these jobs run on Linux
  async fn() {
    verifies("workflows");
    const { version } = RELEASE.jobs;
    const script = version?.steps[place(version, "deno.json")]?.run;
    strictEqual(await runs(script, ROOT, { GITHUB_REF_NAME: `v${config.version}` }), true);
    for (
      const tag of ["v", `v${config.version}0`, "v0", `v${config.version}-rc.1`, `v${config.version.slice(0, -1)}`]
    ) {
      strictEqual(await runs(script, ROOT, { GITHUB_REF_NAME: tag }), false, tag);
    }
  },
});

Deno.test({
  name: "a release stops where a file of it is missing, and has a checksum of each",
  ignore: Deno.build.os !== "linux", // sha256sum
  async fn() {
    verifies("workflows");
    const { release } = RELEASE.jobs;
    const script = release?.steps[place(release, "sha256sum")]?.run;
    const top = await Deno.makeTempDir();
    const files = TARGETS.flatMap((target) => [binaryName(target), bundleName(target)]);
    const attempt = async (present: readonly string[]): Promise<boolean> => {
      await Deno.remove(`${top}/dist`, { recursive: true }).catch(() => {});
      await Deno.mkdir(`${top}/dist`);
      for (const name of present) await Deno.writeTextFile(`${top}/dist/${name}`, name);
      await Deno.writeTextFile(`${top}/deno.sh`, 'test "$4" = https://x.test/o/r && echo {} > dist/server.json\n');
      const env = { DENO: "bash deno.sh", GITHUB_SERVER_URL: "https://x.test", GITHUB_REPOSITORY: "o/r" };
      return await runs(script, top, env);
    };
    try {
      for (const name of files) strictEqual(await attempt(files.filter((other) => other !== name)), false, name);
      strictEqual(await attempt([]), false);
      strictEqual(await attempt(files), true);
      const sums = await Deno.readTextFile(`${top}/dist/SHA256SUMS`);
      const named = [...sums.matchAll(/^[0-9a-f]{64} {2}(.+)$/gm)].map(([, name]) => name);
      deepStrictEqual(named.toSorted(), [...files, "server.json"].toSorted());
    } finally {
      await Deno.remove(top, { recursive: true });
    }
  },
});
