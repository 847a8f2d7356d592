import { deepStrictEqual, rejects } from "node:assert/strict";
import type { Frame } from "../../../lib/onebot/frame.ts";
import { verifies } from "../../requirements.ts";
import { checked, fails, file, okFrame, save, type Sent } from "./support.ts";

const BYTES = new Uint8Array(300).fill(7);
const [ONE, TWO] = [BYTES.slice(0, 100), BYTES.slice(100)];
const info = file.info(300);
const [first, second] = [file.chunk(0, ONE), file.chunk(1, TWO)];
const complete = file.complete(2, 300);

const BASE64 = ONE.toBase64();
const NO_BASE64: Readonly<Record<string, string>> = {
  "a character short": BASE64.slice(0, -1),
  "without padding": BASE64.replaceAll("=", ""),
  "padding twice": `${BASE64}====`,
  "too much padding": `${BASE64}=`,
  "padding alone": "====",
  "bits in the padding": BASE64.replace(/.==$/, "/=="),
  "white space within": `${BASE64.slice(0, 8)}\n${BASE64.slice(8)}`,
  "white space at the end": `${BASE64} `,
  "white space alone": "\t\r\n\f",
  "the alphabet of addresses": "-_-_",
  "no letter of any alphabet": "!AAA",
  "beyond ASCII": "éAAA",
};

/** Streams by what is wrong with them. */
const FAULTS: Readonly<Record<string, readonly Sent[][]>> = {
  "the stream does not begin with file_info": [
    ...[[], [first, complete], [complete], [okFrame({ type: "response" })], [file.info(300, { type: "response" })]],
  ],
  "neither file_chunk nor file_complete follows file_info": [
    [info, info],
    [info, first, info],
    [info, okFrame({ type: "stream", data_type: "later" })],
    [info, file.complete(0, 0, { type: "stream" })],
  ],
  "the stream ends before file_complete": [[info], [info, first], [info, file.chunk(0, BYTES, { type: "response" })]],
  "a chunk is out of order": [[info, second], [info, first, first], [info, first, file.chunk(2, TWO)]],
  "a chunk is not base64": Object.values(NO_BASE64).map((data) => chunkWith({ data })),
  "the stream contradicts itself: size is not the size of the chunk": [
    ...[99, 101, 0, 102].map((size) => chunkWith({ size })),
    chunkWith({ data: "" }),
  ],
  "the stream contradicts itself: more bytes come than file_info announced": [
    [file.info(99), first],
    [file.info(299), first, second],
  ],
  "the stream contradicts itself: fewer bytes came than file_info announced": [
    [info, first, file.complete(1, 100)],
    [file.info(1), file.complete(0, 0)],
  ],
  "the stream contradicts itself: total_chunks is not the number of chunks": [0, 1, 3].map((chunks) => {
    return [info, first, second, file.complete(chunks, 300)];
  }),
  "the stream contradicts itself: total_bytes is not the number of bytes": [0, 299, 301].map((bytes) => {
    return [info, first, second, file.complete(2, bytes)];
  }),
  "a frame is malformed: its file_name is no text": [5, null, undefined].map((file_name) => {
    return [file.info(300, { file_name })];
  }),
  "a frame is malformed: its file_size is no whole number from 0": ["300", -1, 1.5, null, undefined].map((size) => {
    return [file.info(300, { file_size: size })];
  }),
  "a frame is malformed: its index is no whole number from 0": ["0", -1, 0.5, null].map((index) =>
    chunkWith({ index })
  ),
  "a frame is malformed: its data is no text": [5, null, [BASE64]].map((data) => chunkWith({ data })),
  "a frame is malformed: its size is no whole number from 0": ["100", 1.5, -1, null].map((size) => chunkWith({ size })),
  "a frame is malformed: its total_chunks is no whole number from 0": [
    [info, first, second, file.complete(2, 300, { total_chunks: "2" })],
  ],
  "a frame is malformed: its total_bytes is no whole number from 0": [
    [info, first, second, file.complete(2, 300, { total_bytes: null })],
  ],
};

/** A file whose first chunk has these fields. */
function chunkWith(fields: Sent): Sent[] {
  return [info, file.chunk(0, ONE, fields)];
}

Deno.test("saveFile() leaves nothing of a stream that breaks a rule, and lets go of it", async (t) => {
  verifies("stream-order", "stream-agrees", "download-part");
  for (const [message, streams] of Object.entries(FAULTS)) {
    await t.step(message, async () => {
      for (const stream of streams) {
        let left = false;
        const frames = async function* (): AsyncGenerator<Frame> {
          try {
            yield* checked(...stream);
          } finally {
            left = true;
          }
        };
        const { result, names } = await save(frames());
        await rejects(fails(result), { name: "StreamFault", kind: "invalid_answer", message }, JSON.stringify(stream));
        deepStrictEqual([names, left], [[], true]);
      }
    });
  }
});

Deno.test("saveFile() keeps no file of a call that was cancelled before the file had its name", async () => {
  verifies("stream-cancel", "download-part");
  const controller = new AbortController();
  const onBytes = (written: number): void => written === 300 ? controller.abort() : undefined;
  const { result, names } = await save(checked(info, first, second, complete), { signal: controller.signal, onBytes });
  await rejects(fails(result), { name: "ExchangeError", fault: "cancelled", sent: true });
  deepStrictEqual(names, []);
});
