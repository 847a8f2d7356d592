/** Settings that cannot be accepted: exit code 2, and one line on stderr that names setting and value. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { IS_BINARY, NEEDS_SOURCE } from "../support/binary.ts";
import { GRANTS, PROXIES, serverCommand, type ServerOptions } from "../support/server_process.ts";
import { type Finished, grantsToRead, runCommand } from "./support.ts";
import { fileGrants } from "./transfer_support.ts";

const PREFIX = "snowluma-mcp: ";
const SECRET = "tok TEST+/=1 with spaces";

async function refusal(options: ServerOptions): Promise<string> {
  return told(await runCommand(options.args ?? [], options));
}

/** The one sentence of a start that was refused. */
function told({ code, stdout, stderr }: Finished): string {
  strictEqual(code, 2, stderr);
  strictEqual(stdout, "");
  strictEqual(stderr.split("\n").length, 2, `not one line: ${stderr}`);
  ok(stderr.startsWith(PREFIX) && stderr.endsWith(".\n"), stderr);
  return stderr;
}

interface Bad {
  readonly setting: string;
  readonly values: readonly string[];
  /** Part of what is said to be accepted. */
  readonly accepts: string;
}

const BAD: readonly Bad[] = [
  {
    setting: "endpoint",
    values: [
      "localhost:3000",
      "ftp://127.0.0.1/",
      "ws://127.0.0.1:3000/",
      "http://",
      "http://127.0.0.1:99999/",
      "http://127.0.0.1:3000/?",
      "http://127.0.0.1:3000/#",
      "Simulator",
      "simulators",
      "/tmp/socket",
    ],
    accepts: "http or https address",
  },
  { setting: "mode", values: ["admin", "Read", "write,read", "0", "read\u001b[31m"], accepts: "docs, read or write" },
  {
    setting: "timeout_ms",
    values: ["0", "-1", "1.5", "1e3", "abc", "2147483648", "99999999999999999999", "٣", "1 000", "0x10"],
    accepts: "1 to 2147483647",
  },
  { setting: "lang", values: ["EN", "de", "zh-CN"], accepts: "en or zh" },
  { setting: "allow", values: ["get cookies", "get_cookies;bot_exit", "-", "../x"], accepts: "separated by commas" },
  { setting: "log", values: ["JSON", "yaml", "1"], accepts: "text or json" },
  {
    setting: "events_url",
    values: ["http://127.0.0.1:3001/", "127.0.0.1:3001", "ws://127.0.0.1:3001/?", "ws://127.0.0.1:3001/#", "Simulator"],
    accepts: "ws or wss address",
  },
  { setting: "task_dir", values: ["tasks", "~/tasks", "/a,b"], accepts: "an absolute path" },
];

