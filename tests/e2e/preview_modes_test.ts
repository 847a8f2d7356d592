/** Where drafts are made: in every mode, under any grants, with nobody contacted; and what they say of sending. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { CLIENTS, SHOWS_PANELS } from "../support/clients.ts";
import { RawBot } from "../support/raw_bot.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { EVENT_GRANTS, resultOf } from "./event_support.ts";
import { botEnv, failureOf, KINDS } from "./exec_support.ts";

const MODES = ["docs", "read", "write"] as const;
const DRAFTS: Message[] = [
  { message_type: "group", target_id: 20001, text: "hello" },
  { message_type: "private", target_id: 11001, text: "[CQ:at,qq=all]", reply_to: -5 },
];
/** See docs_offline_test.ts. */
const NOTHING = ["read", "write", "net", "env", "run", "sys", "ffi"].map((name) => `--deny-${name}`);

for (const connect of CLIENTS) {
  Deno.test(`preview_message drafts in every mode and asks the bot nothing (${connect.name})`, async () => {
    verifies("preview-every-mode", "preview-can-send", "eras-equal");
    for (const mode of MODES) {
      await using simulator = await startSimulator();
      await using client = await connect({ env: botEnv(simulator, { mode }), extensions: SHOWS_PANELS });
      for (const draft of DRAFTS) {
        const { result, diagnostics } = resultOf(await client.callTool("preview_message", draft));
        deepStrictEqual(diagnostics, { outcome: "success" });
        strictEqual(result.can_send, mode === "write", mode);
      }
      deepStrictEqual(simulator.requests, [], mode);
    }
  });

  Deno.test(`preview_message and the panel open no connection to a live bot (${connect.name})`, async () => {
    verifies("preview-every-mode");
    for (const mode of MODES) {
      await using calls = new RawBot();
      await using events = new RawBot();
      const env = botEnv(calls, { mode, env: { SNOWLUMA_MCP_EVENTS_URL: events.url.replace("http", "ws") } });
      await using client = await connect({ env, grants: EVENT_GRANTS, extensions: SHOWS_PANELS });
      const { tools } = await client.listTools();
      const { _meta } = tools.find(({ name }: Message) => name === "preview_message");
      await client.listResources();
      await client.readResource(_meta.ui.resourceUri);
      for (const draft of DRAFTS) resultOf(await client.callTool("preview_message", draft));
      await client.callTool("preview_message", { ...DRAFTS[0], text: "" });
      deepStrictEqual([calls.connections.length, events.connections.length], [0, 0], mode);
      if (mode === "docs") continue;
      resultOf(await client.callTool(KINDS.read.tool, KINDS.read.args));
      strictEqual(calls.connections.length, 1, "whoever asks is counted");
    }
  });

  Deno.test(`preview_message and the panel work with no permission at all (${connect.name})`, async () => {
    verifies("preview-every-mode", "docs-offline");
    await using client = await connect({ grants: NOTHING, extensions: SHOWS_PANELS });
    for (const draft of DRAFTS) {
      strictEqual(resultOf(await client.callTool("preview_message", draft)).result.can_send, false);
    }
    const panel = (await client.listResources()).resources.find(({ uri }: Message) => uri.startsWith("ui://"));
    strictEqual((await client.readResource(panel.uri)).contents.length, 1);
  });
}

Deno.test("preview_message tells what invoke_action would say, and nothing where it would send", async (t) => {
  verifies("preview-can-send");
  await using simulator = await startSimulator();
  const setups = {
    docs: botEnv(simulator, { mode: "docs" }),
    "write mode without an endpoint": { SNOWLUMA_MCP_MODE: "write" },
    read: botEnv(simulator, { mode: "read" }),
    "read, with the bot in the process": botEnv({ url: "simulator" }, { mode: "read" }),
    "read, with an action allowed by name": botEnv(simulator, { mode: "read", allow: "get_cookies" }),
    write: botEnv(simulator, { mode: "write" }),
  };
  for (const [name, env] of Object.entries(setups)) {
    await t.step(name, async () => {
      await using server = new ServerProcess({ env });
      await server.initialize();
      const { result } = resultOf((await server.call(1, "preview_message", DRAFTS[0])).result);
      if (name === "write") {
        strictEqual(result.can_send, true);
        return deepStrictEqual(Object.keys(result), ["draft", "can_send", "invoke_action"]);
      }
      const { outcome: _, ...refusal } = failureOf(await server.call(2, "invoke_action", result.invoke_action));
      strictEqual(refusal.kind, "mode");
      strictEqual(result.can_send, false);
      deepStrictEqual(result.blocked, refusal);
    });
  }
  strictEqual(simulator.requests.length, 0);
});
