import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { FrameSplitter, MAX_FRAME_BYTES } from "../../../lib/onebot/frame_splitter.ts";
import { StreamFault } from "../../../lib/onebot/stream_fault.ts";
import { verifies } from "../../requirements.ts";
import { between, seeded } from "../support.ts";

const SEPARATOR = "\r\n\r\n";
/** Far above what one pass takes on a busy machine, far below what rescanning would; in milliseconds. */
const ONE_PASS_MS = 5_000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Frames and rest of a body that is cut at these places. */
function split(body: Uint8Array, cuts: readonly number[]): { frames: string[]; rest: string } {
  const splitter = new FrameSplitter();
  const frames: string[] = [];
  for (const [i, end] of [...cuts, body.length].entries()) {
    const piece = body.slice(cuts[i - 1] ?? 0, end);
    frames.push(...splitter.push(piece));
    piece.fill(0x21); // whoever gave the bytes may use their place again
  }
  return { frames, rest: splitter.rest() };
}

Deno.test("FrameSplitter finds the same frames wherever two cuts are made", async (t) => {
  verifies("frames-split");
  const bodies: Record<string, readonly [frames: readonly string[], rest: string]> = {
    "nothing": [[], ""],
    "one frame": [['{"a":1}'], ""],
    "empty frames": [["", "", ""], ""],
    "one to four bytes a character": [['{"a":"é"}', '{"群":"😀"}', '"\u{10ffff}"'], ""],
    "parts of a separator in a frame": [["a\rb\nc\r\nd\r\n\re\r\r\nf\n\r", "\n", "\n\r\n\rx", "\r\r"], ""],
    "a frame that is not whole": [["1"], '{"a'],
    "a separator that is not whole": [["1"], "2\r\n\r"],
    "a byte order mark, which is kept": [["\ufeff1", "\ufeff2"], "\ufeff"],
    "a character that is no text": [["\0", "\x7f\ufffe"], ""],
  };
  for (const [name, [frames, rest]] of Object.entries(bodies)) {
    await t.step(name, () => {
      const body = bytesOf(frames.map((frame) => frame + SEPARATOR).join("") + rest);
      for (let first = 0; first <= body.length; first++) {
        for (let second = first; second <= body.length; second++) {
          deepStrictEqual(split(body, [first, second]), { frames, rest }, `cut at ${first} and ${second}`);
        }
      }
    });
  }
});

Deno.test("FrameSplitter finds the same frames in long bodies under random cuts", async (t) => {
  verifies("frames-split");
  const alphabet = ["\r", "\n", "\r\n", "\r\n\r", "x", "群", "😀", "é", " ".repeat(500), "A".repeat(20_000)];
  for (let seed = 1; seed <= 25; seed++) {
    await t.step(`seed ${seed}`, () => {
      const random = seeded(seed);
      const frames = Array.from({ length: between(random, 1, 60) }, () => {
        const parts = Array.from({ length: between(random, 0, 12) }, () => alphabet[between(random, 0, 9)] ?? "");
        return `${parts.join("").replaceAll(SEPARATOR, "-")}.`; // at the end it would join the separator
      });
      const body = bytesOf(frames.map((frame) => frame + SEPARATOR).join(""));
      const longest = [1, 7, 5_000, 65_536][seed % 4] ?? 1;
      const cuts: number[] = [];
      for (let at = 0; (at += between(random, 0, 2 * longest)) < body.length;) cuts.push(at);
      deepStrictEqual(split(body, cuts), { frames, rest: "" });
    });
  }
});