for (const { setting, values, accepts } of BAD) {
  Deno.test(`an invalid ${setting} ends start-up, as a flag, in the environment and in a file`, async () => {
    verifies("config-invalid", "config-endpoint", "events-url");
    const file = await Deno.makeTempFile({ suffix: ".json" });
    try {
      for (const [index, value] of values.entries()) {
        const flag = `--${setting.replaceAll("_", "-")}`;
        const variable = `SNOWLUMA_MCP_${setting.toUpperCase()}`;
        await Deno.writeTextFile(file, JSON.stringify({ [setting]: value }));
        const ways: Array<[named: string, options: ServerOptions]> = [
          [flag, { args: [`${flag}=${value}`] }],
          [variable, { env: { [variable]: value } }],
          [`${setting} in the configuration file`, { args: ["--config", file], grants: grantsToRead(file) }],
        ];
        for (const [named, options] of index === 0 ? ways : ways.slice(index % 3, index % 3 + 1)) {
          const said = await refusal(options);
          ok(said.includes(named), said);
          ok(said.includes(accepts), said);
          const shown = JSON.stringify(value.replace(/[?#]$/, "")).slice(1, -1);
          ok(said.includes(shown), `${shown} is not in ${said}`);
        }
      }
    } finally {
      await Deno.remove(file);
    }
  });
}

Deno.test("credentials, query and fragment of a refused address are not repeated", async () => {
  verifies("config-endpoint", "events-url", "config-invalid", "no-token");
  const addresses = [
    "http://user:hunter2secret@127.0.0.1:3000/",
    "http://hunter2secret@127.0.0.1:3000/",
    "http://127.0.0.1:3000/?access_token=hunter2secret",
    "http://127.0.0.1:3000/#hunter2secret",
    "ws://user:hunter2secret@127.0.0.1:3000/",
    "ws://127.0.0.1:3000/?access_token=hunter2secret",
  ];
  for (const address of addresses) {
    const variable = address.startsWith("ws:") ? "SNOWLUMA_MCP_EVENTS_URL" : "SNOWLUMA_MCP_ENDPOINT";
    const said = await refusal({ env: { [variable]: address } });
    ok(!said.includes("hunter2secret"), said);
    ok(said.includes(variable) && said.includes("127.0.0.1:3000"), said);
  }
});

Deno.test("a refused token is named by its setting, never by its value", async () => {
  verifies("config-invalid", "no-token");
  const file = await Deno.makeTempFile();
  try {
    const grants = grantsToRead(file);
    for (const [index, token] of [SECRET, "töken-not-ascii", `x${"y".repeat(4096)}`, SECRET].entries()) {
      const key = index < 3 ? "token" : "events_token";
      const variable = `SNOWLUMA_MCP_${key.toUpperCase()}`;
      const flag = `--${key.replace("_", "-")}-file`;
      const inEnvironment = await refusal({ env: { [variable]: token } });
      await Deno.writeTextFile(file, JSON.stringify({ [key]: token }));
      const inFile = await refusal({ args: ["--config", file], grants });
      await Deno.writeTextFile(file, token);
      const inTokenFile = await refusal({ args: [flag, file], grants });
      for (const [said, named] of [[inEnvironment, variable], [inFile, `${key} in`], [inTokenFile, flag]] as const) {
        ok(said.includes(`${named} `), said);
        ok(!said.includes(token) && !said.includes(token.slice(0, 10)), said);
        ok(said.includes(`${token.length} characters`), said);
      }
    }
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("files that are missing, empty, not JSON, of wrong types or with unknown keys end start-up", async () => {
  verifies("config-invalid");
  const folder = await Deno.makeTempDir({ prefix: "snowluma-config-" });
  const grants = grantsToRead(folder);
  try {
    const contents: Array<[name: string, text: string, said: string[]]> = [
      ["empty", "", ["is empty"]],
      ["blank", " \n", ["is empty"]],
      ["broken", `{"token":"hunter2secret",}`, ["is not JSON"]],
      ["list", "[]", ["one JSON object"]],
      ["text", '"write"', ["one JSON object"]],
      ["null", "null", ["one JSON object"]],
      ["unknown", '{"endpiont":"hunter2secret"}', ['"endpiont"', "endpoint, token, mode"]],
      ["variable", '{"SNOWLUMA_MCP_MODE":"read"}', ['"SNOWLUMA_MCP_MODE"']],
      ["proto", '{"__proto__":{"mode":"write"}}', ['"__proto__"']],
      ["constructor", '{"constructor":1}', ['"constructor"']],
      ["object", '{"mode":{"x":1}}', ["mode in the configuration file", "docs, read or write"]],
      ["boolean", '{"lang":true}', ["lang in the configuration file", "true", "en or zh"]],
      ["a token as a list", '{"token":["hunter2secret",5]}', ["token in the configuration file", "not shown"]],
      ["numbers", '{"allow":[1]}', ["allow in the configuration file", "[1]"]],
    ];
    for (const [name, text, parts] of contents) {
      const path = `${folder}/${name}`;
      await Deno.writeTextFile(path, text);
      const said = await refusal({ args: ["--config", path], grants });
      for (const part of parts) ok(said.includes(part), `${name}: ${said}`);
      ok(!said.includes("hunter2secret"), said);
    }
    await Deno.writeTextFile(`${folder}/large`, `{"mode":"read"${" ".repeat(1024 * 1024)}}`);
    for (const flag of ["--config", "--token-file", "--events-token-file"]) {
      ok((await refusal({ args: [flag, `${folder}/nowhere`], grants })).includes("there is no such file"));
      ok((await refusal({ args: [flag, folder], grants })).includes("is not a file"));
      ok((await refusal({ args: [flag, `${folder}/empty`], grants })).includes("is empty"));
      ok((await refusal({ args: [flag, `${folder}/large`], grants })).includes("exceeds 1048576 bytes"));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test(
  { name: "a file that may not be read ends start-up with the flag that is missing", ...NEEDS_SOURCE },
  async () => {
    verifies("no-prompt", "config-invalid", "sandbox-missing");
    const file = await Deno.makeTempFile();
    try {
      for (const flag of ["--config", "--token-file", "--events-token-file"]) {
        const said = await refusal({ args: [flag, file] });
        ok(said.includes(`${flag} ${JSON.stringify(file)} may not be read: add --allow-read=${file}.`), said);
      }
    } finally {
      await Deno.remove(file);
    }
  },
);

Deno.test({
  name: "settings that may not be read end start-up in read and write mode, which they could change",
  ...NEEDS_SOURCE,
}, async () => {
  verifies("no-prompt", "config-invalid", "sandbox-missing");
  const endpoint = ["--endpoint", "http://127.0.0.1:3999/"];
  const some = "--allow-env=SNOWLUMA_MCP_ENDPOINT,SNOWLUMA_MCP_MODE";
  for (const args of [endpoint, [...endpoint, "--mode", "write"]]) {
    const none = await refusal({ args, grants: ["--allow-net=127.0.0.1:3999"] });
    ok(none.includes("may not be asked for the settings: add --allow-env=SNOWLUMA_MCP_*."), none);
    const said = await refusal({ args, grants: ["--allow-net=127.0.0.1:3999", some] });
    ok(said.includes("may not be asked for SNOWLUMA_MCP_TOKEN, ") && said.includes("SNOWLUMA_MCP_*."), said);
    ok(!said.includes("SNOWLUMA_MCP_MODE") && !said.includes("SNOWLUMA_MCP_ENDPOINT"), said);
  }
});

Deno.test("SNOWLUMA_MCP_ALLOW with a name the catalog lacks ends start-up with its neighbours", async () => {
  verifies("config-invalid", "nearest-names");
  const said = await refusal({ env: { SNOWLUMA_MCP_ALLOW: "get_cookies,get_cokies" } });
  ok(said.includes('"get_cokies"') && said.includes("get_cookies") && said.includes("SNOWLUMA_MCP_ALLOW"), said);
});

Deno.test(
  { name: "an endpoint that may not be reached ends start-up with the flag that is missing", ...NEEDS_SOURCE },
  async () => {
    verifies("no-prompt", "config-invalid", "sandbox-missing");
    const missing = [
      ["http://127.0.0.1:3999/", "--allow-net=127.0.0.1:3999"],
      ["https://bot.example.invalid/x", "--allow-net=bot.example.invalid:443"],
      ["simulator", "--allow-net=127.0.0.1"],
    ];
    for (const [endpoint = "", flag = ""] of missing) {
      const args = ["--endpoint", endpoint];
      const said = await refusal({ args, grants: ["--allow-env=SNOWLUMA_MCP_*", PROXIES] });
      ok(said.endsWith(`add ${flag}.\n`), said);
      const proxies = await refusal({ args, grants: ["--allow-env=SNOWLUMA_MCP_*"] });
      ok(proxies.endsWith(`add ${PROXIES}.\n`), proxies);
    }
  },
);

Deno.test({
  name: "an event address that may not be reached, or not be spoken to, ends start-up with the flag that is missing",
  ...NEEDS_SOURCE,
}, async () => {
  verifies("no-prompt", "events-url", "sandbox-missing");
  const env = "--allow-env=SNOWLUMA_MCP_*";
  const socket = "--allow-env=WS_NO_BUFFER_UTIL,WS_NO_UTF_8_VALIDATE";
  const missing: Array<[endpoint: string, events: string, grants: string[], flag: string]> = [
    ["http://127.0.0.1:3999/", "ws://127.0.0.1:3998/", ["--allow-net=127.0.0.1:3999"], "--allow-net=127.0.0.1:3998"],
    ["simulator", "wss://bot.example.invalid/", ["--allow-net=127.0.0.1"], "--allow-net=bot.example.invalid:443"],
    ["http://127.0.0.1:3999/", "ws://127.0.0.1:3998/", ["--allow-net=127.0.0.1"], socket],
    ["simulator", "simulator", ["--allow-net=127.0.0.1"], socket],
    ["simulator", "simulator", ["--allow-net=127.0.0.1", "--allow-env=WS_NO_BUFFER_UTIL"], "=WS_NO_UTF_8_VALIDATE"],
  ];
  for (const [endpoint, events, grants, flag] of missing) {
    const args = ["--endpoint", endpoint, "--events-url", events];
    const said = await refusal({ args, grants: [env, ...grants] });
    ok(said.endsWith(`${flag}.\n`), said);
  }
});

Deno.test("the simulator's events without the simulated bot end start-up", async () => {
  verifies("config-invalid", "events-url");
  for (const env of [{}, { SNOWLUMA_MCP_ENDPOINT: "http://127.0.0.1:3999/" }]) {
    const said = await refusal({ env: { ...env, SNOWLUMA_MCP_EVENTS_URL: "simulator" } });
    ok(said.includes('SNOWLUMA_MCP_EVENTS_URL cannot be "simulator"'), said);
  }
});

Deno.test("a task folder that cannot be used ends start-up in write mode", async () => {
  verifies("tasks-private", "no-prompt");
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "snowluma-tasks-" }));
  try {
    const [down, file, wide] = [`${top}/down`, `${top}/file`, `${top}/wide`];
    await Deno.writeTextFile(file, "");
    await Deno.mkdir(wide);
    await Deno.chmod(wide, 0o750);
    const all = fileGrants([top], [top]);
    const none = fileGrants([down], [down]);
    const [set, init] = ["SNOWLUMA_MCP_TASK_DIR", "what init prints with these settings has it"];
    const cases: Array<[folder: string, grants: string[], said: string, next: string]> = [
      [file, all, "it is not a directory", set],
      ...IS_BINARY ? [] : [
        [`${top}/new`, none, `add --allow-read=${top}/new --allow-write=${top}/new`, init] as typeof cases[number],
      ],
      ...Deno.build.os === "windows" ? [] : [[wide, all, "wider than 0700", set] as [string, string[], string, string]],
    ];
    for (const [folder, grants, part, next] of cases) {
      const args = ["--endpoint", "simulator", "--mode", "write", "--stream-dir", down, "--task-dir", folder];
      const said = await refusal({ args, grants });
      ok(said.includes(JSON.stringify(folder)) && said.includes(part) && said.includes(next), said);
    }
    if (Deno.build.os !== "windows") strictEqual((await Deno.stat(wide)).mode! & 0o777, 0o750, "changed");
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});

Deno.test({
  name: "a task folder that transfers reach ends start-up, by whatever links; both folders are named",
  ignore: Deno.build.os === "windows",
  fn: async (t) => {
    verifies("tasks-private", "config-invalid");
    const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "snowluma-apart-" }));
    const grants = fileGrants([top], [top]);
    const argsOf = (down: string, up: string, tasks: string): string[] => {
      const folders = { "stream-dir": down, "upload-root": up, "task-dir": tasks };
      const flags = Object.entries(folders).map(([flag, name]) => `--${flag}=${top}/${name}`);
      return ["--endpoint", "simulator", "--mode", "write", ...flags];
    };
    try {
      for (const name of ["down/in", "up/in", "holder/down", "holder/up", "tasks"]) {
        await Deno.mkdir(`${top}/${name}`, { recursive: true, mode: 0o700 });
      }
      const links = { ["to-down"]: "down", ["to-up"]: "up", ["to-up-in"]: "up/in", ["to-holder"]: "holder" };
      for (const [link, target] of Object.entries({ ...links, ["to-tasks"]: "tasks" })) {
        await Deno.symlink(`${top}/${target}`, `${top}/${link}`);
      }
      const cases: ReadonlyArray<
        readonly [
          name: string,
          folders: [string, string, string],
          real: [tasks: string, setting: string, other: string],
        ]
      > = [
        ["is the download folder", ["down", "up", "down"], ["down", "STREAM_DIR", "down"]],
        ["lies in the download folder", ["down", "up", "down/in"], ["down/in", "STREAM_DIR", "down"]],
        ["is to be made there", ["down", "up", "down/a/b"], ["down/a/b", "STREAM_DIR", "down"]],
        ["holds the download folder", ["holder/down", "up", "holder"], ["holder", "STREAM_DIR", "holder/down"]],
        ["is the upload root", ["down", "up", "up"], ["up", "UPLOAD_ROOT", "up"]],
        ["lies in the upload root", ["down", "up", "up/in"], ["up/in", "UPLOAD_ROOT", "up"]],
        ["holds the upload root", ["down", "holder/up", "holder"], ["holder", "UPLOAD_ROOT", "holder/up"]],
        ["is a link into the upload root", ["down", "up", "to-up-in"], ["up/in", "UPLOAD_ROOT", "up"]],
        ["is what the upload root links to", ["down", "to-tasks", "tasks"], ["tasks", "UPLOAD_ROOT", "tasks"]],
        ["is what downloads link to", ["to-down", "up", "down"], ["down", "STREAM_DIR", "down"]],
        ["holds downloads by a link", ["holder/down", "up", "to-holder"], ["holder", "STREAM_DIR", "holder/down"]],
      ];
      for (const [name, folders, [tasks, setting, other]] of cases) {
        await t.step(name, async () => {
          const said = await refusal({ args: argsOf(...folders), grants });
          ok(said.includes(`SNOWLUMA_MCP_TASK_DIR "${top}/${tasks}"`), said);
          ok(said.includes(`SNOWLUMA_MCP_${setting} "${top}/${other}"`), said);
        });
      }
      await t.step("is accepted where only the beginnings of names are alike", async () => {
        const { code, stderr } = await runCommand(argsOf("down", "up", "down-tasks"), { grants });
        deepStrictEqual([code, stderr], [0, ""]);
      });
    } finally {
      await Deno.remove(top, { recursive: true });
    }
  },
});

/** Runs with a variable whose value is no UTF-8: a byte 0xff between these two texts. */
async function runWithBytes(variable: string, around: readonly [string, string], args: string[]): Promise<Finished> {
  const grants = ["--allow-net=127.0.0.1", "--allow-env=SNOWLUMA_MCP_*,TMPDIR"];
  const { command, args: all, env } = serverCommand({ args, grants });
  const script = `${variable}=$(printf '%s\\377%s' ${around.join(" ")}); export ${variable}; exec "$@"`;
  const child = new Deno.Command("sh", {
    args: ["-c", script, "sh", command, ...all],
    env,
    clearEnv: true,
    stdin: "null",
  });
  const { code, stdout, stderr } = await child.output();
  return { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

Deno.test({
  name: "a setting whose value is not UTF-8 ends start-up, in every command, without a word of the value",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("config-invalid", "no-token");
    const commands = [[], ["doctor"], ["init", "cursor"]];
    for (const [index, name] of ["TOKEN", "MODE", "STREAM_DIR"].entries()) {
      for (const args of index === 0 ? commands : [[]]) {
        const said = told(await runWithBytes(`SNOWLUMA_MCP_${name}`, ["hush", "quiet"], args));
        ok(said.startsWith(`${PREFIX}SNOWLUMA_MCP_${name} is not `), said);
        ok(!/hush|quiet|\ufffd|\\xff/i.test(said), said);
      }
    }
  },
});

/** Where downloads go by default with this folder for temporary files, as told by a server in read mode. */
async function defaultFolder(temp: string, grants: string): Promise<string | undefined> {
  const args = ["doctor", "--endpoint", "simulator"];
  const options = { env: { TMPDIR: temp }, grants: [`--allow-env=${grants}`, "--allow-net=127.0.0.1"] };
  const { code, stdout, stderr } = await runCommand(args, options);
  strictEqual(code, 0, stdout + stderr);
  return /SNOWLUMA_MCP_STREAM_DIR +(\S+) \(default\)/.exec(stdout)?.[1];
}

type Case = [temp: string, grants: string, folder: string];

/** The same as `init` grants it, and whether that may be asked for later too. */
async function grantedFolder(temp: string, grants: string): Promise<[folder: string | undefined, mayAsk: boolean]> {
  const args = ["init", "cursor", "--endpoint", "http://127.0.0.1:3000/", "--mode", "write"];
  const { code, stdout, stderr } = await runCommand(args, { env: { TMPDIR: temp }, grants: [`--allow-env=${grants}`] });
  strictEqual(code, 0, stderr);
  const all: string[] = JSON.parse(stdout).mcpServers.snowluma.args;
  const write = all.find((arg) => arg.startsWith("--allow-write="));
  return [write?.slice("--allow-write=".length).split(",")[0], all.some((arg) => /^--allow-env=.*TMPDIR/.test(arg))];
}

Deno.test({
  name: "TMPDIR tells where downloads go when it may be read and is absolute, and else is as if it were absent",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    verifies("download-default", "init");
    const [granted, denied] = ["SNOWLUMA_MCP_*,TMPDIR", "SNOWLUMA_MCP_*"];
    const inTmp = (temp: string, grants: string): Case => [temp, grants, "/tmp/onebot-mcp-downloads"];
    const cases: Case[] = [
      ["/srv/temp/", granted, "/srv/temp/onebot-mcp-downloads"],
      ["/", granted, "/onebot-mcp-downloads"],
      // a compiled program ends before any of our code runs where this is relative or empty
      ...IS_BINARY ? [] : ["srv/temp", "./", ""].map((temp) => inTmp(temp, granted)),
      ...IS_BINARY ? [] : [inTmp("/srv/temp", denied)],
    ];
    for (const [temp, grants, folder] of cases) {
      strictEqual(await defaultFolder(temp, grants), folder, temp);
      const asked = !folder.startsWith("/tmp/");
      if (!IS_BINARY) deepStrictEqual(await grantedFolder(temp, grants), [folder, asked], temp);
    }
  },
});

Deno.test("a file that no grant can name is refused before anybody is told to grant it", async () => {
  verifies("sandbox-flags", "sandbox-exact");
  const top = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${top}/a,/etc`, { recursive: true });
    for (const path of [`${top}/a,/etc/passwd`, `${top}/b,`, `${top}/c\nd`]) {
      await Deno.writeTextFile(path, "tok12345678");
      for (const command of ["permissions", "serve", "doctor"]) {
        const said = await refusal({
          args: [command, "--endpoint", "http://127.0.0.1:9/", "--token-file", path],
          grants: [...GRANTS, "--allow-read"],
        });
        ok(said.includes("--token-file cannot be ") && said.includes("cannot be granted"), said);
      }
    }
    await Deno.writeFile(`${top}/latin1.json`, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    const said = await refusal({ args: ["--config", `${top}/latin1.json`], grants: [...GRANTS, "--allow-read"] });
    ok(said.includes("it is not text in UTF-8"), said);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});

Deno.test("a folder for temporary files that no grant can name is passed over", async () => {
  verifies("sandbox-flags");
  for (const TMPDIR of ["/tmp/a,/etc", "/tmp/a\nb"]) {
    const { code, stdout } = await runCommand(["permissions", "--endpoint", "http://127.0.0.1:9/", "--mode", "write"], {
      env: { TMPDIR },
      grants: [...GRANTS, "--allow-env=TMPDIR"],
    });
    strictEqual(code, 0);
    ok(stdout.includes("--allow-write=/tmp/onebot-mcp-downloads\n") || Deno.build.os !== "linux", stdout);
  }
});
