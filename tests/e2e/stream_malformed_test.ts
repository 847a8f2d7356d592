/** Frames that are none, and streams that do not end as they should. The bot never hangs up first unless it says so. */
import { verifies } from "../requirements.ts";
import { cuts, httpAnswer, type RawScript } from "../support/raw_bot.ts";
import {
  chunk,
  CHUNKED,
  END,
  failedFrame,
  file,
  okFrame,
  type Sent,
  stays,
  StreamRig,
  streams,
  wire,
} from "./stream_support.ts";

const [INFO, HELLO, DONE] = [file.info(5), file.chunk(0, "hello"), file.complete(1, 5)];
const WHOLE = wire(INFO, HELLO, DONE);
const MALFORMED = "a frame is malformed: its ";

/** A stream that goes wrong after its first chunk; nothing follows, also no end. */
function then(part: string | Uint8Array): RawScript {
  return stays(CHUNKED, chunk(wire(INFO, HELLO)), chunk(part));
}

Deno.test("a malformed frame ends a download at once", async (t) => {
  verifies("frames-checked", "frames-split", "stream-agrees", "download-part");
  await using rig = await StreamRig.start();
  const { data } = DONE as { readonly data: Sent };
  const envelope = (fields: Sent): string => wire(okFrame(data, fields));
  const cases: Record<string, readonly [part: string | Uint8Array, says: string]> = {
    "no JSON": ["nonsense\r\n\r\n", "a frame is not JSON"],
    "half a frame, separated": [`${wire(DONE).slice(0, 40)}\r\n\r\n`, "a frame is not JSON"],
    "an empty frame": ["\r\n\r\n", "a frame is not JSON"],
    "two frames without a separator": [wire(DONE).trim() + wire(DONE), "a frame is not JSON"],
    "a byte order mark": [`\ufeff${wire(DONE)}`, "a frame is not JSON"],
    "no UTF-8": [Uint8Array.from([0x22, 0xff, 0x22, 13, 10, 13, 10]), "a frame is not UTF-8 text"],
    "an array": ["[]\r\n\r\n", "a frame is malformed: it is no OneBot envelope"],
    "null": ["null\r\n\r\n", "a frame is malformed: it is no OneBot envelope"],
    "no mark": [envelope({ stream: undefined }), "a frame is malformed: it lacks the mark"],
    "another mark": [envelope({ stream: true }), "a frame is malformed: it lacks the mark"],
    "no status": [envelope({ status: undefined }), `${MALFORMED}status is neither ok nor failed`],
    "retcode as text": [envelope({ retcode: "0" }), `${MALFORMED}retcode is no whole number`],
    "ok with retcode 100": [envelope({ retcode: 100 }), "a frame is malformed: it is ok with a retcode other than 0"],
    "failed with retcode 0": [envelope({ status: "failed" }), "a frame is malformed: it is failed with retcode 0"],
    "no data": [envelope({ data: null }), `${MALFORMED}data is no object`],
    "an unknown type": [envelope({ data: { ...data, type: "reset" } }), `${MALFORMED}type is neither`],
    "an index as text": [wire(file.chunk(1, "x", { index: "1" })), `${MALFORMED}index is no whole number`],
    "data that is a number": [wire(file.chunk(1, "x", { data: 5 })), `${MALFORMED}data is no text`],
    "a size with a fraction": [wire(file.chunk(1, "x", { size: 1.5 })), `${MALFORMED}size is no whole number`],
    "a frame of 24 MiB and a byte": [new Uint8Array(24 * 1024 * 1024 + 1).fill(0x20), "a frame exceeds 25165824 bytes"],
  };
  for (const [name, [part, says]] of Object.entries(cases)) {
    const kind = says.includes("exceeds") ? "too_large" : "invalid_answer";
    const message = new RegExp(`^Cannot call download_file_stream: ${says}`);
    await t.step(name, () => rig.fails(then(part), kind, message));
  }
});

