/** What goes out: one POST, to the endpoint and nowhere else. */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { startSimulator } from "../../lib/simulator/mod.ts";
import { verifies } from "../requirements.ts";
import { answers, RawBot, resetAtOnce } from "../support/raw_bot.ts";
import { failureOf, goesOn, type Kind, KINDS, passedOn, serverFor } from "./exec_support.ts";

const TOKEN = "tok_for-sending";

Deno.test("a call is one POST of action and params with content type and bearer token", async () => {
  verifies("one-post", "never-retry");
  await using bot = new RawBot();
  await using server = await serverFor(bot, { token: TOKEN });
  passedOn(await server.call(1, KINDS.write.tool, KINDS.write.args));
  const { line, headers, body } = await (await bot.connection(0)).request;
  strictEqual(line, "POST / HTTP/1.1");
  strictEqual(headers["content-type"]?.split(";")[0], "application/json");
  strictEqual(headers["authorization"], `Bearer ${TOKEN}`);
  strictEqual(headers["host"], `127.0.0.1:${bot.port}`);
  strictEqual(headers["content-length"], String(new TextEncoder().encode(body).length));
  strictEqual(body, '{"action":"send_group_msg","params":{"group_id":20001,"message":"hello"}}');
  strictEqual(bot.connections.length, 1);
});

Deno.test("a call without a token and without params sends neither header nor fields beyond an empty object", async () => {
  verifies("one-post");
  await using bot = new RawBot();
  await using server = await serverFor(bot);
  passedOn(await server.call(1, "query_action", { action: "get_login_info" }));
  const { headers, body } = await (await bot.connection(0)).request;
  strictEqual(headers["authorization"], undefined);
  strictEqual(body, '{"action":"get_login_info","params":{}}');
});

Deno.test("a call goes to the endpoint's path as it is configured, whatever the action is named", async () => {
  verifies("one-post");
  await using bot = new RawBot();
  await using server = await serverFor({ url: `${bot.url}onebot/v11/` });
  passedOn(await server.call(1, "query_action", { action: "get_status" }));
  strictEqual((await (await bot.connection(0)).request).line, "POST /onebot/v11/ HTTP/1.1");
});

const ALIASES = [
  { alias: "get_ptt_text", name: "fetch_ptt_text", tool: "query_action" },
  { alias: "get_record_text", name: "fetch_ptt_text", tool: "query_action" },
  { alias: ".ocr_image", name: "ocr_image", tool: "query_action" },
  { alias: "send_group_sign", name: "set_group_sign", tool: "invoke_action" },
];

Deno.test("aliases are sent under the canonical name", async () => {
  verifies("aliases");
  await using simulator = await startSimulator();
  await using server = await serverFor(simulator);
  for (const { alias, tool } of ALIASES) passedOn(await server.call(alias, tool, { action: alias, params: { a: 1 } }));
  deepStrictEqual(simulator.requests.map(({ action }) => action), ALIASES.map(({ name }) => name));
});

/** Params that the catalog would object to, or that a careless layer would change on the way. */
const UNCHECKED: ReadonlyArray<{ name: string; params: Record<string, unknown> }> = [
  { name: "a negative message id", params: { message_id: -2000000001 } },
  { name: "strings for numbers", params: { message_id: "123", count: "0x10" } },
  { name: "numbers for strings", params: { message: 5, file_id: 0 } },
  { name: "unknown keys", params: { zzz: true, nested: { deep: [{ er: null }] } } },
  { name: "explicit nulls and empty values", params: { message_id: null, a: "", b: [], c: {} } },
  { name: "textual ids", params: { file_id: "/a1b2-c3", folder_id: "０１２", flag: "add:1/../2" } },
  { name: "unicode", params: { message: '群 👩‍👩‍👧 \u0000\u001b[2J\u200b\u2028 e\u0301 \\ " </script>' } },
  { name: "lone surrogates", params: { message: "a\ud800b" } },
  { name: "paths of this machine and others", params: { file: "C:\\data\\a.txt", other: "/home/u/a.txt", u: "~/.x" } },
  { name: "CQ codes and markup", params: { message: "[CQ:at,qq=all] &amp;#91;", auto_escape: false } },
  { name: "names that objects inherit", params: { constructor: 1, toString: "x", hasOwnProperty: null } },
  { name: "a text of 1 MiB", params: { message: "群".repeat(350_000) } },
];

