/** The printed list against what the program really asks the runtime for, by Deno's own audit, over a whole session. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "@std/path";
import { generatedFile, startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { launch } from "../support/launched.ts";
import type { Message } from "../support/server_process.ts";
import { collect, readEvents, subscribe } from "./event_support.ts";
import { denoRun, EXACT_FLAGS, flagsFor, makeSandboxFolders, writeEnv } from "./sandbox_support.ts";
import { successOf, TaskServer } from "./task_support.ts";
import { downloadArgs, resultOf, uploadArgs } from "./transfer_support.ts";

/** One access, as the audit has it. */
interface Access {
  readonly permission: string;
  readonly value: string;
}

/**
 * Printed though this runtime does not need it: the library asks for it only where `node:buffer` has no `isUtf8`, and
 * would not load there.
 */
const UNASKED = ["env=WS_NO_UTF_8_VALIDATE"];

async function readAudit(path: string): Promise<Access[]> {
  const text = await Deno.readTextFile(path);
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

/** Elements of the flags, such as `read=/folder`. */
function elementsOf(flags: readonly string[]): string[] {
  return flags.flatMap((flag) => {
    const [, kind, list] = /^--allow-(\w+)=(.+)$/.exec(flag) ?? [];
    return list?.split(",").map((value) => `${kind}=${value}`) ?? [];
  });
}

function covers(element: string, { permission, value }: Access): boolean {
  const access = `${permission}=${value}`;
  if (element.endsWith("*")) return access.startsWith(element.slice(0, -1));
  if (access === element || (permission === "net" && access.startsWith(`${element}:`))) return true;
  return /^(read|write)=/.test(element) && access.startsWith(`${element}/`);
}

/** Checks that nothing beyond the list was asked for, and everything in it but these. */
function checkAudit(audit: readonly Access[], flags: readonly string[], unasked: readonly string[]): void {
  const elements = elementsOf(flags);
  deepStrictEqual(audit.filter((access) => !elements.some((element) => covers(element, access))), [], "not printed");
  const unused = elements.filter((element) => !audit.some((access) => covers(element, access)));
  deepStrictEqual(unused, unasked, "printed, and not asked for");
}

/** Takes files, tasks, events and every kind of question through a server. */
async function wholeSession(server: TaskServer, self: { receive: () => void; uploads: string }): Promise<void> {
  const { result: info } = (await server.tool("get_runtime_info", { check_connection: true })).result.structuredContent;
  for (const { diagnostics } of Object.values<Message>(info.checks)) strictEqual(diagnostics.outcome, "success");
  strictEqual(info.sandbox.enforced, true);
  const tools: Array<{ name: string }> = (await server.ask("tools/list")).result.tools;
  ok(tools.length > 15);
  const message = { action: "send_group_msg", params: { group_id: 20001, message: "hello" } };
  for (
    const [name, args] of [
      ["list_actions", {}],
      ["search_actions", { query: "send", match: "keywords" }],
      ["get_action", { name: "get_status" }],
      ["check_action", message],
      ["preview_message", { message_type: "group", target_id: 20001, text: "hello" }],
      ["query_action", { action: "get_status" }],
      ["invoke_action", message],
    ] as const
  ) {
    const { isError, structuredContent } = (await server.tool(name, args)).result;
    ok(!isError, `${name}: ${JSON.stringify(structuredContent)}`);
  }
  resultOf(await server.tool("invoke_action", downloadArgs(generatedFile(100_000))));
  resultOf(await server.tool("invoke_action", uploadArgs(join(self.uploads, "inside.txt"))));
  successOf(await server.settled((await server.begin(downloadArgs(generatedFile(1000)))).taskId));
  successOf(await server.settled((await server.begin(uploadArgs(join(self.uploads, "inside.txt")))).taskId));
  await server.cancelTask((await server.begin(downloadArgs(generatedFile(2 ** 30)))).taskId);
  strictEqual((await server.tasks()).tasks.length, 3);
  const caller = { callTool: async (name: string, args = {}) => (await server.tool(name, args)).result };
  const uri = await subscribe(caller);
  self.receive();
  await collect(caller, uri, 1);
  await readEvents(caller, uri);
  const { contents } = (await server.ask("resources/read", { uri })).result;
  strictEqual(contents.length, 1);
  await server.tool("unsubscribe_events", { uri });
}

Deno.test({
  name: "a whole session in write mode asks the runtime for what is printed, nothing more and nothing less",
  ...EXACT_FLAGS,
}, async () => {
  verifies("sandbox-exact", "sandbox-quiet", "sandbox-flags");
  await using folders = await makeSandboxFolders();
  await using simulator = await startSimulator({ wsPort: 0, token: "tok_for-the-audit" });
  const audit = join(folders.top, "audit.jsonl");
  const env = {
    ...writeEnv(folders, simulator.url, simulator.wsUrl),
    SNOWLUMA_MCP_TOKEN: "tok_for-the-audit",
    SNOWLUMA_MCP_LOG: "json",
  };
  const flags = await flagsFor(env);
  await using server = new TaskServer({
    env: { ...env, DENO_AUDIT_PERMISSIONS: audit },
    grants: flags.filter((flag) => flag !== "--no-prompt"),
  });
  await wholeSession(server, {
    uploads: folders.uploads,
    receive: () => void simulator.receive({ group_id: 20001, user_id: 12001, message: "Hello" }),
  });
  await server.finish();
  doesNotMatch(await server.stderr, /NotCapable|Requires|permission|"level":"(warn|error)"/i);
  checkAudit(await readAudit(audit), flags, UNASKED);
});

Deno.test(
  { name: "read mode with the embedded simulator, and docs mode, ask for what is printed", ...EXACT_FLAGS },
  async (t) => {
    verifies("sandbox-exact", "sandbox-docs", "sandbox-quiet");
    await using folders = await makeSandboxFolders();
    const cases = {
      docs: {},
      "docs beside a bot": { ...writeEnv(folders, "http://127.0.0.1:9/"), SNOWLUMA_MCP_MODE: "docs" },
      simulator: { SNOWLUMA_MCP_ENDPOINT: "simulator" },
      "read mode": { ...writeEnv(folders, "http://127.0.0.1:9/"), SNOWLUMA_MCP_MODE: "read" },
    };
    for (const [name, env] of Object.entries(cases)) {
      await t.step(name, async () => {
        const audit = join(folders.top, `${name}.jsonl`);
        const flags = await flagsFor(env);
        const { code, stderr } = await launch(denoRun(flags, { ...env, DENO_AUDIT_PERMISSIONS: audit }));
        deepStrictEqual([code, stderr], [0, ""]);
        // nobody was called: what a call needs is in the other test
        checkAudit(await readAudit(audit), flags, name === "read mode" ? ["net=127.0.0.1:9"] : []);
      });
    }
  },
);

Deno.test({ name: "doctor works with what is printed", ...EXACT_FLAGS }, async () => {
  verifies("sandbox-exact", "sandbox-quiet", "doctor");
  await using folders = await makeSandboxFolders();
  await using simulator = await startSimulator({ wsPort: 0 });
  const env = writeEnv(folders, simulator.url, simulator.wsUrl);
  const { code, stdout, stderr } = await launch(denoRun(await flagsFor(env), env, ["doctor"]));
  deepStrictEqual([code, stderr], [0, ""], stdout);
  match(stdout, /No problem found\.\n$/);
});
