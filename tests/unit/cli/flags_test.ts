import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type CommandLine, COMMANDS, OTHER_FLAGS, parseCommandLine } from "../../../lib/cli/flags.ts";
import { SETTINGS, type SettingSpec } from "../../../lib/config/settings.ts";
import { UsageError } from "../../../lib/errors.ts";
import { verifies } from "../../requirements.ts";

/** The flags that were given. */
function given({ flags }: CommandLine): Record<string, string> {
  return Object.fromEntries(Object.entries(flags).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The sentence with which these arguments are refused. */
function refusal(...args: string[]): string {
  try {
    parseCommandLine(args);
  } catch (error) {
    ok(error instanceof UsageError);
    return error.message;
  }
  throw new Error(`accepted: ${args.join(" ")}`);
}

const SPECS: readonly SettingSpec<unknown>[] = Object.values(SETTINGS);
const FLAGS = [...SPECS.flatMap(({ flag }) => flag ?? []), ...Object.keys(OTHER_FLAGS)];

Deno.test("parseCommandLine() serves when no command is named", () => {
  const line = parseCommandLine([]);
  strictEqual(line.command, "serve");
  deepStrictEqual(line.operands, []);
  deepStrictEqual(given(line), {});
  strictEqual(parseCommandLine(["--mode", "read"]).command, "serve");
});

Deno.test("parseCommandLine() knows every command", () => {
  for (const command of Object.keys(COMMANDS)) strictEqual(parseCommandLine([command]).command, command);
  strictEqual(parseCommandLine(["--help"]).command, "help");
  strictEqual(parseCommandLine(["--version"]).command, "version");
  strictEqual(parseCommandLine(["doctor", "--help"]).command, "help");
});

Deno.test("parseCommandLine() takes every flag in both spellings, before and after the command", () => {
  verifies("config-sources");
  for (const flag of FLAGS) {
    const command = flag.endsWith("port") ? "simulator" : "doctor";
    for (
      const args of [
        [command, `--${flag}`, "a value"],
        [command, `--${flag}=a value`],
        [`--${flag}`, "a value", command],
        [`--${flag}=a value`, command],
      ]
    ) {
      const line = parseCommandLine(args);
      strictEqual(line.command, command);
      deepStrictEqual(given(line), { [flag]: "a value" });
    }
  }
});

Deno.test("parseCommandLine() keeps values as text", () => {
  deepStrictEqual(given(parseCommandLine(["simulator", "--timeout-ms", "007", "--mode=a=b", "--port=0x10"])), {
    "timeout-ms": "007",
    mode: "a=b",
    port: "0x10",
  });
});

Deno.test("parseCommandLine() takes an empty value for absent, in both spellings", () => {
  verifies("config-empty");
  for (const args of [["--mode="], ["--mode", ""], ["doctor", "--mode", ""], ["--mode", "", "doctor"]]) {
    ok(!parseCommandLine(args).flags.mode, args.join(" "));
  }
});

Deno.test("parseCommandLine() refuses a flag whose value is missing, rather than take the next flag for it", () => {
  verifies("cli-usage");
  for (const args of [["--mode"], ["--endpoint", "--mode", "write"], ["doctor", "--config"]]) {
    ok(refusal(...args).endsWith("needs a value"), args.join(" "));
  }
});

Deno.test("parseCommandLine() takes --port and --ws-port for the simulator alone", () => {
  verifies("cli-usage");
  for (const flag of ["port", "ws-port"]) {
    strictEqual(parseCommandLine(["simulator", `--${flag}`, "1"]).flags[flag], "1");
    strictEqual(refusal(`--${flag}`, "1"), `--${flag} goes with simulator alone`);
  }
});

Deno.test("parseCommandLine() refuses a token as a flag and does not repeat it", () => {
  verifies("config-token-flag", "no-token");
  const secret = "hush-hush-hush";
  for (
    const args of [
      ["--token", secret],
      [`--token=${secret}`],
      ["doctor", "--token", secret],
      ["--token", secret, "--mode", "read"],
      ["--mode", "read", `--token=${secret}`, "serve"],
      ["--help", "--token", secret],
    ]
  ) {
    const message = refusal(...args);
    ok(message.includes("SNOWLUMA_MCP_TOKEN") && message.includes("--token-file"), message);
    ok(!message.includes(secret), message);
  }
  for (const args of [["--events-token", secret], ["doctor", `--events-token=${secret}`]]) {
    const message = refusal(...args);
    ok(message.includes("SNOWLUMA_MCP_EVENTS_TOKEN") && message.includes("--events-token-file"), message);
    ok(!message.includes(secret), message);
  }
});

Deno.test("parseCommandLine() refuses unknown flags with the known ones and without their value", () => {
  verifies("cli-usage");
  ok(refusal("--mod", "hush").includes("--mode"));
  ok(refusal("--endpont=hush").includes("--endpoint"));
  ok(refusal("--timeout_ms", "5").includes("--timeout-ms"));
  ok(refusal("--xylophone").includes("--help"));
  for (const args of [["--mod", "hush"], ["--endpont=hush"], ["--tokn=hush"], ["--Token", "hush"], ["-t", "hush"]]) {
    const message = refusal(...args);
    ok(message.startsWith("Unknown flag "), message);
    ok(!message.includes("hush"), message);
  }
  ok(refusal(`--${"x".repeat(100_000)}`).length < 400);
});

Deno.test("parseCommandLine() refuses names of objects' own members", () => {
  verifies("cli-usage");
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
    ok(refusal(name).startsWith("Unknown command"), name);
    ok(refusal(`--${name}=x`).startsWith("Unknown flag"), name);
  }
});

Deno.test("parseCommandLine() refuses unknown commands with the known ones", () => {
  verifies("cli-usage");
  const message = refusal("sevre");
  for (const part of ['"sevre"', ...Object.keys(COMMANDS)]) ok(message.includes(part), message);
  ok(refusal("x".repeat(100_000)).length < 200);
});

Deno.test("parseCommandLine() gives further words to init alone", () => {
  verifies("cli-usage");
  deepStrictEqual(parseCommandLine(["init", "cursor"]).operands, ["cursor"]);
  deepStrictEqual(parseCommandLine(["init", "a", "7"]).operands, ["a", "7"]);
  for (const command of Object.keys(COMMANDS)) {
    if (command !== "init") ok(refusal(command, "more").includes("no further words"), command);
  }
});