Deno.test("FrameSplitter refuses what is not UTF-8, in a frame and at the end", async (t) => {
  verifies("frames-split");
  const bad: Record<string, number[]> = {
    "a lone continuation byte": [0x80],
    "a character that is cut off": [0xe7, 0xbe],
    "an overlong slash": [0xc0, 0xaf],
    "half a surrogate pair": [0xed, 0xa0, 0x80],
    "beyond Unicode": [0xf4, 0x90, 0x80, 0x80],
    "Latin-1": [0xfc, 0x62],
  };
  const fault = { name: "StreamFault", kind: "invalid_answer", message: "a frame is not UTF-8 text" };
  for (const [name, bytes] of Object.entries(bad)) {
    await t.step(name, () => {
      throws(() => new FrameSplitter().push(Uint8Array.from([0x22, ...bytes, ...bytesOf(SEPARATOR)])), fault);
      const splitter = new FrameSplitter();
      deepStrictEqual(splitter.push(Uint8Array.from([0x22, ...bytes])), []);
      throws(() => splitter.rest(), fault);
    });
  }
});

Deno.test("FrameSplitter takes a frame of 24 MiB and not a byte more", async (t) => {
  verifies("frames-capped");
  strictEqual(MAX_FRAME_BYTES, 25_165_824);
  const room = new Uint8Array(MAX_FRAME_BYTES + 8).fill(0x61);
  const fault = { kind: "too_large", message: "a frame exceeds 25165824 bytes" } as const;
  /** Pushes a small frame, so many bytes in pieces as a socket gives them, and then what comes after. */
  const push = (length: number, after: string): string[] => {
    const splitter = new FrameSplitter();
    const frames = splitter.push(bytesOf(`1${SEPARATOR}`));
    for (let at = 0; at < length; at += 65_536) {
      frames.push(...splitter.push(room.subarray(0, Math.min(65_536, length - at))));
    }
    return [...frames, ...splitter.push(bytesOf(after))];
  };
  await t.step("exactly so many", () => {
    const frames = push(MAX_FRAME_BYTES, `${SEPARATOR}2${SEPARATOR}`);
    deepStrictEqual(frames.map(({ length }) => length), [1, MAX_FRAME_BYTES, 1]);
  });
  await t.step("so many, and a separator that is not whole", () => {
    for (const part of ["\r", "\r\n", "\r\n\r"]) deepStrictEqual(push(MAX_FRAME_BYTES, part), ["1"]);
  });
  await t.step("one more before any separator", () => throws(() => push(MAX_FRAME_BYTES + 1, ""), fault));
  await t.step("one more, a separator's beginning that is none", () => {
    throws(() => push(MAX_FRAME_BYTES, "\r\n\rx"), fault);
  });
  await t.step("one more, separator and all in one piece", () => {
    room.set(bytesOf(SEPARATOR), MAX_FRAME_BYTES + 1);
    throws(() => new FrameSplitter().push(room), fault);
  });
});

Deno.test("FrameSplitter looks at every byte once, however they come", async (t) => {
  verifies("frames-split");
  const cases: Record<string, { body: Uint8Array; piece: number }> = {
    "8 MiB of carriage returns": { body: new Uint8Array(8 * 1024 * 1024).fill(13), piece: 4_096 },
    "half separators": { body: bytesOf("\r\n\r".repeat(500_000)), piece: 700 },
    "a long frame byte by byte": { body: new Uint8Array(1024 * 1024).fill(0x61), piece: 1 },
    "frames of one byte, all at once": { body: bytesOf(`1${SEPARATOR}`.repeat(400_000)), piece: 2_000_000 },
  };
  for (const [name, { body, piece }] of Object.entries(cases)) {
    await t.step(name, () => {
      const start = performance.now();
      const splitter = new FrameSplitter();
      let frames = 0;
      for (let at = 0; at < body.length; at += piece) {
        frames += splitter.push(body.subarray(at, at + piece)).length;
        ok(performance.now() - start < ONE_PASS_MS, `${at} of ${body.length} bytes in ${ONE_PASS_MS} ms`);
      }
      strictEqual(frames * 5 + splitter.rest().length, body.length);
    });
  }
});

Deno.test("StreamFault says which of two kinds it is", () => {
  deepStrictEqual({ ...new StreamFault("too_large", "why") }, { name: "StreamFault", kind: "too_large" });
});
