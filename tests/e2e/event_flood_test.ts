/** A bot that sends as fast as it is read: others are answered meanwhile, events stay in order, and the end is in time. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { type Message, ServerProcess } from "../support/server_process.ts";
import { FloodBot } from "../unit/events/support.ts";
import { eventOptions, readEvents, subscribe } from "./event_support.ts";
import { envelope } from "./support.ts";

/** What is promised for the end of a session, in milliseconds; more than enough for an answer. */
const PROMISED_MS = 2_000;
for (const isModern of [true, false]) {
  for (const way of ["end of input", "SIGTERM"] as const) {
    Deno.test(`a flood of events holds up neither a ${isModern ? "modern" : "legacy"} client's calls nor the ${way}`, async () => {
      verifies("events-cursor", "events-buffer", "events-release", "shutdown");
      await using bot = await FloodBot.start();
      await using server = new ServerProcess(eventOptions(bot.url));
      if (!isModern) await server.initialize();
      const meta = isModern ? { _meta: envelope() } : {};
      const request = async (method: string, params: Message = {}): Promise<Message> =>
        (await server.request(crypto.randomUUID(), method, { ...params, ...meta })).result;
      const client = {
        callTool: (name: string, args: Message = {}) => request("tools/call", { name, arguments: args }),
      };
      const uri = await subscribe(client);
      await bot.begin();
      let after = "0";
      while (Number(after) < 100_000) {
        const start = performance.now();
        if (!isModern) deepStrictEqual(await request("ping"), {});
        const page = await readEvents(client, uri, { after });
        const ms = performance.now() - start;
        ok(ms < PROMISED_MS, `an answer took ${ms} ms`);
        strictEqual(page.status, "connected");
        for (const { cursor, event } of page.events) strictEqual(String(event.seq), cursor); // none lost, none twice
        after = page.next_cursor;
      }
      if (way === "SIGTERM") server.kill(way);
      else await server.closeInput();
      const { code, ms } = await server.exit();
      strictEqual(code, 0, await server.stderr);
      ok(ms < PROMISED_MS, `it took ${ms} ms`);
      match(await server.stderr, /Event connection is up/);
    });
  }
}
