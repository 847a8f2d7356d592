/** The tools with input beside their twins: the same gates, before anybody is asked, and the same results. */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import type { Message } from "../support/server_process.ts";
import { botEnv, failureOf, KINDS, passedOn } from "./exec_support.ts";
import { accept, ASKING, SEND } from "./input_support.ts";
import { makeFolders, transferOptions, uploadArgs } from "./transfer_support.ts";

type Door = keyof typeof ASKING;

/** Calls that are refused; each lacks a required parameter wherever its action has one. */
const REFUSED: ReadonlyArray<[mode: "docs" | "read" | "write", door: Door, args: Message, kind: string]> = [
  ["docs", "query", { action: "get_stranger_info" }, "mode"],
  ["docs", "invoke", SEND, "mode"],
  ["docs", "invoke", { action: "no_such" }, "mode"],
  ["read", "invoke", SEND, "mode"],
  ["read", "query", SEND, "mode"],
  ["write", "query", SEND, "mode"],
  ["read", "query", { action: "get_strangers_info" }, "unknown_action"],
  ["write", "invoke", { action: "send_grup_msg", params: { group_id: 20001 } }, "unknown_action"],
  ["write", "invoke", { action: "__proto__" }, "unknown_action"],
  ["read", "query", { action: "get_cookies" }, "risk"],
  ["write", "invoke", { action: "request_decrypt_key" }, "risk"],
  ["write", "invoke", { action: "delete_friend" }, "risk"],
  ["write", "invoke", { action: ".send_packet" }, "risk"],
  ["write", "invoke", { ...SEND, execution: { input_file: "x" } }, "invalid_arguments"],
  ["write", "invoke", uploadArgs("x", { stream_id: "y" }), "invalid_params"],
  ["write", "invoke", { ...SEND, params: "{}" }, "invalid_params"],
  ["write", "invoke", { ...SEND, parms: {} }, "invalid_arguments"],
  ["write", "query", { action: "get_stranger_info", execution: { input_file: "x" } }, "invalid_arguments"],
  ["write", "invoke", {}, "invalid_arguments"],
];

for (const connect of CLIENTS) {
  Deno.test(`what the twin refuses is refused alike, before anybody is asked (${connect.name})`, async (t) => {
    verifies("input-gated-first", "input-twins", "gate-every-call", "gate-risk", "eras-equal");
    for (const mode of ["docs", "read", "write"] as const) {
      await using simulator = await startSimulator();
      let asked = 0;
      const elicit = (): Message => (asked++, accept());
      await using client = await connect({ env: botEnv(simulator, { mode }), elicit });
      for (const [, door, args, kind] of REFUSED.filter(([of]) => of === mode)) {
        await t.step(`${mode}: ${door} ${JSON.stringify(args)}`, async () => {
          const twin = failureOf(await client.callTool(`${door}_action`, args));
          const { message, next_step, ...own } = failureOf(await client.callTool(ASKING[door], args));
          const alike = (text: string): string => text.replaceAll(ASKING[door], `${door}_action`);
          deepStrictEqual({ ...own, message: alike(message), next_step: alike(next_step) }, twin);
          strictEqual(own.kind, kind);
          deepStrictEqual([asked, simulator.requests.length], [0, 0]);
        });
      }
    }
  });

  Deno.test(`complete arguments go through unasked, with the twin's result (${connect.name})`, async (t) => {
    verifies("input-complete", "input-twins", "eras-equal");
    await using simulator = await startSimulator();
    await using folders = await makeFolders();
    await Deno.writeTextFile(`${folders.uploads}/file.txt`, "content");
    let asked = 0;
    const elicit = (): Message => (asked++, accept());
    await using client = await connect({ ...transferOptions(simulator, folders), elicit });
    const refusal = { status: "failed", retcode: 100, data: null, wording: "offline" } as const;
    const cases: ReadonlyArray<[what: string, door: Door, args: Message, refused?: typeof refusal]> = [
      ["a read", "query", { action: "get_stranger_info", params: { user_id: 12001 } }],
      ["a read without parameters", "query", KINDS.read.args],
      ["a read that the bot refuses", "query", KINDS.read.args, refusal],
      ["null, which is not absent", "invoke", { ...SEND, params: { group_id: 20001, message: null } }],
      ["a wrong type, which is the bot's to judge", "query", {
        action: "get_stranger_info",
        params: { user_id: "x" },
      }],
      ["an alias", "query", { action: ".ocr_image", params: { image: "file.png" } }],
    ];
    for (const [what, door, args, refused] of cases) {
      await t.step(what, async () => {
        const results: Message[] = [];
        for (const tool of [`${door}_action`, ASKING[door]]) {
          if (refused) simulator.script({ kind: "envelope", envelope: refused });
          const { content, structuredContent, isError } = await client.callTool(tool, args);
          results.push({ content, structuredContent, isError });
        }
        deepStrictEqual(results[1], results[0]);
        const [twin, own] = simulator.requests.slice(-2);
        deepStrictEqual([own?.action, own?.params], [twin?.action, twin?.params]);
      });
    }
    await t.step("a message", async () => {
      passedOn(await client.callTool(ASKING.invoke, KINDS.write.args));
      deepStrictEqual({ ...simulator.requests.at(-1)?.params }, { ...KINDS.write.args.params });
    });
    await t.step("an upload, which sets its required parameters itself", async () => {
      const before = simulator.requests.length;
      const { envelope } = passedOn(await client.callTool(ASKING.invoke, uploadArgs("file.txt")));
      strictEqual(envelope.status, "ok");
      strictEqual(simulator.requests.slice(before).every(({ action }) => action === "upload_file_stream"), true);
    });
    strictEqual(asked, 0);
  });

  Deno.test(`query_action and invoke_action pass on what lacks a parameter, unasked (${connect.name})`, async () => {
    verifies("input-twins", "eras-equal");
    await using simulator = await startSimulator();
    let asked = 0;
    const elicit = (): Message => (asked++, accept());
    await using client = await connect({ env: botEnv(simulator), elicit });
    for (const [tool, args] of [["query_action", { action: "get_stranger_info" }], ["invoke_action", SEND]] as const) {
      const before = simulator.requests.length;
      strictEqual(passedOn(await client.callTool(tool, args)).diagnostics.kind, "action_failed");
      deepStrictEqual(
        simulator.requests.slice(before).map(({ action, params }) => [action, { ...params }]),
        [[args.action, { ...("params" in args && args.params) }]],
      );
    }
    strictEqual(asked, 0);
  });

  Deno.test(`a client without forms is told which tool to take, and only when it matters (${connect.name})`, async () => {
    verifies("input-formless", "input-complete", "eras-equal");
    await using simulator = await startSimulator();
    await using client = await connect({ env: botEnv(simulator) });
    const cases = [["query", { action: "get_stranger_info" }], ["invoke", SEND]] as const;
    for (const [door, args] of cases) {
      const { kind, outcome, message, next_step } = failureOf(await client.callTool(ASKING[door], args));
      deepStrictEqual([kind, outcome], ["input", "failed"]);
      match(message, /shows no forms/);
      match(next_step, new RegExp(`\\b${door}_action\\b(?!_)`));
    }
    strictEqual(simulator.requests.length, 0);
    passedOn(await client.callTool(ASKING.invoke, KINDS.write.args));
    strictEqual(simulator.requests.length, 1);
  });
}