for (const kind of ["read", "write"] as const) {
  Deno.test(`params reach the bot as they came, unchecked and unconverted, in a ${kind}`, async (t) => {
    verifies("params-unchecked", "one-post");
    await using bot = new RawBot();
    await using server = await serverFor(bot);
    const { tool } = KINDS[kind];
    const action = kind === "read" ? "get_msg" : "send_msg";
    for (const [index, { name, params }] of UNCHECKED.entries()) {
      await t.step(name, async () => {
        passedOn(await server.call(index, tool, { action, params }));
        const { body } = await (await bot.connection(index)).request;
        strictEqual(body, JSON.stringify({ action, params }));
      });
    }
    strictEqual(bot.connections.length, UNCHECKED.length);
  });
}

Deno.test("field names that could reach a prototype arrive at the bot as data", async () => {
  verifies("params-unchecked");
  await using bot = new RawBot();
  await using server = await serverFor(bot);
  const params = '{"data":{"__proto__":{"polluted":true},"constructor":{"prototype":{"x":1}}}}';
  const args = `{"action":"send_msg","params":${params}}`;
  await server.send(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"invoke_action","arguments":${args}}}\n`,
  );
  passedOn(await server.receive(({ id }) => id === 1));
  strictEqual((await (await bot.connection(0)).request).body, `{"action":"send_msg","params":${params}}`);
});

const REDIRECTS = ["301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent"];

Deno.test("redirects are not followed and the target sees neither request nor token", async (t) => {
  verifies("no-redirect", "bad-answers", "never-retry");
  await using target = new RawBot();
  await using bot = new RawBot();
  await using server = await serverFor(bot, { token: TOKEN });
  for (const status of REDIRECTS) {
    for (const kind of ["read", "write"] as const) {
      await t.step(`${status}, ${kind}`, async () => {
        const before = bot.connections.length;
        bot.script(answers("", { status, headers: { location: target.url } }));
        const { tool, args } = KINDS[kind];
        const failure = failureOf(await server.call(`${status}-${kind}`, tool, args));
        strictEqual(failure.kind, "invalid_answer");
        strictEqual(failure.outcome, kind === "write" ? "unknown" : "failed");
        ok(failure.message.includes(status.slice(0, 3)), failure.message);
        strictEqual(bot.connections.length, before + 1);
      });
    }
  }
  await goesOn(server, "after");
  strictEqual(target.connections.length, 0);
});

Deno.test("an envelope in a redirect's body is judged by itself", async () => {
  verifies("no-redirect", "envelope-judged");
  await using target = new RawBot();
  await using bot = new RawBot();
  bot.script(answers('{"status":"ok","retcode":0,"data":1}', {
    status: "307 Temporary Redirect",
    headers: { location: target.url },
  }));
  await using server = await serverFor(bot);
  strictEqual(passedOn(await server.call(1, "query_action", KINDS.read.args)).diagnostics.outcome, "success");
  strictEqual(target.connections.length, 0);
});

Deno.test("proxy variables of the environment are not obeyed", async () => {
  verifies("no-proxy");
  await using proxy = new RawBot();
  await using bot = new RawBot();
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  const env = {
    ...Object.fromEntries(names.map((name) => [name, proxy.url])),
    NODE_USE_ENV_PROXY: "1",
    NO_PROXY: "",
    no_proxy: "",
  };
  await using server = await serverFor(bot, { token: TOKEN, env });
  for (const kind of ["read", "write"] as Kind[]) passedOn(await server.call(kind, KINDS[kind].tool, KINDS[kind].args));
  strictEqual(bot.connections.length, 2);
  strictEqual(proxy.connections.length, 0);
  await using secure = await serverFor({ url: bot.url.replace("http:", "https:") }, { token: TOKEN, env });
  bot.script(resetAtOnce);
  failureOf(await secure.call(1, "query_action", KINDS.read.args));
  strictEqual(bot.connections.length, 3);
  strictEqual(proxy.connections.length, 0);
});
