import { ok, rejects, strictEqual } from "node:assert/strict";
import { openEventSocket } from "../../../lib/events/socket.ts";
import { verifies } from "../../requirements.ts";
import { failureOf } from "../support.ts";
import { acceptance, ByteBot, drain, Ear, EventBot, NEVER, open, tidyTest, until } from "./support.ts";

const TOKEN = "token-of-the-bot";

/** A bot that answers a handshake with text, and then waits for the client to leave. */
function answering(text: string | ((head: string) => Promise<string>)): ByteBot {
  return new ByteBot(async (conn, head) => {
    await conn.write(new TextEncoder().encode(typeof text === "string" ? text : await text(head)));
    await drain(conn);
  });
}

tidyTest("openEventSocket() sends the token in the authorization header, and asks for no compression", async () => {
  verifies("events-token");
  await using bot = await EventBot.start();
  const socket = await open(bot.url, new Ear(), { token: TOKEN });
  const { headers, url } = bot.requests[0] ?? {};
  strictEqual(headers?.authorization, `Bearer ${TOKEN}`);
  strictEqual(headers?.["sec-websocket-extensions"], undefined);
  strictEqual(url, "/");
  const left = bot.left();
  socket.close();
  strictEqual(await left, 1000);
  const bare = await open(bot.url, new Ear());
  strictEqual(bot.requests[1]?.headers.authorization, undefined);
  bare.close();
});

tidyTest("openEventSocket() explains each status a bot may refuse the upgrade with", async () => {
  verifies("events-auth", "events-path", "events-token");
  const table: Array<[status: number, kind: string, said: RegExp]> = [
    [401, "auth", /SNOWLUMA_MCP_EVENTS_TOKEN.*separate.*SNOWLUMA_MCP_TOKEN/],
    [403, "auth", /SNOWLUMA_MCP_EVENTS_TOKEN/],
    [400, "connect", /only at the path they are configured with, usually \//],
    [404, "connect", /only at the path/],
    [426, "connect", /WebSocket server/],
    [200, "connect", /WebSocket server/],
    [500, "connect", /WebSocket server/],
    [302, "connect", /SNOWLUMA_MCP_EVENTS_URL/],
  ];
  for (const [status, kind, said] of table) {
    await using bot = answering(
      `HTTP/1.1 ${status} X\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 5\r\n\r\nhello`,
    );
    const ear = new Ear();
    const failure = await failureOf(() => open(bot.url, ear, { token: TOKEN }));
    strictEqual(failure.kind, kind, String(status));
    ok(failure.message.includes(`HTTP ${status}`), failure.message);
    ok(said.test(failure.nextStep), failure.nextStep);
    ok(!`${failure.message}${failure.nextStep}`.includes(TOKEN));
    strictEqual(ear.ends.length, 0, "it never stood");
  }
});

tidyTest("openEventSocket() follows no redirect", async () => {
  verifies("events-token");
  await using other = await EventBot.start();
  await using bot = answering(
    `HTTP/1.1 307 X\r\nlocation: ${other.url.replace("ws:", "http:")}\r\ncontent-length: 0\r\n\r\n`,
  );
  const { kind, message } = await failureOf(() => open(bot.url, new Ear(), { token: TOKEN }));
  strictEqual(kind, "connect");
  ok(message.includes("redirects are not followed"), message);
  strictEqual(other.requests.length, 0);
});

tidyTest("openEventSocket() names the system's reason when nobody listens", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const { kind, message, nextStep } = await failureOf(() => open(`ws://127.0.0.1:${port}/`, new Ear()));
  strictEqual(kind, "connect");
  ok(message.includes("ECONNREFUSED"), message);
  ok(nextStep.includes("Start the bot") && nextStep.includes("SNOWLUMA_MCP_EVENTS_URL"), nextStep);
});

tidyTest("openEventSocket() names the permission that is missing", async () => {
  const { kind, message, nextStep } = await failureOf(() => open("ws://127.0.0.2:9/", new Ear()));
  strictEqual(kind, "connect");
  ok(message.includes("127.0.0.2:9"), message);
  ok(nextStep.includes("permission"), nextStep);
});

tidyTest("openEventSocket() takes wrong handshakes for no connection", async () => {
  const accept = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
  const answers: Array<string | ((head: string) => Promise<string>)> = [
    `HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${accept}\r\n\r\n`,
    "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    async (head) => (await acceptance(head)).replace("Upgrade: websocket", "Upgrade: h2c"),
    async (head) => (await acceptance(head)).replace(/\r\n\r\n$/, "\r\nSec-WebSocket-Extensions: x\r\n\r\n"),
    "SSH-2.0-OpenSSH_9.6\r\n\r\n",
  ];
  for (const answer of answers) {
    await using bot = answering(answer);
    const ear = new Ear();
    const { kind, message } = await failureOf(() => open(bot.url, ear));
    strictEqual(kind, "connect", message);
    strictEqual(ear.ends.length, 0);
  }
  await using silent = new ByteBot(() => Promise.resolve());
  strictEqual((await failureOf(() => open(silent.url, new Ear()))).kind, "connect", "closed without an answer");
});

tidyTest("openEventSocket() gives up in time, also when an answer trickles in", async () => {
  await using bot = new ByteBot(async (conn) => {
    const trickle = new TextEncoder().encode("HTTP/1.1 101 X\r\n" + "x: y\r\n".repeat(10_000));
    for (const byte of trickle) {
      await conn.write(Uint8Array.of(byte));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
  const { kind, message } = await failureOf(() => open(bot.url, new Ear(), { connectTimeoutMs: 150 }));
  strictEqual(kind, "timeout");
  ok(message.includes("150 ms"), message);
});

tidyTest("openEventSocket() gives up when the signal aborts, before, during and not after", async () => {
  verifies("events-release");
  const controller = new AbortController();
  let asked = 0;
  await using bot = new ByteBot(async (conn) => {
    asked++;
    await drain(conn);
  });
  const attempt = openEventSocket({ url: bot.url, connectTimeoutMs: 5_000 }, new Ear(), controller.signal);
  const failed = rejects(attempt, { kind: "cancelled" });
  await until(() => asked === 1);
  controller.abort();
  await failed;
  const late = openEventSocket({ url: bot.url, connectTimeoutMs: 5_000 }, new Ear(), controller.signal);
  await rejects(late, { kind: "cancelled" });
  strictEqual(asked, 1, "nobody was asked");

  await using friendly = await EventBot.start();
  const other = new AbortController();
  const ear = new Ear();
  const socket = await openEventSocket({ url: friendly.url, connectTimeoutMs: 5_000 }, ear, other.signal);
  other.abort();
  await until(() => ear.texts.length === 1);
  await friendly.send("still here");
  await until(() => ear.texts.length === 2);
  socket.close();
});

tidyTest("openEventSocket() refuses a token that no header can hold, without showing it", async () => {
  verifies("events-token");
  await using bot = await EventBot.start();
  const attempt = openEventSocket({ url: bot.url, token: `${TOKEN}\n`, connectTimeoutMs: 5_000 }, new Ear(), NEVER);
  const { kind, message } = await failureOf(() => attempt);
  strictEqual(kind, "connect");
  ok(!message.includes(TOKEN), message);
});
