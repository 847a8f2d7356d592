/** The access token in the hands of a bot that repeats it wherever it can. */
import { ok, strictEqual } from "node:assert/strict";
import { encodeBase64, encodeHex } from "@std/encoding";
import { verifies } from "../requirements.ts";
import {
  answers,
  cuts,
  RawBot,
  type RawConnection,
  type RawScript,
  resetAtOnce,
  sends,
  stalls,
} from "../support/raw_bot.ts";
import { ServerProcess } from "../support/server_process.ts";
import { botEnv, KINDS } from "./exec_support.ts";
import { runCommand } from "./support.ts";

/** Has a character of each kind that some encoding changes. */
const TOKEN = "tok_TEST+/=1%secret";
const PERCENT = encodeURIComponent(TOKEN);

/** What must be nowhere. Part of the token is enough to betray it. */
const FORBIDDEN = [
  { name: "plain", form: TOKEN },
  { name: "percent-encoded", form: PERCENT },
  { name: "percent-encoded in lower case", form: PERCENT.replace(/%../g, (code) => code.toLowerCase()) },
  { name: "percent-encoded as an address", form: encodeURI(TOKEN) },
  { name: "base64", form: encodeBase64(TOKEN).replace(/=+$/, "") },
  { name: "base64 of the header", form: encodeBase64(`Bearer ${TOKEN}`).replace(/=+$/, "") },
  { name: "hex", form: encodeHex(TOKEN) },
  { name: "its end", form: "1%secret" },
  { name: "its end, percent-encoded", form: "1%25secret" },
];

function scan(text: string, where: string): void {
  for (const { name, form } of FORBIDDEN) ok(!text.includes(form), `the token, ${name}, is in ${where}: ${text}`);
}

/** Bots that say what they were told. Each gets the value of the authorization header. */
const ECHOES: ReadonlyArray<{ name: string; script: (header: string) => RawScript }> = [
  { name: "wording", script: (header) => json({ status: "failed", retcode: 1401, data: null, wording: header }) },
  { name: "wording of a contradiction", script: (header) => json({ status: "ok", retcode: 7, wording: header }) },
  { name: "message", script: (header) => json({ status: "failed", retcode: 100, message: `Bad: ${header}` }) },
  { name: "data, deep", script: (header) => json({ status: "ok", retcode: 0, data: [{ headers: [header] }] }) },
  { name: "field names", script: (header) => json({ status: "ok", retcode: 0, data: { [header]: 1 } }) },
  { name: "status and retcode", script: (header) => json({ status: header, retcode: header }) },
  { name: "echo", script: (header) => json({ status: "ok", retcode: 0, data: null, echo: header }) },
  {
    name: "an address",
    script: (header) => json({ status: "ok", retcode: 0, data: `http://h/?t=${tail(header, encodeURIComponent)}` }),
  },
  {
    name: "an address in lower case",
    script: (header) =>
      json({
        status: "ok",
        retcode: 0,
        data: tail(header, (t) => encodeURIComponent(t).toLowerCase().replace("tok_test", "tok_TEST")),
      }),
  },
  {
    name: "an address, lightly encoded",
    script: (header) => json({ status: "ok", retcode: 0, data: tail(header, encodeURI) }),
  },
  { name: "base64", script: (header) => json({ status: "ok", retcode: 0, data: tail(header, encodeBase64) }) },
  {
    name: "base64 of the header",
    script: (header) => json({ status: "ok", retcode: 0, data: encodeBase64(header).replace(/=+$/, "") }),
  },
  { name: "hex", script: (header) => json({ status: "failed", retcode: 1, wording: encodeHex(header) }) },
  {
    name: "JSON with needless escapes",
    script: (header) => answers(`{"status":"failed","retcode":1,"wording":"${unicode(header)}"}`),
  },
  {
    name: "wording around the cut",
    script: (header) => json({ status: "failed", retcode: 1, wording: "x".repeat(490) + header }),
  },
  { name: "HTML", script: (header) => answers(`<pre>${header}</pre>`, { status: "401 Unauthorized" }) },
  { name: "half JSON", script: (header) => answers(`{"status":"ok","data":"${header}`) },
  { name: "a JSON string", script: (header) => answers(JSON.stringify(header)) },
  {
    name: "a redirect",
    script: (header) => answers(header, { status: "302 Found", headers: { location: `/${header}` } }),
  },
  { name: "the status line", script: (header) => answers("", { status: `500 ${header}` }) },
  { name: "a broken status line", script: (header) => sends(`HTTP/1.1 ${header}\r\n\r\n`) },
  { name: "no HTTP", script: (header) => sends(`${header}\r\n`) },
  { name: "a broken header", script: (header) => sends(`HTTP/1.1 200 OK\r\n${header}\u0000\r\n\r\n`) },
  {
    name: "a challenge",
    script: (header) => answers("", { status: "401 No", headers: { "www-authenticate": header } }),
  },
  { name: "a cut body", script: (header) => cuts(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${header}`) },
  { name: "a stalled body", script: (header) => stalls(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${header}`) },
];

function json(envelope: unknown): RawScript {
  return answers(JSON.stringify(envelope));
}

function tail(header: string, encode: (token: string) => string): string {
  return encode(header.replace("Bearer ", ""));
}

function unicode(text: string): string {
  return text.replace(/./g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A script that finds the header in the request first. */
function echo(script: (header: string) => RawScript): RawScript {
  return async (connection: RawConnection) => {
    const { headers } = await connection.request;
    const header = headers["authorization"] ?? "";
    strictEqual(header, `Bearer ${TOKEN}`, "the bot has to know it, or nothing is tested");
    await script(header)(connection);
  };
}

for (const log of ["text", "json"]) {
  Deno.test(`the token is in no line of output, whatever the bot says (log as ${log})`, async (t) => {
    verifies("no-token", "stdout-protocol", "auth");
    await using bot = new RawBot();
    const env = botEnv(bot, { token: TOKEN, timeoutMs: 500, env: { SNOWLUMA_MCP_LOG: log } });
    await using server = new ServerProcess({ env });
    await server.initialize();
    for (const { name, script } of ECHOES) {
      for (const [kind, { tool, args }] of Object.entries(KINDS)) {
        await t.step(`${name}, ${kind}`, async () => {
          bot.script(echo(script));
          scan(JSON.stringify(await server.call(`${name}-${kind}`, tool, args)), "the answer");
        });
      }
    }
    bot.script(resetAtOnce);
    await server.call("reset", KINDS.write.tool, KINDS.write.args);
    await server.call("runtime", "get_runtime_info", { check_connection: true });
    await server.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${TOKEN.length}`); // half a line
    await server.closeInput();
    strictEqual((await server.exit()).code, 0);
    for (const line of server.lines) scan(line, "a line on stdout");
    scan(await server.stderr, "stderr");
    strictEqual(bot.connections.length, ECHOES.length * 2 + 1 + 3, "every case was seen by the bot, once");
  });
}

Deno.test("the token is not in what doctor prints, whatever the bot says", async (t) => {
  verifies("no-token", "doctor");
  for (const { name, script } of ECHOES) {
    await t.step(name, async () => {
      await using bot = new RawBot(echo(script));
      const env = botEnv(bot, { token: TOKEN, timeoutMs: 500 });
      const { stdout, stderr } = await runCommand(["doctor"], { env });
      ok(stdout.includes("SNOWLUMA_MCP_TOKEN"));
      scan(stdout, "stdout");
      scan(stderr, "stderr");
      strictEqual(bot.connections.length, 3);
    });
  }
});
