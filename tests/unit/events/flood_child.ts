/**
 * A bot that prints its address, greets whoever connects, and from the first byte of its standard input on sends
 * numbered events as fast as they are taken, until the client has gone; `FloodBot` of `support.ts` runs it.
 */
import { acceptance, ByteBot, event, frames, lifecycle, writeAll } from "./support.ts";

/** Events that are made at once; the system holds some more. */
const AT_ONCE = 1_000;

const begun = Promise.withResolvers<void>();
await using bot = new ByteBot(async (conn, head) => {
  await conn.write(new TextEncoder().encode(await acceptance(head)));
  await writeAll(conn, frames(lifecycle()));
  await begun.promise;
  for (let sent = 0;; sent += AT_ONCE) {
    await writeAll(conn, frames(...Array.from({ length: AT_ONCE }, (_, at) => event({ seq: sent + at + 1 }))));
  }
});
await Deno.stdout.write(new TextEncoder().encode(`${bot.url}\n`));
const buffer = new Uint8Array(16);
while (await Deno.stdin.read(buffer) !== null) begun.resolve();
