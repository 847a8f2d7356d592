import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { checkFrame, type Frame } from "../../../lib/onebot/frame.ts";
import { MAX_CHUNKS } from "../../../lib/transfer/download.ts";
import { MAX_TOLD_LENGTH, MAX_TOLD_LEVELS } from "../../../lib/onebot/frame.ts";
import { verifies } from "../../requirements.ts";
import { between, deeplyNested, seeded } from "../support.ts";
import { checked, fails, file, MAX_BYTES, save } from "./support.ts";

const BYTES = Uint8Array.from({ length: 300 }, (_, i) => i);
const [ONE, TWO] = [BYTES.slice(0, 100), BYTES.slice(100)];
const [first, second] = [file.chunk(0, ONE), file.chunk(1, TWO)];
const complete = file.complete(2, 300);

Deno.test("saveFile() keeps what the chunks hold, hashed and counted, whether the size is announced or not", async (t) => {
  verifies("download-whole", "download-result", "progress");
  for (const size of [300, 0]) {
    await t.step(`announced as ${size}`, async () => {
      const { result, names, bytes, progress, folder } = await save(checked(file.info(size), first, second, complete));
      deepStrictEqual(result, {
        status: "fulfilled",
        value: {
          file_path: `${folder}/a.bin`,
          file_size: 300,
          sha256: createHash("sha256").update(BYTES).digest("hex"),
          frame_count: 4,
          terminal: complete.data,
        },
      });
      deepStrictEqual([names, bytes], [["a.bin"], BYTES]);
      deepStrictEqual(progress, [[100, size || undefined], [300, size || undefined]]);
    });
  }
});

Deno.test("saveFile() takes pieces of any size, also empty ones and none", async (t) => {
  verifies("download-whole");
  for (let seed = 1; seed <= 10; seed++) {
    await t.step(`seed ${seed}`, async () => {
      const random = seeded(seed);
      const whole = crypto.getRandomValues(new Uint8Array(between(random, 0, MAX_BYTES)));
      const frames = [file.info(seed % 2 === 0 ? whole.length : 0)];
      for (let at = 0; at < whole.length;) {
        const piece = whole.slice(at, at += between(random, 0, 80));
        frames.push(file.chunk(frames.length - 1, piece));
      }
      frames.push(file.complete(frames.length - 1, whole.length));
      deepStrictEqual((await save(checked(...frames))).bytes, whole);
    });
  }
});

Deno.test("saveFile() takes the largest file and not a byte more, announced or not", async (t) => {
  verifies("frames-capped");
  const [fits, beyond] = [new Uint8Array(MAX_BYTES), new Uint8Array(MAX_BYTES + 1)];
  const limit = "than the limit of 1000 (SNOWLUMA_MCP_MAX_STREAM_BYTES)";
  for (const announced of [MAX_BYTES, 0]) {
    await t.step(`of ${announced}`, async () => {
      const { bytes } = await save(checked(file.info(announced), file.chunk(0, fits), file.complete(1, MAX_BYTES)));
      strictEqual(bytes?.length, MAX_BYTES);
    });
  }
  for (
    const [announced, message] of [[MAX_BYTES + 1, "the file has 1001 bytes, more"], [0, "more bytes came"]] as const
  ) {
    await t.step(`not more, of ${announced}`, async () => {
      const { result, names } = await save(checked(file.info(announced), file.chunk(0, beyond)));
      await rejects(fails(result), { kind: "too_large", message: `${message} ${limit}` });
      deepStrictEqual(names, []);
    });
  }
});

Deno.test("saveFile() takes 4,194,304 chunks and not one more", async () => {
  verifies("frames-capped");
  strictEqual(MAX_CHUNKS, 4_194_304);
  const stream = endless();
  const { result, names } = await save(stream, { onBytes: () => {} });
  await rejects(fails(result), { kind: "too_large", message: "the file has more than 4194304 chunks" });
  deepStrictEqual([stream.chunks, names], [MAX_CHUNKS + 1, []]);
});

/** A file without an end, of empty chunks; `chunks` counts them. One frame is given again and again, for speed. */
function endless(): AsyncIterable<Frame> & { readonly chunks: number } {
  const info = checkFrame(file.info(0));
  const data = { data_type: "file_chunk", index: -1, data: "", size: 0 };
  const chunk: Frame = { ...info, data };
  const frames = [info];
  const next = (): IteratorResult<Frame> => {
    const value = frames.pop() ?? (data.index++, chunk);
    return { value };
  };
  return {
    get chunks() {
      return data.index + 1;
    },
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve(next()) }),
  };
}

Deno.test("saveFile() bounds the last frame, which it hands on", async (t) => {
  verifies("bounded", "download-part");
  deepStrictEqual([MAX_TOLD_LENGTH, MAX_TOLD_LEVELS], [65_536, 32]);
  const room = MAX_TOLD_LENGTH - JSON.stringify(file.complete(0, 0, { message: "" }).data).length;
  const last = (message: unknown) => checked(file.info(0), file.complete(0, 0, { message }));
  for (
    const [bound, fits, beyond] of [
      ["65536 characters", "x".repeat(room), "x".repeat(room + 1)],
      ["32 levels", deeplyNested(1, 31), deeplyNested(1, 32)],
      ["32 levels", deeplyNested(null, 31), { a: deeplyNested([], 30) }],
    ] as const
  ) {
    await t.step(bound, async () => {
      strictEqual((await save(last(fits))).result?.status, "fulfilled");
      const { result, names } = await save(last(beyond));
      await rejects(fails(result), { kind: "too_large", message: `the last frame has more than ${bound}` });
      deepStrictEqual(names, []);
    });
  }
});

Deno.test("saveFile() takes secrets out of the name", async () => {
  verifies("no-token");
  const frames = checked(file.info(0, { file_name: "a secret.bin" }), file.complete(0, 0));
  deepStrictEqual((await save(frames, { redact: (text) => text.replaceAll("secret", "X") })).names, ["a X.bin"]);
});
