/** Bots that keep still, at every point of a stream, and bots that are merely slow. */
import { ok } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import type { RawScript } from "../support/raw_bot.ts";
import { chunk, CHUNKED, END, file, GENERIC, GOOD, okFrame, stays, StreamRig, wire } from "./stream_support.ts";

/** The timeout where it is to be met, and where it is not, in milliseconds. */
const [SILENCE_MS, TIMEOUT_MS] = [500, 1_200];

Deno.test("a stream ends when nothing comes for as long as the timeout", async (t) => {
  verifies("stream-timeouts", "download-part");
  await using rig = await StreamRig.start({ timeoutMs: SILENCE_MS });
  const begun = wire(file.info(0), file.chunk(0, "he"), file.chunk(1, "llo"));
  const cases: Record<string, RawScript> = {
    "before the first byte": stays(),
    "after the head": stays(CHUNKED),
    "after some chunks": stays(CHUNKED, chunk(begun)),
    "within a frame": stays(CHUNKED, chunk(begun + wire(file.complete(2, 5)).slice(0, 50))),
    "after the last frame, before the body's end": stays(CHUNKED, chunk(GOOD)),
  };
  const says = new RegExp(`within the timeout \\(nothing came for ${SILENCE_MS} ms\\)$`);
  for (const [name, script] of Object.entries(cases)) {
    await t.step(name, async () => {
      const start = performance.now();
      await rig.fails(script, "timeout", says);
      ok(performance.now() - start >= SILENCE_MS - 10);
    });
  }
  await t.step("in a stream without a file", () => {
    return rig.fails(stays(CHUNKED, chunk(wire(okFrame({ type: "stream" })))), "timeout", says, GENERIC);
  });
});

Deno.test("a slow stream comes through, however long it takes, if it never pauses for long", async () => {
  verifies("stream-timeouts");
  await using rig = await StreamRig.start({ timeoutMs: TIMEOUT_MS });
  const start = performance.now();
  await rig.succeeds(async (connection) => {
    await connection.request;
    const pieces = GOOD.match(/[^]{1,150}/g) ?? []; // frames are longer, so that most reads complete none
    for (const piece of [CHUNKED, ...pieces.map(chunk), END]) {
      await connection.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 0.25 * TIMEOUT_MS));
    }
    await connection.closed;
  }, "hello");
  ok(performance.now() - start > 1.5 * TIMEOUT_MS, "it took longer than the timeout");
});
