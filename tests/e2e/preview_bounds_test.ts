/** What a draft may hold: each bound from both sides, as it stands on the wire. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import type { Message, ServerProcess } from "../support/server_process.ts";
import { resultOf } from "./event_support.ts";
import { failureOf, serverFor } from "./exec_support.ts";

/** Arguments as JSON text, so that `-0`, `1e3` and half characters leave as they are written; undefined leaves one out. */
function written(fields: Readonly<Record<string, string | undefined>>): string {
  const all = { message_type: '"group"', target_id: "20001", text: '"hello"', ...fields };
  const pairs = Object.entries(all).filter(([, json]) => json !== undefined);
  return `{${pairs.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

async function preview(server: ServerProcess, id: string, args: string): Promise<Message> {
  await server.send(
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call",` +
      `"params":{"name":"preview_message","arguments":${args}}}\n`,
  );
  return await server.receive((message) => message.id === id);
}

/** Lengths are counted in code points, as JSON Schema counts them. */
const TAKEN = {
  message_type: ['"group"', '"private"'],
  target_id: ["1", "1e3", "1.0", "9007199254740991"],
  reply_to: ["1", "-1", "2147483647", "-2147483648"],
  text: ['"."', '" \\n."', '"\\ud83d\\ude00"', quoted("x".repeat(65_536)), quoted("😀".repeat(65_536))],
};

const REFUSED: Readonly<Record<keyof typeof TAKEN, ReadonlyArray<string | undefined>>> = {
  message_type: ['"Group"', '"channel"', '""', "null", "1", '["group"]', undefined],
  target_id: [
    ...["0", "-0", "-1", "1.5", "1e-3", "9007199254740992", "9007199254740993", "-9007199254740993", "1e400"],
    ...['"20001"', "null", "true", "[20001]", "{}", undefined],
  ],
  reply_to: [
    ...["0", "-0", "0.0", "1.5", "2147483648", "-2147483649", "9007199254740993"],
    ...['"-5"', '""', "null", "false", "[1]", "{}"],
  ],
  text: [
    ...['""', '" "', '" \\n"', '"\\t\\r\\n\\u00a0\\u3000\\ufeff"', '"\\u200b\\u3164\\u2800\\u202e"', undefined],
    ...["null", "5", '["x"]', '{"text":"x"}', "12345678901234567890"],
    ...['"\\ud83d"', '"\\ude00x"', '"\\ude00\\ud83d"', '"x\\udfff"'],
    ...["x".repeat(65_537), "😀".repeat(65_536) + "x", "x".repeat(10_000_000)].map(quoted),
  ],
};

const UNKNOWN = ["auto_escape", "group_id", "user_id", "message", "reply", "constructor", "toString", "TEXT", "text "];

Deno.test("preview_message takes what lies within its bounds, and keeps it", async (t) => {
  verifies("preview-bounds", "preview-arguments");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  for (const [field, values] of Object.entries(TAKEN)) {
    for (const json of values) {
      await t.step(`${field} ${json.slice(0, 30)}`, async () => {
        const { result } = await preview(
          server,
          `${field} ${json.length} ${json.slice(0, 30)}`,
          written({ [field]: json }),
        );
        const { action, params } = resultOf(result).result.invoke_action;
        const found = {
          message_type: action === "send_group_msg" ? "group" : "private",
          target_id: params.group_id ?? params.user_id,
          text: params.message.at(-1).data.text,
          reply_to: params.message[0].data.id,
        }[field];
        strictEqual(found, field === "reply_to" ? json : JSON.parse(json));
      });
    }
  }
  strictEqual(simulator.requests.length, 0);
});

Deno.test("preview_message refuses what lies beyond its bounds, and names it", async (t) => {
  verifies("preview-bounds", "bad-arguments");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  for (const [field, values] of Object.entries(REFUSED)) {
    for (const [index, json] of values.entries()) {
      await t.step(`${field} ${json?.slice(0, 30)}`, async () => {
        const answer = await preview(server, `${field} ${index}`, written({ [field]: json }));
        const { kind, message, outcome } = failureOf(answer);
        deepStrictEqual([kind, outcome], ["invalid_arguments", "failed"]);
        ok(message.startsWith(`Cannot call preview_message: ${field}`), message);
        ok(message.length < 300, message);
      });
    }
  }
  strictEqual(simulator.requests.length, 0);
});

Deno.test("preview_message names every problem at once, unknown arguments too, and never repeats the text", async (t) => {
  verifies("preview-bounds", "unknown-arguments");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  for (const name of UNKNOWN) {
    await t.step(`unknown ${JSON.stringify(name)}`, async () => {
      const { kind, message, next_step } = failureOf(
        await preview(server, `unknown ${name}`, written({ [name]: '{"x":1}' })),
      );
      strictEqual(kind, "invalid_arguments");
      ok(message.includes(JSON.stringify(name)), message);
      for (const known of ["message_type", "target_id", "text", "reply_to"]) ok(next_step.includes(known), next_step);
    });
  }
  const all = written({ message_type: "1", target_id: "0", text: '"secret words \\ud83d"', reply_to: "0" });
  const { message } = failureOf(await preview(server, "all", all));
  for (const name of ["message_type", "target_id", "text", "reply_to"]) ok(message.includes(name), message);
  ok(!message.includes("secret"), message);
  for (const args of [`{"__proto__":{},${written({}).slice(1)}`, "{}", "null", "[]", '"x"', "5"]) {
    const answer = await preview(server, `shape ${args}`, args);
    ok(answer.error?.code === -32602 || answer.result.isError, JSON.stringify(answer));
  }
  strictEqual(simulator.requests.length, 0);
});
