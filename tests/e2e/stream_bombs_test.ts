/** Frames made to take minutes or gigabytes: refused at once, while the server goes on answering others. */
import { ok, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { answers } from "../support/raw_bot.ts";
import {
  chunk,
  CHUNKED,
  file,
  GENERIC,
  okFrame,
  type Sent,
  stays,
  StreamRig,
  streams,
  wire,
} from "./stream_support.ts";

const MIB = 1024 * 1024;
const [INFO, HELLO] = [file.info(5), file.chunk(0, "hello")];
/** Longest time until a bomb is refused, and until a ping is answered meanwhile, in milliseconds. */
const [MAX_MS, MAX_PING_MS] = [3_000, 1_000];

/** A frame with `later` in place of a field of its data. */
function withLater(frame: Sent, later: string): string {
  return wire(frame).replace('"LATER"', later);
}

const LAST = file.complete(1, 5, { later: "LATER" });
const CROWDED = /a frame holds more than 65536 objects and lists$/;

/** What follows a good start, where none of it is let through. */
const BOMBS: ReadonlyArray<readonly [name: string, end: () => string, says: RegExp]> = [
  [
    "60,000 lists in each other",
    () => withLater(LAST, "[".repeat(60_000) + "]".repeat(60_000)),
    /the last frame has more than 32 levels$/,
  ],
  [
    "30,000 objects in each other",
    () => withLater(LAST, `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`),
    /the last frame has more than 32 levels$/,
  ],
  ["70,000 empty objects", () => withLater(LAST, `[${"{},".repeat(70_000)}0]`), CROWDED],
  ["10,000,000 lists in each other", () => withLater(LAST, "[".repeat(5e6) + "]".repeat(5e6)), CROWDED],
  ["10,000,000 lists that never end", () => `${"[".repeat(1e7)}\r\n\r\n`, CROWDED],
  ["24 MiB of empty objects", () => withLater(LAST, `[${"{},".repeat(8 * MIB - 200)}0]`), CROWDED],
];

/** Pings until `work` has ended; gives the longest time that an answer took, in milliseconds. */
async function slowestPing({ server }: StreamRig, work: Promise<unknown>): Promise<number> {
  let running = true;
  const ended = (): boolean => running = false;
  work.then(ended, ended);
  let slowest = 0;
  while (running) {
    const start = performance.now();
    await server.request(`ping-${crypto.randomUUID()}`, "ping");
    slowest = Math.max(slowest, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return slowest;
}

for (const token of [undefined, "tok_SECRET+/=1"]) {
  const how = token === undefined ? "without a token" : "with a token";

  Deno.test(`a frame made to exhaust is refused soon, and pings are answered meanwhile, ${how}`, async (t) => {
    verifies("frames-capped", "bounded", "download-part");
    await using rig = await StreamRig.start({ timeoutMs: 20_000, ...(token !== undefined && { token }) });
    for (const [name, end, says] of BOMBS) {
      await t.step(name, async () => {
        const script = stays(CHUNKED, chunk(wire(INFO, HELLO)), chunk(end()), "0\r\n\r\n");
        const start = performance.now();
        const call = rig.fails(script, "too_large", says);
        const ping = await slowestPing(rig, call);
        await call;
        const ms = performance.now() - start; // the good download after it included
        ok(ms < MAX_MS && ping < MAX_PING_MS, `${ms} ms, a ping took ${ping} ms`);
      });
    }
    for (const status of ["200 OK", "500 Oops"]) {
      await t.step(`in an answer that is no stream, HTTP ${status}`, async () => {
        await rig.fails(answers(`[${"{},".repeat(70_000)}0]`, { status }), "too_large", CROWDED);
      });
    }
    await t.step("in a stream without a file", async () => {
      const body = withLater(okFrame({ type: "response", later: "LATER" }), `[${"{},".repeat(70_000)}0]`);
      await rig.fails(streams(body), "too_large", CROWDED, GENERIC);
    });
    await rig.server.closeInput();
    strictEqual((await rig.server.exit()).code, 0);
  });
}
