/** Streams without a file: what a caller gets of them, and what they may not come to. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { verifies } from "../requirements.ts";
import { CLIENTS } from "../support/clients.ts";
import { RawBot } from "../support/raw_bot.ts";
import { passedOn } from "./exec_support.ts";
import {
  chunk,
  CHUNKED,
  downloadFolder,
  file,
  GENERIC,
  okFrame,
  rigOptions,
  stays,
  StreamRig,
  streams,
  wire,
} from "./stream_support.ts";

const LAST = okFrame({ type: "response", data_type: "data_complete", data: "done" });

for (const connect of CLIENTS) {
  Deno.test(`a stream without a file gives its frames, their number and the last one (${connect.name})`, async () => {
    verifies("stream-summary", "eras-equal", "digits");
    await using folder = await downloadFolder();
    await using bot = new RawBot(streams(wire(okFrame({ type: "stream", n: [1, "群"] }), LAST)));
    await using client = await connect(rigOptions(bot, folder.path));
    const { envelope, diagnostics } = passedOn(await client.callTool("invoke_action", GENERIC));
    deepStrictEqual(envelope, { frames: [{ type: "stream", n: [1, "群"] }], frame_count: 2, terminal: LAST.data });
    deepStrictEqual(diagnostics, { outcome: "success" });
  });
}

Deno.test("long numbers in frames keep their digits", async () => {
  verifies("digits", "stream-summary");
  await using rig = await StreamRig.start();
  const body = wire(LAST).replace('"done"', "12345678901234567890");
  const { content } = (await rig.call(streams(body), GENERIC)).result;
  strictEqual(
    content[0].text,
    '{"frames":[],"frame_count":1,"terminal":{"type":"response","data_type":"data_complete","data":12345678901234567890}}',
  );
});

Deno.test("frames of a stream without a file and their text are capped", async (t) => {
  verifies("frames-capped", "stream-order");
  await using rig = await StreamRig.start();
  const bare = wire(okFrame({ type: "stream" }));
  const end = wire(okFrame({ type: "response" }));
  const textFrame = (length: number): string => wire(okFrame({ type: "stream", data: "x".repeat(length) }));
  const room = 65_536 - '{"data":""}{}'.length;
  for (
    const [name, body, count] of [
      ["10,000 frames pass", bare.repeat(9_999) + end, 10_000],
      ["64 KiB of text pass", textFrame(room) + end, 2],
    ] as const
  ) {
    await t.step(name, async () => {
      strictEqual(passedOn(await rig.call(streams(body), GENERIC)).envelope.frame_count, count);
    });
  }
  for (
    const [name, body, kind, says] of [
      ["one frame more", bare.repeat(10_000) + end, "too_large", /: more than 10000 frames came$/],
      ["one byte more", textFrame(room + 1) + end, "too_large", /: the frames hold more than 65536 bytes of text$/],
      [
        "text without an end",
        textFrame(9_000).repeat(8),
        "too_large",
        /: the frames hold more than 65536 bytes of text$/,
      ],
      ["a frame of a file", wire(file.info(5)), "invalid_answer", /: a frame of a file comes in a stream without one$/],
      [
        "a deep frame",
        wire(okFrame({ type: "stream", data: "DEEP" })).replace('"DEEP"', deep(200_000)),
        "too_large",
        /holds more/,
      ],
    ] as const
  ) {
    const script = body.endsWith(end) ? streams(body) : stays(CHUNKED, chunk(body)); // no end to wait for
    await t.step(name, () => rig.fails(script, kind, says, GENERIC));
  }
});

function deep(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}
