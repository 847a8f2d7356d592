import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { checkFrame, type Frame } from "../../../lib/onebot/frame.ts";
import { collectFrames, MAX_FRAMES, MAX_FRAMES_TEXT_BYTES } from "../../../lib/transfer/collect.ts";
import { verifies } from "../../requirements.ts";
import { checked, okFrame } from "./support.ts";

/** So many frames in all, without a text of their own. */
async function* bare(count: number): AsyncGenerator<Frame> {
  for (let i = 1; i < count; i++) yield checkFrame(okFrame({ type: "stream" }));
  yield checkFrame(okFrame({ type: "response" }));
}

/** Two frames whose data, without `type`, have so many bytes as JSON together. */
function texts(bytes: number, character = "x"): AsyncGenerator<Frame> {
  const room = bytes - '{"data":""}{"data":"end"}'.length;
  const size = new TextEncoder().encode(character).length;
  const data = character.repeat(Math.floor(room / size)) + "x".repeat(room % size);
  return checked(okFrame({ type: "stream", data }), okFrame({ type: "response", data: "end" }));
}

Deno.test("collectFrames() gives the data of all frames, and counts them as they come", async () => {
  verifies("stream-summary");
  const data = [1, 2].map((n) => ({ type: "stream", data_type: "data_chunk", data: `群${n}`, later: [n] }));
  const terminal = { type: "response", data_type: "data_complete", data: "done" };
  const counts: number[] = [];
  const got = await collectFrames(checked(...[...data, terminal].map(okFrame)), (count) => counts.push(count));
  deepStrictEqual(got, { frames: data, frame_count: 3, terminal });
  deepStrictEqual(counts, [1, 2, 3]);
});

Deno.test("collectFrames() is content with a last frame alone", async () => {
  verifies("stream-summary");
  const got = await collectFrames(checked(okFrame({ type: "response" })), () => {});
  deepStrictEqual(got, { frames: [], frame_count: 1, terminal: { type: "response" } });
});

Deno.test("collectFrames() takes 10,000 frames and not one more", async () => {
  verifies("frames-capped");
  strictEqual(MAX_FRAMES, 10_000);
  strictEqual((await collectFrames(bare(MAX_FRAMES), () => {})).frame_count, MAX_FRAMES);
  const fault = { kind: "too_large", message: "more than 10000 frames came" };
  await rejects(collectFrames(bare(MAX_FRAMES + 1), () => {}), fault);
});

Deno.test("collectFrames() takes 64 KiB of text and not a byte more", async (t) => {
  verifies("frames-capped");
  strictEqual(MAX_FRAMES_TEXT_BYTES, 65_536);
  const fault = { kind: "too_large", message: "the frames hold more than 65536 bytes of text" };
  for (const character of ["x", "群", "😀"]) {
    await t.step(`of ${character}`, async () => {
      strictEqual((await collectFrames(texts(MAX_FRAMES_TEXT_BYTES, character), () => {})).frame_count, 2);
      await rejects(collectFrames(texts(MAX_FRAMES_TEXT_BYTES + 1, character), () => {}), fault);
    });
  }
  await t.step("in whatever field, also of the last frame", async () => {
    const long = "x".repeat(MAX_FRAMES_TEXT_BYTES);
    for (const data of [{ type: "response", data_type: long }, { type: "response", [long]: 1 }]) {
      await rejects(collectFrames(checked(okFrame(data)), () => {}), fault);
    }
  });
});

Deno.test("collectFrames() refuses frames of a file", async () => {
  verifies("stream-order");
  for (const data_type of ["file_info", "file_chunk", "file_complete"]) {
    const frames = checked(okFrame({ type: "stream" }), okFrame({ type: "response", data_type }));
    const message = "a frame of a file comes in a stream without one";
    await rejects(collectFrames(frames, () => {}), { kind: "invalid_answer", message });
  }
});