Deno.test("a body that does not end with its last frame is an error, whatever came before", async (t) => {
  verifies("stream-ends", "stream-order", "frames-split");
  await using rig = await StreamRig.start();
  const early = /the connection ended before the whole answer had come/;
  const noLast = /\(the stream has no last frame\)$/;
  const cases: Record<string, readonly [script: RawScript, kind: string, says: RegExp]> = {
    "nothing": [stays(CHUNKED, END), "cut", /\(the stream is empty\)$/],
    "no last frame": [streams(wire(INFO, HELLO)), "cut", noLast],
    "half a last frame": [streams(WHOLE.slice(0, -20)), "cut", noLast],
    "half a separator": [streams(WHOLE.slice(0, -1)), "cut", noLast],
    "no last frame, of known length": [stays(httpAnswer(wire(INFO, HELLO))), "cut", noLast],
    "cut between frames": [cuts(CHUNKED + text(wire(INFO))), "cut", early],
    "cut within a frame": [cuts(CHUNKED + text(WHOLE.slice(0, 60))), "cut", early],
    "cut within a piece": [cuts(CHUNKED + text(WHOLE).slice(0, -9)), "cut", early],
    "cut after the last frame, before the body's end": [cuts(CHUNKED + text(WHOLE)), "cut", early],
    "cut before the announced length": [cuts(`HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n${WHOLE}`), "cut", early],
    "cut without any framing": [cuts(`HTTP/1.1 200 OK\r\n\r\n${wire(INFO, HELLO)}`), "cut", noLast],
    "no HTTP framing any more": [
      stays(CHUNKED, chunk(wire(INFO)), "zz\r\n"),
      "invalid_answer",
      /no chunk size/,
    ],
    "a frame after the last one": [streams(WHOLE + wire(HELLO), ""), "invalid_answer", /a frame follows the last one$/],
    "the last frame twice": [streams(WHOLE + wire(DONE), ""), "invalid_answer", /a frame follows the last one$/],
    "a failure after the last frame": [
      streams(WHOLE + wire(failedFrame("late")), ""),
      "invalid_answer",
      /a frame follows the last one$/,
    ],
    "rubbish after the last frame": [streams(`${WHOLE}x`), "invalid_answer", /something follows the last frame$/],
    "an empty line after the last frame": [streams(`${WHOLE}\r\n`), "invalid_answer", /something follows/],
  };
  for (const [name, [script, kind, says]] of Object.entries(cases)) {
    await t.step(name, () => rig.fails(script, kind, says));
  }
});

/** A piece of a body as text. */
function text(body: string): string {
  return new TextDecoder().decode(chunk(body));
}

Deno.test("a stream comes through in every framing and however the network cuts it", async (t) => {
  verifies("frames-split", "download-whole");
  await using rig = await StreamRig.start();
  const body = wire(
    file.info(0, { file_name: "群😀.bin" }),
    file.chunk(0, "hel"),
    file.chunk(1, "lo"),
    file.complete(2, 5),
  );
  const bytes = new TextEncoder().encode(body);
  const pieces = (size: number): Uint8Array[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => chunk(bytes.slice(i * size, (i + 1) * size)));
  const cases: Record<string, RawScript> = {
    "in one piece": streams(body),
    "of known length": stays(httpAnswer(body)),
    "up to the end of the connection": cuts(`HTTP/1.1 200 OK\r\n\r\n${body}`),
    "in pieces of one byte": stays(CHUNKED, ...pieces(1), END),
    "in pieces of 37 bytes, with an extension and a trailer": stays(CHUNKED, ...pieces(37), "0;x=1\r\ny: 2\r\n\r\n"),
    "in writes of their own": async (connection) => {
      for (const piece of [CHUNKED, ...pieces(90), END]) {
        await connection.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      await connection.closed;
    },
  };
  for (const [name, script] of Object.entries(cases)) {
    await t.step(name, async () => void await rig.succeeds(script, "hello"));
  }
  await t.step("in a chunk of 16 MiB, the largest that bots make", async () => {
    const text = "x".repeat(16 * 1024 * 1024);
    await rig.succeeds(streams(wire(file.info(text.length), file.chunk(0, text), file.complete(1, text.length))), text);
  });
});
